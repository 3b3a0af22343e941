// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "views/shell/document_file.h"
#include "views/shell/job_queue.h"

namespace p2::views {

/// Writes documents in jobs, one at a time: two writers at once could leave the older content. Of what is asked for
/// while one is written, the last is written next.
class SaveQueue {
 public:
  /// Lives as long as the jobs it starts.
  explicit SaveQueue(JobQueue& jobs) : m_jobs(jobs) {}

  /// Calls one of the two when the document has been written or could not be, or when the user stopped the job.
  void save(DocumentToSave document, std::function<void(const Result<SaveOutcome>&)> done,
            std::function<void()> stopped);

 private:
  JobQueue& m_jobs;
  int m_job = 0;
  std::function<void()> m_next;
};

}  // namespace p2::views
