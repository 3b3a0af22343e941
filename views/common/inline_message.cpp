// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/inline_message.h"

#include <QEvent>

#include "views/common/theme.h"

namespace p2::views {

InlineMessage::InlineMessage(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  hide();
}

void InlineMessage::say(Kind kind, const QString& sentence) {
  m_kind = kind;
  const char* sign = kind == Kind::Problem ? "✗ " : kind == Kind::Good ? "✓ " : "";
  setText(sentence.isEmpty() ? QString() : QString::fromUtf8(sign) + sentence);
  recolor();
  setVisible(!sentence.isEmpty());
}

void InlineMessage::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) recolor();
}

void InlineMessage::recolor() {
  const bool problem = m_kind == Kind::Problem;
  const QColor color = problem ? Theme::bad() : m_kind == Kind::Good ? Theme::good() : Theme::mutedText();
  if (palette().color(QPalette::WindowText) == color) return;
  QPalette own = palette();
  own.setColor(QPalette::WindowText, color);
  setPalette(own);
}

}  // namespace p2::views
