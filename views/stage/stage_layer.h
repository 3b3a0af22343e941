// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPainter>
#include <functional>

namespace p2::views {

/// Something that stays the same from frame to frame, drawn once and copied from then on.
class StageLayer {
 public:
  void drop() { m_image = {}; }
  /// Draws it with the painter's opacity. It is drawn again when another part is exposed, or at another scale.
  void paint(QPainter& painter, const QRectF& exposed, double zoom, double devicePixelRatio,
             const std::function<void(QPainter&)>& draw);

 private:
  QImage m_image;
  QRectF m_exposed;
  double m_zoom = 1;
};

}  // namespace p2::views
