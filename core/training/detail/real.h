// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training.
#pragma once

#include <cstdint>

namespace p2::inline training {

/// A count as a factor of a formula. Exact up to 2^53.
[[nodiscard]] constexpr double real(std::int64_t count) { return static_cast<double>(count); }

}  // namespace p2::inline training
