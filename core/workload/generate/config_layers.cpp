// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/config_layers.h"

#include <algorithm>
#include <array>

#include "base/counted.h"
#include "workload/generate/config_experts.h"
#include "workload/generate/config_global.h"

namespace p2::inline workload {
namespace {

constexpr std::int64_t kMostListedLayers = 4096;

class LayerReader {
 public:
  LayerReader(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks)
      : m_fields(fields), m_family(family), m_blocks(blocks), m_layers(blocks.layers) {}

  void read() {
    const std::int64_t count = std::min(m_blocks.shape.layers, kMostListedLayers);
    if (count < m_blocks.shape.layers) m_fields.fail("it has over " + std::to_string(kMostListedLayers) + " layers");
    m_layers.assign(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)), {});
    if (!readConfigured()) readMixers();
    readExperts(m_fields, m_family, m_blocks, m_listed);
    readCompression();
    readCrossing();
    readWidths();
    readGlobalAttention(m_fields, m_blocks);
    tell();
  }

 private:
  [[nodiscard]] bool has(ModelTrait trait) const { return m_family.has(trait); }
  /// One entry per layer of a model that a search has thinned out.
  bool readConfigured() {
    const Json* configured = m_fields.list("block_configs");
    if (configured == nullptr || configured->size() < m_layers.size()) return false;
    const auto part = [](const Json& block, const char* key) {
      const auto found = block.is_object() ? block.find(key) : block.end();
      return block.is_object() && found != block.end() && found->is_object() ? *found : Json::object();
    };
    bool replaced = false;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
      const Json attention = part((*configured)[i], "attention");
      const Json ffn = part((*configured)[i], "ffn");
      const std::int64_t group = ConfigFields::numberIn(attention, "n_heads_in_group");
      m_layers[i].kvHeads = group > 0 ? m_blocks.shape.heads / group : 0;
      if (attention.value("no_op", false)) m_layers[i].mixer = Mixer::None;
      if (ffn.value("no_op", false)) m_layers[i].mlp = LayerMlp::None;
      const auto multiplier = ffn.find("ffn_mult");
      if (multiplier != ffn.end() && multiplier->is_number()) m_layers[i].ffn = widthOf(multiplier->get<double>());
      m_layers[i].ffn = std::max(m_layers[i].ffn, ConfigFields::numberIn(ffn, "intermediate_size"));
      replaced = replaced || attention.value("replace_with_linear", false) || ffn.value("replace_with_linear", false);
    }
    if (replaced) m_fields.assume("not counted: layers whose attention or MLP is one matrix (block_configs)");
    m_blocks.shape.kvHeads = meanOf(&BlockLayer::kvHeads, m_blocks.shape.kvHeads);
    m_blocks.shape.ffn = meanOf(&BlockLayer::ffn, m_blocks.shape.ffn);
    return true;
  }

  /// Two thirds of the multiple of the hidden size, rounded up to 256.
  [[nodiscard]] std::int64_t widthOf(double multiplier) const {
    constexpr std::int64_t kMultiple = 256;
    const double width = 2 * multiplier * static_cast<double>(m_blocks.shape.hidden) / 3;
    if (!(width >= 1 && width < 4e9)) return 0;
    return (static_cast<std::int64_t>(width) + kMultiple - 1) / kMultiple * kMultiple;
  }

  /// The nearest divisor of the heads for heads, and the mean for widths; `otherwise` where no layer has a value.
  [[nodiscard]] std::int64_t meanOf(std::int64_t BlockLayer::*value, std::int64_t otherwise) const {
    std::int64_t sum = 0;
    std::int64_t count = 0;
    for (const BlockLayer& layer : m_layers) {
      sum += layer.*value;
      count += layer.*value > 0 ? 1 : 0;
    }
    if (count == 0) return otherwise;
    std::int64_t mean = sum / count;
    while (value == &BlockLayer::kvHeads && mean > 1 && m_blocks.shape.heads % mean != 0) --mean;
    return mean;
  }

  /// MLPs of different widths, listed layer by layer.
  void readWidths() {
    const Json* widths = m_fields.list("intermediate_size");
    if (widths == nullptr || widths->size() < m_layers.size()) return;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
      const Json& width = (*widths)[i];
      const bool whole = width.is_number_integer() && width.get<std::int64_t>() > 0 &&
                         width.get<std::int64_t>() < (std::int64_t{1} << 32);
      if (whole && m_layers[i].mlp == LayerMlp::Dense) m_layers[i].ffn = width.get<std::int64_t>();
    }
    m_blocks.shape.ffn = meanOf(&BlockLayer::ffn, m_blocks.shape.ffn);
  }

  /// Tokens that one key stands for, layer by layer, and layers whose experts a table chooses.
  void readCompression() {
    const Json* ratios = m_blocks.outputRank > 0 ? m_fields.list("compress_ratios") : nullptr;
    for (std::size_t i = 0; ratios != nullptr && i < std::min(ratios->size(), m_layers.size()); ++i) {
      const Json& ratio = (*ratios)[i];
      if (ratio.is_number_integer() && ratio >= 0 && ratio < 65536) m_layers[i].compressed = ratio.get<std::int64_t>();
    }
    const std::int64_t hashed = m_fields.numberOr({{"num_hash_layers"}, "layers whose experts a table chooses"}, 0);
    for (std::int64_t i = 0; i < std::min(hashed, ssize()); ++i) m_layers[static_cast<std::size_t>(i)].hashed = true;
  }

  /// Layers that attend to what another part has seen instead of to the text (Llama 3.2 Vision).
  void readCrossing() {
    const Json* numbers = m_fields.list("cross_attention_layers");
    if (numbers == nullptr) return;
    std::size_t count = 0;
    for (const Json& number : *numbers) {
      if (!number.is_number_integer() || number < 0 || number >= ssize()) continue;
      m_layers[number.get<std::size_t>()].crosses = true;
      ++count;
    }
    if (count == 0) return;
    constexpr std::int64_t kImageTokens = 8;
    m_blocks.extraTokens = kImageTokens;
    m_fields.understand(countedText(count, "layer") + " with cross-attention (cross_attention_layers)");
  }

  void readMixers() {
    if (has(ModelTrait::ParallelMamba)) return setAll(Mixer::AttentionMamba2);
    if (readPattern() || readTypes() || readNumbers()) return;
    const auto period = m_fields.number({{"attn_layer_period"}, "layers from one with attention to the next"});
    const auto offset = m_fields.number({{"attn_layer_offset"}, "layers before the first with attention"});
    if (period && *period > 0 && m_blocks.inner > 0) {
      return setWhere([&](std::int64_t i) { return i % *period != offset.value_or(0); },
                      m_blocks.stateHeads > 0 ? Mixer::Mamba2 : Mixer::Mamba);
    }
    const auto interval = m_blocks.keyHeads > 0
                              ? m_fields.number({{"full_attention_interval"}, "layers per full attention"})
                              : std::nullopt;
    if (interval && *interval > 0) setWhere([&](std::int64_t i) { return (i + 1) % *interval != 0; }, Mixer::DeltaNet);
  }

  void setAll(Mixer mixer) {
    for (BlockLayer& layer : m_layers) layer.mixer = mixer;
  }

  template <class Where>
  void setWhere(Where&& where, Mixer mixer) {
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
      if (where(static_cast<std::int64_t>(i))) m_layers[i].mixer = mixer;
    }
  }

  /// "M-M*-": Mamba, MLP, attention and experts, a layer each.
  bool readPattern() {
    const std::string pattern = m_fields.text("hybrid_override_pattern");
    if (pattern.empty()) return false;
    if (pattern.size() != m_layers.size()) {
      m_fields.fail("hybrid_override_pattern has " + countedText(pattern.size(), "layer") +
                    ", but num_hidden_layers is " + std::to_string(m_layers.size()));
      return true;
    }
    for (std::size_t i = 0; i < pattern.size(); ++i) setBlock(m_layers[i], std::string_view(pattern).substr(i, 1));
    m_listed = true;
    return true;
  }

  /// A layer that is one block.
  void setBlock(BlockLayer& layer, std::string_view block) const {
    const bool mamba = block == "M" || block == "mamba" || block == "mamba2";
    const bool attention = block == "*" || block == "attention";
    layer.mixer = mamba ? Mixer::Mamba2 : attention ? Mixer::Attention : Mixer::None;
    layer.mlp = mamba || attention               ? LayerMlp::None
                : block == "E" || block == "moe" ? LayerMlp::Experts
                                                 : LayerMlp::Dense;
  }

  bool readTypes() {
    for (const char* key : {"layer_types", "layers_block_type", "attn_type_list", "hybrid_layer_pattern"}) {
      const Json* types = m_fields.list(key);
      if (types == nullptr || types->empty()) continue;
      if (types->size() < m_layers.size()) {
        m_fields.fail(std::string(key) + " has " + countedText(types->size(), "entry", "entries") + " for " +
                      countedText(m_layers.size(), "layer"));
        return true;
      }
      // Entries beyond the layers are of modules that predict further tokens.
      for (std::size_t i = 0; i < m_layers.size(); ++i) setType(m_layers[i], (*types)[i], key);
      return true;
    }
    return false;
  }

  void setType(BlockLayer& layer, const Json& type, std::string_view key) {
    const std::string name = type.is_string()   ? type.get<std::string>()
                             : type.is_number() ? type.dump()
                                                : std::string();
    if (has(ModelTrait::OneBlock)) {
      m_listed = true;
      return setBlock(layer, name);
    }
    if (key == "attn_type_list") {
      if (name == "0") layer.mixer = Mixer::Lightning;
    } else if (name == "linear_attention") {
      layer.mixer = m_blocks.keyHeads > 0 ? Mixer::DeltaNet : m_blocks.inner > 0 ? Mixer::Mamba2 : Mixer::Lightning;
    } else if (name == "mamba" || name == "mamba2" || name == "hybrid_mamba") {
      layer.mixer = m_blocks.stateHeads > 0 ? Mixer::Mamba2 : Mixer::Mamba;
    } else if (name == "conv" || name == "short_conv") {
      layer.mixer = Mixer::ShortConvolution;
    } else if (m_blocks.window.heads > 0 && (name == "sliding_attention" || name == "1")) {
      layer.mixer = Mixer::Window;
    }
  }

  /// Lists of the numbers of layers.
  bool readNumbers() {
    if (const Json* linear = m_fields.object("linear_attn_config")) {
      // Counted from 1.
      const auto delta = linear->find("kda_layers");
      if (delta == linear->end() || !delta->is_array()) return false;
      setNumbered(*delta, 1, Mixer::KimiDelta);
      return true;
    }
    if (const Json* full = m_fields.list("full_attn_idxs")) {
      setAll(Mixer::ShortConvolution);
      setNumbered(*full, 0, Mixer::Attention);
      return true;
    }
    if (const Json* attention = m_blocks.inner > 0 ? m_fields.list("attn_layer_indices") : nullptr) {
      setAll(Mixer::Mamba2);
      setNumbered(*attention, 0, Mixer::Attention);
      return true;
    }
    return false;
  }

  void setNumbered(const Json& numbers, std::int64_t first, Mixer mixer) {
    for (const Json& number : numbers) {
      if (!number.is_number_integer()) continue;
      const auto at = number.get<std::int64_t>() - first;
      if (at >= 0 && at < static_cast<std::int64_t>(m_layers.size()))
        m_layers[static_cast<std::size_t>(at)].mixer = mixer;
    }
  }

  [[nodiscard]] std::int64_t ssize() const { return static_cast<std::int64_t>(m_layers.size()); }

  /// "36 layers with Mamba-2 blocks, 4 with attention".
  void tell() {
    struct Name {
      Mixer mixer;
      const char* words;
      const char* block;  // in the place of attention or next to it; empty for none
    };
    static constexpr std::array kNames{
        Name{Mixer::Attention, "attention", ""},
        Name{Mixer::Window, "attention in a window", ""},
        Name{Mixer::Global, "attention over all tokens", ""},
        Name{Mixer::Mamba, "Mamba blocks", "Mamba blocks"},
        Name{Mixer::Mamba2, "Mamba-2 blocks", "Mamba-2 blocks"},
        Name{Mixer::AttentionMamba2, "attention next to Mamba-2 blocks", "Mamba-2 blocks"},
        Name{Mixer::DeltaNet, "gated delta blocks", "gated delta blocks"},
        Name{Mixer::KimiDelta, "Kimi delta blocks", "Kimi delta blocks"},
        Name{Mixer::Lightning, "lightning attention", "lightning attention"},
        Name{Mixer::ShortConvolution, "short convolutions", "short convolutions"},
        Name{Mixer::None, "an MLP alone", ""}};
    std::string text;
    std::string blocks;
    std::size_t kinds = 0;
    for (const Name& name : kNames) {
      const auto count = static_cast<std::size_t>(std::count_if(
          m_layers.begin(), m_layers.end(), [&](const BlockLayer& layer) { return layer.mixer == name.mixer; }));
      if (count == 0) continue;
      ++kinds;
      text += (text.empty() ? countedText(count, "layer") : ", " + std::to_string(count)) + " with " + name.words;
      const std::string block = name.block;
      if (!block.empty()) blocks += (blocks.empty() ? "" : ", ") + block;
    }
    m_blocks.shape.otherBlocks = blocks;
    if (blocks.empty() && kinds < 2) return;
    m_fields.understand(text);
    m_fields.assume(
        "every layer is the mean of these layers; other blocks than attention communicate as attention does");
  }

  ConfigFields& m_fields;
  const ModelFamily& m_family;
  ModelBlocks& m_blocks;
  std::vector<BlockLayer>& m_layers;
  bool m_listed = false;  // the list of layers also says which have an MLP
};

}  // namespace

void readLayers(ConfigFields& fields, const ModelFamily& family, ModelBlocks& blocks) {
  LayerReader(fields, family, blocks).read();
}

}  // namespace p2::inline workload
