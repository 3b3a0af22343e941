// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/config_experts.h"

#include <algorithm>
#include <vector>

#include "base/counted.h"
#include "base/lists.h"
#include "base/numbers.h"

namespace p2::inline workload {
namespace {

/// Numbers and sizes of experts, without the layers that have them.
class ExpertSizeReader {
 public:
  ExpertSizeReader(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks)
      : m_fields(fields), m_family(family), m_blocks(blocks), m_shape(blocks.shape) {}

  void read() {
    if (const Json* nested = m_family.type == "dbrx" ? m_fields.object("ffn_config") : nullptr) {
      m_shape.experts = ConfigFields::numberIn(*nested, "moe_num_experts");
      m_shape.expertsPerToken = ConfigFields::numberIn(*nested, "moe_top_k");
      m_fields.understand("experts: " + std::to_string(m_shape.experts) + ", " +
                          std::to_string(m_shape.expertsPerToken) + " for a token (ffn_config)");
      return;
    }
    m_shape.experts = orZero(
        {{"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts", "num_moe_experts"}, "experts"});
    const std::int64_t shared = sharedSize();
    const bool off = has(ModelTrait::ExpertsAndMlp) && !m_fields.flag({"enable_moe_block"}, false, "experts");
    if (m_shape.experts <= 1 || off) {
      m_shape.experts = 0;
      if (has(ModelTrait::SharedEverywhere) && shared > 0) m_shape.ffn = shared;
      m_blocks.traits &= ~static_cast<std::uint32_t>(ModelTrait::SharedEverywhere);
      return;
    }
    const auto perToken = m_fields.number({{"num_experts_per_tok", "num_experts_per_token", "experts_per_token",
                                            "moe_topk", "moe_k", "moe_top_k", "num_selected_experts", "top_k_experts"},
                                           "experts of a token",
                                           true});
    m_shape.expertsPerToken = perToken.value_or(0);
    m_shape.expertFfn =
        orZero({{"moe_intermediate_size", "expert_ffn_hidden_size", "moe_ffn_hidden_size"}, "size of an expert"});
    if (const auto dense = m_fields.number({{"intermediate_size_mlp"}, "size of the MLP without experts"})) {
      if (m_shape.expertFfn == 0) m_shape.expertFfn = m_shape.ffn;
      m_shape.ffn = *dense;
    }
    m_shape.sharedFfn =
        shared > 0 ? shared : m_sharedExperts * (m_shape.expertFfn > 0 ? m_shape.expertFfn : m_shape.ffn);
    if (has(ModelTrait::ExpertsAndMlp)) m_shape.sharedFfn = m_shape.ffn;
    if (has(ModelTrait::OneSharedExpert)) m_shape.sharedFfn = m_shape.expertFfn > 0 ? m_shape.expertFfn : m_shape.ffn;
    m_shape.sharedGate = has(ModelTrait::SharedGate) && m_shape.sharedFfn > 0;
    m_blocks.latentExperts =
        orZero({{"moe_latent_size", "routed_expert_hidden_size"}, "width inside the experts' projections"});
    m_blocks.zeroExperts = orZero({{"zero_expert_num"}, "experts without parameters"});
    readRouter();
    if (!has(ModelTrait::SharedEverywhere)) return;
    if (m_shape.expertFfn == 0) m_shape.expertFfn = m_shape.ffn;
    m_shape.ffn = std::max<std::int64_t>(1, m_shape.sharedFfn);
  }

 private:
  [[nodiscard]] bool has(ModelTrait trait) const { return m_blocks.has(trait); }
  std::int64_t orZero(const ConfigKey& key) { return m_fields.numberOr(key, 0); }

  /// Size of all shared experts together, where a key says it; else 0, and their number is kept.
  std::int64_t sharedSize() {
    m_sharedExperts = orZero(
        {{"n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"}, "shared experts"});
    const std::int64_t each = orZero({{"moe_shared_expert_intermediate_size"}, "size of a shared expert"});
    if (each > 0) return each * std::max<std::int64_t>(1, m_sharedExperts);
    return orZero({{"shared_expert_intermediate_size", "shared_intermediate_size", "share_expert_dim"},
                   "size of shared experts"});
  }

