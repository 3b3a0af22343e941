// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <iterator>
#include <source_location>
#include <utility>

namespace p2::test {

/// The range of a loop of checks. The test fails where it is empty: such a loop would check nothing.
template <class Range>
[[nodiscard]] Range filled(Range&& range, const std::source_location& loop = std::source_location::current()) {
  if (std::cbegin(range) == std::cend(range)) {
    QTest::qFail("the loop has nothing to check", loop.file_name(), static_cast<int>(loop.line()));
  }
  return std::forward<Range>(range);
}

}  // namespace p2::test
