// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace p2::inline workload {

/// "1 row", "5 rows".
[[nodiscard]] inline std::string counted(std::int64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

/// Largest number of entries in each list of an answer; further ones are counted.
inline constexpr std::size_t kMostImportNotes = 100;

/// Text of a file as it may be shown and kept as a name: without control codes, at most 80 characters.
[[nodiscard]] std::string shownName(std::string_view text);

}  // namespace p2::inline workload
