// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>

#include "base/terminal_text.h"

namespace p2::cli {
namespace {

constexpr std::size_t kMostSentence = 800;
constexpr std::size_t kDefaultColumns = 79;

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string shortened(const std::string& text) {
  if (text.size() <= kMostSentence) return text;
  std::size_t head = kMostSentence / 2;
  std::size_t tail = text.size() - kMostSentence / 2;
  while (head > 0 && continues(text[head])) --head;
  while (tail < text.size() && continues(text[tail])) ++tail;
  return text.substr(0, head) + " … " + text.substr(tail);
}

/// errno, 0 when all of it was written.
int writeAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

}  // namespace

StandardOutput::int_type StandardOutput::overflow(int_type c) {
  // The rest of the last character has not arrived yet.
  if (drain(wholeCharacters({pbase(), static_cast<std::size_t>(pptr() - pbase())})) != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int StandardOutput::sync() { return drain(static_cast<std::size_t>(pptr() - pbase())); }

int StandardOutput::drain(std::size_t count) {
  if (m_error == 0) m_error = writeAll(STDOUT_FILENO, terminalText({pbase(), count}));
  const char* const left = std::copy(pbase() + count, pptr(), m_buffer.data());
  setp(m_buffer.data(), m_buffer.data() + m_buffer.size());
  pbump(static_cast<int>(left - m_buffer.data()));
  return m_error == 0 ? 0 : -1;
}

ErrorOutput::ErrorOutput() : m_before(std::cerr.rdbuf(this)) {}
ErrorOutput::~ErrorOutput() { std::cerr.rdbuf(m_before); }

ErrorOutput::int_type ErrorOutput::overflow(int_type c) {
  const char one = traits_type::to_char_type(c);
  if (!traits_type::eq_int_type(c, traits_type::eof())) xsputn(&one, 1);
  return traits_type::not_eof(c);
}

std::streamsize ErrorOutput::xsputn(const char* text, std::streamsize count) {
  // A closed standard error cannot be reported anywhere.
  (void)writeAll(STDERR_FILENO, terminalText({text, static_cast<std::size_t>(count)}));
  return count;
}

void showPassingLine(std::string_view line) {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  // A line that wraps could not be overwritten by the next one.
  const std::string shown = inColumns(terminalText(oneLine(line)), known ? size.ws_col - 1U : kDefaultColumns);
  (void)writeAll(STDERR_FILENO, "\r\033[K" + shown);
}

std::string oneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else {
      line += c;
    }
  }
  return shortened(terminalText(line));
}

}  // namespace p2::cli
