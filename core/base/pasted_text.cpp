// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/pasted_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace p2::inline base {
namespace {

constexpr std::string_view kMarkBlanks = " \t\r";
constexpr std::size_t kLongestTag = 120;
constexpr int kMostMarks = 8;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLower(char c) { return c >= 'a' && c <= 'z'; }

std::string_view trimmedLine(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(kMarkBlanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kMarkBlanks) + 1 - begin);
}

/// How many characters at the beginning of `text` follow the pattern: 'd' a digit, ' ' a blank, 'a' a letter, others
/// themselves. 0 where they do not.
std::size_t matched(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = text[i];
    const bool letter = isLower(c) || (c >= 'A' && c <= 'Z');
    const bool fits = pattern[i] == 'd' ? isDigit(c) : pattern[i] == 'a' ? letter : c == pattern[i];
    if (!fits) return 0;
  }
  return pattern.size();
}

/// "15:41:05", with a fraction and a zone; 0 if the text begins with none.
std::size_t timeOfDay(std::string_view text) {
  std::size_t end = matched(text, "dd:dd:dd");
  if (end == 0) return 0;
  if (end + 1 < text.size() && (text[end] == '.' || text[end] == ',') && isDigit(text[end + 1])) {
    for (++end; end < text.size() && isDigit(text[end]);) ++end;
  }
  if (end < text.size() && text[end] == 'Z') return end + 1;
  if (end < text.size() && (text[end] == '+' || text[end] == '-')) {
    const std::size_t zone = std::max(matched(text.substr(end + 1), "dd:dd"), matched(text.substr(end + 1), "dddd"));
    if (zone > 0) return end + 1 + zone;
  }
  return end;
}

/// "2024-07-18T15:41:05.123Z", "2024/07/18 15:41:05".
std::size_t isoTime(std::string_view text) {
  std::size_t end = std::max(matched(text, "dddd-dd-dd"), matched(text, "dddd/dd/dd"));
  if (end == 0 || end >= text.size() || (text[end] != 'T' && text[end] != ' ')) return 0;
  const std::size_t time = timeOfDay(text.substr(end + 1));
  return time == 0 ? 0 : end + 1 + time;
}

/// "Thu Jul 18 15:41:05 2024" and the "Jul 18 15:41:05" of syslog.
std::size_t namedTime(std::string_view text) {
  const std::size_t day = matched(text, "aaa aaa ") > 0 ? 4 : 0;
  std::size_t end = day + matched(text.substr(day), "aaa ");
  if (end == day) return 0;
  while (end < text.size() && text[end] == ' ') ++end;
  const std::size_t digits = end;
  while (end < text.size() && isDigit(text[end])) ++end;
  if (end == digits || end - digits > 2 || end >= text.size() || text[end] != ' ') return 0;
  const std::size_t time = timeOfDay(text.substr(end + 1));
  if (time == 0) return 0;
  end += 1 + time;
  const std::size_t year = matched(text.substr(end), " dddd");
  return end + year;
}

/// "I0718 15:41:05.123456 4711 file.cc:12] ".
std::size_t klogMark(std::string_view text) {
  if (text.empty() || std::string_view("IWEF").find(text[0]) == std::string_view::npos) return 0;
  if (matched(text.substr(1), "dddd ") == 0 || timeOfDay(text.substr(6)) == 0) return 0;
  const std::size_t close = text.substr(0, kLongestTag).find("] ");
  return close == std::string_view::npos ? 0 : close + 2;
}

std::size_t timeStamp(std::string_view text) {
  for (const auto of : {isoTime, namedTime, timeOfDay, klogMark}) {
    const std::size_t end = of(text);
    if (end > 0 && (end >= text.size() || !(isDigit(text[end]) || isLower(text[end])))) return end;
  }
  return 0;
}

/// "> ", "&gt; ".
std::size_t quoteMark(std::string_view text) {
  const std::size_t length = text.starts_with('>') ? 1 : text.starts_with("&gt;") ? 4 : 0;
  return length > 0 && (length == text.size() || text[length] == ' ' || text[length] == '>') ? length : 0;
}

