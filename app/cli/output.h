// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <streambuf>
#include <string>
#include <string_view>

namespace p2::cli {

/// Standard output that remembers why it could not be written. After an error everything is dropped.
class StandardOutput : public std::streambuf {
 public:
  StandardOutput() { setp(m_buffer.data(), m_buffer.data() + m_buffer.size()); }
  /// errno of the first failed write, 0 for none. EPIPE says that the reader has seen enough.
  [[nodiscard]] int error() const { return m_error; }

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  std::array<char, 1 << 16> m_buffer;
  int m_error = 0;
};

/// The text on one line, control characters escaped, cut in the middle when it is longer than a sentence can be.
[[nodiscard]] std::string oneLine(std::string_view text);

}  // namespace p2::cli
