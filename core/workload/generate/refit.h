// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workload/workload.h"

namespace p2::inline workload {

/// This training on another number of devices: with as many data-parallel replicas as the other degrees leave, and the
/// same batch of a step if it can be divided so. Where the others do not divide the devices one replica stays, and
/// checkPlan() says which degree would fit.
[[nodiscard]] TrainedStep fittedTo(TrainedStep trained, std::int64_t devices);

/// Whether axes and entries are as generateWorkload() makes them from the workload's own training. Its name and its
/// timing may be the user's. O(entries).
[[nodiscard]] bool isAsGenerated(const Workload& workload);

/// The workload of the same training on another number of devices, see fittedTo(), generated again: entries that were
/// changed by hand are lost. Name and timing stay; seconds of computation change with the microbatches of a replica.
/// Errors: no training is known; as generateWorkload(). O(entries).
[[nodiscard]] Result<Workload> generatedFor(const Workload& workload, std::int64_t devices);

/// The workload with its data-parallel axis resized so that its axes have `devices` devices. Bytes and counts stay: the
/// batch of a step grows with the replicas. Errors: no axis called data; the other axes do not divide the devices.
[[nodiscard]] Result<Workload> withDataOf(Workload workload, std::int64_t devices);

}  // namespace p2::inline workload
