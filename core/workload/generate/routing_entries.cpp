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

/// Whether the devices of tensor parallelism have the same tokens before the experts.
bool haveSameTokens(const Generation& out) {
  return out.plan.tensor > 1 && out.plan.sequenceParallel == SequenceParallelism::None;
}

/// Whether each of these devices sends its part of the tokens alone. Experts that are split among the same devices need
/// all tokens on each.
bool sendsPart(const Generation& out) { return !haveSameTokens(out) || out.plan.expertTensor == 1; }

/// k·b·s/(c·t) tokens, each counted once for every expert it goes to; k·b·s/c where every device
/// of tensor parallelism has all of them.
ByteFormula ofCopies(const Generation& out, const std::vector<Symbol>& each, bool part) {
  ByteFormula bytes{{{"k", out.model.expertsPerToken}, {"b", out.plan.microbatch}, {"s", out.plan.sequence}},
                    {{"c", out.plan.context}}};
  if (part) bytes.over.push_back({"t", out.plan.tensor});
  bytes.times.insert(bytes.times.end(), each.begin(), each.end());
  return bytes;
}

/// DeepSpeed's layers of experts without sequence parallelism (deepspeed/moe/sharded_moe.py, MOELayer.forward): either
/// each device of tensor parallelism keeps its part of the tokens, and outputs and gradients are gathered; or experts
/// are split among these devices, which add up their outputs.
void addSameTokens(Generation& out) {
  const std::vector<Symbol> each{Generation::beta("β", out.plan.activations), {"h", out.model.hidden}};
  const ByteFormula all = ofCopies(out, each, false);
  const auto count = [&](std::int64_t passes) -> std::vector<CountFactor> {
    return {{"passes", passes}, {"layers", out.expertLayers}, out.microbatches()};
  };
  if (sendsPart(out)) {
    out.add("expert outputs to tensor parallelism", out.mesh.tensor, CommunicationKind::AllGather, all,
            count(out.forwards() + 1), kExposed);
    if (out.expertLayers > 0) {
      out.assume("devices of tensor parallelism send their part of the tokens to experts and gather the outputs");
    }
    return;
  }
  out.add("expert outputs", out.mesh.expertTensor, CommunicationKind::AllReduce, all, count(out.forwards()), kExposed);
  out.add("expert input gradients", out.mesh.expertTensor, CommunicationKind::AllReduce, all, count(1), kExposed);
}

}  // namespace

void addExpertEntries(Generation& out) {
  const CommunicationOverlap overlap = out.plan.expertOverlap ? kOverlapsCompute : kExposed;
  const auto count = [&](std::int64_t passes) -> std::vector<CountFactor> {
    return {{"passes", passes}, {"layers", out.expertLayers}, out.microbatches()};
  };
  const ExpertRouting routing{out.model.experts, out.model.expertsPerToken, out.model.groupsPerToken,
                              out.model.expertGroups};
  // The gradient of combining is dispatched, the gradient of dispatching combined.
  const std::int64_t ways = out.forwards() + 1;
  const bool part = sendsPart(out);
  const auto addWay = [&](const char* name, NumberFormat format) {
    WorkloadEntry* entry = out.add(name, out.mesh.expert, CommunicationKind::Dispatch,
                                   ofCopies(out, tokenBytes(out, format), part), count(ways), overlap);
    if (entry != nullptr) entry->routing = routing;
  };
  addWay("dispatch", out.plan.dispatch);
  addWay("combine", out.plan.activations);
  out.add("routing probabilities", out.mesh.expert, CommunicationKind::AllToAll, ofCopies(out, {{"4", 4}}, part),
          count(ways), overlap);
  out.add("tokens per expert", out.mesh.expert, CommunicationKind::AllGather,
          {{{"8", 8}, {"E", out.model.experts}, {"e", out.plan.expert}}, {}}, count(out.forwards()), overlap);

  if (haveSameTokens(out)) {
    addSameTokens(out);
  } else {
    ByteFormula gathered = ofCopies(out, tokenBytes(out, out.plan.activations), true);
    gathered.times.push_back({"t_e", out.plan.expertTensor});
    out.add("expert inputs", out.mesh.expertTensor, CommunicationKind::AllGather, gathered, count(ways), kExposed);
    out.add("expert outputs", out.mesh.expertTensor, CommunicationKind::ReduceScatter, gathered, count(ways), kExposed);
  }
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
