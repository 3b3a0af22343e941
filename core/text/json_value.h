// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/json_document.h"

namespace p2::inline text {

/// A value of a JSON document and its pointer. A missing value or wrong type is recorded as the document's one problem
/// (the first found); reading continues with defaults, and the caller checks the problem at the end. The document must
/// outlive it.
class JsonValue {
 public:
  JsonValue(const Json& document, std::optional<Error>& problem) : m_value(&document), m_problem(&problem) {}

  [[nodiscard]] bool has(std::string_view key) const;
  /// A required member; `need` describes it, as in "an axis needs a size of 1 or more".
  [[nodiscard]] JsonValue at(std::string_view key, std::string_view need) const;
  /// The items of a list; none if it is no list.
  [[nodiscard]] std::vector<JsonValue> items(std::string_view need) const;
  /// The members of an object in the file's order; none if it is no object.
  [[nodiscard]] std::vector<std::pair<std::string, JsonValue>> members(std::string_view need) const;

  [[nodiscard]] std::string text(std::string_view need) const;
  [[nodiscard]] std::int64_t whole(std::int64_t least, std::int64_t most, std::string_view need) const;
  [[nodiscard]] double number(double least, double most, std::string_view need) const;
  [[nodiscard]] bool boolean(std::string_view need) const;
  /// One of a set of words, read by its own function, as in goalFrom.
  template <class T>
  [[nodiscard]] T word(Result<T> (*from)(std::string_view), std::string_view need) const {
    const std::string name = text(need);
    if (*m_problem) return T{};
    auto value = from(name);
    if (value.ok()) return *value;
    fail(value.error().message);
    return T{};
  }

  /// Writes down a problem with this value, unless there is one already.
  void fail(const std::string& message) const;
  /// The problem "<value> is not <what>; <need>".
  void refuse(std::string_view what, std::string_view need) const;
  [[nodiscard]] bool failed() const { return m_problem->has_value(); }
  [[nodiscard]] const Json& json() const { return *m_value; }

 private:
  JsonValue(const Json& value, std::string pointer, std::optional<Error>* problem)
      : m_value(&value), m_pointer(std::move(pointer)), m_problem(problem) {}

  const Json* m_value;
  std::string m_pointer;
  std::optional<Error>* m_problem;
};

/// Checks "format" and "version" and returns the format, one of `formats`, the first being the one expected.
[[nodiscard]] std::string readHeader(const JsonValue& in, const std::vector<std::string>& formats);

/// Values of "version" and "format" of written files; plans have kPlanVersion.
inline constexpr int kFormatVersion = 1;
inline constexpr int kPlanVersion = 2;
inline constexpr const char* kSystemFormat = "p2-system";
inline constexpr const char* kWorkspaceFormat = "p2-workspace";
inline constexpr const char* kPlanFormat = "p2-plan";
/// The version in which a format is written, the newest that can be read.
[[nodiscard]] int versionOf(std::string_view format);

}  // namespace p2::inline text
