// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pipeline_workload.h"

#include <cmath>

#include "mapping/axis_names.h"
#include "mapping/mapped_needs.h"
#include "workload/axis_names.h"

namespace p2::inline pipeline {
namespace {

/// Transfers of slots count once per microbatch.
void leaveOutBubble(const Pipeline& pipeline, std::vector<std::vector<Transfer>>& lists) {
  const auto slots = static_cast<double>(pipeline.slotCount());
  const auto microbatches = static_cast<double>(pipeline.setting.microbatches);
  for (auto& list : lists) {
    for (Transfer& transfer : list) {
      if (std::fmod(transfer.times, slots) == 0) transfer.times *= microbatches / slots;
    }
  }
}

}  // namespace

Result<WorkloadSource> workloadOf(const PipelineChain& chain, const Pipeline& pipeline) {
  const PipelineStage& stage = pipeline.stages[pipeline.slowest()];
  const MappedGraph graph(stage.part.graph, pipeline.setting.options);
  Mapping mapping = stage.mapping;
  leaveOutBubble(pipeline, mapping.vertices);
  leaveOutBubble(pipeline, mapping.edges);
  const auto microbatches = static_cast<double>(pipeline.setting.microbatches);
  for (double& seconds : mapping.computeSeconds) seconds *= microbatches / static_cast<double>(pipeline.slotCount());
  WorkloadSource source;
  if (auto within = workloadOf(graph, stage.mapped(), mapping); within.ok()) {
    source = std::move(within).value();
  } else {
    source.workload.axes = namedAxesOf(stage.mapped().mesh, mapping.axisNames);
  }
  Workload& workload = source.workload;
  workload.name = "pipeline of " + chain.graph().name;
  workload.axes.insert(workload.axes.begin(), Axis{std::string(kPipelineAxis), pipeline.setting.stages, false});
  const auto send = [&](const char* name, Bytes bytes) {
    if (bytes <= Bytes(0)) return;
    WorkloadEntry entry;
    entry.name = name;
    entry.axes = {std::string(kPipelineAxis)};
    entry.kind = CommunicationKind::Shift;
    entry.bytes = static_cast<std::int64_t>(std::ceil(bytes.value()));
    entry.count = pipeline.setting.microbatches;
    entry.closed = false;
    workload.collectives.push_back(std::move(entry));
  };
  send("activations to the next stage", stage.sends.forward);
  send("gradients to the stage before", stage.sends.backward);
  if (workload.collectives.empty()) return Error{"the pipeline communicates nothing; ask for more stages"};
  source.assumed.push_back("the workload describes stage " + std::to_string(pipeline.slowest() + 1) +
                           ", which bounds the step; without the bubble");
  P2_TRY(checkWorkload(workload));
  return source;
}

}  // namespace p2::inline pipeline
