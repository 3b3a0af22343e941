// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <variant>

namespace p2::inline base {

enum class ErrorKind {
  BadInput,   ///< the user can correct it; the message says how
  TooLarge,   ///< the answer exists but would not fit; the message gives its size
  Failed,     ///< the outside world refused (file, permission, disk)
  Cancelled,  ///< the caller asked to stop; not a failure and never shown as one
};

/// Known parts of an error's place. Most errors are made from a text alone; the place is then its position.
struct ErrorPlace {
  std::string document = {};  ///< file or argument that was read; the outermost first where one holds another
  std::string position = {};  ///< in it, for people: "line 4", "/axes/0/size", "level 2", "step 3"
  std::string part = {};      ///< in the value that was checked, for programs: a JSON pointer, as "/levels/1/count"

  ErrorPlace() = default;
  template <std::convertible_to<std::string> Text>
  ErrorPlace(Text&& text) : position(std::forward<Text>(text)) {}  // NOLINT: a text is a place

  /// "document: position", or whichever of the two is known. The part is not shown.
  [[nodiscard]] std::string text() const {
    return document.empty() || position.empty() ? document + position : document + ": " + position;
  }
  friend bool operator==(const ErrorPlace&, const ErrorPlace&) = default;
};

/// One clear sentence for the user: the problem, the place and the remedy.
struct Error {
  std::string message;    ///< names the offending value and the remedy
  ErrorPlace where = {};  ///< empty if the message says it
  ErrorKind kind = ErrorKind::BadInput;

  /// "where: message", or the message alone when there is no place.
  [[nodiscard]] std::string text() const {
    const std::string place = where.text();
    return place.empty() ? message : place + ": " + message;
  }
  /// This error seen from one document further out: `outer` is put before it.
  [[nodiscard]] Error within(const std::string& outer) const {
    Error error = *this;
    error.where.document = where.document.empty() ? outer : outer + ": " + where.document;
    return error;
  }
  /// This error at a position of the document.
  [[nodiscard]] Error at(const std::string& position) const {
    Error error = *this;
    error.where.position = position;
    return error;
  }
  /// This error seen from the value that holds the faulty one at `pointer`, which is put before the part.
  [[nodiscard]] Error about(const std::string& pointer) const {
    Error error = *this;
    error.where.part.insert(0, pointer);
    return error;
  }
  friend bool operator==(const Error&, const Error&) = default;
};

[[nodiscard]] inline Error cancelledError() { return {"cancelled", {}, ErrorKind::Cancelled}; }

/// A value or an Error. Deliberately without conversion to bool: `ok()` reads like the question it answers.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : m_content(std::move(value)) {}      // NOLINT: a value is a result
  Result(Error error) : m_content(std::move(error)) {}  // NOLINT: so is an error

  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(m_content); }
  [[nodiscard]] const T& value() const& { return std::get<T>(m_content); }
  [[nodiscard]] T& value() & { return std::get<T>(m_content); }
  [[nodiscard]] T&& value() && { return std::get<T>(std::move(m_content)); }
  [[nodiscard]] const Error& error() const& { return std::get<Error>(m_content); }
  [[nodiscard]] Error&& error() && { return std::get<Error>(std::move(m_content)); }
  /// This result with its error seen from one document further out, see Error::within().
  [[nodiscard]] Result within(const std::string& outer) && {
    return ok() ? std::move(*this) : Result(error().within(outer));
  }
  /// This result with its error seen from the value that holds the faulty one, see Error::about().
  [[nodiscard]] Result about(const std::string& pointer) && {
    return ok() ? std::move(*this) : Result(error().about(pointer));
  }
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
  [[nodiscard]] Result within(const std::string& outer) && {
    return m_ok ? std::move(*this) : Result(m_error.within(outer));
  }
  [[nodiscard]] Result about(const std::string& pointer) && {
    return m_ok ? std::move(*this) : Result(m_error.about(pointer));
  }

 private:
  Error m_error;
  bool m_ok = true;
};

}  // namespace p2::inline base

/// `P2_TRY(expression);` leaves the function with the error of a Result, if it has one.
#define P2_TRY(...)                                                                 \
  do {                                                                              \
    if (const auto& p2Tried = (__VA_ARGS__); !p2Tried.ok()) return p2Tried.error(); \
  } while (false)

/// `P2_TRY_ASSIGN(const auto x, expression);` does so too, and else declares x with the value, or gives it to a
/// variable that is there. More than one statement: not for the branch of an `if` without braces.
#define P2_TRY_ASSIGN(declaration, ...) P2_TRY_ASSIGN_AT(declaration, __LINE__, __VA_ARGS__)
#define P2_TRY_ASSIGN_AT(declaration, line, ...) P2_TRY_ASSIGN_LINE(declaration, line, __VA_ARGS__)
#define P2_TRY_ASSIGN_LINE(declaration, line, ...) P2_TRY_ASSIGN_AS(declaration, p2Tried##line, __VA_ARGS__)
#define P2_TRY_ASSIGN_AS(declaration, tried, ...)   \
  auto tried = (__VA_ARGS__);                       \
  if (!tried.ok()) return std::move(tried).error(); \
  declaration = std::move(tried).value()
