// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <streambuf>
#include <string>
#include <string_view>

namespace p2::cli {

/// Standard output that remembers its first error; after it, all output is dropped. Text goes through terminalText(),
/// so that names from files cannot command the terminal.
class StandardOutput : public std::streambuf {
 public:
  StandardOutput() { setp(m_buffer.data(), m_buffer.data() + m_buffer.size()); }
  /// errno of the first failed write, 0 for none. EPIPE: the reader has closed the pipe.
  [[nodiscard]] int error() const { return m_error; }

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  int drain(std::size_t count);

  std::array<char, 1 << 16> m_buffer;
  int m_error = 0;
};

/// While it lives, text written to std::cerr goes through terminalText() as well.
class ErrorOutput : public std::streambuf {
 public:
  ErrorOutput();
  ~ErrorOutput() override;
  ErrorOutput(const ErrorOutput&) = delete;
  ErrorOutput& operator=(const ErrorOutput&) = delete;

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;

 private:
  std::streambuf* m_before;
};

/// Shows a line on standard error that the next one replaces; for terminals only.
void showPassingLine(std::string_view line);

/// The text on one line, control characters escaped, cut in the middle when it is longer than a sentence can be.
[[nodiscard]] std::string oneLine(std::string_view text);

}  // namespace p2::cli
