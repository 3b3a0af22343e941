// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "training/planner.h"

namespace p2::inline training_answer {

/// Published runs of a model whose measured steps are all outside of their predicted intervals, on the same side.
struct OneSidedRuns {
  std::size_t runs = 0;  ///< 0: there are fewer than three, or they are not one-sided
  double least = 1;      ///< measured over predicted seconds
  double most = 1;
};

/// The runs of a question's model, of the same generation of accelerators if that has three, else of all. The first
/// call takes half a second.
[[nodiscard]] OneSidedRuns oneSidedRunsOf(const TrainingQuestion& question);

}  // namespace p2::inline training_answer
