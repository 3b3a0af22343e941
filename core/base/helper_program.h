// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline base {

/// A question to one of our helper programs, which read files with libraries that are not safe with every file: a
/// library that crashes, hangs or takes all memory ends its helper and nothing else. Or to a program of others.
struct HelperCall {
  std::string program;  ///< "p2-onnx-reader"; next to or above this executable, or below the folder P2_HELPERS
  std::string package;  ///< Debian's package of a program that is not ours and is looked up in PATH; empty for ours
  std::vector<std::string> arguments;
  std::string library;  ///< what people call the library at risk: "libonnx"
  std::string input;    ///< all of its standard input
  int inputFile = -1;   ///< a descriptor to read instead of `input`
  double seconds = 5;
  std::size_t memory = std::size_t{1} << 30;  ///< bytes; 0 without a limit
};

/// Output of a helper process that exited successfully.
struct HelperAnswer {
  std::string output;
  std::vector<std::string> notes;  ///< the helper's own lines on standard error
};

/// Prefix of a helper's own lines on standard error, where libraries write too.
inline constexpr std::string_view kHelperMark = "p2: ";

/// Meaning of a helper's exit status; standard error has the sentence, or on success one note per line.
enum HelperStatus : int {
  kHelperDone = 0,
  kHelperRefused = 2,  ///< ErrorKind::BadInput
  kHelperTooLarge = 3,
  kHelperFailed = 4,
  kHelperNoMemory = 5,
};

/// Runs the helper to its end. Errors: its own refusal; not installed; crashed, over its limits, or over 1 GiB of
/// output; cancelled, at most a few hundredths of a second after `stop`.
[[nodiscard]] Result<HelperAnswer> askHelper(const HelperCall& call, const std::stop_token& stop = {});

/// Whether a helper of ours is installed.
[[nodiscard]] bool hasHelper(const std::string& program);

}  // namespace p2::inline base
