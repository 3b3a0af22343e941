// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "training/step_estimate.h"

namespace p2::inline training_answer {

/// The share of published runs that intervals like a predicted step's hold, over all machines: one sentence without a
/// full stop.
[[nodiscard]] std::string describeInterval();
/// Why a configuration's interval is wider than others, and how runs outside it differ: one sentence without a full
/// stop; empty where startsDispatchFromHost() does not hold.
[[nodiscard]] std::string describeWiderInterval(const ModelShape& model, const TrainingConfiguration& configuration);
/// Two sentences: the one above, and how many of `runs` runs like the predicted one are inside theirs. `inside` ≤
/// `runs`. A share that chance explains (within two standard deviations of 80 %) is called consistent.
[[nodiscard]] std::string describeIntervalFor(std::int64_t inside, std::int64_t runs);

}  // namespace p2::inline training_answer
