// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/save_queue.h"

#include <QFileInfo>
#include <utility>

namespace p2::views {

void SaveQueue::save(DocumentToSave document, std::function<void(const Result<SaveOutcome>&)> done,
                     std::function<void()> stopped) {
  if (m_jobs.isRunning(m_job)) {
    m_next = [this, document = std::move(document), done = std::move(done), stopped = std::move(stopped)] {
      save(document, done, stopped);
    };
    return;
  }
  m_job = m_jobs.start<SaveOutcome>(
      JobQueue::tr("Saving %1").arg(QFileInfo(document.path).fileName()), {},
      [document](std::stop_token, const Progress&) { return saveDocument(document); },
      [this, done = std::move(done)](const Result<SaveOutcome>& outcome) {
        const auto next = std::exchange(m_next, {});
        done(outcome);
        if (next) next();
      },
      [this, stopped = std::move(stopped)] {
        m_next = {};
        stopped();
      });
}

}  // namespace p2::views
