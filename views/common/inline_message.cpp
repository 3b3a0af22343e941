// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/inline_message.h"

#include <QEvent>
#include <algorithm>
#include <chrono>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kLeastMessageWidth = 260;
constexpr std::chrono::milliseconds kBriefly{5000};

}  // namespace

InlineMessage::InlineMessage(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  hide();
  m_brief.setParent(this);
  m_brief.setObjectName(QStringLiteral("briefly"));
  m_brief.setSingleShot(true);
  m_brief.setInterval(kBriefly);
  connect(&m_brief, &QTimer::timeout, this, [this] { say(Kind::Note, {}); });
}

void InlineMessage::sayBriefly(Kind kind, const QString& sentence) {
  say(kind, sentence);
  m_brief.start();
}

void InlineMessage::say(Kind kind, const QString& sentence) {
  m_brief.stop();
  m_kind = kind;
  const char* sign = kind == Kind::Problem ? "✗ " : kind == Kind::Good ? "✓ " : "";
  setText(sentence.isEmpty() ? QString() : QString::fromUtf8(sign) + sentence);
  recolor();
  setVisible(!sentence.isEmpty());
  if (m_field != nullptr) place();
}

void InlineMessage::floatBelow(QWidget& field) {
  m_field = &field;
  setParent(field.parentWidget());
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setTextInteractionFlags(Qt::NoTextInteraction);
  setAutoFillBackground(true);
  setFrameShape(QFrame::Box);
  setMargin(Theme::kGrid / 2);
  field.installEventFilter(this);
  field.parentWidget()->installEventFilter(this);
  hide();
}

bool InlineMessage::eventFilter(QObject* watched, QEvent* event) {
  const bool moved = event->type() == QEvent::Move || event->type() == QEvent::Resize || event->type() == QEvent::Show;
  if (moved && m_field != nullptr && !isHidden()) place();
  return QLabel::eventFilter(watched, event);
}

/// Below the field, or above it where the form ends.
void InlineMessage::place() {
  const QWidget& form = *parentWidget();
  const int left = std::min(m_field->x(), std::max(0, form.width() - kLeastMessageWidth));
  const int width = std::max(1, form.width() - left);
  const int height = heightForWidth(width);
  const int below = m_field->geometry().bottom() + 1;
  const int top = below + height <= form.height() ? below : std::max(0, m_field->y() - height);
  setGeometry(left, top, width, height);
  raise();
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
