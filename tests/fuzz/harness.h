// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace p2::fuzz {

/// A parser, and what must hold of whatever it makes of any text: it ends, it says a sentence or gives a value, and a
/// value that is written is read as the same. What does not hold ends the process with a word on it.
struct Harness {
  const char* name;
  void (*run)(std::string_view text);
  /// Where texts to begin with lie, below the source tree, as "tests/data/import/*.xml", separated by blanks; those of
  /// tests/fuzz/corpus/NAME, on which something went wrong once or which reach what others do not, belong to every
  /// harness.
  const char* seeds;
};

[[nodiscard]] std::span<const Harness> documentHarnesses();
[[nodiscard]] std::span<const Harness> importHarnesses();
[[nodiscard]] std::span<const Harness> wordHarnesses();

}  // namespace p2::fuzz
