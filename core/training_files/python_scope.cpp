// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/python_scope.h"

#include <algorithm>
#include <array>

#include "training_files/detail/python_text.h"

namespace p2::inline training_files {
namespace {

/// The place of a word or sign outside of brackets and strings; npos if it is not there.
std::size_t outerPlace(std::string_view text, std::string_view sign) {
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with(sign)) return at;
    if (text[at] == '"' || text[at] == '\'') {
      at = pythonStringEnd(text, at);
    } else if (text[at] == '(' || text[at] == '[' || text[at] == '{') {
      at = closingBracket(text, at) + 1;
    } else {
      ++at;
    }
  }
  return std::string_view::npos;
}

std::optional<bool> compared(std::string_view left, std::string_view right, const PythonScope& scope) {
  const auto a = literalValue(left, scope);
  const auto b = literalValue(right, scope);
  if (!a || !b) return std::nullopt;
  if (isNone(*a) || isNone(*b)) return isNone(*a) == isNone(*b);
  const auto x = numberOf(*a);
  const auto y = numberOf(*b);
  return x && y ? *x == *y : *a == *b;
}

std::optional<bool> contained(std::string_view value, std::string_view list, const PythonScope& scope) {
  if (list.size() < 2 || std::string_view("([{").find(list[0]) == std::string_view::npos) return std::nullopt;
  std::optional<bool> found = false;
  for (const std::string& each : splitArguments(list.substr(1, closingBracket(list, 0) - 1))) {
    const auto same = compared(value, each, scope);
    if (same.value_or(false)) return true;
    if (!same) found.reset();
  }
  return found;
}

std::optional<bool> ordered(std::string_view left, std::string_view right, std::string_view sign,
                            const PythonScope& scope) {
  const auto a = literalValue(left, scope);
  const auto b = literalValue(right, scope);
  const auto x = a ? numberOf(*a) : std::nullopt;
  const auto y = b ? numberOf(*b) : std::nullopt;
  if (!x || !y) return std::nullopt;
  return sign == " >= " ? *x >= *y : sign == " <= " ? *x <= *y : sign == " > " ? *x > *y : *x < *y;
}

std::optional<bool> negated(std::optional<bool> value) { return value ? std::optional<bool>(!*value) : std::nullopt; }

/// A comparison; a value alone holds when it is not empty, zero or false.
std::optional<bool> comparisonHolds(std::string_view text, const PythonScope& scope) {
  constexpr std::array<std::string_view, 10> kSigns{" == ", " != ", " is not ", " is ", " not in ",
                                                    " in ", " >= ", " <= ",     " > ",  " < "};
  for (const std::string_view sign : kSigns) {
    const std::size_t at = outerPlace(text, sign);
    if (at == std::string_view::npos) continue;
    const std::string_view left = trimmedText(text.substr(0, at));
    const std::string_view right = trimmedText(text.substr(at + sign.size()));
    if (sign == " == " || sign == " is ") return compared(left, right, scope);
    if (sign == " != " || sign == " is not ") return negated(compared(left, right, scope));
    if (sign == " in ") return contained(left, right, scope);
    if (sign == " not in ") return negated(contained(left, right, scope));
    return ordered(left, right, sign, scope);
  }
  const auto value = literalValue(text, scope);
  if (!value) return std::nullopt;
  if (isNone(*value)) return false;
  if (const auto flag = flagOf(*value)) return flag;
  const auto number = numberOf(*value);
  return number ? *number != 0 : true;
}

}  // namespace

std::optional<std::string> PythonScope::find(const std::string& path) const {
  const std::size_t dot = path.find('.');
  const auto& names = dot == std::string::npos ? m_names : *m_attributes;
  const auto found = names.find(dot == std::string::npos ? path : path.substr(dot + 1));
  return found == names.end() ? std::nullopt : std::optional<std::string>(found->second);
}

void PythonScope::set(const std::string& path, const std::string& value) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) {
    m_names[path] = value;
  } else {
    (*m_attributes)[path.substr(dot + 1)] = value;
  }
}

std::optional<std::string> literalValue(std::string_view expression, const PythonScope& scope) {
  const std::string_view text = trimmedText(expression);
  if (text.empty()) return std::nullopt;
  if (text[0] == '"' || text[0] == '\'') {
    if (pythonStringEnd(text, 0) != text.size()) return std::nullopt;
    const std::size_t mark = text.size() >= 6 && text.substr(0, 3) == std::string(3, text[0]) ? 3 : 1;
    return text.size() >= 2 * mark ? std::string(text.substr(mark, text.size() - 2 * mark)) : std::string();
  }
  if (numberOf(text) || flagOf(text) || isNone(text)) return std::string(text);
  const bool name =
      std::all_of(text.begin(), text.end(), [](char each) { return isNameCharacter(each) || each == '.'; });
  return name ? scope.find(std::string(text)) : std::nullopt;
}

std::optional<bool> conditionHolds(std::string_view condition, const PythonScope& scope) {
  std::string_view text = trimmedText(condition);
  while (text.starts_with('(') && closingBracket(text, 0) == text.size() - 1) {
    text = trimmedText(text.substr(1, text.size() - 2));
  }
  for (const bool either : {true, false}) {
    const std::string_view word = either ? " or " : " and ";
    const std::size_t at = outerPlace(text, word);
    if (at == std::string_view::npos) continue;
    const auto left = conditionHolds(text.substr(0, at), scope);
    const auto right = conditionHolds(text.substr(at + word.size()), scope);
    if (left == either || right == either) return either;
    return left && right ? std::optional<bool>(!either) : std::nullopt;
  }
  if (text.starts_with("not ")) return negated(conditionHolds(text.substr(4), scope));
  return comparisonHolds(text, scope);
}

}  // namespace p2::inline training_files
