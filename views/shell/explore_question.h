// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "explore/explore.h"

namespace p2::views {

/// A session's question to an exploration.
struct ExploreQuestion {
  Workspace workspace;
  std::size_t programsPerPlacement = 0;
  /// Known links and routes of the workspace's system, if any; not part of the question.
  std::shared_ptr<const Topology> known = {};
  friend bool operator==(const ExploreQuestion& a, const ExploreQuestion& b) {
    return a.programsPerPlacement == b.programsPerPlacement && a.workspace == b.workspace;
  }
};

/// The part of a workspace that an exploration answers: its system, its axes and its options.
[[nodiscard]] Workspace exploredPartOf(const Workspace& workspace);
/// Whether their parts that an exploration answers are the same.
[[nodiscard]] bool sameQuestion(const Workspace& a, const Workspace& b);
/// Whether they pose the same question to the planner; the choice of an answer is not compared.
[[nodiscard]] bool sameTraining(const Workspace& a, const Workspace& b);
/// Removes a chosen matrix or program that the workspace's own question does not offer. It stays while the axes do not
/// multiply to the devices, because the user may be changing them.
void dropMisfit(Workspace& workspace);
/// Adapts the axes to a change of the system alone: the data-parallel axis, or the only axis, takes the new number of
/// devices if the others divide it. The axes of a plan or a workload stay as they are.
void followDevices(const Workspace& before, Workspace& next);
/// Number of programs of each placement that is affordable with the present number of placements.
[[nodiscard]] std::size_t affordablePrograms(const Workspace& workspace);

}  // namespace p2::views
