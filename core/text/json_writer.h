// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace p2::inline text {

/// The JSON value in a form that is safe on a terminal: control sequences become escapes,
/// "\u202e".
[[nodiscard]] std::string tameJson(std::string_view json);

/// Writes one JSON value as it goes, so that an answer of a million programs is never held as a tree. Numbers are
/// exact and the same under every locale; text that is not UTF-8 gets U+FFFD in its place, and
/// none is a command to a terminal, see tameJson(). Ends with a newline.
class JsonWriter {
 public:
  /// OneLine keeps a container and everything in it on one line; Compact also leaves out blanks.
  enum class Layout { Lines, OneLine, Compact };

  explicit JsonWriter(std::ostream& out) : m_out(out) {}

  JsonWriter& beginObject(Layout layout = Layout::Lines) { return begin('{', '}', layout); }
  JsonWriter& beginArray(Layout layout = Layout::Lines) { return begin('[', ']', layout); }
  /// Ends the innermost container.
  JsonWriter& end();
  /// Names the next value; inside an object before each.
  JsonWriter& key(std::string_view name);

  JsonWriter& text(std::string_view value);
  JsonWriter& whole(std::int64_t value) { return raw(std::to_string(value)); }
  /// Writes a number, without a fraction if it is a whole number below 2^53, or null if it is not finite.
  JsonWriter& number(double value);
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& null() { return raw("null"); }
  /// A value that is JSON already: the digits of a number that fits no built-in type.
  JsonWriter& raw(std::string_view json);
  /// Numbers on one line.
  JsonWriter& wholes(const std::vector<std::int64_t>& values);

 private:
  struct Container {
    char close;
    Layout layout;
    bool empty = true;
  };
  JsonWriter& begin(char open, char close, Layout layout);
  void separate();
  void breakLine();

  std::ostream& m_out;
  std::vector<Container> m_open;
  bool m_named = false;  // a key has been written and waits for its value
};

}  // namespace p2::inline text
