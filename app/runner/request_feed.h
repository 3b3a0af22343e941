// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace p2::runner {

/// A request on its way to the first rank, over the standard input of the launcher: block by block, each asked for on
/// standard error, as in "p2-runner wants 4096". A rank on another host than the launcher gets no more at once: Open
/// MPI 5 loses bytes in flight when the next block comes, and all input before the rank has started.
class RequestFeed {
 public:
  /// `line` ends with a line break, its only one.
  explicit RequestFeed(std::string line) : m_line(std::move(line)) {}

  /// The block that a line of standard error asks for, empty behind the end; none if it asks for none.
  [[nodiscard]] std::optional<std::string_view> askedFor(std::string_view line) const;

 private:
  std::string m_line;
};

/// The other side: asks `errors` for the request and reads it from `input`, without its line break. Errors: nothing has
/// come for half a minute, the input has ended, or the request does not.
[[nodiscard]] Result<std::string> receiveRequest(int input, int errors);

}  // namespace p2::runner
