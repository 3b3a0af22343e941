// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "workload/generate/model_shape.h"

namespace p2 {

/// A model's shape from the config.json that Hugging Face's transformers store with its weights.
struct ConfiguredModel {
  ModelShape shape;
  std::vector<std::string> understood;  ///< "32 layers (num_hidden_layers)"
  std::vector<std::string> assumed;     ///< missing values, with the library's defaults
  std::vector<std::string> ignored;     ///< keys that play no part
};

/// Whether a file is such a config.json, by its beginning.
[[nodiscard]] inline bool isModelConfig(std::string_view head) {
  return head.find("\"model_type\"") != std::string_view::npos;
}

/// Reads the models of model_families.h, identified by "model_type", or else by "architectures"; of a config with a
/// "text_config", only that. Errors: another model_type (with the known ones), a missing key or wrong type (with its
/// JSON pointer), an impossible shape.
[[nodiscard]] Result<ConfiguredModel> modelFromConfig(std::string_view text);

}  // namespace p2
