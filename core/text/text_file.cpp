// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/child_process.h"
#include "base/utf8.h"
#include "text/detail/file_failure.h"

namespace p2::inline text {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kChunk = std::size_t{64} << 10;

Error tooLarge(const std::string& path) {
  return {"it is larger than 64 MiB; nothing that large is read here", path, ErrorKind::Failed};
}

}  // namespace

bool isPipe(const std::string& path) {
  struct stat known {};
  return ::stat(path.c_str(), &known) == 0 && S_ISFIFO(known.st_mode);
}

Result<std::string> readTextFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return fileFailure(path, errno, true);
  std::string text;
  std::size_t chunk = kChunk;
  struct stat known {};
  if (::fstat(file.get(), &known) == 0 && S_ISREG(known.st_mode)) {
    if (static_cast<std::size_t>(known.st_size) > kMostBytes) return tooLarge(path);
    chunk = static_cast<std::size_t>(known.st_size) + kChunk;
  }
  for (;; chunk = kChunk) {
    const std::size_t size = text.size();
    text.resize(size + chunk);
    const ssize_t count = ::read(file.get(), text.data() + size, chunk);
    text.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fileFailure(path, errno, true);
    if (count == 0) break;
    if (text.size() > kMostBytes) return tooLarge(path);
  }
  text = withoutMark(std::move(text));
  if (text.empty()) return Error{"the file is empty", path};
  return text;
}

}  // namespace p2::inline text
