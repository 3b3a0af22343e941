// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files: the variables of a shell script.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace p2::inline training_files::shell {

/// Marks in an expanded text the name of a variable that the script does not set: kUnset, the name, kUnset.
inline constexpr char kUnset = '\x01';
/// Names between such marks; empty if all of the text is known.
[[nodiscard]] std::string unsetName(std::string_view text);
[[nodiscard]] std::string withoutUnset(std::string_view text);

/// Variables with their values; an array has several.
class Variables {
 public:
  /// Carries out NAME=value, NAME+=value, NAME=(parts). False if the word is none of them.
  bool assign(const std::string& word);
  /// The words that a word as written stands for: quotes removed, variables put in, split at blanks outside of quotes.
  [[nodiscard]] std::vector<std::string> expanded(std::string_view word) const;
  /// The text that a word stands for, not split.
  [[nodiscard]] std::string text(std::string_view word) const;
  /// The text with variables put in; quotes stay.
  [[nodiscard]] std::string document(std::string_view text) const;
  [[nodiscard]] const std::map<std::string, std::vector<std::string>>& all() const { return m_values; }
  void set(const std::string& name, std::vector<std::string> values) { m_values[name] = std::move(values); }
  /// "$((A*B))" without its brackets; marked as unset where a variable is, or where it is no arithmetic.
  [[nodiscard]] std::string arithmetic(std::string_view expression) const;

 private:
  class Expansion;
  [[nodiscard]] std::string valueOf(std::string_view name) const;
  [[nodiscard]] std::string parameter(std::string_view inside) const;

  std::map<std::string, std::vector<std::string>> m_values;
  mutable int m_depth = 0;  ///< of defaults inside defaults
};

}  // namespace p2::inline training_files::shell
