// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "workload/generate/model_shape.h"

namespace p2::inline training {

/// A model to train, and how its shape was found.
struct ModelSource {
  ModelShape shape;                  ///< resolved and checked
  std::vector<std::string> assumed;  ///< defaults of keys that a config.json lacks
};

/// From the name of a bundled model, or the path of a config.json or of a p2-model file, named by modelNameOf().
/// Errors: an unknown name (with the names), a file of another kind, a shape that cannot be; they say where in the
/// file.
[[nodiscard]] Result<ModelSource> modelFromArgument(const std::string& argument);

/// From the name of a bundled model. Error: an unknown name, with the names.
[[nodiscard]] Result<ModelSource> bundledModelNamed(const std::string& name);

/// From the content of a config.json or of a p2-model file. Errors as above, without the file's name.
[[nodiscard]] Result<ModelSource> modelFromText(const std::string& text);

}  // namespace p2::inline training
