// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace p2::inline text {

/// Limits of input. Our own files nest 6 deep and have a dozen keys per object; the largest plans and cost tables stay
/// below the other three.
struct JsonLimits {
  static constexpr std::size_t bytes = std::size_t{64} << 20;      ///< most bytes of a text
  static constexpr std::size_t depth = 64;                         ///< of nested lists and objects
  static constexpr std::size_t keys = 1000;                        ///< in one object
  static constexpr std::size_t containers = std::size_t{1} << 22;  ///< lists and objects
  static constexpr std::size_t values = std::size_t{1} << 24;      ///< items and members, in all
};

/// An error with the value at a JSON pointer, "" for the whole text. All errors of JSON are made here.
[[nodiscard]] Error jsonError(std::string message, std::string pointer = {});

/// `key` as a step of a JSON pointer, with its slash (RFC 6901).
[[nodiscard]] std::string jsonPointerStep(std::string_view key);

/// Reads a JSON text from front to back without building a tree: the one place where JSON becomes values. Members
/// come in the file's order. The first problem is kept with its pointer; after it every list and object ends, and
/// every value is empty. Problems besides the caller's own: JsonLimits, a duplicate key, text that is not UTF-8 or
/// not JSON (with line and column), a number beyond a double, and a stop request, checked every few thousand values.
/// O(length).
class JsonStream {
 public:
  enum class Kind { Object, List, Text, Number, Boolean, Null };
  /// A number as it was written: whole ones that fit are whole.
  using Number = std::variant<std::int64_t, std::uint64_t, double>;

  /// Moves the text instead of copying it if it has a few spare bytes at its end, as texts of readTextFile() have.
  explicit JsonStream(std::string text, std::stop_token stop = {});
  ~JsonStream();
  JsonStream(const JsonStream&) = delete;
  JsonStream& operator=(const JsonStream&) = delete;

  /// Kind of the next value; Null after a failure.
  [[nodiscard]] Kind kind();

  /// Calls `member(key)` for each member, which reads its value. `need` describes the expected value, as in "an edge is
  /// a list of two vertices and a table". Unread values are skipped.
  template <class Member>
  void object(std::string_view need, Member&& member) {
    if (!enterObject(need)) return;
    std::string_view key;
    while (nextMember(key)) member(key);
  }
  /// Calls `item(index)` for each item, which reads it.
  template <class Item>
  void list(std::string_view need, Item&& item) {
    if (!enterList(need)) return;
    for (std::size_t index = 0; nextItem(); ++index) item(index);
  }

  [[nodiscard]] std::string text(std::string_view need);
  [[nodiscard]] bool boolean(std::string_view need);
  [[nodiscard]] double number(std::string_view need);
  [[nodiscard]] Number exactNumber(std::string_view need);
  /// A list of numbers, appended: the same as list() with number(), but fast.
  void numbers(std::vector<double>& values, std::string_view need);
  [[nodiscard]] std::int64_t whole(std::int64_t least, std::int64_t most, std::string_view need);
  [[nodiscard]] std::size_t index(std::string_view need);
  /// Reads a value, all of it, and forgets it.
  void skip();
  /// Ends the reading: only blanks may follow.
  void finish();

  /// Writes down a problem with the value that is being read, unless there is one already.
  void fail(const std::string& message);
  [[nodiscard]] bool failed() const;
  /// The first problem. Precondition: failed().
  [[nodiscard]] Error problem() const;

 private:
  [[nodiscard]] bool enterObject(std::string_view need);
  [[nodiscard]] bool nextMember(std::string_view& key);
  [[nodiscard]] bool enterList(std::string_view need);
  [[nodiscard]] bool nextItem();
  void refuse(std::string_view what, std::string_view need);

  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace p2::inline text
