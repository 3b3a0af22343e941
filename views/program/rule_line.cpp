// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/rule_line.h"

#include <QEvent>
#include <QPainter>

#include "views/common/theme.h"

namespace p2::views {

RuleLine::RuleLine(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::RichText);
  setWordWrap(true);
  setFocusPolicy(Qt::TabFocus);
  setContentsMargins(4, 1, 4, 1);
  setAttribute(Qt::WA_Hover);
}

void RuleLine::say(const QString& mark, const QColor& colour, const QString& text, const QString& value,
                   StageEmphasis emphasis) {
  m_emphasis = std::move(emphasis);
  QString html;
  if (!mark.isEmpty()) html += QString("<span style='color:%1'>%2</span> ").arg(colour.name(), mark);
  html += text.toHtmlEscaped();
  if (!value.isEmpty()) html += (text.isEmpty() ? "" : " ") + QString("<b>%1</b>").arg(value.toHtmlEscaped());
  setText(html.replace("\n", "<br>"));
  setAccessibleName(QStringList{mark, text, value}.join(" ").simplified());
}

const StageEmphasis* RuleLine::pointedAt() const {
  return isVisible() && (hasFocus() || underMouse()) ? &m_emphasis : nullptr;
}

bool RuleLine::event(QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::HoverEnter || type == QEvent::FocusIn) emit pointed(m_emphasis);
  // A pop-up or another window takes the pointer without a HoverLeave.
  const bool leaves = type == QEvent::HoverLeave || type == QEvent::Leave || type == QEvent::FocusOut ||
                      type == QEvent::Hide || type == QEvent::WindowDeactivate;
  if (leaves) emit left();
  if (leaves || type == QEvent::HoverEnter || type == QEvent::FocusIn) update();
  return QLabel::event(event);
}

void RuleLine::paintEvent(QPaintEvent* event) {
  const bool points = !m_emphasis.devices.empty();
  if (hasFocus() || (underMouse() && points)) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus() ? QPen(Theme::accent(), 2) : QPen(Qt::NoPen));
    painter.setBrush(Theme::tint());
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
  }
  QLabel::paintEvent(event);
}

}  // namespace p2::views
