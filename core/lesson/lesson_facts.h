// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline lesson {

/// Values of the placeholders of a page's texts, by name: "{seconds}" is the time of the page's program,
/// "{flat.step1.bytes}" the data volume of the first step of the single AllReduce. `p2 lesson show --placeholders`
/// lists a page's.
class LessonFacts {
 public:
  /// The unit of a value.
  enum class Unit { Count, Seconds, Bytes, Share, Factor };
  struct Number {
    double value = 0;  ///< seconds, bytes, a share of 1
    Unit unit = Unit::Count;
  };
  void set(std::string name, std::string value) { m_values[std::move(name)] = std::move(value); }
  /// A value that a student can be asked for; its text follows from it.
  void setNumber(const std::string& name, double value, Unit unit);
  void setSeconds(const std::string& name, double value) { setNumber(name, value, Unit::Seconds); }
  void setBytes(const std::string& name, double value) { setNumber(name, value, Unit::Bytes); }
  void setShare(const std::string& name, double value) { setNumber(name, value, Unit::Share); }
  void setCount(const std::string& name, double value) { setNumber(name, value, Unit::Count); }
  void setFactor(const std::string& name, double value) { setNumber(name, value, Unit::Factor); }
  /// Errors: a placeholder without a value here, or whose value is no number; the message names some that have one.
  [[nodiscard]] Result<Number> number(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& values() const { return m_values; }

  /// The text with every {placeholder} replaced. "{{" is a brace. Errors: a placeholder without a value here,
  /// a brace that is not closed; the message names it and some that would do.
  [[nodiscard]] Result<std::string> filledIn(std::string_view text) const;

 private:
  std::map<std::string, std::string, std::less<>> m_values;
  std::map<std::string, Number, std::less<>> m_numbers;
};

/// "280 ms", "2.15 GB", "16 %", "1.68×", "12".
[[nodiscard]] std::string numberText(const LessonFacts::Number& number);

/// Literal numbers of a text that should be placeholders, since nothing checks them: those with two digits or more or
/// with a unit, outside placeholders.
[[nodiscard]] std::vector<std::string> writtenNumbers(std::string_view text);

}  // namespace p2::inline lesson
