// SPDX-License-Identifier: GPL-3.0-or-later
#include "manual/manual.h"

#include <algorithm>

namespace p2::inline manual {
namespace {

constexpr std::string_view kPageEnd = ".md";

/// The lines of a text one after the other, without their ends.
class Lines {
 public:
  explicit Lines(std::string_view text) : m_text(text) {}
  [[nodiscard]] bool atEnd() const { return m_next >= m_text.size(); }
  std::string_view take() {
    const std::size_t end = std::min(m_text.find('\n', m_next), m_text.size());
    const std::string_view line = m_text.substr(m_next, end - m_next);
    m_next = end + 1;
    return line;
  }

 private:
  std::string_view m_text;
  std::size_t m_next = 0;
};

/// "[text](target)" at a place of a text that begins with "[".
struct Link {
  std::string_view text;
  std::string_view target;
  std::size_t length = 0;  ///< 0 if there is none

  explicit Link(std::string_view at) {
    const std::size_t middle = at.find("](");
    const std::size_t end = middle == std::string_view::npos ? middle : at.find(')', middle);
    if (end == std::string_view::npos || at.substr(1, middle - 1).find_first_of("[\n") != std::string_view::npos)
      return;
    text = at.substr(1, middle - 1);
    target = at.substr(middle + 2, end - middle - 2);
    length = end + 1;
  }
};

}  // namespace

std::string_view ManualPage::title() const {
  const std::string_view line = Lines(markdown).take();
  return line.substr(std::min(line.find_first_not_of("# "), line.size()));
}

const ManualPage* manualPage(std::string_view name) {
  const auto pages = manualPages();
  const auto found =
      std::find_if(pages.begin(), pages.end(), [&](const ManualPage& page) { return page.name == name; });
  return found == pages.end() ? nullptr : &*found;
}

std::string terminalText(const ManualPage& page) {
  std::string text;
  for (Lines lines(page.markdown); !lines.atEnd();) {
    const std::string_view line = lines.take();
    if (line.starts_with("![")) {
      // With the empty line that follows it.
      if (!lines.atEnd()) lines.take();
      continue;
    }
    const bool isCode = line.starts_with("    ");
    for (std::size_t i = 0; i < line.size();) {
      const Link link(!isCode && line[i] == '[' ? line.substr(i) : std::string_view("]"));
      if (link.length == 0) {
        text += line[i++];
        continue;
      }
      const bool isPage = link.target.ends_with(kPageEnd);
      const std::string_view name = link.target.substr(0, link.target.size() - (isPage ? kPageEnd.size() : 0));
      text.append(link.text).append(isPage ? " (p2 help " : " (").append(name).append(")");
      i += link.length;
    }
    text += '\n';
  }
  return text;
}

}  // namespace p2::inline manual
