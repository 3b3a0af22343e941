// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/import_notes.h"

#include "base/utf8.h"

namespace p2::inline workload {

std::string shownName(std::string_view text) {
  constexpr std::size_t kMost = 80;
  std::string shown(text.substr(0, utf8Prefix(text)));
  if (shown.size() > kMost) {
    shown.resize(kMost);
    shown.resize(utf8Prefix(shown));
    shown += "…";
  }
  for (char& c : shown) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7f) c = '?';
  }
  return shown.empty() ? "?" : shown;
}

}  // namespace p2::inline workload
