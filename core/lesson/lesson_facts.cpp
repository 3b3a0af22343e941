// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/lesson_facts.h"

#include <algorithm>
#include <array>
#include <regex>

namespace p2 {
namespace {

constexpr std::size_t kMostNamed = 8;

/// Names that begin alike come first: whoever mistypes the end of a name finds the right one among them.
std::string someNames(const std::map<std::string, std::string, std::less<>>& values, std::string_view wrong) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  const auto alike = [&](const std::string& name) {
    return std::mismatch(name.begin(), name.end(), wrong.begin(), wrong.end()).first - name.begin();
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return alike(a) > alike(b); });
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostNamed, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > kMostNamed ? ", …" : "");
}

/// The text with placeholders taken out, so that only what is written down is left.
std::string withoutPlaceholders(std::string_view text) {
  std::string rest;
  int depth = 0;
  for (const char c : text) {
    if (c == '{') ++depth;
    if (depth == 0) rest += c;
    if (c == '}' && depth > 0) --depth;
  }
  return rest;
}

}  // namespace

Result<std::string> LessonFacts::filledIn(std::string_view text) const {
  std::string filled;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') {
      filled += text[at];
      continue;
    }
    if (text.substr(at).starts_with("{{")) {
      filled += '{';
      ++at;
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (end == std::string_view::npos) {
      return Error{"the placeholder \"" + std::string(text.substr(at, 24)) + "\" has no closing brace; write {name}"};
    }
    const std::string_view name = text.substr(at + 1, end - at - 1);
    const auto found = m_values.find(name);
    if (found == m_values.end()) {
      return Error{"{" + std::string(name) + "} stands for nothing here; there are " + someNames(m_values, name)};
    }
    filled += found->second;
    at = end;
  }
  return filled;
}

std::vector<std::string> writtenNumbers(std::string_view text) {
  static const std::regex kNumber(
      "(^|[^0-9A-Za-z_.])([0-9]{2,}([.][0-9]+)?|[0-9]+[.][0-9]+|[0-9]+(?= ?(s|ms|µs|ns|B|kB|KB|MB|GB|TB|GB/s|MB/s|×|%)"
      "([^0-9A-Za-z_]|$)))");
  const std::string rest = withoutPlaceholders(text);
  std::vector<std::string> numbers;
  for (auto match = std::sregex_iterator(rest.begin(), rest.end(), kNumber); match != std::sregex_iterator(); ++match) {
    numbers.push_back((*match)[2]);
  }
  return numbers;
}

}  // namespace p2
