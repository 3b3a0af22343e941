// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/detail/stage_answer.h"

namespace p2::inline pipeline {
namespace {

const Configuration& partsIn(const StageAnswer& answer, std::size_t vertex) {
  return answer.solution.mapped.problem.domainOf(vertex).configurations[answer.strategy().choice[vertex]];
}

/// Share of a transfer that belongs to the forward pass.
double forwardShare(Transfer::Purpose purpose) {
  constexpr double kHalf = 0.5;
  switch (purpose) {
    case Transfer::Purpose::Forward:
      return 1;
    case Transfer::Purpose::Backward:
    case Transfer::Purpose::Again:
    case Transfer::Purpose::Gradients:
      return 0;
    default:
      return kHalf;
  }
}

}  // namespace

PipelineSetting::PipelineSetting(const System& system, const GraphCostOptions& whole, StageFactors stageFactors)
    : factors(std::move(stageFactors)),
      options(whole),
      stages(stageCount(factors)),
      microbatches(whole.microbatches),
      meshes(meshesOf(stageSystem(system, factors), system)) {
  options.devices = whole.devices / stages;
  options.microbatches = microbatchSlots(stages, microbatches);
  // Under stage 3 of ZeRO a bucket is a layer.
  if (options.memory.zero < kMostZero) options.bucketElements /= static_cast<double>(stages);
}

Bytes partOfEnd(const Operator& end, const Configuration& parts, Bytes bytesPerElement) {
  return elementsOf(end, end.tensors.front(), parts) * bytesPerElement;
}

Result<StageSends> sendsOf(const StageGraph& stage, const PipelineSetting& setting, const StageAnswer& answer,
                           PipelinePricer& pricer) {
  const auto bytesAt = [&](std::size_t end) {
    return partOfEnd(stage.graph.operators[end], partsIn(answer, end), setting.options.bytesPerElement);
  };
  StageSends sends;
  if (stage.sends) {
    sends.forward = bytesAt(*stage.sends);
    P2_TRY_ASSIGN(sends.forwardSeconds, pricer.sendSeconds(setting.factors, sends.forward));
  }
  if (stage.receives && stage.sendsBack()) {
    sends.backward = bytesAt(*stage.receives);
    P2_TRY_ASSIGN(sends.backwardSeconds, pricer.sendSeconds(setting.factors, sends.backward));
  }
  return sends;
}

StageTimes timesOf(const PipelineSetting& setting, const Mapping& mapping, const StageSends& sends) {
  const auto slots = static_cast<double>(setting.options.microbatches);
  const MemoryOptions& memory = setting.options.memory;
  StageTimes times;
  times.forward = sends.forwardSeconds;
  times.backward = sends.backwardSeconds;
  for (std::size_t v = 0; v < mapping.computeSeconds.size(); ++v) {
    times.forward += mapping.forwardSeconds[v] / slots;
    times.backward += (mapping.computeSeconds[v] - mapping.forwardSeconds[v]) / slots;
  }
  const auto add = [&](const std::vector<Transfer>& transfers) {
    for (const Transfer& transfer : transfers) {
      if (happensOnce(transfer.purpose, memory.zero)) {
        times.once += transfer.seconds;
        continue;
      }
      const double share = forwardShare(transfer.purpose);
      times.forward += transfer.seconds / slots * share;
      times.backward += transfer.seconds / slots * (1 - share);
    }
  };
  for (const auto& transfers : mapping.vertices) add(transfers);
  for (const auto& transfers : mapping.edges) add(transfers);
  return times;
}

StepMemory memoryOf(const StageGraph& stage, const PipelineSetting& setting, const StageAnswer& answer,
                    std::int64_t inFlight) {
  const GraphCostOptions& options = setting.options;
  const MappedGraph graph(stage.graph, options);
  StepMemory memory;
  for (std::size_t v = 0; v < stage.operators.size(); ++v) memory += graph.memoryOf(v, partsIn(answer, v));
  if (stage.receives) {
    memory.activations +=
        partOfEnd(stage.graph.operators[*stage.receives], partsIn(answer, *stage.receives), options.bytesPerElement);
  }
  memory.activations = memory.activations * static_cast<double>(inFlight);
  return memory;
}

}  // namespace p2::inline pipeline
