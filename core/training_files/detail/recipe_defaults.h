// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace p2::inline training_files {

/// A setting that recipes of a framework leave to it, a line of resources/training/recipe_defaults.csv.
struct RecipeDefault {
  std::string family;    ///< "Megatron-Bridge"
  std::string module;    ///< that its recipes import from: "megatron.bridge"
  std::string function;  ///< that sets it; empty: it holds for all recipes
  std::string setting;
  std::string value;
};

[[nodiscard]] std::span<const RecipeDefault> recipeDefaults();
/// The framework whose recipes import from a module, as its first default; null for other modules.
[[nodiscard]] const RecipeDefault* recipeFamily(std::string_view module);
/// The text of the file.
[[nodiscard]] std::string_view recipeDefaultsText();

}  // namespace p2::inline training_files
