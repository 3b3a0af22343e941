// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace p2::inline graphs {

/// A transformer whose shape comes with the program, from resources/models: its published config.json.
struct BundledModel {
  std::string_view name;    ///< what it is called by: "mixtral-8x22b"
  std::string_view config;  ///< the file, for modelFromConfig()
};

/// Models beside those of bundledRecipes(), of which a training is published as well.
[[nodiscard]] std::span<const BundledModel> bundledModels();

}  // namespace p2::inline graphs
