// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2 {

/// Reads a JSON text from front to back without building a tree, for files of millions of numbers. Members come in the
/// file's order. The first problem is kept, with the pointer to its place; from then on every list and object ends,
/// and every value is empty.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : m_text(text) {}

  /// Calls `member(key)` for each member, which reads or skips its value. `need` says what would be right, as in "an
  /// edge is a list of two vertices and a table". A key that comes twice is a problem.
  template <class Member>
  void object(std::string_view need, Member&& member) {
    if (!enter('{', "an object", need)) return;
    while (nextItem('}')) {
      const std::string key = takeKey();
      if (m_failed) return;
      m_pointer.back().key = key;
      member(std::string_view(key));
    }
    leave();
  }
  /// Calls `item(index)` for each item, which reads or skips it.
  template <class Item>
  void list(std::string_view need, Item&& item) {
    if (!enter('[', "a list", need)) return;
    for (std::size_t index = 0; nextItem(']'); ++index) {
      m_pointer.back().index = index;
      item(index);
    }
    leave();
  }

  [[nodiscard]] std::string text(std::string_view need);
  [[nodiscard]] double number(std::string_view need);
  /// A list of numbers, appended: the same as list() with number(), but fast.
  void numbers(std::vector<double>& values, std::string_view need);
  [[nodiscard]] std::int64_t whole(std::int64_t least, std::int64_t most, std::string_view need);
  [[nodiscard]] std::size_t index(std::string_view need);
  void skip() { skipValue(0); }
  /// Nothing but blanks may follow.
  void finish();

  /// Writes down a problem with the value that is being read, unless there is one already.
  void fail(const std::string& message);
  [[nodiscard]] bool failed() const { return m_failed; }
  /// Of a text in which something failed.
  [[nodiscard]] Error problem() const;

 private:
  struct Frame {
    bool object = false;
    std::size_t index = 0;
    std::string key = {};
  };

  void skipBlanks();
  [[nodiscard]] bool enter(char open, std::string_view what, std::string_view need);
  [[nodiscard]] bool nextItem(char close);
  void leave();
  [[nodiscard]] std::string takeKey();
  [[nodiscard]] std::string_view stringToken();
  [[nodiscard]] std::string unquoted(std::string_view token);
  [[nodiscard]] std::string_view numberToken();
  [[nodiscard]] std::optional<double> shortWhole();
  void skipValue(std::size_t depth);
  void refuse(std::string_view what, std::string_view need);
  /// Not JSON, or JSON that is not read: parseJson() has the words for it.
  void malformed() { m_failed = true; }
  [[nodiscard]] char current() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

  std::string_view m_text;
  std::size_t m_at = 0;
  bool m_fresh = false;  // just behind an opening bracket
  bool m_failed = false;
  std::vector<Frame> m_pointer;
  std::optional<Error> m_problem;
};

}  // namespace p2
