// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <memory>

#include "views/strategy/pipeline_answer.h"

namespace p2::views {

/// A step of a pipeline over time, a row for every stage: passes forward filled, passes back hatched, each with the
/// number of its microbatch where there is room, sums at the end marked Σ; gaps are pipeline bubbles. Slots are
/// wide enough to be read and the rest is scrolled to, or all of it fits the width.
class PipelineTimeline : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit PipelineTimeline(QWidget* parent = nullptr);

  void show(std::shared_ptr<const PipelineAnswer> answer);
  void setStale(bool stale);
  void setWhole(bool whole);
  /// Description of the pass at a point of the viewport; empty for gaps.
  [[nodiscard]] QString textAt(QPoint point) const;
  /// Rectangle of a cell, in the viewport.
  [[nodiscard]] QRectF rectOf(std::size_t stage, const PipelineCell& cell) const;

  [[nodiscard]] QSize sizeHint() const override;

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  [[nodiscard]] const PipelineSchedule* schedule() const;
  [[nodiscard]] int rowHeight() const;
  [[nodiscard]] int labelWidth() const;
  [[nodiscard]] double xOf(double seconds) const;
  void adjust();
  void describe();
  void paintRow(QPainter& painter, std::size_t stage) const;
  void paintCell(QPainter& painter, const QRectF& rect, const PipelineCell& cell) const;
  void paintLegend(QPainter& painter) const;

  std::shared_ptr<const PipelineAnswer> m_answer;
  double m_scale = 1;  // pixels a second
  bool m_whole = false;
  bool m_stale = false;
};

}  // namespace p2::views
