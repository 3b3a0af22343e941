// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/summary_line.h"

#include <QPainter>

#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/shell/summary.h"

namespace p2::views {

SummaryLine::SummaryLine(Session& session, QWidget* parent) : QLabel(parent), m_session(session) {
  setObjectName("summary");
  setTextFormat(Qt::RichText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  connect(&session, &Session::workspaceChanged, this, &SummaryLine::refresh);
  connect(&session, &Session::explorationChanged, this, &SummaryLine::refresh);
  connect(&session, &Session::trainingChanged, this, &SummaryLine::refresh);
  connect(&session, &Session::freshnessChanged, this, &SummaryLine::refresh);
  refresh();
}

void SummaryLine::setAbout(About about) {
  if (about == m_about) return;
  m_about = about;
  refresh();
}

void SummaryLine::refresh() {
  if (m_about == About::Nothing) return say({}, {});
  if (m_about == About::Reduction) return sayReduction();
  const QString line = trainingSummary(*m_session.workspace(), m_session.planner());
  say(line.toHtmlEscaped(), line);
}

void SummaryLine::sayReduction() {
  const Summary summary = summaryOf(*m_session.workspace(), m_session.exploration().get());
  QString html = summary.question.toHtmlEscaped();
  QString plain = summary.question;
  if (!summary.answer.isEmpty()) {
    const QString answer = summary.answer + (m_session.isCurrent() ? QString() : tr(" · out of date"));
    const QColor ink = m_session.isCurrent() ? Theme::text() : Theme::mutedText();
    html += QStringLiteral(" · <span style=\"color:%1\">%2</span>").arg(ink.name(), answer.toHtmlEscaped());
    plain += " · " + answer;
  }
  say(html, plain);
}

void SummaryLine::say(const QString& html, const QString& plain) {
  setText(html);
  setToolTip(plain);
  setAccessibleName(plain);
}

/// A line that is too long ends with an ellipsis; the tooltip has all of it.
void SummaryLine::paintEvent(QPaintEvent* event) {
  const QString plain = toolTip();
  const int room = contentsRect().width();
  if (fontMetrics().horizontalAdvance(plain) <= room) return QLabel::paintEvent(event);
  QPainter painter(this);
  painter.setPen(m_session.isCurrent() ? Theme::text() : Theme::mutedText());
  painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(plain, Qt::ElideRight, room));
}

}  // namespace p2::views
