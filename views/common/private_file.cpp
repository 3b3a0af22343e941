// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "base/child_process.h"

namespace p2::views {
namespace {

constexpr mode_t kOthers = S_IRWXG | S_IRWXO;

/// Opened first and looked at then, so that nothing can take its place in between. Opening waits for no pipe.
void closeToOthers(const QString& path, mode_t type, mode_t mode) {
  const Descriptor file(
      ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat found {};
  if (file.get() < 0 || ::fstat(file.get(), &found) != 0) return;
  const bool ours = (found.st_mode & S_IFMT) == type && found.st_uid == ::geteuid();
  const bool oneName = type != S_IFREG || found.st_nlink == 1;
  if (ours && oneName && (found.st_mode & kOthers) != 0) ::fchmod(file.get(), mode);
}

}  // namespace

void makePrivate(const QString& path) {
  QDir().mkpath(QFileInfo(path).absolutePath());
  QFile file(path);
  if (file.open(QIODevice::WriteOnly | QIODevice::NewOnly, QFile::ReadOwner | QFile::WriteOwner)) return;
  closeToOthers(path, S_IFREG, S_IRUSR | S_IWUSR);
}

void makeFolderPrivate(const QString& path) {
  QDir().mkpath(path);
  closeToOthers(path, S_IFDIR, S_IRWXU);
}

}  // namespace p2::views
