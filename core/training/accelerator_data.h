// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "system/system.h"
#include "training/detail/configuration.h"

namespace p2::inline training {

/// Software that accelerators run; a framework is made for some of it.
enum class AcceleratorPlatform { Cuda, Rocm, Tpu, Neuron, OneApi };

/// The accelerators of a platform, as in "NVIDIA GPUs" or "TPUs".
[[nodiscard]] std::string_view devicesOf(AcceleratorPlatform platform);

/// An accelerator's figures that decide the time of a training step: data sheet figures, without sparsity.
struct TrainingAccelerator {
  std::string begins;      ///< how its type begins: "H100"
  std::string generation;  ///< whose constants it shares: "H100" of H100, H200 and H800
  AcceleratorPlatform platform = AcceleratorPlatform::Cuda;
  double bf16 = 0;  ///< FLOP/s of products of 16-bit numbers, by which MFU counts
  double fp8 = 0;   ///< 0 where it has none
  double fp4 = 0;
  double memory = 0;           ///< bytes
  double memoryBandwidth = 0;  ///< bytes/s
  double multiprocessors = 0;  ///< that share the tiles of a product; 0 where products have no such waves (TPU)
  double link = 0;             ///< bytes/s to its neighbours in the fast domain, each way
  double nic = 0;              ///< bytes/s out of the fast domain, each way, where the machine does not say
  std::int64_t domain = 8;     ///< devices of the fast domain; 0 for all (a slice of TPUs)
  /// Devices that one switch joins which copies and adds up data (NVLink SHARP): they write to one another by
  /// multicast. 0 where no drawn switch does so.
  std::int64_t multicast = 0;
  double powerShare = 1;          ///< power limit over the power of its generation's reference
  bool fusesElementwise = false;  ///< whether the compiler fuses element-wise passes (XLA on TPU)
};

/// All that are known, the more special word first (resources/training/accelerators.json).
[[nodiscard]] const std::vector<TrainingAccelerator>& trainingAccelerators();
/// The first whose word the type begins with; the error names the figures that a system would have to give.
[[nodiscard]] Result<TrainingAccelerator> trainingAcceleratorOf(std::string_view type);
/// A drawn system's accelerator: its own figures replace the data sheet's; its links are its innermost
/// interconnect and the networks that leave a node.
[[nodiscard]] Result<TrainingAccelerator> trainingAcceleratorOf(const System& system);
/// FLOP/s of products; the next wider type's where the accelerator has none.
[[nodiscard]] double peakOf(const TrainingAccelerator& accelerator, ProductPrecision precision);

/// Bytes/s that a device of a node can send out of it, all devices at once; 0 for systems of one node, and where
/// networks leave a node in other ways than through its gateways, as on a torus.
[[nodiscard]] double outsideOf(const System& system);

}  // namespace p2::inline training
