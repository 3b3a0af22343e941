// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "workload/generate/model_shape.h"

namespace p2 {

/// A model's shape from the config.json that Hugging Face's transformers keep beside its weights.
struct ConfiguredModel {
  ModelShape shape;
  std::vector<std::string> understood;  ///< "32 layers (num_hidden_layers)"
  std::vector<std::string> assumed;     ///< what was not said, as the library assumes it
  std::vector<std::string> ignored;     ///< keys that play no part
};

/// Whether a file is such a config.json, by its beginning.
[[nodiscard]] inline bool isModelConfig(std::string_view head) {
  return head.find("\"model_type\"") != std::string_view::npos;
}

/// Reads the models of model_families.h, as "model_type" says, or else "architectures"; of a config that has a
/// "text_config", that. Errors: another model_type (with those that are known), a key that is missing or of the wrong
/// type (with its JSON pointer), a shape that cannot be.
[[nodiscard]] Result<ConfiguredModel> modelFromConfig(std::string_view text);

}  // namespace p2
