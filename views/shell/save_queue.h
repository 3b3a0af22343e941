// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>

#include "views/shell/document_file.h"
#include "views/shell/job_queue.h"

namespace p2::views {

/// Writes documents in jobs, one at a time and in the order in which it was asked to: two writers at once could leave
/// the older content.
class SaveQueue {
 public:
  using Done = std::function<void(const Result<SaveOutcome>&)>;

  /// Lives as long as the jobs it starts.
  explicit SaveQueue(JobQueue& jobs) : m_jobs(jobs) {}

  /// Calls one of the two when the document has been written or could not be, or when the user stopped the job, or one
  /// that it waits for.
  void save(DocumentToSave document, Done done, std::function<void()> stopped);

  /// The last waiting write, if any.
  [[nodiscard]] const DocumentToSave* last() const { return m_requests.empty() ? nullptr : &m_requests.back().document; }

 private:
  struct Request {
    DocumentToSave document;
    Done done;
    std::function<void()> stopped;
  };
  void startNext();
  void finish(const Result<SaveOutcome>& outcome);
  void stop();

  JobQueue& m_jobs;
  std::deque<Request> m_requests;  // the first is being written
};

}  // namespace p2::views
