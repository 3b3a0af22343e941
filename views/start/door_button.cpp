// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/door_button.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kPadding = 2 * Theme::kGrid;
constexpr double kHeadingScale = 1.5;  // times the text
constexpr int kLeastWidth = 150;
constexpr int kManyLines = 10000;

}  // namespace

DoorButton::DoorButton(const QString& icon, const QString& heading, const QString& sentence, QWidget* parent)
    : QPushButton(heading, parent), m_icon(icon) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setCursor(Qt::PointingHandCursor);
  setSentence(sentence);
}

void DoorButton::setSentence(const QString& sentence) {
  m_sentence = sentence;
  setToolTip(sentence);
  setAccessibleDescription(sentence);
  updateGeometry();
  update();
}

QFont DoorButton::headingFont() const {
  QFont large = font();
  large.setPointSizeF(large.pointSizeF() * kHeadingScale);
  large.setBold(true);
  return large;
}

int DoorButton::iconSide() const { return QFontMetrics(headingFont()).height(); }

int DoorButton::leastWidth() const {
  const int heading = QFontMetrics(headingFont()).size(Qt::TextShowMnemonic, text()).width();
  return std::max(kLeastWidth, 2 * kPadding + iconSide() + Theme::kGrid + heading);
}

// The sentence wraps, so that a door takes the width it gets.
QSize DoorButton::sizeHint() const { return minimumSizeHint(); }

QSize DoorButton::minimumSizeHint() const {
  const int least = leastWidth();
  return {least, heightForWidth(std::max(width(), least))};
}

int DoorButton::heightForWidth(int width) const {
  const QRect room(0, 0, width - 2 * kPadding, kManyLines);
  return 2 * kPadding + iconSide() + Theme::kGrid +
         fontMetrics().boundingRect(room, Qt::TextWordWrap, m_sentence).height();
}

bool DoorButton::event(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) updateGeometry();
  return QPushButton::event(event);
}

void DoorButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
  painter.setPen(QPen(underMouse() || hasFocus() ? Theme::accent() : Theme::line(), underMouse() ? 2 : 1));
  painter.setBrush(isDown() || underMouse() ? Theme::tint() : Theme::surface());
  painter.drawRoundedRect(frame, Theme::kGrid, Theme::kGrid);
  const QRect inside = rect().adjusted(kPadding, kPadding, -kPadding, -kPadding);
  const int side = iconSide();
  Theme::icon(m_icon).paint(&painter, QRect(inside.topLeft(), QSize(side, side)));
  painter.setPen(Theme::text());
  painter.setFont(headingFont());
  painter.drawText(QRect(inside.left() + side + Theme::kGrid, inside.top(), inside.width() - side - Theme::kGrid, side),
                   Qt::AlignLeft | Qt::AlignVCenter | Qt::TextShowMnemonic, text());
  painter.setFont(font());
  painter.drawText(inside.adjusted(0, side + Theme::kGrid, 0, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                   m_sentence);
}

}  // namespace p2::views
