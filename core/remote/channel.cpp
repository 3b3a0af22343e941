// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/channel.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace p2::inline remote {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 20;

}  // namespace

bool readAvailable(int fd, std::string& bytes) {
  std::array<char, 1 << 16> block{};
  std::size_t taken = 0;
  while (taken < kMostAtOnce) {
    const ssize_t count = ::read(fd, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (count == 0) return false;
    bytes.append(block.data(), static_cast<std::size_t>(count));
    taken += static_cast<std::size_t>(count);
  }
  return true;
}

void Channel::write() {
  std::size_t written = 0;
  while (written < m_waiting.size()) {
    const ssize_t count = ::write(m_output, m_waiting.data() + written, m_waiting.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      m_broken = errno != EAGAIN && errno != EWOULDBLOCK;
      break;
    }
    written += static_cast<std::size_t>(count);
  }
  m_waiting.erase(0, written);
}

void Channel::read() {
  if (m_closed) return;
  std::string bytes;
  m_closed = !readAvailable(m_input, bytes);
  m_lines.append(bytes);
}

}  // namespace p2::inline remote
