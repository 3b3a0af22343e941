// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "placement/axis.h"

namespace p2::views {

/// Whether the axes' sizes multiply to the number of devices, and which single changes would make them.
struct AxesFit {
  struct Suggestion {
    std::size_t axis = 0;
    std::int64_t size = 1;
    friend bool operator==(const Suggestion&, const Suggestion&) = default;
  };
  bool fits = false;
  QString sentence;  ///< "fits: 64 = 8·2·4", "8·2·3 = 48 ≠ 64; shards = 4 would fit"
  std::vector<Suggestion> suggestions;
};

/// Whether a system that can be worked with has other devices than the axes' sizes multiply to.
[[nodiscard]] bool isMisfit(const System& system, const std::vector<Axis>& axes);

[[nodiscard]] AxesFit fitOf(const System& system, const std::vector<Axis>& axes);

}  // namespace p2::views
