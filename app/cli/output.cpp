// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <unistd.h>

#include <cerrno>

namespace p2::cli {
namespace {

constexpr std::size_t kMostSentence = 800;

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string shortened(const std::string& text) {
  if (text.size() <= kMostSentence) return text;
  std::size_t head = kMostSentence / 2;
  std::size_t tail = text.size() - kMostSentence / 2;
  while (head > 0 && continues(text[head])) --head;
  while (tail < text.size() && continues(text[tail])) ++tail;
  return text.substr(0, head) + " … " + text.substr(tail);
}

}  // namespace

StandardOutput::int_type StandardOutput::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int StandardOutput::sync() {
  for (const char* from = pbase(); from < pptr() && m_error == 0;) {
    const ssize_t count = ::write(STDOUT_FILENO, from, static_cast<std::size_t>(pptr() - from));
    if (count >= 0) {
      from += count;
    } else if (errno != EINTR) {
      m_error = errno;
    }
  }
  setp(m_buffer.data(), m_buffer.data() + m_buffer.size());
  return m_error == 0 ? 0 : -1;
}

std::string oneLine(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string line;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else if (code < 0x20 || code == 0x7f) {
      line += std::string("\\x") + kHex[code >> 4] + kHex[code & 15];
    } else {
      line += c;
    }
  }
  return shortened(line);
}

}  // namespace p2::cli