  void readRouter() {
    const bool balanced = m_fields.text("topk_method") == "noaux_tc";
    m_shape.routerBias =
        m_fields.flag({"moe_router_enable_expert_bias", "use_routing_bias", "use_expert_bias", "use_moe_router_bias"},
                      has(ModelTrait::RouterBias) || balanced, "a bias of the router");
    m_shape.routerScale = m_fields.factor({"routed_scaling_factor"}, "factor of the routed experts");
    m_shape.auxiliaryLoss = m_fields.factor({"router_aux_loss_coef"}, "weight of the loss that balances experts");
    const auto groups = m_fields.number({{"n_group", "num_expert_group"}, "groups of experts"});
    const auto chosen = m_fields.number({{"topk_group"}, "groups of a token's experts"});
    if (!groups || !chosen || *groups <= 1 || *chosen >= *groups) return;
    m_shape.expertGroups = *groups;
    m_shape.groupsPerToken = *chosen;
  }

  ConfigFields& m_fields;
  const ModelFamily& m_family;
  ModelBlocks& m_blocks;
  ModelShape& m_shape;
  std::int64_t m_sharedExperts = 0;
};

class ExpertReader {
 public:
  ExpertReader(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks)
      : m_fields(fields), m_family(family), m_blocks(blocks), m_layers(blocks.layers) {}

  /// `listed`: the layers already say which have experts.
  void read(bool listed) {
    ModelShape& shape = m_blocks.shape;
    if (listed) return express();
    if (shape.experts == 0) return;
    for (BlockLayer& layer : m_layers) layer.mlp = LayerMlp::Experts;
    shape.denseLayers = m_fields.numberOr(
        {{"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index", "n_dense_layers", "first_k_dense"},
         "dense layers at the start"},
        0);
    for (std::int64_t i = 0; i < std::min<std::int64_t>(shape.denseLayers, ssize()); ++i) dense(i);
    readSteps();
    readLists();
    express();
  }

 private:
  [[nodiscard]] std::int64_t ssize() const { return static_cast<std::int64_t>(m_layers.size()); }
  void dense(std::int64_t layer) { m_layers[static_cast<std::size_t>(layer)].mlp = LayerMlp::Dense; }

  void readSteps() {
    for (const char* key : {"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval"}) {
      const auto step = m_fields.says(key) ? m_fields.number({{key}, "interval of layers with experts"}) : std::nullopt;
      if (!step || *step <= 1) continue;
      for (std::int64_t i = 0; i < ssize(); ++i) {
        if ((i + 1) % *step != 0) dense(i);
      }
      m_step = *step;
    }
    if (m_fields.list("moe_layer_freq") == nullptr) {
      const std::int64_t step = m_fields.says("moe_layer_freq")
                                    ? m_fields.numberOr({{"moe_layer_freq"}, "interval of layers with experts"}, 1)
                                    : 1;
      for (std::int64_t i = 0; step > 1 && i < ssize(); ++i) {
        if (i % step != 0) dense(i);
      }
    }
    if (m_family.has(ModelTrait::InnerNorms)) {
      const std::int64_t period = m_fields.numberOr({{"expert_layer_period"}, "interval of layers with experts"}, 1);
      const std::int64_t offset =
          m_fields.numberOr({{"expert_layer_offset"}, "layers before the first with experts"}, 0);
      for (std::int64_t i = 0; period > 1 && i < ssize(); ++i) {
        if (i % period != offset) dense(i);
      }
    }
    if (const auto last = m_fields.says("moe_layer_end_index")
                              ? m_fields.number({{"moe_layer_end_index"}, "last layer with experts"})
                              : std::nullopt) {
      for (std::int64_t i = *last + 1; i < ssize(); ++i) dense(i);
    }
  }

