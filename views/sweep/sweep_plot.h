// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "atlas/atlas.h"
#include "explore/sweep.h"
#include "views/common/themed_plot.h"

namespace p2::views {

class CurveLabels;

/// The best program and the single AllReduce over a range of values, both axes logarithmic, with a line where another
/// program becomes the best. The curves differ in dashes and marks and are named at their ends. The wheel zooms,
/// dragging pans; Left and Right walk from point to point, Enter chooses. Where the model knows how far it is off, the
/// interval of 80 % of such times is shaded around the best.
class SweepPlot : public ThemedPlot {
  Q_OBJECT
 public:
  explicit SweepPlot(QWidget* parent = nullptr);

  /// Null for none.
  void setSweep(std::shared_ptr<const Sweep> sweep);
  [[nodiscard]] const std::shared_ptr<const Sweep>& sweep() const { return m_sweep; }
  /// Latency and bandwidth part of the best as curves of their own.
  void setParts(bool apart);
  /// Measured times behind the curves, of a table over bytes; null for none. `title` says where they come from.
  void setMeasured(const AtlasTable* table, const QString& title);
  void setStale(bool stale);
  /// A low plot does not repeat the source of the measured times.
  void setLow(bool low);
  void zoom(double factor);
  void fit();

  /// Position of the best of a point, in pixels of this widget.
  [[nodiscard]] QPointF pixelOf(int point) const;
  /// Position of a measured row.
  [[nodiscard]] QPointF pixelOfMeasured(int row) const;
  [[nodiscard]] int measuredCount() const;
  [[nodiscard]] QString textOf(int point) const;

 signals:
  void pointHovered(const QString& text);  ///< empty for none
  void pointClicked(int point);
  void pointActivated(int point);  ///< by double click

 protected:
  [[nodiscard]] QString toolTipAt(const QPoint& place) const override;
  void keyPressEvent(QKeyEvent* event) override;
  void leave() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeCurves();
  void connectMouse();
  void applyTheme() override;
  void fill();
  void fillMeasured();
  void fitSource();
  void fillLabels();
  void fitValues();
  [[nodiscard]] bool isInView() const;
  [[nodiscard]] int pointAt(QPointF position) const;
  [[nodiscard]] int measuredAt(QPointF position) const;
  [[nodiscard]] QString textAt(QPointF position) const;
  void hover(int point);
  void tell(const QString& text);

  std::shared_ptr<const Sweep> m_sweep;
  const AtlasTable* m_table = nullptr;
  QString m_measuredTitle;
  QCPGraph* m_low;  // lower end of the best's interval
  QCPGraph* m_high;
  QCPGraph* m_measured;
  QCPGraph* m_latency;
  QCPGraph* m_bandwidth;
  QCPGraph* m_allReduce;
  QCPGraph* m_best;
  QCPGraph* m_mark;
  QCPTextElement* m_source;
  CurveLabels* m_labels;
  QCPRange m_fitted;  // vertical range, until the user zooms or pans
  QPoint m_pressedAt;
  int m_hovered = -1;
  QString m_reported;
  bool m_parts = false;
  bool m_stale = false;
  bool m_isLow = false;
};

}  // namespace p2::views
