// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/config_window.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/counted.h"

namespace p2::inline workload {
namespace {

/// Period of layers without a window, the last of each, by the defaults of Transformers' configuration classes
/// (src/transformers/models/*/configuration_*.py); 0: all layers have the window.
struct DefaultStep {
  std::string_view type;
  std::int64_t step;
};
constexpr std::array kSteps{
    DefaultStep{"mistral", 0}, DefaultStep{"mixtral", 0},    DefaultStep{"ministral", 0}, DefaultStep{"phi3", 0},
    DefaultStep{"phimoe", 0},  DefaultStep{"gemma2", 2},     DefaultStep{"gemma3", 6},    DefaultStep{"gemma3n", 5},
    DefaultStep{"gpt_oss", 2}, DefaultStep{"cohere2", 4},    DefaultStep{"olmo3", 4},     DefaultStep{"exaone4", 4},
    DefaultStep{"llama4", 4},  DefaultStep{"starcoder2", 0},
};

/// Which layers have a window.
using Windowed = std::vector<bool>;

Windowed byStep(std::size_t layers, std::int64_t step) {
  Windowed windowed(layers, true);
  for (std::size_t i = 0; step > 0 && i < layers; ++i) windowed[i] = static_cast<std::int64_t>(i + 1) % step != 0;
  return windowed;
}

/// By a list with a word for every layer.
std::optional<Windowed> byTypes(ConfigFields& fields, std::size_t layers) {
  const Json* types = fields.list("layer_types");
  if (types == nullptr || types->size() < layers) return std::nullopt;
  Windowed windowed(layers, false);
  for (std::size_t i = 0; i < layers; ++i) {
    windowed[i] = (*types)[i] == Json("sliding_attention") || (*types)[i] == Json("chunked_attention");
  }
  return windowed;
}

/// Llama 4 attends within chunks in its layers with rotary positions.
std::optional<Windowed> byPositions(ConfigFields& fields, std::size_t layers) {
  const Json* rotary = fields.list("no_rope_layers");
  if (rotary == nullptr || rotary->size() < layers) return std::nullopt;
  Windowed windowed(layers, false);
  for (std::size_t i = 0; i < layers; ++i) windowed[i] = (*rotary)[i] == Json(1);
  return windowed;
}

/// A period as a number, or as its letters, L with a window and G without: "LLLG".
std::optional<Windowed> byPattern(ConfigFields& fields, std::size_t layers) {
  for (const char* key : {"sliding_window_pattern", "_sliding_window_pattern", "no_rope_layer_interval"}) {
    if (!fields.says(key)) continue;
    if (const std::string letters = fields.text(key); !letters.empty()) {
      fields.use(key);
      Windowed windowed(layers, false);
      for (std::size_t i = 0; i < layers; ++i) windowed[i] = letters[i % letters.size()] == 'L';
      return windowed;
    }
    return byStep(layers, fields.numberOr({{key}, "period of layers without a window"}, 0));
  }
  return std::nullopt;
}

/// Qwen's layers behind the first max_window_layers ones.
std::optional<Windowed> behindFirst(ConfigFields& fields, std::size_t layers) {
  if (!fields.says("max_window_layers")) return std::nullopt;
  const std::int64_t first = fields.numberOr({{"max_window_layers"}, "first layers without a window"}, 0);
  Windowed windowed(layers, true);
  std::fill_n(windowed.begin(), std::min(first, static_cast<std::int64_t>(layers)), false);
  return windowed;
}

std::optional<Windowed> byClass(std::string_view type, std::size_t layers) {
  if (type.ends_with("_text")) type.remove_suffix(5);
  const auto found = std::find_if(kSteps.begin(), kSteps.end(), [&](const auto& each) { return each.type == type; });
  if (found == kSteps.end()) return std::nullopt;
  return byStep(layers, found->step);
}

/// A period that gives the same layers; empty where none does.
std::optional<std::int64_t> stepOf(const Windowed& windowed) {
  const auto first = std::find(windowed.begin(), windowed.end(), false);
  const std::int64_t step = first == windowed.end() ? 0 : first - windowed.begin() + 1;
  return windowed == byStep(windowed.size(), step) ? std::optional(step) : std::nullopt;
}

}  // namespace

void readWindow(const JsonValue& in, ConfigFields& fields, std::string_view type, ModelBlocks& blocks) {
  constexpr const char* kChunks = "attention_chunk_size";
  for (const char* key : {"sliding_window", "sliding_window_size", kChunks}) {
    if (!fields.says(key) || !in.at(key, {}).json().is_number_integer()) continue;
    if (!fields.flag({"use_sliding_window"}, true, "a window of attention")) {
      fields.use(key);
      return;
    }
    const std::int64_t tokens = fields.numberOr({{key}, "tokens of a window of attention"}, 0);
    if (tokens == 0) continue;
    const std::size_t layers = blocks.layers.size();
    std::optional<Windowed> windowed = byTypes(fields, layers);
    if (!windowed) windowed = byPositions(fields, layers);
    if (!windowed) windowed = byPattern(fields, layers);
    if (!windowed) windowed = behindFirst(fields, layers);
    if (!windowed) windowed = byClass(type, layers);
    if (!windowed) {
      fields.assume("every token attends to all before it, though " + std::string(key) + " is " +
                    std::to_string(tokens));
      return;
    }
    const auto count = std::count(windowed->begin(), windowed->end(), true);
    if (count == 0) return;
    ModelShape& shape = blocks.shape;
    shape.window = tokens;
    shape.windowChunks = key == kChunks;
    if (const auto step = stepOf(*windowed)) {
      shape.windowStep = *step;
    } else {
      shape.windowLayers = count;
    }
    fields.understand(countedText(count, "layer") + " of " + std::to_string(layers) + " with " +
                      (shape.windowChunks ? "attention within chunks" : "a window"));
    return;
  }
}

}  // namespace p2::inline workload
