// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace p2::inline text {

/// Bytes at the beginning of a file by which its format is recognised.
inline constexpr std::size_t kFileHead = 64 << 10;

/// An argument that is either the path of a file, or a name, or a text typed in place, and the beginning of that file.
class ArgumentText {
 public:
  explicit ArgumentText(std::string text) : m_text(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return m_text; }
  /// Whether it is written as a path: it has a '/' that is not of a unit (270GB/s), or a suffix of letters (".json").
  [[nodiscard]] bool isPath() const;
  /// Whether there is such a file, folder or pipe.
  [[nodiscard]] bool exists() const;
  /// The first kFileHead bytes of the file without a byte order mark, read once; empty where it cannot be read.
  [[nodiscard]] const std::string& head() const;

 private:
  std::string m_text;
  mutable std::optional<std::string> m_head;
};

/// The value of "format" in the beginning of one of our own files: "p2-workload"; empty for other files.
[[nodiscard]] std::string_view formatIn(std::string_view head);

}  // namespace p2::inline text
