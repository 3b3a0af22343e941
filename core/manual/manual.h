// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace p2::inline manual {

/// A page of the manual, compiled in from resources/manual.
struct ManualPage {
  std::string_view name;      ///< name in requests: "placements"
  std::string_view markdown;  ///< GitHub's kind; its first line is the title, links to other pages end in ".md"

  /// "Placements": the first heading.
  [[nodiscard]] std::string_view title() const;
};

/// All pages in the order in which they are read.
[[nodiscard]] std::span<const ManualPage> manualPages();

/// The page of that name; nullptr for none.
[[nodiscard]] const ManualPage* manualPage(std::string_view name);

/// A page for a terminal: Markdown as it is, but without pictures, and with "text (p2 help NAME)" in the place of links
/// to other pages. O(length).
[[nodiscard]] std::string terminalText(const ManualPage& page);

}  // namespace p2::inline manual
