// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files: values of names while a recipe is read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "training_files/detail/setting.h"

namespace p2::inline training_files {

/// Names of a function and of its file. Attributes belong to all functions, under any name of the object:
/// "cfg.model.fp8" and "recipe.model.fp8" are the same.
class PythonScope {
 public:
  explicit PythonScope(std::map<std::string, std::string>& attributes) : m_attributes(&attributes) {}

  [[nodiscard]] std::optional<std::string> find(const std::string& path) const;
  void set(const std::string& path, const std::string& value);
  /// Makes a name unknown.
  void forget(const std::string& name) { m_names.erase(name); }
  [[nodiscard]] const std::map<std::string, std::string>& names() const { return m_names; }
  [[nodiscard]] std::map<std::string, std::string>& attributes() const { return *m_attributes; }

 private:
  std::map<std::string, std::string> m_names;
  std::map<std::string, std::string>* m_attributes;
};

/// Adds the assignments `name = literal` of a statement to the settings and to the scope, keyword arguments and members
/// of dictionaries too.
void scanStatement(std::string_view statement, std::size_t line, PythonScope& scope, Settings& settings);

/// The text of a literal, or of a name that the scope knows; no value for other expressions.
[[nodiscard]] std::optional<std::string> literalValue(std::string_view expression, const PythonScope& scope);

/// Whether a condition holds: comparisons of known values, `is None`, `in`, not, and, or. No value: not known.
[[nodiscard]] std::optional<bool> conditionHolds(std::string_view condition, const PythonScope& scope);

}  // namespace p2::inline training_files
