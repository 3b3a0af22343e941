// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

namespace p2::views {

/// A time compared with another, in words: "3.67× slower", "1.84× faster", "as fast" where they differ by less
/// than half a percent. Empty where one of them is no time.
[[nodiscard]] QString slowerThan(double seconds, double other);

/// "1 program", "235 programs", "12 808 programs".
[[nodiscard]] QString counted(std::int64_t count, const QString& one, const QString& many);

/// " of 10 runs together"; empty for times of one run.
[[nodiscard]] QString ofRuns(int repeat);

}  // namespace p2::views
