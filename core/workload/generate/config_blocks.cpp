// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/config_blocks.h"

#include <algorithm>
#include <array>

#include "base/counted.h"
#include "workload/generate/config_experts.h"

namespace p2::inline workload {
namespace {

class BlockReader {
 public:
  BlockReader(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks)
      : m_fields(fields), m_family(family), m_blocks(blocks), m_shape(blocks.shape) {}

  void read() {
    m_blocks.traits = m_family.traits;
    readSizes();
    readExpertSizes(m_fields, m_family, m_blocks);
    readLatent();
    readRopeScaling();
    readBiases();
    readNorms();
    readGates();
    readStateSpace();
    readLinear();
    readWindow();
    readPerLayer();
  }

 private:
  [[nodiscard]] bool has(ModelTrait trait) const { return m_blocks.has(trait); }
  void set(ModelTrait trait, bool on) {
    const auto bit = static_cast<std::uint32_t>(trait);
    m_blocks.traits = on ? m_blocks.traits | bit : m_blocks.traits & ~bit;
  }
  std::int64_t orZero(const ConfigKey& key) { return m_fields.numberOr(key, 0); }

  void readSizes() {
    readLayerCount();
    m_shape.hidden = orZero({{"hidden_size", "n_embd", "n_embed", "d_model", "dim"}, "hidden size", true});
    readFfn();
    m_shape.heads = orZero({{"num_attention_heads", "n_head", "n_heads", "num_heads"}, "heads", true});
    m_shape.kvHeads =
        orZero({{"num_key_value_heads", "multi_query_group_num", "num_attention_groups", "num_kv_heads", "n_kv_heads"},
                "heads of keys and values"});
    readFalcon();
    readNestedAttention();
    m_shape.headSize = orZero({{"head_dim", "kv_channels", "attention_head_dim"}, "size of a head"});
    m_shape.vocabulary = orZero({{"vocab_size", "padded_vocab_size"}, "vocabulary", true});
    m_shape.normEpsilon = m_fields.factor(
        {"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_epsilon", "norm_eps", "layernorm_epsilon"},
        "epsilon of norms");
    readPositions();
  }

  void readPositions() {
    if (!has(ModelTrait::Positions)) {
      m_shape.rotaryBase = m_fields.rotaryBase();
      m_shape.rotaryShare = m_fields.rotaryShare();
      return;
    }
    m_shape.positions =
        orZero({{"n_positions", "n_ctx", "max_position_embeddings", "max_seq_len"}, "learned positions", true});
    // OPT keeps two positions for padding.
    if (m_family.type == "opt") m_shape.positions += 2;
  }

  /// Megatron-LM has YaRN with latent attention alone.
  void readRopeScaling() {
    if (has(ModelTrait::Positions)) return;
    const auto scaling = m_fields.ropeScaling(m_shape.kvRank > 0 ? "yarn" : "llama3");
    m_shape.ropeFactor = scaling.factor;
    m_shape.ropeMagnitude = m_shape.kvRank > 0 ? scaling.magnitude : 0;
  }

