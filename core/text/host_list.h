// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline text {

/// Names of hosts out of a list: words between commas, blanks and line ends, with the ranges of Slurm, as in
/// "gpu[01-04,07]" and "r[0-3]n[0-7]", where the last brackets change first. "#" begins a comment; "slots=8" and the
/// ":8" of "host:8" are left out. Errors, with the position "hosts": a range without an end or a number, a word that is
/// not a name, the same name twice, more than 100,000.
[[nodiscard]] Result<std::vector<std::string>> hostsFromList(std::string_view text);

/// Names of hosts out of a hostfile: as above, but only the first word of every line. Errors: also no host at all.
[[nodiscard]] Result<std::vector<std::string>> hostsFromFile(std::string_view text);

/// Errors, with the position "hosts": a text that is not a name, the same name twice.
[[nodiscard]] Result<void> checkHosts(const std::vector<std::string>& hosts);

}  // namespace p2::inline text
