// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/lesson_facts.h"

#include <algorithm>
#include <array>

namespace p2::inline lesson {
namespace {

constexpr std::size_t kMostNamed = 8;

/// Names with a common prefix come first, so that a mistyped ending is found among them.
std::string someNames(const std::map<std::string, std::string, std::less<>>& values, std::string_view wrong) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  const auto likeness = [&](const std::string& name) {
    return std::mismatch(name.begin(), name.end(), wrong.begin(), wrong.end()).first - name.begin();
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return likeness(a) > likeness(b); });
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostNamed, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > kMostNamed ? ", …" : "");
}

/// The text without its placeholders.
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

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
/// Part of a name or another number, where a number that follows is no figure of its own.
bool isOfAWord(char c) { return isDigit(c) || isLetter(c) || c == '_' || c == '.'; }

std::size_t endOfDigits(std::string_view text, std::size_t at) {
  while (at < text.size() && isDigit(text[at])) ++at;
  return at;
}

bool beginsWithUnit(std::string_view text) {
  constexpr std::array<std::string_view, 14> kUnits{"s",  "ms", "µs", "ns",   "B",    "kB", "KB",
                                                    "MB", "GB", "TB", "GB/s", "MB/s", "×",  "%"};
  if (text.starts_with(' ')) text.remove_prefix(1);
  return std::any_of(kUnits.begin(), kUnits.end(), [&](std::string_view unit) {
    const bool longer = text.size() > unit.size() && (isDigit(text[unit.size()]) || isLetter(text[unit.size()]));
    return text.starts_with(unit) && !longer;
  });
}

/// The number that begins there if it says how much: with a point, of several digits, or with a unit behind it.
std::string_view figureAt(std::string_view text, std::size_t at) {
  const std::size_t whole = endOfDigits(text, at);
  const bool point = whole < text.size() && text[whole] == '.';
  const std::size_t end = point ? endOfDigits(text, whole + 1) : whole;
  if (end > whole + 1) return text.substr(at, end - at);
  const bool counts = whole - at > 1 || beginsWithUnit(text.substr(whole));
  return counts ? text.substr(at, whole - at) : std::string_view();
}

}  // namespace

std::string numberText(const LessonFacts::Number& number) {
  switch (number.unit) {
    case LessonFacts::Unit::Seconds:
      return formatSeconds(number.value);
    case LessonFacts::Unit::Bytes:
      return formatBytes(Bytes(number.value));
    case LessonFacts::Unit::Share:
      return formatPercent(number.value);
    case LessonFacts::Unit::Factor:
      return formatFactor(number.value);
    case LessonFacts::Unit::Count:
      break;
  }
  return exactNumber(number.value);
}

void LessonFacts::setNumber(const std::string& name, double value, Unit unit) {
  const Number number{value, unit};
  m_numbers.insert_or_assign(name, number);
  set(name, numberText(number));
}

Result<LessonFacts::Number> LessonFacts::number(std::string_view name) const {
  const auto found = m_numbers.find(name);
  if (found != m_numbers.end()) return found->second;
  std::map<std::string, std::string, std::less<>> numbers;
  for (const auto& [each, number] : m_numbers) numbers.emplace(each, std::string());
  const std::string known = someNames(numbers, name);
  if (m_values.contains(name)) {
    return Error{"{" + std::string(name) + "} has no value with a unit that could be asked for; these have: " + known};
  }
  if (name.empty()) return Error{"name the number that is asked for: " + known};
  return Error{"{" + std::string(name) + "} is not a placeholder here; use one of " + known};
}

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
      return Error{"{" + std::string(name) + "} is not a placeholder here; use one of " + someNames(m_values, name)};
    }
    filled += found->second;
    at = end;
  }
  return filled;
}

std::vector<std::string> writtenNumbers(std::string_view text) {
  const std::string rest = withoutPlaceholders(text);
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at < rest.size();) {
    const bool begins = isDigit(rest[at]) && (at == 0 || !isOfAWord(rest[at - 1]));
    const std::string_view number = begins ? figureAt(rest, at) : std::string_view();
    if (!number.empty()) numbers.emplace_back(number);
    at += std::max<std::size_t>(number.size(), 1);
  }
  return numbers;
}

}  // namespace p2::inline lesson
