// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "training/detail/configuration.h"

namespace p2::inline training {

/// A constant of the model of a step, as resources/training/constants.json has it.
struct TrainingConstant {
  std::string key;     ///< "products:H100:fp8"
  double prior = 0;    ///< an engineer's estimate before any run; above 0
  double spread = 0;   ///< standard deviation of its logarithm before any run
  double value = 0;    ///< fitted to the bundled runs
  std::string reason;  ///< its meaning
};

/// Constants of a step of one configuration on one accelerator, each looked up by the generation, number type or
/// framework family it belongs to. Times in seconds; the others are shares or factors.
enum class StepConstant {
  Products,          ///< share of the peak that large products reach (generation, number type)
  HeadProducts,      ///< efficiency of the head's products in 16 bits
  DepthHalf,         ///< length of a product's sums at which it takes twice the time
  WavePower,         ///< how much of the waste of incomplete waves is felt
  Align64,           ///< loss of shapes that are no multiple of 64
  Align8,            ///< loss of shapes that are no multiple of 8
  PowerPower,        ///< how strongly a lower power limit slows products
  Grouped,           ///< efficiency of grouped products of experts over single ones
  Attention,         ///< share of the 16-bit peak that fused attention reaches (generation)
  OlderAttention,    ///< speed of FlashAttention 2 over kernels written for Hopper and later
  AttentionBack,     ///< its backward pass over its forward pass
  MemoryShare,       ///< share of the data sheet's memory bandwidth that kernels reach
  Elementwise,       ///< passes over memory really made over those counted
  Scores,            ///< as Elementwise, for unfused attention's scores
  Casts,             ///< as Elementwise, for casts to 8 bits
  KernelFloor,       ///< a kernel's time on the device beyond its work
  KernelLaunch,      ///< a kernel's time on the host (framework family)
  CollectiveLaunch,  ///< a collective's time on the host
  LaunchJitter,      ///< growth of host time with every doubling of the tensor parallel degree
  ExpertPasses,      ///< passes over memory of permutations, made over counted (routing)
  ExpertKernels,     ///< additional kernels of a layer with experts over a dense one (routing)
  ExpertLaunches,    ///< kernels of each expert of a device in the forward pass
  LinkShare,         ///< share of a link's bandwidth in the fast domain that rings reach
  LinkDelay,         ///< delay of a ring in the fast domain
  NicShare,          ///< share of a NIC's bandwidth that rings reach
  HopDelay,          ///< delay of a ring for every further node
  NicScale,          ///< share of a NIC's bandwidth lost with every doubling of the nodes
  AllToAllShare,     ///< share of a link's bandwidth that tokens on their way to experts reach
  StageDelay,        ///< delay of a message between stages
  TensorHidden,      ///< share of tensor parallelism's communication behind computation (framework family, overlap)
  DataHidden,        ///< of data parallelism's (framework family)
  ShardHidden,       ///< of FSDP's gathers, of the shorter of gather and computation (framework family)
  ShardBandwidth,    ///< share of a ring's bandwidth that sharded parameters reach (framework family)
  ExpertHidden,      ///< of dispatch and combine
  StageHidden,       ///< of messages between stages of an interleaved pipeline
  StepFloor,         ///< cost of a step beyond its microbatches (framework family)
  MicrobatchFloor,   ///< cost of a microbatch beyond its layers (framework family)
  Jitter,            ///< growth of a step with every doubling of the fast domains
  StageJitter,       ///< growth of a step with a pipeline across domains whose stages wait for every message
  Optimizer,         ///< passes over memory of the optimizer over those counted
  Deterministic,     ///< cost of kernels without atomic sums
  OwnerBroadcast,    ///< of InternEvo's ZeRO-1, for every rank whose parameters are broadcast
};
inline constexpr std::size_t kStepConstants = static_cast<std::size_t>(StepConstant::OwnerBroadcast) + 1;

/// All constants with their fitted values.
class TrainingConstants {
 public:
  explicit TrainingConstants(std::vector<TrainingConstant> constants);

  [[nodiscard]] const std::vector<TrainingConstant>& all() const { return m_all; }
  [[nodiscard]] double value(std::size_t number) const { return m_all[number].value; }
  void setValue(std::size_t number, double value) { m_all[number].value = value; }
  /// By key; −1 for none.
  [[nodiscard]] int find(std::string_view key) const;
  /// The numbers of the constants of a configuration on a generation, by StepConstant. A generation or number type
  /// that is not known has the constants of "any".
  using Numbers = std::array<int, kStepConstants>;
  [[nodiscard]] Numbers numbersFor(std::string_view generation, const TrainingConfiguration& configuration) const;

 private:
  std::vector<TrainingConstant> m_all;
};

/// The values by StepConstant.
class StepConstants {
 public:
  StepConstants(const TrainingConstants& constants, const TrainingConstants::Numbers& numbers) {
    for (std::size_t i = 0; i < kStepConstants; ++i)
      m_values[i] = constants.value(static_cast<std::size_t>(numbers[i]));
  }
  [[nodiscard]] double operator[](StepConstant constant) const { return m_values[static_cast<std::size_t>(constant)]; }

 private:
  std::array<double, kStepConstants> m_values{};
};

/// The bundled ones. Errors of the file are programmer errors: the tests read it.
[[nodiscard]] const TrainingConstants& trainingConstants();
/// From the text of constants.json; the error's position is a JSON pointer.
[[nodiscard]] Result<TrainingConstants> trainingConstantsFrom(std::string_view text);
/// The file with these values, for the fit to write.
[[nodiscard]] std::string trainingConstantsText(const TrainingConstants& constants);

}  // namespace p2::inline training
