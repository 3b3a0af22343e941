// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_layer.h"

#include <QPaintEngine>
#include <cmath>

namespace p2::views {

void StageLayer::paint(QPainter& painter, const QRectF& exposed, double zoom, double devicePixelRatio,
                       const std::function<void(QPainter&)>& draw) {
  // A file of shapes and words is to get shapes and words.
  if (painter.paintEngine()->type() != QPaintEngine::Raster) {
    painter.save();
    draw(painter);
    painter.restore();
    return;
  }
  const QSize size(int(std::ceil(exposed.width() * zoom * devicePixelRatio)),
                   int(std::ceil(exposed.height() * zoom * devicePixelRatio)));
  if (size.isEmpty()) return;
  if (m_image.size() != size || m_exposed != exposed || m_zoom != zoom) {
    m_image = QImage(size, QImage::Format_ARGB32_Premultiplied);
    m_image.setDevicePixelRatio(devicePixelRatio);
    m_image.fill(Qt::transparent);
    m_exposed = exposed;
    m_zoom = zoom;
    QPainter own(&m_image);
    own.setRenderHints(painter.renderHints());
    own.scale(zoom, zoom);
    own.translate(-exposed.topLeft());
    draw(own);
  }
  // Pixel by pixel: a scaled copy would be blurred and slow.
  const QPointF at = painter.worldTransform().map(exposed.topLeft());
  painter.save();
  painter.setWorldTransform({});
  painter.drawImage(QRectF(at.toPoint(), QSizeF(size) / painter.device()->devicePixelRatioF()), m_image);
  painter.restore();
}

}  // namespace p2::views
