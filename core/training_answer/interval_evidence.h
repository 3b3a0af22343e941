// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace p2::inline training_answer {

/// The share of published runs that intervals like a predicted step's hold, over all machines: one sentence without a
/// full stop.
[[nodiscard]] std::string describeInterval();
/// Two sentences: the one above, and how many of `runs` runs like the predicted one are inside theirs. `inside` ≤
/// `runs`. A share that chance explains (within two standard deviations of 80 %) is called consistent.
[[nodiscard]] std::string describeIntervalFor(std::int64_t inside, std::int64_t runs);

}  // namespace p2::inline training_answer
