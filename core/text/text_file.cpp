// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace p2 {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kChunk = std::size_t{64} << 10;

class Descriptor {
 public:
  explicit Descriptor(int fd) : m_fd(fd) {}
  ~Descriptor() {
    if (m_fd >= 0) ::close(m_fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return m_fd; }

 private:
  int m_fd;
};

Error failure(const std::string& path, int code, bool reading) {
  std::string message = std::string("it cannot be ") + (reading ? "read: " : "written: ") + std::strerror(code);
  if (code == ENOENT) {
    message = reading ? "there is no such file; check the name" : "there is no such folder; create it first";
  }
  if (code == EISDIR) message = "it is a directory; name a file";
  if (code == EACCES) {
    message = std::string("no permission to ") + (reading ? "read it" : "write it") + "; check its owner and mode";
  }
  return {message, path, ErrorKind::Failed};
}

Error tooLarge(const std::string& path) {
  return {"it is larger than 64 MiB; nothing that large is read here", path, ErrorKind::Failed};
}

Result<void> writeAll(int fd, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure(path, errno, false);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

/// Pipes and devices cannot be renamed over; they are written as they stand.
Result<void> writeInPlace(const std::string& path, std::string_view text) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return failure(path, errno, false);
  return writeAll(file.get(), path, text);
}

/// A new file beside the old one, renamed over it; `mode` is the old file's, 0 for a new file's usual one.
Result<void> writeBeside(const std::string& path, mode_t mode, std::string_view text) {
  const std::string temporary = path + "." + std::to_string(::getpid()) + "~";
  const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) return failure(path, errno, false);
  auto written = writeAll(file.get(), path, text);
  const bool sealed = written.ok() && (mode == 0 || ::fchmod(file.get(), mode) == 0) && ::fsync(file.get()) == 0 &&
                      ::rename(temporary.c_str(), path.c_str()) == 0;
  if (sealed) return {};
  const Error error = written.ok() ? failure(path, errno, false) : written.error();
  ::unlink(temporary.c_str());
  return error;
}

}  // namespace

Result<std::string> readTextFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return failure(path, errno, true);
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
    if (count < 0) return failure(path, errno, true);
    if (count == 0) break;
    if (text.size() > kMostBytes) return tooLarge(path);
  }
  if (text.empty()) return Error{"the file is empty; name one with content", path};
  return text;
}

Result<void> writeTextFile(const std::string& path, std::string_view text) {
  std::error_code ignored;
  struct stat old {};
  if (::stat(path.c_str(), &old) != 0) return writeBeside(path, 0, text);
  if (S_ISDIR(old.st_mode)) return failure(path, EISDIR, false);
  if (!S_ISREG(old.st_mode)) return writeInPlace(path, text);
  if (::access(path.c_str(), W_OK) != 0) return failure(path, errno, false);
  // Through a symbolic link the file it points to is replaced, not the link.
  const std::string target = std::filesystem::canonical(path, ignored).string();
  return writeBeside(target.empty() ? path : target, old.st_mode & 07777, text);
}

}  // namespace p2
