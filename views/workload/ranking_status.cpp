// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/ranking_status.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/panel.h"
#include "views/common/theme.h"

namespace p2::views {

RankingStatus::RankingStatus(QWidget* parent)
    : QWidget(parent),
      m_detail(new QLabel),
      m_progress(new QProgressBar),
      m_stop(new QToolButton),
      m_switch(new QToolButton),
      m_leftOut(new QLabel) {
  wrapped(named(m_detail, "workloadDetail"));
  m_detail->setMinimumHeight(2 * m_detail->fontMetrics().lineSpacing());
  m_detail->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  named(m_progress, "workloadProgress", tr("Progress"));
  m_progress->setRange(0, 1000);
  m_progress->setTextVisible(false);
  m_progress->setFixedHeight(Theme::kGrid);
  m_stop->setObjectName("workloadStop");
  m_switch->setObjectName("leftOutSwitch");
  m_switch->setText(tr("Not modelled"));
  m_switch->setShortcut(QKeySequence(int(Qt::ALT) | Qt::Key_L));
  m_switch->setToolTip(tr("Show or hide the effects that the ranking does not model (Alt+L)"));
  m_switch->setCheckable(true);
  m_switch->setAccessibleName(tr("Not modelled"));
  m_switch->setAutoRaise(true);
  m_switch->setFocusPolicy(Qt::TabFocus);
  wrapped(named(m_leftOut, "leftOut"));
  m_leftOut->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_leftOut->hide();
  for (QWidget* part : std::initializer_list<QWidget*>{m_progress, m_stop}) {
    QSizePolicy policy = part->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    part->setSizePolicy(policy);
    part->hide();
  }
  // Hidden widgets keep their place; progress is below the buttons, so that the sentence has the width.
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(Theme::kGrid);
  buttons->addWidget(m_stop);
  buttons->addWidget(m_switch);
  auto* right = new QVBoxLayout;
  right->setSpacing(0);
  right->addLayout(buttons);
  right->addWidget(m_progress);
  right->addStretch();
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::kGrid);
  row->addWidget(m_detail, 1, Qt::AlignTop);
  row->addLayout(right);
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid / 2);
  layout->addLayout(row);
  layout->addWidget(m_leftOut);
  connect(m_stop, &QToolButton::clicked, this, &RankingStatus::stopWanted);
  connect(m_switch, &QToolButton::toggled, m_leftOut, &QWidget::setVisible);
}

void RankingStatus::setDetail(const QString& text) { m_detail->setText(text); }
void RankingStatus::setProgress(double done) { m_progress->setValue(int(m_progress->maximum() * done)); }

void RankingStatus::setState(bool running, bool cancelled) {
  m_progress->setVisible(running);
  m_stop->setVisible(running || cancelled);
  m_stop->setText(running ? tr("Stop") : tr("Rank again"));
  m_stop->setToolTip(running ? tr("Stop; the last answer stays") : tr("Resume the stopped ranking"));
  m_stop->setAccessibleName(m_stop->text());
}

void RankingStatus::setUnmodelledEffects(const QStringList& sentences) {
  QStringList lines;
  for (const QString& sentence : sentences) lines += QStringLiteral("– ") + sentence;
  m_leftOut->setText(lines.join('\n'));
  m_switch->setVisible(!sentences.isEmpty());
  m_leftOut->setVisible(!sentences.isEmpty() && m_switch->isChecked());
}

}  // namespace p2::views