  void readLists() {
    if (const Json* only = m_fields.list("mlp_only_layers")) {
      for (const Json& layer : *only) {
        const bool fits =
            layer.is_number_integer() && layer.get<std::int64_t>() >= 0 && layer.get<std::int64_t>() < ssize();
        if (fits) dense(layer.get<std::int64_t>());
      }
    }
    // One entry per layer: 0 and 1, true and false, "dense" and "sparse".
    for (const char* key : {"moe_layer_freq", "is_moe_layer", "mlp_layer_types"}) {
      const Json* each = m_fields.list(key);
      if (each == nullptr || static_cast<std::int64_t>(each->size()) < ssize()) continue;
      for (std::int64_t i = 0; i < ssize(); ++i) {
        const Json& entry = (*each)[static_cast<std::size_t>(i)];
        const bool none = entry == Json(0) || entry == Json(false) || entry == Json("dense");
        m_layers[static_cast<std::size_t>(i)].mlp = none ? LayerMlp::Dense : LayerMlp::Experts;
      }
    }
    if (const Json* numbers = m_fields.list("moe_layers")) {
      std::vector<std::int64_t> layers;
      for (const Json& number : *numbers) {
        if (number.is_number_integer()) layers.push_back(number.get<std::int64_t>());
      }
      setExperts(layers);
    }
    const std::string enumerated = m_fields.text("moe_layers_enum");
    if (enumerated.empty()) return;
    std::vector<std::int64_t> layers;
    for (const std::string& part : commaParts(enumerated)) {
      if (const auto number = parseInteger(part)) layers.push_back(*number);
    }
    setExperts(layers);
  }

  void setExperts(const std::vector<std::int64_t>& layers) {
    if (layers.empty()) return;
    for (BlockLayer& layer : m_layers) layer.mlp = LayerMlp::Dense;
    for (const std::int64_t layer : layers) {
      if (layer >= 0 && layer < ssize()) m_layers[static_cast<std::size_t>(layer)].mlp = LayerMlp::Experts;
    }
  }

  /// Sets the dense layers at the start and the period of layers with experts.
  void express() {
    ModelShape& shape = m_blocks.shape;
    const auto count = std::count_if(m_layers.begin(), m_layers.end(),
                                     [](const BlockLayer& layer) { return layer.mlp == LayerMlp::Experts; });
    if (count == 0 && m_step > ssize()) {
      shape.expertStep = m_step;
      return;
    }
    if (count == 0 && shape.denseLayers > shape.layers) return;
    for (std::int64_t step = 1; step <= 16; ++step) {
      for (const std::int64_t first : {shape.denseLayers, std::int64_t{0}}) {
        ModelShape tried = shape;
        tried.expertStep = step == 1 ? 0 : step;
        tried.denseLayers = first;
        if (!isExpressedBy(tried)) continue;
        shape = tried;
        if (step > 1 && m_step == step) {
          return;
        }
        if (step > 1) m_fields.understand("one layer of " + std::to_string(step) + " has experts");
        return;
      }
    }
    shape.expertStep = 0;
    shape.denseLayers = shape.layers - count;
    m_fields.assume("the " + countedText(count, "layer") + " with experts stand behind the others");
  }

  [[nodiscard]] bool isExpressedBy(const ModelShape& shape) const {
    for (std::int64_t i = 0; i < ssize(); ++i) {
      const bool experts = expertLayers(shape, i + 1) > expertLayers(shape, i);
      if (experts != (m_layers[static_cast<std::size_t>(i)].mlp == LayerMlp::Experts)) return false;
    }
    return true;
  }

  ConfigFields& m_fields;
  const ModelFamily& m_family;
  ModelBlocks& m_blocks;
  std::vector<BlockLayer>& m_layers;
  std::int64_t m_step = 0;  // period of layers with experts; 0 for none
};

}  // namespace

void readExpertSizes(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks) {
  ExpertSizeReader(fields, family, blocks).read();
}

void readExperts(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks, bool listed) {
  ExpertReader(fields, family, blocks).read(listed);
}

}  // namespace p2::inline workload
