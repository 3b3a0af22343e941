// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_status.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/runs/run_queue.h"

namespace p2::views {
namespace {

constexpr int kMostLogLines = 5000;
constexpr int kProgressParts = 1000;

}  // namespace

RunStatus::RunStatus(RunQueue& queue, QWidget* parent) : QWidget(parent), m_queue(queue) {
  m_message = named(new InlineMessage, "runMessage");
  m_message->setWordWrap(true);
  m_progressText = named(new QLabel, "runProgressText");
  m_progressText->setTextFormat(Qt::PlainText);
  m_progress = named(new QProgressBar, "runProgress", tr("Progress of all runs"));
  m_progress->setRange(0, kProgressParts);
  m_progress->setTextVisible(false);
  makeLog();
  auto* layout = bareLayout<QVBoxLayout>(this);
  layout->addWidget(m_message);
  layout->addWidget(m_progressText);
  layout->addWidget(m_progress);
  connect(&queue, &RunQueue::progressed, this, [this](const QString& text, double done) {
    const int all = std::max(1, m_queue.total());
    m_progressText->setText(all > 1 ? tr("run %L1 of %L2: %3").arg(m_queue.position()).arg(all).arg(text) : text);
    // Progress of the whole queue, from 0 to 1 once.
    const int value = int(kProgressParts * (m_queue.position() - 1 + done) / all);
    // Warm-up and repetitions each start at 0; progress never falls.
    m_progress->setValue(m_all == all ? std::max(m_progress->value(), value) : value);
    m_all = all;
  });
  connect(&queue, &RunQueue::cancelled, this, [this] { showNote(tr("Cancelled; earlier results are kept.")); });
  connect(&queue, &RunQueue::changed, this, &RunStatus::refresh);
  refresh();
}

void RunStatus::makeLog() {
  m_log = named(new QPlainTextEdit, "runLog");
  m_log->setReadOnly(true);
  m_log->setMaximumBlockCount(kMostLogLines);
  m_log->setAccessibleName(tr("Output of launcher and ranks"));
  m_log->setMaximumHeight(120);
  m_log->hide();
  connect(&m_queue, &RunQueue::logged, m_log, &QPlainTextEdit::appendPlainText);
}

void RunStatus::refresh() {
  if (!m_queue.isRunning()) m_all = 0;
  m_progress->setVisible(m_queue.isRunning());
  m_progressText->setVisible(m_queue.isRunning());
}

void RunStatus::showProblem(const QString& sentence) { m_message->showProblem(sentence); }
void RunStatus::showNote(const QString& sentence) { m_message->say(InlineMessage::Kind::Note, sentence); }
void RunStatus::showDone(const QString& sentence) { m_message->say(InlineMessage::Kind::Good, sentence); }

void RunStatus::showBriefly(const QString& sentence) { m_message->sayBriefly(InlineMessage::Kind::Good, sentence); }

}  // namespace p2::views
