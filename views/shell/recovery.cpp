// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/recovery.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>
#include <mutex>
#include <utility>

#include "text/text_file.h"
#include "views/common/private_file.h"
#include "workspace/workspace.h"

namespace p2::views {
namespace {

constexpr QLatin1StringView kCopySuffix(".recovery");
constexpr QLatin1StringView kLockSuffix(".lock");
constexpr QLatin1StringView kUnreadableSuffix(".unreadable");
constexpr const char* kPlanWord = "plan";

std::unique_ptr<QLockFile> lockFor(const QString& stem) {
  auto lock = std::make_unique<QLockFile>(stem + kLockSuffix);
  // However old a lock is, it is held as long as its process lives.
  lock->setStaleLockTime(0);
  return lock;
}

/// A program that ends by a crash leaves its lock, with or without a copy. One with a copy goes when that goes.
void removeLeftLocks(const QString& path) {
  const QDir folder(path);
  for (const QString& name : folder.entryList({QStringLiteral("*") + kLockSuffix}, QDir::Files)) {
    const QString stem = folder.filePath(name).chopped(kLockSuffix.size());
    // Taking a free lock removes its file on release.
    if (!QFile::exists(stem + kCopySuffix)) lockFor(stem)->tryLock(0);
  }
}

/// The first line holds the document's path, kind and known contents, each percent-encoded as one word.
QByteArray headerOf(const Recovery::Copy& copy) {
  const QByteArray path = copy.documentPath.toUtf8().toPercentEncoding("/");
  return path + ' ' + (copy.kind == DocumentKind::Plan ? kPlanWord : "workspace") + ' ' + copy.known;
}

Recovery::Copy copyOf(const QByteArray& header, std::string text) {
  const QByteArrayList words = header.split(' ');
  return {QString::fromUtf8(QByteArray::fromPercentEncoding(words[0])), std::move(text),
          words.value(1) == kPlanWord ? DocumentKind::Plan : DocumentKind::Workspace, words.value(2)};
}

}  // namespace

/// Shared with writers on other threads, which may outlive the Recovery.
struct Recovery::Slot {
  std::mutex mutex;
  QString path;
  int generation = 0;
};

Recovery::Recovery(const QString& folder) : m_folder(folder), m_slot(std::make_shared<Slot>()) {
  // The copy is as private as the document.
  makeFolderPrivate(folder);
  const QString stem = QDir(folder).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces));
  m_slot->path = stem + kCopySuffix;
  m_lock = lockFor(stem);
  m_lock->tryLock(0);
  removeLeftLocks(folder);
}

Recovery::~Recovery() { discard(); }

std::function<Result<void>(const Recovery::Copy&)> Recovery::writer() {
  const std::scoped_lock guard(m_slot->mutex);
  return [slot = m_slot, generation = m_slot->generation](const Copy& copy) -> Result<void> {
    const std::scoped_lock writing(slot->mutex);
    if (generation != slot->generation) return {};
    P2_TRY(writeTextFile(slot->path.toStdString(), headerOf(copy).toStdString() + "\n" + copy.text));
    makePrivate(slot->path);
    return {};
  };
}

void Recovery::discard() {
  const std::scoped_lock guard(m_slot->mutex);
  ++m_slot->generation;
  QFile::remove(m_slot->path);
}

std::optional<Recovery::Copy> Recovery::adopt() {
  const QDir folder(m_folder);
  for (const QString& name : folder.entryList({QStringLiteral("*") + kCopySuffix}, QDir::Files, QDir::Time)) {
    const QString path = folder.filePath(name);
    if (path == m_slot->path) continue;
    auto lock = lockFor(path.chopped(kCopySuffix.size()));
    if (!lock->tryLock(0)) continue;
    const auto content = readTextFile(path.toStdString());
    const std::size_t line = content.ok() ? content->find('\n') : std::string::npos;
    if (line == std::string::npos) {
      setAside(path);
      continue;
    }
    m_adopted = path;
    m_adoptedLock = std::move(lock);
    return copyOf(QByteArray::fromStdString(content->substr(0, line)), content->substr(line + 1));
  }
  return std::nullopt;
}

void Recovery::setAside(const QString& path) {
  // There is nothing to keep of a crash in the moment between making the file and writing it.
  if (QFileInfo(path).size() == 0) {
    QFile::remove(path);
    return;
  }
  const QString kept = path.chopped(kCopySuffix.size()) + kUnreadableSuffix;
  m_unreadable << (QFile::rename(path, kept) ? kept : path);
}

void Recovery::dropAdopted() {
  if (m_adopted.isEmpty()) return;
  QFile::remove(std::exchange(m_adopted, {}));
  m_adoptedLock.reset();
}

}  // namespace p2::views
