// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/generation.h"

namespace p2::inline workload {
namespace {

/// Attention and MLP of every layer; of layers with experts attention and what experts are shared.
std::int64_t splitBlocks(const Generation& generation) {
  return 2 * generation.denseLayers + generation.expertLayers * (generation.model.sharedFfn > 0 ? 2 : 1);
}

void addBlocks(Generation& out) {
  const CommunicationOverlap exposed = out.plan.tensorOverlap ? kOverlapsCompute : kExposed;
  const ByteFormula bytes = out.activations();
  const auto count = [&](std::int64_t passes) -> std::vector<CountFactor> {
    return {{"passes", passes}, {"blocks", splitBlocks(out)}, out.microbatches()};
  };
  if (out.plan.sequenceParallel == SequenceParallelism::None) {
    out.add("activations", out.mesh.tensor, CommunicationKind::AllReduce, bytes, count(out.forwards()), exposed);
    // Overlaps with the gradient of the weights, which does not wait for it.
    out.add("activation gradients", out.mesh.tensor, CommunicationKind::AllReduce, bytes, count(1), kOverlapsCompute);
    return;
  }
  out.add("activations", out.mesh.tensor, CommunicationKind::AllGather, bytes, count(out.forwards() + 1), exposed);
  out.add("activations", out.mesh.tensor, CommunicationKind::ReduceScatter, bytes, count(out.forwards() + 1), exposed);
  if (out.plan.sequenceParallel == SequenceParallelism::Megatron) {
    out.add("activations again", out.mesh.tensor, CommunicationKind::AllGather, bytes, count(1), kOverlapsCompute);
  }
}

void addVocabulary(Generation& out) {
  const ByteFormula bytes = out.activations();
  const TrainingMesh::Names& axes = out.mesh.tensor;
  const std::vector<CountFactor> each{out.microbatches()};
  if (out.plan.sequenceParallel == SequenceParallelism::None) {
    out.add("embedding", axes, CommunicationKind::AllReduce, bytes, each, kExposed);
    out.add("head gradients", axes, CommunicationKind::AllReduce, bytes, each, kOverlapsCompute);
  } else {
    out.add("embedding", axes, CommunicationKind::ReduceScatter, bytes, each, kExposed);
    out.add("embedding gradients", axes, CommunicationKind::AllGather, bytes, each, kExposed);
    out.add("head", axes, CommunicationKind::AllGather, bytes, {{"passes", 2}, out.microbatches()}, kExposed);
    out.add("head gradients", axes, CommunicationKind::ReduceScatter, bytes, each, kExposed);
  }
  // The largest logit, the right token's logit, and the sum of the exponentials.
  out.add("loss", axes, CommunicationKind::AllReduce,
          {{{"4", 4}, {"b", out.plan.microbatch}, {"s", out.plan.sequence}}, {{"c", out.plan.context}}},
          {{"reductions", 3}, out.microbatches()}, kExposed);
}

void addNorms(Generation& out) {
  if (out.plan.sequenceParallel == SequenceParallelism::None) return;
  out.add(
      "norm gradients", out.mesh.tensor, CommunicationKind::AllReduce,
      {{Generation::beta("β_g", out.plan.gradients), {"norms", normParameters(out.model)}, {"ℓ", out.layers()}}, {}},
      {}, kExposed);
}

/// A tensor of attention that changes from parts of the sequence to heads: its name, and elements of a token.
struct HeadTensors {
  const char* name;
  Symbol size;
};

std::vector<HeadTensors> headTensors(const ModelShape& model) {
  if (model.kvRank > 0) {
    return {{"queries and keys", {"a·d_k", querySize(model)}},
            {"values and outputs", {"a·d_v", model.heads * model.valueSize}}};
  }
  return {{"queries and outputs", {"a·d_h", querySize(model)}},
          {"keys and values", {"g·d_h", model.kvHeads * model.headSize}}};
}

ByteFormula ofTokens(const Generation& out, const Symbol& size, bool whole) {
  ByteFormula bytes{
      {Generation::beta("β", out.plan.activations), {"b", out.plan.microbatch}, {"s", out.plan.sequence}, size},
      {{"t", out.plan.tensor}}};
  if (!whole) bytes.over.insert(bytes.over.begin(), {"c", out.plan.context});
  return bytes;
}

}  // namespace

void addTensorEntries(Generation& out) {
  addBlocks(out);
  if (out.plan.layersOnly) return;
  addVocabulary(out);
  addNorms(out);
  if (out.plan.pipeline > 1 && out.plan.tensor > 1) {
    out.assume("embedding, head and loss count, though only the first and the last stage have them");
  }
}

void addContextEntries(Generation& out) {
  const Symbol keyValues{out.model.kvRank > 0 ? "a·(d_k+d_v)" : "2g·d_h", keyValueSize(out.model)};
  const CountFactor layers{"layers", out.layers()};
  const std::int64_t forwards = out.forwards();
  const bool isRing = out.plan.contextCollective == ContextCollective::Ring;
  if (isRing || out.plan.contextCollective == ContextCollective::Hierarchy) {
    const std::int64_t members = isRing ? out.plan.context : out.plan.context / out.plan.contextInner;
    out.add("keys and values round the ring", out.mesh.contextRing, CommunicationKind::Shift,
            ofTokens(out, keyValues, false),
            {{"sends", members - 1}, {"passes", forwards + 2}, layers, out.microbatches()}, kOverlapsCompute);
    if (isRing) return;
  }
  if (out.plan.contextCollective == ContextCollective::AllGather) {
    const ByteFormula bytes = ofTokens(out, keyValues, true);
    out.add("keys and values", out.mesh.context, CommunicationKind::AllGather, bytes,
            {{"passes", forwards + 1}, layers, out.microbatches()}, kExposed);
    out.add("key and value gradients", out.mesh.context, CommunicationKind::ReduceScatter, bytes,
            {layers, out.microbatches()}, kExposed);
    return;
  }
  for (const HeadTensors& tensors : headTensors(out.model)) {
    out.add(tensors.name, out.mesh.context, CommunicationKind::AllToAll, ofTokens(out, tensors.size, false),
            {{"tensors", 2}, {"passes", forwards + 1}, layers, out.microbatches()}, kExposed);
  }
}

}  // namespace p2::inline workload
