// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/request_feed.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/numbers.h"
#include "remote/messages.h"

namespace p2::runner {
namespace {

constexpr std::string_view kWants = "p2-runner wants ";
constexpr std::size_t kBlock = 4096;   // bytes that a pipe takes at once, and Open MPI as one
constexpr int kLongestPause = 30'000;  // milliseconds

bool isWhole(const std::string& line) { return !line.empty() && line.back() == '\n'; }

/// Reads the available part of a block; whether there was any.
bool readSome(int input, std::string& line, std::size_t most) {
  pollfd coming{input, POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&coming, 1, kLongestPause);
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) return false;
  std::array<char, kBlock> bytes{};
  ssize_t count = 0;
  do {
    count = ::read(input, bytes.data(), most);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  line.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

}  // namespace

std::optional<std::string_view> RequestFeed::askedFor(std::string_view line) const {
  const std::size_t at = line.find(kWants);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + kWants.size());
  const auto from = parseInteger(line.substr(0, line.find_first_not_of("0123456789")));
  if (!from || *from < 0 || static_cast<std::size_t>(*from) >= m_line.size()) return std::string_view();
  return std::string_view(m_line).substr(static_cast<std::size_t>(*from), kBlock);
}

Result<std::string> receiveRequest(int input, int errors) {
  std::string line;
  while (!isWhole(line) && line.size() <= kMostMessage) {
    const std::size_t end = line.size() + kBlock;
    const std::string wish = std::string(kWants) + std::to_string(line.size()) + "\n";
    // A closed pipe means that the run has ended.
    [[maybe_unused]] const ssize_t reported = ::write(errors, wish.data(), wish.size());
    while (!isWhole(line) && line.size() < end) {
      if (!readSome(input, line, end - line.size())) return Error{"no request has come on standard input"};
    }
  }
  if (!isWhole(line)) return Error{"unterminated request on standard input"};
  line.pop_back();
  return line;
}

}  // namespace p2::runner
