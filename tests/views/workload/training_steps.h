// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/step_ranking.h"
#include "support/fixtures.h"

namespace p2::test {

/// A document with Llama 3.1 70B on 256 H100, FSDP over data and TP over tensor: data is ticked, which alone would send
/// tensor across nodes. Priced by the paper's model, without latencies.
inline Workspace trainingStep() {
  using enum CommunicationKind;
  using Extent = CommunicationOverlap::Extent;
  Workspace workspace = workspaceOf("dgx-h100:32", "data=32,tensor=8", "data");
  for (Level& level : workspace.system.levels) level.interconnect.latency = 0;
  for (Network& network : workspace.system.networks) network.interconnect.latency = 0;
  workspace.options.cost.model = "paper";
  workspace.options.cost.algorithm = Algorithm::Ring;
  const auto entry = [](const char* name, const char* axis, CommunicationKind kind, std::int64_t bytes,
                        std::int64_t count, Extent extent) {
    WorkloadEntry made;
    made.name = name;
    made.axes = {axis};
    made.kind = kind;
    made.bytes = bytes;
    made.count = count;
    made.overlap.extent = extent;
    return made;
  };
  Workload workload;
  workload.name = "Llama 3.1 70B";
  workload.axes = {{"data", 32, false}, {"tensor", 8, false}};
  workload.collectives = {entry("layer weights", "data", AllGather, 213'913'600, 160, Extent::Compute),
                          entry("gradients", "data", ReduceScatter, 427'827'200, 80, Extent::Compute),
                          entry("gathered activations", "tensor", AllGather, 2'147'483'648, 480, Extent::None),
                          entry("summed activations", "tensor", ReduceScatter, 2'147'483'648, 480, Extent::None)};
  workspace.workload = std::move(workload);
  return workspace;
}

}  // namespace p2::test
