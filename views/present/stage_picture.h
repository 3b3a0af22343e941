// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

#include "views/present/shown_run.h"
#include "views/stage/legend_painter.h"
#include "views/stage/stage_painter.h"

namespace p2::views {

/// A moment of a run as a picture for files: title, devices, legend and the rule of the step. Knows no widget, so that
/// it can be drawn on any thread, in the look that is current there (Theme::Painting).
class StagePicture {
 public:
  static constexpr QSize kSize{1200, 760};

  explicit StagePicture(ShownRun run, QSize size = kSize);

  [[nodiscard]] QSize size() const { return m_size; }
  [[nodiscard]] const ShownRun& run() const { return m_run; }
  /// Draws a position of the run: `steps` done and `progress` of the next one. `devicePixelRatio` is the paint
  /// device's.
  void paint(QPainter& painter, int steps, double progress, double devicePixelRatio = 1);
  /// The colour behind it all.
  [[nodiscard]] static QColor ground();

 private:
  [[nodiscard]] ShownRun::Caption captionAt(int steps, bool rests) const;
  void paintCaption(QPainter& painter, const ShownRun::Caption& caption) const;

  ShownRun m_run;
  QSize m_size;
  QFont m_font;
  LegendPainter m_legend;
  StagePainter m_stage;
  QRectF m_stageRect;
  double m_zoom = 1;
};

}  // namespace p2::views
