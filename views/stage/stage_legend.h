// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/stage/legend_painter.h"

namespace p2::views {

/// How a stage is read: what rows, columns, fills, frames and marks mean. Wraps to the width it gets.
class StageLegend : public QWidget {
  Q_OBJECT
 public:
  explicit StageLegend(QWidget* parent = nullptr);
  /// See LegendPainter::setReplay().
  void setReplay(const Replay* replay);
  /// Explains digits instead of filled bits.
  void setNumbers(bool numbers);
  /// See LegendPainter::setGlyphs().
  void setGlyphs(bool glyphs);

  [[nodiscard]] int heightForWidth(int width) const override;
  /// See LegendPainter::lastLineWidth().
  [[nodiscard]] int lastLineWidth(int width) const { return m_painter.lastLineWidth(width, font()); }
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void changed();

  LegendPainter m_painter;
};

}  // namespace p2::views
