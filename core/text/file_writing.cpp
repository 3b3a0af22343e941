// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "base/child_process.h"
#include "text/detail/file_failure.h"
#include "text/text_file.h"

namespace p2::inline text {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;     // as the kernel follows
constexpr int kMostAttempts = 16;  // to find an unused name
constexpr std::chrono::seconds kReaderPatience{2};
constexpr std::chrono::milliseconds kReaderPause{20};

Error writeFailure(const std::string& path) { return fileFailure(path, errno, false); }

Result<void> writeAll(int fd, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return writeFailure(path);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

/// Without this, opening a pipe without a reader would block forever.
Descriptor openedForStream(const std::string& path) {
  const auto end = std::chrono::steady_clock::now() + kReaderPatience;
  while (true) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    if (file.get() >= 0) ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) & ~O_NONBLOCK);
    if (file.get() >= 0 || errno != ENXIO || std::chrono::steady_clock::now() > end) return file;
    std::this_thread::sleep_for(kReaderPause);
  }
}

/// Pipes and devices cannot be renamed over; they are written as they stand.
Result<void> writeStream(const std::string& path, std::string_view text) {
  const Descriptor file = openedForStream(path);
  if (file.get() < 0) return writeFailure(path);
  return writeAll(file.get(), path, text);
}

/// For a file that cannot be replaced. The room is there before the first old byte is lost.
Result<void> overwrite(const std::string& path, std::string_view text) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  struct stat old {};
  if (file.get() < 0 || ::fstat(file.get(), &old) != 0) return writeFailure(path);
  const auto size = static_cast<off_t>(text.size());
  if (const int code = size > old.st_size ? ::posix_fallocate(file.get(), 0, size) : 0; code != 0) {
    [[maybe_unused]] const int restored = ::ftruncate(file.get(), old.st_size);
    return fileFailure(path, code, false);
  }
  P2_TRY(writeAll(file.get(), path, text));
  if (::ftruncate(file.get(), size) != 0 || ::fsync(file.get()) != 0) return writeFailure(path);
  return {};
}

/// A new file in the folder. It has no name before it is renamed, so a program that is killed leaves nothing behind;
/// where the file system has no such files, it has one of its own and is removed unless it is renamed.
class NewFile {
 public:
  NewFile(const std::string& folder, mode_t mode) : m_folder(folder), m_file(withoutName(folder, mode)) {
    m_problem = m_file.get() < 0 ? errno : 0;
    // What kernels answer that do not know such files, or not on this file system.
    if (m_problem != EOPNOTSUPP && m_problem != EISDIR && m_problem != EINVAL) return;
    m_problem = tryNames([&](const std::string& path) {
      m_file = Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
      return m_file.get() >= 0;
    });
  }
  ~NewFile() {
    if (!m_path.empty()) ::unlink(m_path.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  [[nodiscard]] int get() const { return m_file.get(); }
  /// errno of why it could not be made; 0 when it is there.
  [[nodiscard]] int problem() const { return m_problem; }
  /// False with errno where it cannot be.
  [[nodiscard]] bool renameTo(const std::string& path) {
    const std::string self = kOpenFiles + std::to_string(m_file.get());
    const auto link = [&](const std::string& name) {
      return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (m_path.empty() && (errno = tryNames(link)) != 0) return false;
    if (::rename(m_path.c_str(), path.c_str()) != 0) return false;
    m_path.clear();
    return true;
  }

 private:
  static constexpr const char* kOpenFiles = "/proc/self/fd/";

  static Descriptor withoutName(const std::string& folder, mode_t mode) {
    // Without /proc the file could not be given a name later.
    if (::access(kOpenFiles, X_OK) != 0) {
      errno = EOPNOTSUPP;
      return Descriptor();
    }
    return Descriptor(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
  }
  /// Keeps the first unused name that `make` can use; errno of the last attempt, 0 on success.
  template <class Make>
  int tryNames(const Make& make) {
    std::random_device random;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      const std::string path = m_folder + "/.p2-" + std::to_string(random()) + std::to_string(random()) + "~";
      if (make(path)) {
        m_path = path;
        return 0;
      }
      if (errno != EEXIST) break;
    }
    return errno;
  }

  std::string m_folder;
  std::string m_path;  // empty while it has no name of its own
  Descriptor m_file;
  int m_problem = 0;
};

/// Gives the new file the owner and mode of the old one; false where that is not ours to give.
bool takeAfter(int fd, const struct stat& old) {
  struct stat own {};
  if (::fstat(fd, &own) != 0) return false;
  const bool same = own.st_uid == old.st_uid && own.st_gid == old.st_gid;
  return (same || ::fchown(fd, old.st_uid, old.st_gid) == 0) && ::fchmod(fd, old.st_mode & 07777) == 0;
}

/// A rename survives a power cut only after fsync of the folder; if that is not supported, it is not needed.
void keepFolder(const std::string& folder) {
  const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.get() >= 0) ::fsync(file.get());
}

std::string folderOf(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Result<void> sealed(NewFile& file, const std::string& path) {
  if (::fsync(file.get()) != 0 || !file.renameTo(path)) return writeFailure(path);
  keepFolder(folderOf(path));
  return {};
}

Result<void> create(const std::string& path, std::string_view text) {
  NewFile file(folderOf(path), 0666);
  if (file.problem() != 0) return fileFailure(path, file.problem(), false);
  P2_TRY(writeAll(file.get(), path, text));
  return sealed(file, path);
}

/// Renames a new file over the old one. At no moment is the new one readable for users without access to the old one.
Result<void> replace(const std::string& path, const struct stat& old, std::string_view text) {
  NewFile file(folderOf(path), old.st_mode & 0700);
  // A folder of others, or one that is only read, may hold a file that may be written.
  const int problem = file.problem();
  if (problem == EACCES || problem == EPERM || problem == EROFS) return overwrite(path, text);
  if (problem != 0) return fileFailure(path, problem, false);
  P2_TRY(writeAll(file.get(), path, text));
  if (!takeAfter(file.get(), old)) return overwrite(path, text);
  return sealed(file, path);
}

/// Where a path leads through symbolic links, although there is nothing yet.
Result<std::string> destinationOf(std::string path) {
  const std::string given = path;
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code failed;
    if (!fs::is_symlink(fs::symlink_status(path, failed))) return path;
    const fs::path next = fs::read_symlink(path, failed);
    if (failed) return fileFailure(given, failed.value(), false);
    path = (fs::path(path).parent_path() / next).string();
  }
  return fileFailure(given, ELOOP, false);
}

}  // namespace

Result<void> writeTextFile(const std::string& path, std::string_view text) {
  if (path.empty()) return Error{"the name of the file to write is empty; name one"};
  struct stat old {};
  if (::stat(path.c_str(), &old) != 0) {
    if (errno != ENOENT) return writeFailure(path);
    P2_TRY_ASSIGN(const auto destination, destinationOf(path));
    auto created = create(destination, text);
    if (!created.ok()) return Error{created.error().message, path, ErrorKind::Failed};
    return created;
  }
  if (S_ISDIR(old.st_mode)) return fileFailure(path, EISDIR, false);
  if (!S_ISREG(old.st_mode)) return writeStream(path, text);
  if (::access(path.c_str(), W_OK) != 0) return writeFailure(path);
  // Through a symbolic link the file it points to is replaced, not the link.
  std::error_code ignored;
  const std::string target = fs::canonical(path, ignored).string();
  return replace(target.empty() ? path : target, old, text);
}

}  // namespace p2::inline text
