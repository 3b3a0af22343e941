// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: choices by their names.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "base/lists.h"
#include "base/result.h"

namespace p2::inline training {

[[nodiscard]] inline std::string lowerCase(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), [](unsigned char c) { return std::tolower(c); });
  return lowered;
}

/// The enumerator whose name it is, in small or capital letters. `names` are in the order of the enumerators; the error
/// lists them.
template <class T, std::size_t N>
[[nodiscard]] Result<T> choiceNamed(std::string_view name, const std::array<std::string_view, N>& names,
                                    std::string_view what) {
  const auto at = std::find(names.begin(), names.end(), lowerCase(name));
  if (at != names.end()) return static_cast<T>(at - names.begin());
  return Error{"\"" + std::string(name) + "\" is not a " + std::string(what) + "; use one of " + joined(names)};
}

}  // namespace p2::inline training