  /// The layers' number, or the length of their list where a config has that alone.
  void readLayerCount() {
    const Json* list = m_fields.list("layers_block_type");
    if (list != nullptr && !m_fields.says("num_hidden_layers")) {
      m_shape.layers = static_cast<std::int64_t>(list->size());
      m_fields.understand("layers: " + std::to_string(m_shape.layers) + " (layers_block_type)");
      return;
    }
    m_shape.layers = orZero({{"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, "layers", true});
  }

  /// One head of keys and values and one norm, before the class got its new decoder.
  void readFalcon() {
    if (m_family.type != "falcon" || m_fields.flag({"new_decoder_architecture"}, false, "a decoder of two norms"))
      return;
    set(ModelTrait::OneNorm, true);
    if (m_fields.flag({"multi_query"}, true, "one head of keys and values")) m_shape.kvHeads = 1;
  }

  /// Heads of keys and values and the kind of positions, where a config keeps them one level down (MPT, DBRX).
  void readNestedAttention() {
    const Json* nested = isMpt() || isDbrx() ? m_fields.object("attn_config") : nullptr;
    if (nested != nullptr) m_shape.kvHeads = ConfigFields::numberIn(*nested, "kv_n_heads");
    if (!isMpt()) return;
    const auto isOn = [nested](const char* key, bool otherwise) {
      const auto found = nested == nullptr ? Json::const_iterator() : nested->find(key);
      const bool stated = nested != nullptr && found != nested->end() && found->is_boolean();
      return stated ? found->get<bool>() : otherwise;
    };
    const bool learned = m_fields.flag({"learned_pos_emb"}, true, "learned positions");
    set(ModelTrait::Positions, learned && !isOn("alibi", true) && !isOn("rope", false));
  }

  [[nodiscard]] bool isMpt() const { return m_family.type == "mpt"; }
  [[nodiscard]] bool isDbrx() const { return m_family.type == "dbrx"; }

  /// Whether the MLP's size follows from the hidden size where a config leaves it out.
  [[nodiscard]] bool isFfnDerived() const {
    constexpr std::array<std::string_view, 4> kTypes{"gpt2", "falcon", "gptj", "bloom"};
    return std::find(kTypes.begin(), kTypes.end(), m_family.type) != kTypes.end();
  }

  void readFfn() {
    if (const Json* nested = isDbrx() ? m_fields.object("ffn_config") : nullptr) {
      m_shape.ffn = ConfigFields::numberIn(*nested, "ffn_hidden_size");
      return;
    }
    if (isMpt()) {
      m_shape.ffn = m_shape.hidden * m_fields.numberOr({{"expansion_ratio"}, "width of the MLP by the hidden size"}, 4);
      return;
    }
    // Layers of one block each may have no MLP at all.
    const bool needed =
        !isFfnDerived() && !has(ModelTrait::OneBlock) && !declaresExperts() && !m_fields.says("block_configs");
    const auto ffn = m_fields.number(
        {{"intermediate_size", "ffn_hidden_size", "n_inner", "block_ff_dim", "ffn_dim"}, "size of the MLP", needed});
    m_shape.ffn = ffn.value_or(0);
    // QWen counts both matrices that its gated MLP reads with.
    if (m_family.type == "qwen") m_shape.ffn /= 2;
    if (isFfnDerived() && !ffn) {
      m_shape.ffn = 4 * m_shape.hidden;
      m_fields.assume("the MLP is 4 times as wide as the hidden size");
    }
    if (m_family.type == "lfm2" && m_fields.flag({"block_auto_adjust_ff_dim"}, true, "the MLP's size is adjusted")) {
      const std::int64_t multiple =
          std::max<std::int64_t>(1, m_fields.numberOr({{"block_multiple_of"}, "multiple of the MLP's size"}, 256));
      m_fields.use("block_ffn_dim_multiplier");
      m_shape.ffn = (2 * m_shape.ffn / 3 + multiple - 1) / multiple * multiple;
    }
  }

  [[nodiscard]] bool declaresExperts() const {
    return m_fields.says("moe_intermediate_size") || m_fields.says("n_routed_experts") || m_fields.says("num_experts");
  }

  void readLatent() {
    m_shape.kvRank = orZero({{"kv_lora_rank"}, "rank of keys and values"});
    if (m_shape.kvRank == 0 && m_fields.says("o_lora_rank")) return readGrouped();
    if (m_shape.kvRank == 0) {
      m_blocks.valueHead = m_fields.says("v_head_dim") ? orZero({{"v_head_dim"}, "size of a head's values"}) : 0;
      return;
    }
    m_shape.qRank = orZero({{"q_lora_rank"}, "rank of queries"});
    m_shape.ropeSize = orZero({{"qk_rope_head_dim"}, "rotary part of a head", true});
    m_shape.nopeSize = orZero({{"qk_nope_head_dim"}, "other part of a head", true});
    m_shape.valueSize = orZero({{"v_head_dim"}, "values of a head", true});
    m_shape.kvHeads = m_shape.heads;
    m_blocks.indexHeads = orZero({{"index_n_heads"}, "heads of the indexer"});
    m_blocks.indexSize = orZero({{"index_head_dim"}, "size of an indexer's head"});
    const auto chosen = m_fields.number({{"index_topk"}, "tokens that the indexer chooses"});
    if (chosen)
      m_fields.assume("every token attends to all before it, though index_topk is " + std::to_string(*chosen));
  }

  void readGrouped() {
    m_blocks.outputRank = orZero({{"o_lora_rank"}, "rank of attention's output"});
    m_blocks.outputGroups = m_fields.numberOr({{"o_groups"}, "groups of attention's output"}, 1);
    m_blocks.queryRank = orZero({{"q_lora_rank"}, "rank of queries", true});
    m_fields.use("qk_rope_head_dim");
    m_blocks.indexHeads = orZero({{"index_n_heads"}, "heads of the indexer"});
    m_blocks.indexSize = orZero({{"index_head_dim"}, "size of an indexer's head"});
    if (const auto chosen = m_fields.number({{"index_topk"}, "keys that the indexer chooses"})) {
      m_fields.assume("every token attends to all before it, though index_topk is " + std::to_string(*chosen));
    }
  }

  void readBiases() {
    if (isMpt() && !m_fields.flag({"no_bias"}, true, "no biases")) {
      set(ModelTrait::AllBiases, true);
      set(ModelTrait::NormBias, true);
    }
    const bool all = has(ModelTrait::AllBiases);
    const bool everywhere = m_fields.flag({"use_bias"}, all, "biases") && (all || m_family.type.starts_with("ernie"));
    m_shape.gatedMlp = !has(ModelTrait::PlainMlp) && !plainByActivation();
    m_shape.biases = everywhere && has(ModelTrait::NormBias);
    m_shape.matrixBiases = everywhere && !m_shape.biases;
    const bool attention = m_fields.flag({"attention_bias", "bias"}, false, "biases of attention");
    const bool three =
        m_fields.flag({"use_qkv_bias", "add_qkv_bias", "qkv_bias"}, false, "biases of queries, keys and values");
    if (m_shape.hasMatrixBiases()) return;
    const bool onlyThree = has(ModelTrait::BiasOnQkvOnly);
    m_shape.qkvBias = has(ModelTrait::QkvBias) || attention || three;
    m_blocks.outputBias =
        m_fields.flag({"attention_out_bias", "o_bias"}, attention && !onlyThree, "a bias of attention's output");
    m_blocks.mlpBias = m_fields.flag({"mlp_bias", "add_bias_linear"}, m_family.type == "gptj", "biases of the MLP");
    if (m_shape.kvRank > 0) m_shape.qkvBias = false;
    if (m_fields.flag({"lm_head_bias"}, has(ModelTrait::HeadBias), "a bias of the head"))
      set(ModelTrait::HeadBias, true);
  }

  /// Squared ReLU has no gate.
  [[nodiscard]] bool plainByActivation() {
    return m_family.type == "transformer" && m_fields.text("hidden_act") == "relu2";
  }

  void readNorms() {
    const bool known = has(ModelTrait::HeadNorms) || has(ModelTrait::WideNorms);
    const bool norms = m_fields.flag({"use_qk_norm", "qk_norm", "qk_layernorm", "use_qk_layernorm"}, known,
                                     "norms of queries and keys");
    const bool wide = has(ModelTrait::WideNorms) || has(ModelTrait::OneNorm);
    const bool counted = norms && !has(ModelTrait::BareNorms) && m_shape.kvRank == 0;
    m_shape.qkNorm = counted && !wide;
    m_shape.wideQkNorm = counted && wide;
    m_shape.postNorms = has(ModelTrait::FourNorms);
    m_shape.sinks = has(ModelTrait::Sinks);
    if (has(ModelTrait::LateNorms)) m_fields.assume("norms stand before attention and MLP, not behind them");
  }

  void readGates() {
    set(ModelTrait::QueryGate,
        m_fields.flag({"attn_output_gate"}, has(ModelTrait::QueryGate), "a gate of attention's output"));
    m_blocks.headGate = m_fields.flag({"use_head_wise_attn_gate"}, false, "a gate of every head's output");
  }

  void readStateSpace() {
    const bool some = m_family.has(ModelTrait::ParallelMamba) || m_family.has(ModelTrait::OneBlock) ||
                      m_fields.says("mamba_d_state") || m_fields.says("mamba_d_conv") ||
                      m_fields.says("ssm_state_size");
    if (!some) return;
    m_blocks.stateHeads = orZero({{"mamba_n_heads", "mamba_num_heads"}, "heads of a Mamba block"});
    const bool sized = m_fields.says("mamba_head_dim") || !m_fields.text("mamba_d_head").empty();
    const std::int64_t each = sized && !m_fields.says("mamba_head_dim")
                                  ? 0
                                  : orZero({{"mamba_d_head", "mamba_head_dim"}, "size of a Mamba head"});
    m_blocks.inner = orZero({{"mamba_d_ssm"}, "width of a Mamba block"});
    if (m_blocks.inner == 0) m_blocks.inner = m_blocks.stateHeads * each;
    if (m_blocks.inner == 0)
      m_blocks.inner = m_fields.numberOr({{"mamba_expand", "expand"}, "width of a Mamba block by the hidden size"}, 2) *
                       m_shape.hidden;
    m_fields.use("mamba_expand");
    m_fields.use("expand");
    m_blocks.state = orZero({{"mamba_d_state", "ssm_state_size", "state_size"}, "state of a Mamba block"});
    m_blocks.stateGroups = m_fields.numberOr({{"mamba_n_groups", "n_groups"}, "groups of a Mamba block"}, 1);
    m_blocks.kernel = orZero({{"mamba_d_conv", "conv_kernel"}, "kernel of a Mamba block"});
    const bool automatic = m_fields.text("mamba_dt_rank") == "auto" || !m_fields.says("mamba_dt_rank");
    m_blocks.stepRank = automatic ? (m_shape.hidden + 15) / 16 : orZero({{"mamba_dt_rank"}, "rank of the time step"});
    m_blocks.kernelBias = m_fields.flag({"mamba_conv_bias", "use_conv_bias"}, true, "a bias of the convolution");
    m_blocks.projectionBias =
        m_fields.flag({"mamba_proj_bias", "use_bias"}, false, "biases of the Mamba blocks' matrices");
    m_blocks.innerNorm = m_fields.flag({"mamba_rms_norm"}, true, "a norm inside Mamba blocks");
  }

  void readLinear() {
    if (const Json* delta = m_fields.object("linear_attn_config")) {
      m_blocks.stateHeads = ConfigFields::numberIn(*delta, "num_heads");
      m_blocks.valueSize = ConfigFields::numberIn(*delta, "head_dim");
      m_blocks.kernel = ConfigFields::numberIn(*delta, "short_conv_kernel_size");
    }
    const bool delta = m_fields.says("linear_num_value_heads") || m_family.type == "qwen3_next";
    if (delta) {
      m_blocks.keyHeads = orZero({{"linear_num_key_heads"}, "key heads of a delta block"});
      m_blocks.keySize = orZero({{"linear_key_head_dim"}, "size of a delta block's key head"});
      m_blocks.valueHeads = orZero({{"linear_num_value_heads"}, "value heads of a delta block"});
      m_blocks.valueSize = orZero({{"linear_value_head_dim"}, "size of a delta block's value head"});
      m_blocks.kernel = orZero({{"linear_conv_kernel_dim"}, "kernel of a delta block"});
    }
    if (m_fields.says("conv_L_cache") || m_family.type.starts_with("lfm2")) {
      m_blocks.kernel = orZero({{"conv_L_cache"}, "kernel of a short convolution"});
      m_blocks.kernelBias = m_fields.flag({"conv_bias"}, false, "biases of short convolutions");
    }
  }

  void readWindow() {
    WindowSizes& window = m_blocks.window;
    const std::int64_t own =
        m_shape.headSize > 0 ? m_shape.headSize : m_shape.hidden / std::max<std::int64_t>(1, m_shape.heads);
    window = {0, m_shape.kvHeads > 0 ? m_shape.kvHeads : m_shape.heads, own, m_blocks.valueHead, false};
    if (const Json* other = m_fields.object("attention_other_setting")) {
      window.heads = ConfigFields::numberIn(*other, "num_attention_heads");
      window.kvHeads = ConfigFields::numberIn(*other, "num_attention_groups");
      if (const std::int64_t size = ConfigFields::numberIn(*other, "head_dim")) window.headSize = size;
    }
    if (!m_fields.says("swa_num_attention_heads")) return;
    window.heads = orZero({{"swa_num_attention_heads"}, "heads inside a window"});
    window.kvHeads = orZero({{"swa_num_key_value_heads"}, "heads of keys and values inside a window"});
    window.headSize = m_fields.numberOr({{"swa_head_dim"}, "size of a head inside a window"}, own);
    window.valueSize = orZero({{"swa_v_head_dim"}, "size of a head's values inside a window"});
    window.sinks = m_fields.flag({"add_swa_attention_sink_bias"}, false, "sinks of attention inside a window");
    m_shape.sinks = m_fields.flag({"add_full_attention_sink_bias"}, false, "sinks of attention");
  }

  void readPerLayer() {
    m_blocks.hyperStreams = orZero({{"hc_mult", "mhc_num_streams"}, "streams of hyper-connections"});
    if (m_blocks.hyperStreams == 1) m_blocks.hyperStreams = 0;
    m_blocks.alternatives = orZero({{"altup_num_inputs"}, "streams of AltUp"});
    m_blocks.laurelRank = orZero({{"laurel_rank"}, "rank of LAuReL"});
    m_blocks.perLayerSize = orZero({{"hidden_size_per_layer_input"}, "size of every layer's own embedding"});
    if (m_blocks.perLayerSize == 0) return;
    m_blocks.perLayerVocabulary =
        m_fields.numberOr({{"vocab_size_per_layer_input"}, "vocabulary of every layer's own embedding"}, 262144);
  }

  ConfigFields& m_fields;
  const ModelFamily& m_family;
  ModelBlocks& m_blocks;
  ModelShape& m_shape;
};

}  // namespace

void readBlocks(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks) {
  BlockReader(fields, family, blocks).read();
}

}  // namespace p2::inline workload
