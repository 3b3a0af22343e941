// SPDX-License-Identifier: GPL-3.0-or-later
// Part of core/training/search_space.cpp: the values of single choices.
#pragma once

#include "training/detail/search_space.h"

namespace p2::inline training {

/// The divisors of `whole` up to `most`, rising; a fixed value alone, whether it divides or not.
[[nodiscard]] std::vector<std::int64_t> divisorChoices(const std::optional<std::int64_t>& fixed, std::int64_t whole,
                                                       std::int64_t most);
/// The recomputations that a search tries. Modules of selective recomputation can be fixed that it does not try.
[[nodiscard]] std::vector<RecomputeChoice> recomputationChoices(const SearchSpace& space);

}  // namespace p2::inline training
