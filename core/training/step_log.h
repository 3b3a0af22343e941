// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline training {

/// Steps of a training as its log has them.
struct StepLog {
  std::string framework;        ///< whose lines they are: "Megatron-LM"
  std::vector<double> seconds;  ///< of every logged step, in order
  double median = 0;            ///< seconds, without the first steps
  std::size_t skipped = 0;      ///< first steps that are left out: compilation, first allocations
};

/// Sizes of a step, for logs that give rates.
struct LoggedSizes {
  std::int64_t batch = 1;  ///< sequences
  std::int64_t sequence = 1;
  std::int64_t devices = 1;
};

/// Reads the step times of a log: Megatron-LM ("elapsed time per iteration (ms): 2345.6"), NeMo ("train_step_timing in
/// s: 2.34"), TorchTitan ("tps: 3,456", tokens a second and device), DeepSpeed ("CurrSamplesPerSec=12.3") or MaxText
/// ("completed step: 5, seconds: 3.45"). The first such form found decides. The median leaves out the first fifth, at
/// most 5 steps. Errors: no such line (with the forms), fewer than 3 steps. O(length).
[[nodiscard]] Result<StepLog> stepLogFrom(std::string_view text, const LoggedSizes& sizes);

/// The log of measured steps, in order: the median leaves out the first fifth, at least one of three and at most 5.
/// Needs a step.
[[nodiscard]] StepLog stepLogOf(std::string framework, std::vector<double> seconds);

}  // namespace p2::inline training
