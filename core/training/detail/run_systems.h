// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "system/topology.h"
#include "training/training_runs.h"

namespace p2::inline training {

/// The machine of a published run, drawn from its parts: nodes, what joins their GPUs, NICs, rails. Errors for machines
/// without known parts (TPU, Trainium, Intel), and more nodes than devices.
[[nodiscard]] Result<System> systemOfRun(const TrainingRun& run);

/// Draws every machine once. For one thread at a time.
class RunTopologies {
 public:
  /// Errors as systemOfRun() and of a system that cannot be worked with.
  [[nodiscard]] Result<std::shared_ptr<const Topology>> of(const TrainingRun& run);

 private:
  std::map<std::string, std::shared_ptr<const Topology>> m_known;
};

/// The prices of a run on its drawn machine, ranks in Megatron's default order. Errors as above, and for degrees that
/// cannot be laid out over its levels.
[[nodiscard]] Result<std::unique_ptr<CommunicationPrices>> drawnPricesOf(const TrainingRun& run,
                                                                         RunTopologies& topologies);

}  // namespace p2::inline training
