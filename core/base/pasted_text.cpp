// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/pasted_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/detail/launcher_marks.h"
#include "base/utf8.h"

namespace p2::inline base {
namespace {

constexpr std::string_view kWordBlanks = " \t\r";

/// The end of the control sequence that begins with the escape at `i`.
std::size_t endOfTerminalSequence(std::string_view text, std::size_t i) {
  if (i + 1 >= text.size()) return text.size();
  const char kind = text[i + 1];
  std::size_t end = i + 2;
  if (kind == '[') {
    while (end < text.size() && (text[end] < 0x40 || text[end] > 0x7e) && text[end] != '\n') ++end;
    return std::min(end + 1, text.size());
  }
  if (kind == ']' || kind == 'P') {
    while (end < text.size() && text[end] != '\a' && text[end] != '\n' && text[end] != '\x1b') ++end;
    if (end + 1 < text.size() && text[end] == '\x1b' && text[end + 1] == '\\') return end + 2;
    return end < text.size() && text[end] == '\a' ? end + 1 : end;
  }
  return end;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  std::size_t begin = text.find(from);
  if (begin == std::string::npos) return;
  std::string result;
  std::size_t done = 0;
  for (; begin != std::string::npos; begin = text.find(from, done)) {
    result.append(text, done, begin - done).append(to);
    done = begin + from.size();
  }
  text = result.append(text, done);
}

bool isHtmlTable(std::string_view text) {
  return text.find("<td") != std::string_view::npos || text.find("<th>") != std::string_view::npos;
}

/// Rows of HTML become lines, cells words.
std::string withoutTags(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '<') {
      plain += text[i++];
      continue;
    }
    const std::size_t end = std::min(text.find('>', i), text.size());
    const std::string_view tag = text.substr(i + 1, end - i - 1);
    const bool line = tag.starts_with("/tr") || tag.starts_with("br") || tag.starts_with("/p") || tag == "table";
    plain += line ? '\n' : ' ';
    i = std::min(end + 1, text.size());
  }
  for (const auto& [entity, character] : std::array<std::pair<const char*, const char*>, 4>{
           {{"&nbsp;", " "}, {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}}}) {
    replaceAll(plain, entity, character);
  }
  return plain;
}

/// JSON and XML, which have no lines of a program's table.
bool isStructured(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return false;
  return text[start] == '{' || (text[start] == '<' && !text.substr(start).starts_with("<std"));
}

/// Borders of a Markdown table: most lines begin with one.
void dropBorders(std::string& text) {
  const std::vector<std::string_view> lines = filledLines(text);
  const auto bordered = std::count_if(lines.begin(), lines.end(), [](std::string_view line) {
    return line[line.find_first_not_of(kWordBlanks)] == '|';
  });
  if (bordered < 2 || static_cast<std::size_t>(bordered) * 2 < lines.size()) return;
  std::replace(text.begin(), text.end(), '|', ' ');
}

}  // namespace

std::string withoutTerminalSequences(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t escape = std::min(text.find('\x1b', i), text.size());
    plain.append(text.substr(i, escape - i));
    i = escape < text.size() ? endOfTerminalSequence(text, escape) : escape;
  }
  return plain;
}

std::string pastedText(std::string_view text) {
  std::string plain = withoutTerminalSequences(withoutMark(std::string(text)));
  replaceAll(plain, "\xC2\xA0", " ");
  if (isHtmlTable(plain)) plain = withoutTags(plain);
  if (isStructured(plain)) return plain;
  dropBorders(plain);
  std::vector<std::string_view> lines;
  for (std::size_t from = 0; from < plain.size();) {
    const std::size_t to = std::min(plain.find('\n', from), plain.size());
    lines.push_back(withoutMarks(std::string_view(plain).substr(from, to - from)));
    from = to + 1;
  }
  dropSharedWords(lines);
  std::string result;
  result.reserve(plain.size());
  for (const std::string_view line : lines) result.append(withoutMarks(line)) += '\n';
  return result;
}

std::vector<std::string_view> filledLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    const std::string_view line = text.substr(from, to - from);
    if (line.find_first_not_of(kWordBlanks) != std::string_view::npos) lines.push_back(line);
    from = to + 1;
  }
  return lines;
}

std::vector<std::string_view> wordsOfLine(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t from = line.find_first_not_of(kWordBlanks); from != std::string_view::npos;
       from = line.find_first_not_of(kWordBlanks, from)) {
    const std::size_t to = std::min(line.find_first_of(kWordBlanks, from), line.size());
    words.push_back(line.substr(from, to - from));
    from = to;
  }
  return words;
}

bool readNumber(std::string_view word, double& value) {
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  return status == std::errc{} && end == word.data() + word.size() && std::isfinite(value);
}

}  // namespace p2::inline base
