// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/brief_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>
#include <utility>

namespace p2::views {

BriefLabel::BriefLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setAlignment(Qt::AlignLeft | Qt::AlignTop);
}

void BriefLabel::setMostLines(int lines) {
  if (std::exchange(m_mostLines, lines) == lines) return;
  updateGeometry();
  update();
}

int BriefLabel::mostHeight() const { return m_mostLines * fontMetrics().lineSpacing(); }

QSize BriefLabel::limited(QSize size) const {
  return m_mostLines == 0 ? size : QSize(size.width(), std::min(size.height(), mostHeight()));
}

int BriefLabel::heightForWidth(int width) const {
  const int whole = QLabel::heightForWidth(width);
  return m_mostLines == 0 ? whole : std::min(whole, mostHeight());
}

QSize BriefLabel::sizeHint() const { return limited(QLabel::sizeHint()); }
QSize BriefLabel::minimumSizeHint() const { return limited(QLabel::minimumSizeHint()); }

bool BriefLabel::isCut() const { return m_mostLines > 0 && QLabel::heightForWidth(width()) > mostHeight(); }

void BriefLabel::paintEvent(QPaintEvent* event) {
  if (!isCut()) return QLabel::paintEvent(event);
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  QTextLayout lines(text(), font());
  lines.beginLayout();
  for (int line = 0; line < m_mostLines; ++line) {
    QTextLine next = lines.createLine();
    if (!next.isValid()) break;
    next.setLineWidth(width());
    const bool isLast = line + 1 == m_mostLines;
    const QString shown = text().mid(next.textStart(), isLast ? -1 : next.textLength());
    painter.drawText(QRect(0, line * fontMetrics().lineSpacing(), width(), fontMetrics().height()), Qt::AlignLeft,
                     isLast ? fontMetrics().elidedText(shown, Qt::ElideRight, width()) : shown);
  }
  lines.endLayout();
}

bool BriefLabel::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !isCut()) return QLabel::event(event);
  const QString more = toolTip().isEmpty() ? QString() : "\n\n" + toolTip();
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text() + more, this);
  return true;
}

}  // namespace p2::views
