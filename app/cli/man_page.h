// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace CLI {
class App;
}

namespace p2::cli {

/// The manual page p2(1): `source`, packaging/man/p2.1.in, with its generated parts filled in. These follow the lines
/// `.\" @synopsis`, `.\" @commands` and `.\" @options` and come from the declarations of `app`, as --help does;
/// `.\" @formats` from importFormats(), `.\" @measurements` from measurementFormats(), `.\" @columns` from
/// measuredColumns(), and `.\" @keys` from describedAnswers().
///
/// Below the first four the source adds longer texts to generated entries, up to its next heading: after a line `.\"
/// train`,
/// `.\" --axes`, `.\" train --batch` or `.\" ns-3` follow the sentences that stand after the help of that command,
/// option or format. A name without its command is of an option that several commands share. An error names a text
/// whose entry does not exist, is not the only one of that name, or has a text already.
[[nodiscard]] Result<std::string> manPage(const CLI::App& app, std::string_view source);

}  // namespace p2::cli
