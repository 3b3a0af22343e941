// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_answer: on which node and device the ranks of a plan start.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "training/planner.h"

namespace p2::inline training_answer {

/// The node and slot of every rank of a framework.
struct RankStarts {
  std::vector<std::int64_t> nodes;   ///< by rank
  std::vector<std::int64_t> slots;   ///< device inside the node, by rank
  std::int64_t perNode = 1;          ///< devices
  std::vector<std::int64_t> locals;  ///< devices of a node in the order of its ranks, the same on every node
  std::string order;                 ///< order of the axes, the last fastest: "pipeline-data-tensor"

  /// Whether local ranks are the device numbers of their node.
  [[nodiscard]] bool keepsDevices() const;
  /// Nodes in the order of the ranks where every node has a run of them; empty where ranks of several nodes alternate.
  [[nodiscard]] std::vector<std::int64_t> nodeOrder() const;
};

/// The starts of a plan that needs a rank file, with ranks counted in the framework's default order. Errors: that order
/// has no place for an axis.
[[nodiscard]] Result<RankStarts> rankStarts(const System& system, const PlannedConfiguration& planned);

}  // namespace p2::inline training_answer
