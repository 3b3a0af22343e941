// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pipeline_baseline.h"

#include <algorithm>

#include "base/counted.h"
#include "base/numbers.h"
#include "mapping/gradient_buckets.h"
#include "mapping/mapped_baselines.h"

namespace p2::inline pipeline {
namespace {

/// Devices of one stage that share a node.
std::int64_t nodeShare(const System& system, const StageFactors& factors) {
  std::int64_t devices = 1;
  for (std::size_t level = nodeDepth(system); level < factors.size(); ++level) {
    devices *= system.levels[level].count / factors[level];
  }
  return devices;
}

/// Data over the outer axis, tensor over neighbours; empty where the degree does not fill levels.
std::optional<Mesh> megatronMesh(const System& system, const StageFactors& factors, std::int64_t tensor) {
  Mesh mesh{{1, tensor}, ParallelismMatrix(2, factors.size())};
  std::int64_t left = tensor;
  for (std::size_t level = factors.size(); level-- > 0;) {
    const std::int64_t count = system.levels[level].count / factors[level];
    const std::int64_t inner = std::min(left, count);
    if (count % inner != 0 || left % inner != 0) return std::nullopt;
    mesh.matrix.set(0, level, count / inner);
    mesh.matrix.set(1, level, inner);
    mesh.sizes[0] *= count / inner;
    left /= inner;
  }
  if (left != 1) return std::nullopt;
  return mesh;
}

/// The cheapest pipeline of this kind within the memory of the options.
Result<PipelineBaseline> cheapestBaseline(const PipelineChain& chain, const GraphCostOptions& options,
                                          const System& system, PipelinePricer& pricer,
                                          std::optional<std::int64_t> stages, bool sequence,
                                          const std::stop_token& stop, const Progress& progress) {
  const std::vector<std::int64_t> numbers = stages ? std::vector{*stages} : divisorsOf(system.deviceCount());
  std::optional<PipelineBaseline> best;
  std::optional<Error> problem;
  const auto note = [&](const Error& error) {
    if (!problem || error.kind == ErrorKind::TooLarge) problem = error;
  };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (progress) progress(static_cast<double>(i) / static_cast<double>(numbers.size()));
    const auto cuts = chain.evenCuts(numbers[i]);
    const auto all = stageFactorsOf(system, numbers[i]);
    if (!cuts.ok() || all.empty()) {
      note(cuts.ok() ? Error{countedText(numbers[i], "stage") + " cannot share the devices evenly; use a divisor"}
                     : cuts.error());
      continue;
    }
    const PipelineSetting setting(system, options, all.front());
    for (const std::int64_t tensor : divisorsOf(nodeShare(system, setting.factors))) {
      const auto mesh = megatronMesh(system, setting.factors, tensor);
      if (!mesh) continue;
      StageRequest request;
      request.meshes = {*mesh};
      request.limits.allows = [&](const Operator& op, const AxisAssignment& assignment, const Mesh& on) {
        return isTensorParallel(op, assignment, on, tensor > 1 ? MeshAxes{2} : MeshAxes{0}, sequence);
      };
      auto found = pipelineOf(chain, setting, *cuts, pricer, request, stop);
      if (!found.ok()) {
        if (found.error().kind == ErrorKind::Cancelled) return found.error();
        note(found.error());
      } else if (!best || found->cost < best->pipeline.cost) {
        best = PipelineBaseline{std::move(found).value(), tensor};
      }
    }
  }
  if (!best) return *problem;
  return std::move(*best);
}

}  // namespace

std::string_view pipelineBaselineName(bool sequence) { return sequence ? "Megatron TP + SP + PP" : "Megatron TP + PP"; }

std::string_view pipelineBaselineMeaning(bool sequence) {
  return sequence ? "Equal numbers of layers for each stage, tensor parallelism within a node whose norms and sums may "
                    "split "
                    "the sequence, data parallelism over the other devices of a stage."
                  : "Equal numbers of layers for each stage, tensor parallelism within a node, data parallelism over "
                    "the other "
                    "devices of a stage.";
}

Result<PipelineBaseline> pipelineBaseline(const PipelineChain& chain, GraphCostOptions options, const System& system,
                                          PipelinePricer& pricer, std::optional<std::int64_t> stages, bool sequence,
                                          std::stop_token stop, const Progress& progress) {
  options = withBucketsOf(chain.graph(), std::move(options));
  auto found = cheapestBaseline(chain, options, system, pricer, stages, sequence, stop, progress);
  if (found.ok() || found.error().kind != ErrorKind::TooLarge) return found;
  options.deviceMemory = Bytes(0);
  P2_TRY_ASSIGN(auto unbounded, cheapestBaseline(chain, options, system, pricer, stages, sequence, stop, progress));
  unbounded.pipeline.fits = false;
  return unbounded;
}

}  // namespace p2::inline pipeline
