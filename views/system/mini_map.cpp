// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/mini_map.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "views/common/theme.h"
#include "views/system/system_canvas.h"

namespace p2::views {
namespace {

constexpr QSize kSize{176, 112};

}  // namespace

MiniMap::MiniMap(SystemCanvas& canvas) : QWidget(canvas.viewport()), m_canvas(canvas) {
  setObjectName(QStringLiteral("miniMap"));
  setAccessibleName(tr("Map of the whole drawing"));
  setToolTip(tr("Click to go there (Ctrl+0 shows everything)"));
  setCursor(Qt::PointingHandCursor);
  resize(kSize);
  hide();
}

double MiniMap::scale() const {
  const QRectF all = m_canvas.sceneRect();
  return all.isEmpty() ? 1 : std::min(width() / all.width(), height() / all.height());
}

QPointF MiniMap::origin() const { return QPointF(width(), height()) / 2 - m_canvas.sceneRect().center() * scale(); }

void MiniMap::follow() {
  const QRectF seen = m_canvas.mapToScene(m_canvas.viewport()->rect()).boundingRect();
  setVisible(!seen.contains(m_canvas.drawn().drawing().bounds));
  const QSize room = m_canvas.viewport()->size();
  move(room.width() - width() - Theme::kGrid, room.height() - height() - Theme::kGrid);
  update();
}

void MiniMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), Theme::window());
  painter.save();
  painter.translate(origin());
  painter.scale(scale(), scale());
  const SystemScene& scene = m_canvas.drawn();
  paintDrawing(painter, scene.drawing(), scene.loads());
  const QRectF seen = m_canvas.mapToScene(m_canvas.viewport()->rect()).boundingRect();
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Theme::accent(), 2 / scale()));
  painter.drawRect(seen.intersected(m_canvas.sceneRect()));
  painter.restore();
  painter.setPen(Theme::line());
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void MiniMap::mousePressEvent(QMouseEvent* event) { m_canvas.centerOn((event->position() - origin()) / scale()); }

void MiniMap::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton)) mousePressEvent(event);
}

}  // namespace p2::views
