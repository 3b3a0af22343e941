// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "workload/generate/generation.h"

namespace p2::inline workload {
namespace {

/// Bytes of a token on its way to an expert.
std::vector<Symbol> tokenBytes(const Generation& out, NumberFormat format) {
  const FormatSize size = sizeOf(format);
  const std::int64_t hidden = out.model.hidden;
  if (size.scaledBlock == 0) return {{"β", size.bytes}, {"h", hidden}};
  const std::int64_t blocks = (hidden + size.scaledBlock - 1) / size.scaledBlock;
  return {{"(h+4·⌈h/" + std::to_string(size.scaledBlock) + "⌉)", hidden * size.bytes + 4 * blocks}};
}

/// k·b·s/(c·t) tokens, each counted once for every expert it goes to, of the given bytes.
ByteFormula ofCopies(const Generation& out, const std::vector<Symbol>& each) {
  ByteFormula bytes{{{"k", out.model.expertsPerToken}, {"b", out.plan.microbatch}, {"s", out.plan.sequence}},
                    {{"c", out.plan.context}, {"t", out.plan.tensor}}};
  bytes.times.insert(bytes.times.end(), each.begin(), each.end());
  return bytes;
}

}  // namespace

void addExpertEntries(Generation& out) {
  const CommunicationOverlap overlap = out.plan.expertOverlap ? kBesideCompute : kExposed;
  const auto count = [&](std::int64_t passes) -> std::vector<CountFactor> {
    return {{"passes", passes}, {"layers", out.expertLayers}, out.microbatches()};
  };
  const ExpertRouting routing{out.model.experts, out.model.expertsPerToken, out.model.groupsPerToken,
                              out.model.expertGroups};
  // The gradient of combining is dispatched, the gradient of dispatching combined.
  const std::int64_t ways = out.forwards() + 1;
  const auto addWay = [&](const char* name, NumberFormat format) {
    WorkloadEntry* entry = out.add(name, out.mesh.expert, CommunicationKind::Dispatch,
                                   ofCopies(out, tokenBytes(out, format)), count(ways), overlap);
    if (entry != nullptr) entry->routing = routing;
  };
  addWay("dispatch", out.plan.dispatch);
  addWay("combine", out.plan.activations);
  out.add("routing probabilities", out.mesh.expert, CommunicationKind::AllToAll, ofCopies(out, {{"4", 4}}), count(ways),
          overlap);
  out.add("tokens per expert", out.mesh.expert, CommunicationKind::AllGather,
          {{{"8", 8}, {"E", out.model.experts}, {"e", out.plan.expert}}, {}}, count(out.forwards()), overlap);

  ByteFormula gathered = ofCopies(out, tokenBytes(out, out.plan.activations));
  gathered.times.push_back({"t_e", out.plan.expertTensor});
  out.add("expert inputs", out.mesh.expertTensor, CommunicationKind::AllGather, gathered, count(ways), kExposed);
  out.add("expert outputs", out.mesh.expertTensor, CommunicationKind::ReduceScatter, gathered, count(ways), kExposed);
  if (out.expertLayers > 0 && out.plan.expert > 1)
    out.assume("all experts get the same number of tokens, and none is dropped");
}

void addPipelineEntries(Generation& out) {
  ByteFormula bytes = out.activations();
  if (out.plan.sequenceParallel != SequenceParallelism::None) bytes.over.push_back({"t", out.plan.tensor});
  const double sends = static_cast<double>(out.plan.microbatches) * static_cast<double>(out.plan.chunks);
  const double steady = std::max(0.0, 1 - static_cast<double>(out.plan.pipeline - 1) / sends);
  WorkloadEntry* entry = out.add("between stages", out.mesh.pipeline, CommunicationKind::Shift, bytes,
                                 {{"directions", 2}, out.microbatches(), {"chunks", out.plan.chunks}},
                                 {CommunicationOverlap::Extent::Fraction, steady});
  if (entry == nullptr) return;
  entry->closed = out.plan.chunks > 1;
  out.assume("between stages overlaps in the steady state, a share of 1 − (p−1)/(m·v); warm-up and flush are exposed");
}

}  // namespace p2::inline workload
