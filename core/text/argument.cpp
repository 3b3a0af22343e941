// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/argument.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/utf8.h"

namespace p2::inline text {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether the '/' at `at` belongs to a unit, as in node:2@270GB/s.
bool isOfUnit(std::string_view text, std::size_t at) {
  const std::size_t word = text.rfind(' ', at) + 1;  // 0 where there is no blank
  return text.substr(word, at - word).find('@') != std::string_view::npos && text.substr(at + 1, 1) == "s";
}

bool hasSuffix(std::string_view text) {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos || dot + 1 == text.size()) return false;
  const std::string_view suffix = text.substr(dot + 1);
  return isLetter(suffix[0]) &&
         std::all_of(suffix.begin(), suffix.end(), [](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

/// What follows `text` from `at` on, once blanks are skipped; nothing unless it is `expected`.
std::size_t behind(std::string_view text, std::size_t at, char expected) {
  at = text.find_first_not_of(kBlank, at);
  return at != std::string_view::npos && text[at] == expected ? at + 1 : std::string_view::npos;
}

}  // namespace

bool ArgumentText::isPath() const {
  for (std::size_t i = m_text.find('/'); i != std::string::npos; i = m_text.find('/', i + 1)) {
    if (!isOfUnit(m_text, i)) return true;
  }
  return hasSuffix(m_text);
}

bool ArgumentText::exists() const {
  std::error_code ignored;
  return std::filesystem::exists(m_text, ignored);
}

const std::string& ArgumentText::head() const {
  if (!m_head) {
    std::error_code ignored;
    std::string head;
    // Reading a pipe would wait for its writer, and lose the text.
    if (std::filesystem::is_regular_file(m_text, ignored)) {
      head.resize(kFileHead);
      std::ifstream file(m_text, std::ios::binary);
      file.read(head.data(), static_cast<std::streamsize>(head.size()));
      head.resize(static_cast<std::size_t>(file.gcount()));
    }
    m_head = withoutMark(std::move(head));
  }
  return *m_head;
}

std::string_view formatIn(std::string_view head) {
  constexpr std::string_view kKey = "\"format\"";
  constexpr std::array<std::string_view, 2> kOurs{"p2-", "strategy-tables"};
  for (std::size_t at = head.find(kKey); at != std::string_view::npos; at = head.find(kKey, at + 1)) {
    std::size_t value = behind(head, at + kKey.size(), ':');
    if (value != std::string_view::npos) value = behind(head, value, '"');
    if (value == std::string_view::npos) continue;
    const std::string_view name = head.substr(value, head.find('"', value) - value);
    if (std::any_of(kOurs.begin(), kOurs.end(), [&](std::string_view ours) { return name.starts_with(ours); })) {
      return name;
    }
  }
  return {};
}

}  // namespace p2::inline text
