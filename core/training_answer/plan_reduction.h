// SPDX-License-Identifier: GPL-3.0-or-later
// A plan's communication as the reduction of a document.
#pragma once

#include <cstddef>
#include <optional>

#include "training/planner.h"
#include "workspace/workspace.h"

namespace p2::inline training_answer {

/// Communication of a middle stage's device in a step of a configuration, over the axes of its placement. Errors as
/// generateWorkload(); a single device, which does not communicate.
[[nodiscard]] Result<Workload> workloadOfPlan(const ModelShape& model, const PlannedConfiguration& planned);

/// The entry that stands for a step where none is chosen: gradients over data parallelism, the largest; else the
/// collective that moves the most bytes in a step. None if all entries are messages between stages: these have no
/// programs.
[[nodiscard]] std::optional<std::size_t> leadingEntry(const Workload& workload);

/// The document with one entry of its workload as its reduction: its axes, goal, bytes and count. The program goes.
/// Errors: messages between pipeline stages; a kind without a goal.
[[nodiscard]] Result<Workspace> withEntry(Workspace workspace, const WorkloadEntry& entry);

/// The document with axes, placement and workload of a plan, and one of its collectives as the reduction: the entry
/// with the same name and kind as reducedEntry(), else leadingEntry(). The user's own reduction is kept in
/// Workspace::planned. Errors as workloadOfPlan() and withEntry().
[[nodiscard]] Result<Workspace> withPlan(Workspace workspace, const ModelShape& model,
                                         const PlannedConfiguration& planned);

/// The document with the user's own reduction again; without one, only the mark of the plan goes.
[[nodiscard]] Workspace withOwnReduction(Workspace workspace);

/// The place in the document's workload of the entry that is its reduction; none where the reduction is another one.
[[nodiscard]] std::optional<std::size_t> reducedEntry(const Workspace& workspace);

}  // namespace p2::inline training_answer
