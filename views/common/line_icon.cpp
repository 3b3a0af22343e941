// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/line_icon.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

#include "views/common/theme.h"

namespace p2::views {
namespace {

QColor inkFor(QIcon::Mode mode, QIcon::State state) {
  if (mode == QIcon::Disabled) return Theme::line();
  return state == QIcon::On ? Theme::accent() : Theme::text();
}

}  // namespace

LineIconEngine::LineIconEngine(QString name) : m_name(std::move(name)) {}

void LineIconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) {
  QFile file(":/p2/icons/" + m_name + ".svg");
  if (!file.open(QIODevice::ReadOnly)) return;
  // Qt's renderer does not know SVG's currentColor.
  QByteArray svg = file.readAll();
  svg.replace("currentColor", inkFor(mode, state).name().toLatin1());
  const int side = std::min(rect.width(), rect.height());
  const QPointF corner(rect.x() + (rect.width() - side) / 2.0, rect.y() + (rect.height() - side) / 2.0);
  QSvgRenderer(svg).render(painter, QRectF(corner, QSizeF(side, side)));
}

QPixmap LineIconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) {
  QPixmap pixmap(size);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  paint(&painter, QRect(QPoint(0, 0), size), mode, state);
  return pixmap;
}

QIconEngine* LineIconEngine::clone() const { return new LineIconEngine(m_name); }

}  // namespace p2::views
