// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/jobs_indicator.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <algorithm>

#include "views/common/panel.h"
#include "views/common/theme.h"
#include "views/shell/job_queue.h"

namespace p2::views {
namespace {

constexpr int kBarWidth = 12 * Theme::kGrid;
constexpr int kLeastBarWidth = 3 * Theme::kGrid;

}  // namespace

JobsIndicator::JobsIndicator(JobQueue& jobs, QWidget* parent, int appearAfterMs)
    : QWidget(parent), m_jobs(jobs), m_text(new QLabel), m_bar(new QProgressBar), m_cancel(new QToolButton) {
  setObjectName("jobsIndicator");
  m_text->setObjectName("jobsText");
  m_text->setForegroundRole(QPalette::PlaceholderText);
  named(m_bar, "jobsProgress", tr("Progress of running jobs"));
  m_bar->setRange(0, 1000);
  m_bar->setTextVisible(false);
  // Where the window is narrow the bar gives way, else a job that starts would widen it.
  m_bar->setMinimumWidth(kLeastBarWidth);
  m_bar->setMaximumWidth(kBarWidth);
  m_bar->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  m_cancel->setObjectName("jobsCancel");
  m_cancel->setIcon(Theme::icon("cancel"));
  m_cancel->setAutoRaise(true);
  m_cancel->setAccessibleName(tr("Cancel the running jobs"));
  m_cancel->setToolTip(tr("Cancel running jobs; the last results stay"));
  auto* layout = bareLayout<QHBoxLayout>(this, Theme::kGrid);
  for (QWidget* part : std::initializer_list<QWidget*>{m_text, m_bar, m_cancel}) layout->addWidget(part);

  QSizePolicy policy = sizePolicy();
  policy.setRetainSizeWhenHidden(true);
  setSizePolicy(policy);
  m_appear.setSingleShot(true);
  m_appear.setInterval(appearAfterMs);
  connect(&m_appear, &QTimer::timeout, this, &QWidget::show);
  connect(m_cancel, &QToolButton::clicked, &m_jobs, &JobQueue::cancelAll);
  connect(&m_jobs, &JobQueue::changed, this, &JobsIndicator::refresh);
  connect(&m_jobs, &JobQueue::progressed, this, &JobsIndicator::refresh);
  hide();
}

void JobsIndicator::setNarrow(bool narrow) { m_bar->setMaximumWidth(narrow ? kLeastBarWidth : kBarWidth); }

void JobsIndicator::refresh() {
  const auto running = m_jobs.running();
  if (running.empty()) {
    m_appear.stop();
    hide();
    return;
  }
  if (isHidden() && !m_appear.isActive()) m_appear.start();
  double least = 1;
  for (const JobQueue::Job& job : running) least = std::min(least, job.progress);
  m_bar->setValue(int(least * m_bar->maximum()));
  m_text->setText(running.size() == 1 ? tr("1 job") : tr("%1 jobs").arg(running.size()));
  QStringList titles;
  for (const JobQueue::Job& job : running) titles << job.title + QStringLiteral(" – %1 %").arg(int(job.progress * 100));
  setToolTip(titles.join('\n'));
}

}  // namespace p2::views
