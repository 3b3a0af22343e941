// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/edge_button.h"

#include <QPainter>

#include "views/common/theme.h"

namespace p2::views {

EdgeButton::EdgeButton(const QString& title, QWidget* parent) : QAbstractButton(parent) {
  setText(title);
  setAccessibleName(title);
  setToolTip(tr("Open %1").arg(title));
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
}

QSize EdgeButton::sizeHint() const {
  return {fontMetrics().height() + 3 * Theme::kGrid / 2, fontMetrics().horizontalAdvance(text()) + 3 * Theme::kGrid};
}

void EdgeButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Theme::line());
  painter.setBrush(underMouse() || isDown() ? Theme::tint() : Theme::surface());
  painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), 4, 4);
  if (hasFocus()) {
    painter.setPen(QPen(Theme::accent(), 1.5));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), 4, 4);
  }
  painter.translate(0, height());
  painter.rotate(-90);
  painter.setPen(Theme::text());
  // Where the eye begins: at the top.
  painter.drawText(QRect(0, 0, height() - Theme::kGrid, width()), int(Qt::AlignRight | Qt::AlignVCenter),
                   fontMetrics().elidedText(text(), Qt::ElideRight, height() - 2 * Theme::kGrid));
}

}  // namespace p2::views