/// "[1,0]<stdout>:", a time stamp with "<stdout>:".
std::size_t streamMark(std::string_view text) {
  const std::string_view head = text.substr(0, kLongestTag);
  for (const std::string_view stream : {"<stdout>", "<stderr>", "<stddiag>"}) {
    const std::size_t at = head.find(stream);
    if (at == std::string_view::npos) continue;
    const std::size_t end = at + stream.size();
    return end < text.size() && text[end] == ':' ? end + 1 : end;
  }
  return 0;
}

/// "[0] ", "[rank0]:", "[pod/name/container] ", "(worker pid=7, ip=10.0.0.1) ".
std::size_t bracketMark(std::string_view text) {
  if (text.empty() || (text[0] != '[' && text[0] != '(')) return 0;
  const std::size_t close = text.substr(0, kLongestTag).find(text[0] == '[' ? ']' : ')');
  if (close == std::string_view::npos || close < 2) return 0;
  if (text[0] == '(' && text.substr(0, close).find("pid=") == std::string_view::npos) return 0;
  std::size_t end = close + 1;
  if (end < text.size() && text[end] == ':') ++end;
  return end == text.size() || text[end] == ' ' || text[end] == '\t' || text[end - 1] == ':' ? end : 0;
}

/// "12: " of srun, "name | " of docker compose.
std::size_t labelMark(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits > 0 && digits < text.size() && text[digits] == ':') {
    const bool ends =
        digits + 1 == text.size() || std::string_view(" \t#").find(text[digits + 1]) != std::string_view::npos;
    return ends ? digits + 1 : 0;
  }
  const std::size_t bar = text.substr(0, kLongestTag).find(" | ");
  if (bar == std::string_view::npos || text.find('|', bar + 2) != std::string_view::npos) return 0;
  const std::string_view name = trimmedLine(text.substr(0, bar));
  return name.empty() || name.find(' ') != std::string_view::npos ? 0 : bar + 3;
}

/// A word with its digits made equal.
std::string shapeOfWord(std::string_view word) {
  std::string shape;
  for (const char c : word) {
    if (!isDigit(c)) shape += c;
    if (isDigit(c) && (shape.empty() || shape.back() != '0')) shape += '0';
  }
  return shape;
}

std::string_view firstWord(std::string_view line) { return line.substr(0, line.find_first_of(" \t")); }

/// Whether a word can be the name of a host, pod or container. Names of cards begin lines of tables.
bool isName(std::string_view word, bool behindName) {
  const bool letters = std::any_of(word.begin(), word.end(), isLower);
  const bool cards = word.starts_with("mlx") || word.starts_with("ib") || word.starts_with("irdma");
  const bool pci = word.starts_with("0:");
  if (!letters || cards || pci || word.find_first_of("#=\"<{") != std::string_view::npos) return false;
  return behindName || word.find_first_of("-_./:|@") != std::string_view::npos;
}

/// The line after its leading marks, without blanks at its ends.
std::string_view withoutMarks(std::string_view line) {
  line = trimmedLine(line);
  for (int i = 0; i < kMostMarks && !line.empty(); ++i) {
    std::size_t end = 0;
    for (const auto mark : {quoteMark, timeStamp, streamMark, bracketMark, labelMark}) {
      end = mark(line);
      if (end > 0) break;
    }
    if (end == 0) break;
    line = trimmedLine(line.substr(end));
  }
  return line;
}

/// Takes words off the beginnings of lines that nearly all lines share but for their digits: names of hosts, pods and
/// containers. O(length).
void dropSharedWords(std::vector<std::string_view>& lines) {
  constexpr std::size_t kLeastLines = 4;
  constexpr int kMostWords = 4;
  for (int i = 0; i < kMostWords; ++i) {
    std::map<std::string, std::size_t> counts;
    std::size_t filled = 0;
    for (const std::string_view line : lines) {
      if (line.empty()) continue;
      ++filled;
      ++counts[shapeOfWord(firstWord(line).substr(0, kLongestTag))];
    }
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (filled < kLeastLines || most->second * 10 < filled * 9 || !isName(most->first, i > 0)) return;
    for (std::string_view& line : lines) {
      const std::string_view word = firstWord(line);
      if (shapeOfWord(word.substr(0, kLongestTag)) == most->first) line = trimmedLine(line.substr(word.size()));
    }
  }
}

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
