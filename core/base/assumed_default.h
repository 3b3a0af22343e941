// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace p2::inline base {

/// A value that an answer takes for granted because the question leaves it open, and that can change the answer.
struct AssumedDefault {
  std::string option;    ///< the command line's, as in "--zero"; empty where no option changes it
  std::string sentence;  ///< "no recomputation"

  /// "no recomputation (--recompute)".
  [[nodiscard]] std::string text() const { return option.empty() ? sentence : sentence + " (" + option + ")"; }
  friend bool operator==(const AssumedDefault&, const AssumedDefault&) = default;
};

[[nodiscard]] inline std::vector<std::string> textsOf(const std::vector<AssumedDefault>& defaults) {
  std::vector<std::string> texts;
  for (const AssumedDefault& each : defaults) texts.push_back(each.text());
  return texts;
}

}  // namespace p2::inline base
