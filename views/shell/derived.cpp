// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/derived.h"

namespace p2::views {

DerivedBase::DerivedBase(JobQueue& jobs, QObject* parent) : QObject(parent), m_jobs(&jobs) {
  connect(&jobs, &JobQueue::progressed, this, [this](int job, double done) {
    if (job != m_job) return;
    m_progress = done;
    emit progressed(done);
  });
}

DerivedBase::~DerivedBase() { dropJob(); }

void DerivedBase::cancel() {
  if (m_jobs && m_job != 0) m_jobs->cancel(m_job);
}

void DerivedBase::dropJob() {
  ++m_run;
  m_progress = 0;
  const int job = std::exchange(m_job, 0);
  if (m_jobs && job != 0) m_jobs->cancel(job);
}

void DerivedBase::forgetOutcome() {
  m_problem.reset();
  m_cancelled = false;
}

void DerivedBase::noteCancelled() {
  m_job = 0;
  m_progress = 0;
  m_cancelled = true;
  emit changed();
}

}  // namespace p2::views
