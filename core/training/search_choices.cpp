// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/search_choices.h"

#include <algorithm>

namespace p2::inline training {

std::vector<std::int64_t> divisorChoices(const std::optional<std::int64_t>& fixed, std::int64_t whole,
                                         std::int64_t most) {
  if (fixed) return {*fixed};
  std::vector<std::int64_t> divisors;
  for (std::int64_t divisor = 1; divisor <= std::min(whole, most); ++divisor) {
    if (whole % divisor == 0) divisors.push_back(divisor);
  }
  return divisors;
}

std::vector<RecomputeChoice> recomputationChoices(const SearchSpace& space) {
  const auto& fixed = space.fixed.recomputation;
  std::vector<RecomputeChoice> all = recomputationsOf(space.framework, space.model);
  if (!fixed) return all;
  const bool isModules = !fixed->modules.empty();
  if (isModules && space.framework.recomputedModules != nullptr) return {*fixed};
  std::erase_if(all, [&](const RecomputeChoice& each) { return each != *fixed; });
  return all;
}

}  // namespace p2::inline training
