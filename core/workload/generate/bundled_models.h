// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace p2::inline workload {

/// A transformer whose shape comes with the program, from resources/models: its published config.json.
struct BundledModel {
  std::string_view name;    ///< its name in arguments: "mixtral-8x22b"
  std::string_view config;  ///< the file, for modelFromConfig()
};

/// Models in addition to bundledRecipes(), whose trainings are published too.
[[nodiscard]] std::span<const BundledModel> bundledModels();

}  // namespace p2::inline workload
