// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "remote/detail/line_buffer.h"
#include "remote/messages.h"

namespace p2::inline remote {

/// Messages over two non-blocking descriptors; sent messages are buffered until the other side takes them.
class Channel {
 public:
  Channel(int input, int output) : m_input(input), m_output(output), m_lines(kMostMessage) {}

  void send(const Message& message) { m_waiting += messageLine(message); }
  [[nodiscard]] bool hasToWrite() const { return !m_waiting.empty() && !m_broken; }
  /// Writes without blocking.
  void write();
  /// Reads what there is now.
  void read();
  /// Whether nothing more will come: the other side has closed.
  [[nodiscard]] bool closed() const { return m_closed; }
  /// Whether the other side sent a line longer than kMostMessage.
  [[nodiscard]] bool overflown() const { return m_lines.overflown(); }
  /// Whether the other side takes nothing more.
  [[nodiscard]] bool broken() const { return m_broken; }
  [[nodiscard]] std::optional<std::string> nextLine() { return m_lines.next(); }
  [[nodiscard]] int input() const { return m_input; }
  [[nodiscard]] int output() const { return m_output; }

 private:
  int m_input;
  int m_output;
  LineBuffer m_lines;
  std::string m_waiting;
  bool m_closed = false;
  bool m_broken = false;
};

/// Appends the bytes available from a descriptor now; whether it is still open.
bool readAvailable(int fd, std::string& bytes);

}  // namespace p2::inline remote
