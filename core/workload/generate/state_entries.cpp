// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/generation.h"

namespace p2::inline workload {
namespace {

/// Parameters that are gathered and reduced together, and how.
struct Unit {
  std::string name;                 ///< "layer", "expert"
  std::vector<Symbol> size;         ///< whose product are its parameters
  std::vector<Symbol> parts;        ///< into which other axes split it
  const TrainingMesh::Names& axes;  ///< over which it is sharded
  Symbol shards;
  std::int64_t layers;  ///< how many of them there are; 0 for one
};

ByteFormula bytesOf(const Unit& unit, Symbol beta) {
  ByteFormula bytes{{std::move(beta)}, unit.parts};
  bytes.times.insert(bytes.times.end(), unit.size.begin(), unit.size.end());
  return bytes;
}

std::vector<CountFactor> countOf(const Unit& unit, std::vector<CountFactor> factors) {
  if (unit.layers > 0) factors.push_back({"layers", unit.layers});
  return factors;
}

TrainingMesh::Names both(TrainingMesh::Names names, const TrainingMesh::Names& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

/// Gradients of a unit: reduced over its shards, and then over its replicas.
void addGradients(Generation& out, const Unit& unit, const std::vector<CountFactor>& count) {
  const Symbol beta = Generation::beta("β_g", out.plan.gradients);
  const std::string name = unit.name + " gradients";
  if (out.plan.zero == 0 || unit.axes.empty()) {
    out.add(name, both(out.mesh.replica, unit.axes), CommunicationKind::AllReduce, bytesOf(unit, beta), count,
            kOverlapsCompute);
    return;
  }
  out.add(name, unit.axes, CommunicationKind::ReduceScatter, bytesOf(unit, beta), count, kOverlapsCompute);
  ByteFormula shard = bytesOf(unit, beta);
  shard.over.push_back(unit.shards);
  out.add(name + " over replicas", out.mesh.replica, CommunicationKind::AllReduce, shard, count, kOverlapsCompute);
}

void addUnit(Generation& out, const Unit& unit) {
  const bool everyTime = out.plan.zero >= 2 && !out.plan.accumulate;
  const std::vector<CountFactor> steps = everyTime ? std::vector{out.microbatches()} : std::vector<CountFactor>{};
  addGradients(out, unit, countOf(unit, steps));
  if (out.plan.zero == 0) return;
  const ByteFormula bytes = bytesOf(unit, Generation::beta("β_p", out.plan.parameters));
  std::vector<CountFactor> gathers;
  // Stages of a pipeline that do not release parameters keep them for all microbatches.
  const bool once = out.plan.pipeline > 1 && !out.plan.reshard;
  if (out.plan.zero == 3 && !once) gathers = {{"passes", out.plan.reshard ? 2 : 1}, out.microbatches()};
  out.add(unit.name + " weights", unit.axes, CommunicationKind::AllGather, bytes, countOf(unit, gathers),
          kOverlapsCompute);
}

/// Parameters of the embedding and the head that a device's stage has. Of two stages each has one of them, and where
/// one matrix is both, that.
std::int64_t embeddingsOfAStage(const Generation& out) {
  if (out.plan.layersOnly || out.plan.pipeline > 2) return 0;
  const std::int64_t both = embeddingParameters(out.model);
  return out.plan.pipeline == 1 || out.model.tiedEmbeddings ? both : both / 2;
}

/// All that is no routed expert. ZeRO-3 works layer by layer, the others on all that a device has.
void addDense(Generation& out) {
  const std::vector<Symbol> parts{{"t", out.plan.tensor}};
  const Symbol shards{"n", out.shards()};
  const auto unit = [&](std::string name, Symbol size, std::int64_t layers) {
    return Unit{std::move(name), {std::move(size)}, parts, out.mesh.shard, shards, layers};
  };
  const std::int64_t dense = out.denseLayers > 0 ? denseLayerParameters(out.model) : 0;
  const std::int64_t shared = out.expertLayers > 0 ? sharedLayerParameters(out.model) : 0;
  const std::int64_t embeddings = embeddingsOfAStage(out);
  if (out.plan.zero < 3) {
    const std::int64_t all = out.denseLayers * dense + out.expertLayers * shared + embeddings;
    addUnit(out, unit("model", {"P", all}, 0));
    return;
  }
  if (dense > 0) addUnit(out, unit("layer", {"W", dense}, out.denseLayers));
  if (shared > 0) addUnit(out, unit("layer without experts", {"W", shared}, out.expertLayers));
  if (embeddings > 0)
    addUnit(out, unit(out.plan.pipeline > 1 ? "embedding or head" : "embedding and head", {"W", embeddings}, 0));
}

void addExperts(Generation& out) {
  if (out.expertLayers == 0) return;
  const bool byLayer = out.plan.zero == 3;
  std::vector<Symbol> size{{"E", out.model.experts}, {"W_e", expertParameters(out.model)}};
  if (!byLayer) size.insert(size.begin(), {"ℓ", out.expertLayers});
  addUnit(out, {"expert",
                std::move(size),
                {{"e", out.plan.expert}, {"t_e", out.plan.expertTensor}},
                out.mesh.expertData,
                {"edp", expertCopies(out.plan) / out.plan.replicas},
                byLayer ? out.expertLayers : 0});
}

}  // namespace

void addDataEntries(Generation& out) {
  addDense(out);
  addExperts(out);
  if (out.plan.layersOnly) return;
  if (out.plan.pipeline > 1 && out.model.tiedEmbeddings) {
    out.add("embedding gradients of both ends", out.mesh.pipeline, CommunicationKind::AllReduce,
            {{Generation::beta("β_g", out.plan.gradients), {"V", out.model.vocabulary}, {"h", out.model.hidden}},
             {{"t", out.plan.tensor}}},
            {}, kExposed);
    out.assume("the AllReduce of tied embeddings, between the first and the last stage, is priced over all stages");
  }
  if (out.plan.pipeline > 2) out.assume("a middle stage has no embedding, so its weights and gradients leave it out");
}

}  // namespace p2::inline workload
