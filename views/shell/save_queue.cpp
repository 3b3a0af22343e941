// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/save_queue.h"

#include <QFileInfo>
#include <utility>

namespace p2::views {

void SaveQueue::save(DocumentToSave document, Done done, std::function<void()> stopped) {
  m_requests.push_back({std::move(document), std::move(done), std::move(stopped)});
  if (m_requests.size() == 1) startNext();
}

void SaveQueue::startNext() {
  const DocumentToSave& document = m_requests.front().document;
  m_jobs.start<SaveOutcome>(
      JobQueue::tr("Saving %1").arg(QFileInfo(document.path).fileName()), {},
      [document](std::stop_token, const Progress&) { return saveDocument(document); },
      [this](const Result<SaveOutcome>& outcome) { finish(outcome); }, [this] { stop(); });
}

void SaveQueue::finish(const Result<SaveOutcome>& outcome) {
  const Request written = std::move(m_requests.front());
  m_requests.pop_front();
  // Its own requests are queued behind the waiting ones.
  const bool waiting = !m_requests.empty();
  written.done(outcome);
  if (waiting) startNext();
}

void SaveQueue::stop() {
  for (const Request& request : std::exchange(m_requests, {})) request.stopped();
}

}  // namespace p2::views
