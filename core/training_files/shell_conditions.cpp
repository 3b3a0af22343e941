// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/shell_conditions.h"

#include <algorithm>

#include "base/numbers.h"

namespace p2::inline training_files::shell {
namespace {

using Words = std::vector<std::string>;

std::optional<bool> comparesNumbers(const std::string& left, const std::string& kind, const std::string& right) {
  const auto a = parseInteger(left);
  const auto b = parseInteger(right);
  if (!a || !b) return std::nullopt;
  if (kind == "-eq") return *a == *b;
  if (kind == "-ne") return *a != *b;
  if (kind == "-lt") return *a < *b;
  if (kind == "-le") return *a <= *b;
  if (kind == "-gt") return *a > *b;
  if (kind == "-ge") return *a >= *b;
  return std::nullopt;
}

/// One comparison, with its words expanded.
std::optional<bool> holds(Words words) {
  bool negated = false;
  while (!words.empty() && words.front() == "!") {
    negated = !negated;
    words.erase(words.begin());
  }
  std::optional<bool> result;
  if (words.size() == 1) result = !words[0].empty();
  if (words.size() == 2 && words[0] == "-z") result = words[1].empty();
  if (words.size() == 2 && words[0] == "-n") result = !words[1].empty();
  if (words.size() == 3) {
    if (words[1] == "==" || words[1] == "=") {
      result = matchesPattern(words[0], words[2]);
    } else if (words[1] == "!=") {
      result = !matchesPattern(words[0], words[2]);
    } else {
      result = comparesNumbers(words[0], words[1], words[2]);
    }
  }
  return result && negated ? std::optional<bool>(!*result) : result;
}

}  // namespace

bool matchesPattern(std::string_view text, std::string_view pattern) {
  if (const std::size_t either = pattern.find('|'); either != std::string_view::npos) {
    return matchesPattern(text, pattern.substr(0, either)) || matchesPattern(text, pattern.substr(either + 1));
  }
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t star = std::string_view::npos;
  std::size_t from = 0;
  while (at < text.size()) {
    if (in < pattern.size() && (pattern[in] == '?' || pattern[in] == text[at]) && pattern[in] != '*') {
      ++at;
      ++in;
    } else if (in < pattern.size() && pattern[in] == '*') {
      star = in++;
      from = at;
    } else if (star != std::string_view::npos) {
      in = star + 1;
      at = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in) == std::string_view::npos;
}

std::optional<bool> conditionHolds(const Variables& variables, const std::vector<std::string>& words) {
  if (words.empty()) return std::nullopt;
  const std::string& first = words.front();
  if (first == "true") return true;
  if (first == "false") return false;
  if (first != "[" && first != "[[" && first != "test") return std::nullopt;
  const std::size_t end = words.back() == "]" || words.back() == "]]" ? words.size() - 1 : words.size();
  std::optional<bool> sum = false;
  std::optional<bool> product = true;
  Words part;
  const auto endPart = [&] {
    const auto value = holds(std::move(part));
    part.clear();
    product = product && value ? std::optional<bool>(*product && *value) : std::nullopt;
  };
  for (std::size_t i = 1; i < end; ++i) {
    if (words[i] == "&&" || words[i] == "-a") {
      endPart();
    } else if (words[i] == "||" || words[i] == "-o") {
      endPart();
      if (product.value_or(false)) return true;
      sum = sum && product ? std::optional<bool>(*sum || *product) : std::nullopt;
      product = true;
    } else {
      part.push_back(withoutUnset(variables.text(words[i])));
    }
  }
  endPart();
  if (product.value_or(false)) return true;
  return sum && product ? std::optional<bool>(*sum || *product) : std::nullopt;
}

}  // namespace p2::inline training_files::shell
