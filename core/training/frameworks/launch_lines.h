// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: flags of a launch, one a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/lists.h"

namespace p2::inline training {

/// Collects "--name value" lines.
class LaunchLines {
 public:
  /// `assign`: the characters between a name and its value, " " or "=" or ": ".
  explicit LaunchLines(std::string_view prefix, std::string_view assign) : m_prefix(prefix), m_assign(assign) {}

  LaunchLines& flag(std::string_view name) {
    m_text += m_prefix + std::string(name) + '\n';
    return *this;
  }
  LaunchLines& value(std::string_view name, std::string_view value) {
    m_text += m_prefix + std::string(name) + m_assign + std::string(value) + '\n';
    return *this;
  }
  /// Several values of one option.
  LaunchLines& values(std::string_view name, const std::vector<std::string_view>& values) {
    return value(name, joined(values, " "));
  }
  /// A value with characters that a shell would take for its own.
  LaunchLines& quoted(std::string_view name, std::string_view value) {
    return this->value(name, "'" + std::string(value) + "'");
  }
  LaunchLines& value(std::string_view name, std::int64_t number) { return value(name, std::to_string(number)); }
  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  std::string m_prefix;
  std::string m_assign;
  std::string m_text;
};

}  // namespace p2::inline training
