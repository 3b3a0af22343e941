// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "workload/generate/model_shape.h"

namespace p2::inline workload {

/// A model's shape from the config.json that Hugging Face's transformers store with its weights.
struct ConfiguredModel {
  ModelShape shape;
  std::vector<std::string> understood;  ///< "32 layers (num_hidden_layers)"
  std::vector<std::string> assumed;     ///< missing values, with the library's defaults
  std::vector<std::string> ignored;     ///< keys that play no part
};

/// Among ConfiguredModel::assumed where a config has such layers (num_nextn_predict_layers).
inline constexpr const char* kPredictingLayers =
    "layers that predict further tokens are not trained, unless mtp is among the fixed choices";

/// Whether a file is such a config.json, by its beginning.
[[nodiscard]] inline bool isModelConfig(std::string_view head) {
  const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
  return has("\"model_type\"") || (has("\"hidden_size\"") && has("\"num_hidden_layers\""));
}

/// Reads a decoder by the blocks that its config declares: attention by heads or latent, with an indexer, in windows of
/// other sizes; gated and plain MLPs; experts in some layers, shared ones; Mamba, delta, lightning and convolution
/// blocks. The class of its "model_type", or else of its "architectures", gives properties and defaults without a key
/// (model_families.h); other types are counted as plain transformers, which `assumed` says. If the config holds one of
/// the language model ("text_config", "llm_config", …) only that is read. The shape has the parameters of the class;
/// `assumed` names the parts that are not counted. Comments, NaN and Infinity may stand in the JSON. Errors: an
/// encoder, a missing key or wrong type (with its JSON pointer), an impossible shape. O(length).
[[nodiscard]] Result<ConfiguredModel> modelFromConfig(std::string_view text);

}  // namespace p2::inline workload
