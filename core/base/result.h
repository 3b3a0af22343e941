// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace p2 {

enum class ErrorKind {
  BadInput,   ///< the user can mend it; the message says how
  TooLarge,   ///< the answer exists but would not fit; the message gives its size
  Failed,     ///< the outside world refused (file, permission, disk)
  Cancelled,  ///< the caller asked to stop; not a failure and never shown as one
};

/// One clear sentence for the user: what is wrong, where, and what would be right.
struct Error {
  std::string message;     ///< names the offending value and the remedy
  std::string where = {};  ///< file, JSON pointer or argument; empty if the message says it
  ErrorKind kind = ErrorKind::BadInput;

  /// "where: message", or the message alone when there is no place.
  [[nodiscard]] std::string text() const { return where.empty() ? message : where + ": " + message; }
  /// The same error seen from one place further out: `outer` is put before `where`.
  [[nodiscard]] Error within(const std::string& outer) const {
    return {message, where.empty() ? outer : outer + ": " + where, kind};
  }
  friend bool operator==(const Error&, const Error&) = default;
};

[[nodiscard]] inline Error cancelledError() { return {"cancelled", {}, ErrorKind::Cancelled}; }

/// A value or an Error. Deliberately without conversion to bool: `ok()` reads as what it asks.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : m_content(std::move(value)) {}      // NOLINT: a value is a result
  Result(Error error) : m_content(std::move(error)) {}  // NOLINT: so is an error

  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(m_content); }
  [[nodiscard]] const T& value() const& { return std::get<T>(m_content); }
  [[nodiscard]] T& value() & { return std::get<T>(m_content); }
  [[nodiscard]] T&& value() && { return std::get<T>(std::move(m_content)); }
  [[nodiscard]] const Error& error() const { return std::get<Error>(m_content); }
  const T* operator->() const { return &std::get<T>(m_content); }
  const T& operator*() const& { return std::get<T>(m_content); }

 private:
  std::variant<T, Error> m_content;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : m_error(std::move(error)), m_ok(false) {}  // NOLINT: an error is a result

  [[nodiscard]] bool ok() const { return m_ok; }
  [[nodiscard]] const Error& error() const { return m_error; }

 private:
  Error m_error;
  bool m_ok = true;
};

}  // namespace p2
