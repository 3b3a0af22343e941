// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/detail/answer_number.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/units.h"
#include "lesson/lesson_check.h"

namespace p2::inline lesson {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool endsWithDigit(std::string_view text) { return !text.empty() && text.back() >= '0' && text.back() <= '9'; }

/// A number, with what follows it.
Result<std::pair<double, std::string_view>> leadingNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0) return Error{"\"" + std::string(text) + "\" is not a number"};
  return std::pair(value, trimmed(text.substr(static_cast<std::size_t>(end - text.data()))));
}

Result<double> plain(std::string_view text, std::string_view unit, double scale, std::string_view example) {
  P2_TRY_ASSIGN(const auto read, leadingNumber(text));
  if (read.second.empty()) return read.first;
  if (read.second == unit || (unit == "×" && read.second == "x")) return read.first * scale;
  return Error{"\"" + std::string(read.second) + "\" is not the unit that is asked for; write it as in " +
               std::string(example)};
}

}  // namespace

std::string_view exampleOf(LessonFacts::Unit unit) {
  switch (unit) {
    case LessonFacts::Unit::Seconds:
      return "1.5 ms";
    case LessonFacts::Unit::Bytes:
      return "1.5 GB";
    case LessonFacts::Unit::Share:
      return "15 %";
    case LessonFacts::Unit::Factor:
      return "1.5×";
    case LessonFacts::Unit::Count:
      break;
  }
  return "15";
}

Result<double> numberFrom(std::string_view typed, LessonFacts::Unit unit) {
  std::string text(trimmed(typed));
  // A decimal comma is a point.
  if (std::count(text.begin(), text.end(), ',') == 1 && text.find('.') == std::string::npos)
    std::replace(text.begin(), text.end(), ',', '.');
  if (text.empty()) return Error{"write a number, as in " + std::string(exampleOf(unit))};
  switch (unit) {
    case LessonFacts::Unit::Seconds:
    case LessonFacts::Unit::Bytes: {
      if (endsWithDigit(text) && text != "0") {
        return Error{"write the unit as well, as in " + std::string(exampleOf(unit))};
      }
      if (unit == LessonFacts::Unit::Seconds) return parseSeconds(text);
      P2_TRY_ASSIGN(const Bytes bytes, parseBytes(text));
      return bytes.value();
    }
    case LessonFacts::Unit::Share:
      return plain(text, "%", 0.01, exampleOf(unit));
    case LessonFacts::Unit::Factor:
      return plain(text, "×", 1, exampleOf(unit));
    case LessonFacts::Unit::Count:
      break;
  }
  return plain(text, "", 1, exampleOf(unit));
}

}  // namespace p2::inline lesson
