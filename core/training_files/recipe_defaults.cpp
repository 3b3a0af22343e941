// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/recipe_defaults.h"

#include <algorithm>
#include <vector>

#include "text/csv.h"

namespace p2::inline training_files {
namespace {

std::vector<RecipeDefault> read() {
  std::vector<RecipeDefault> all;
  CsvReader reader(recipeDefaultsText());
  CsvReader::Cells cells;
  while (reader.next(cells)) {
    if (cells.size() < 5 || cells[0].starts_with('#') || cells[0] == "family") continue;
    all.push_back({cells[0], cells[1], cells[2], cells[3], cells[4]});
  }
  return all;
}

}  // namespace

std::span<const RecipeDefault> recipeDefaults() {
  static const std::vector<RecipeDefault> kAll = read();
  return kAll;
}

const RecipeDefault* recipeFamily(std::string_view module) {
  const auto all = recipeDefaults();
  const auto found = std::find_if(all.begin(), all.end(), [&](const RecipeDefault& each) {
    return module == each.module || module.starts_with(each.module + ".");
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace p2::inline training_files
