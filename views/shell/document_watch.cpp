// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/document_watch.h"

#include <QFileInfo>
#include <utility>

namespace p2::views {
namespace {

constexpr int kSoon = 50;  // milliseconds

}  // namespace

DocumentWatch::DocumentWatch(JobQueue& jobs, QObject* parent) : QObject(parent), m_jobs(jobs) {
  m_soon.setSingleShot(true);
  m_soon.setInterval(kSoon);
  connect(&m_soon, &QTimer::timeout, this, &DocumentWatch::look);
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &DocumentWatch::lookAgain);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &DocumentWatch::lookAgain);
}

void DocumentWatch::watch(const QString& path, std::shared_ptr<const KnownContents> known) {
  m_known = std::move(known);
  if (path != m_path) {
    const QStringList before = m_watcher.files() + m_watcher.directories();
    if (!before.isEmpty()) m_watcher.removePaths(before);
    m_path = path;
  }
  setChanged(false);
  if (m_path.isEmpty()) return;
  const QFileInfo file(m_path);
  m_seen = file.lastModified();
  m_seenSize = file.exists() ? file.size() : -1;
  // Saving by renaming replaces the file, which only the folder's watcher reports.
  m_watcher.addPath(file.absolutePath());
  if (file.exists()) m_watcher.addPath(m_path);
}

void DocumentWatch::putUpWithIt() { setChanged(false); }

void DocumentWatch::lookAgain() {
  const QFileInfo file(m_path);
  if (m_path.isEmpty() || !file.exists()) return;
  if (!m_watcher.files().contains(m_path)) m_watcher.addPath(m_path);
  if (file.lastModified() == m_seen && file.size() == m_seenSize) return;
  m_seen = file.lastModified();
  m_seenSize = file.size();
  m_soon.start();
}

void DocumentWatch::look() {
  m_jobs.start<bool>(
      tr("Checking %1").arg(QFileInfo(m_path).fileName()), QStringLiteral("watch"),
      [path = m_path, known = m_known](std::stop_token, const Progress&) -> Result<bool> {
        return holdsAnothersWork(path, *known);
      },
      [this, path = m_path](const Result<bool>& foreign) {
        if (path == m_path && foreign.ok()) setChanged(*foreign);
      });
}

void DocumentWatch::setChanged(bool changed) {
  if (std::exchange(m_changed, changed) != changed) emit this->changed();
}

}  // namespace p2::views
