// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "timeline/step_timeline.h"
#include "views/common/accessible_items.h"
#include "views/common/view_figure.h"

namespace p2::views {

/// Bars from the time at the peak to the predicted step, each beginning where the one above ends. A part is chosen by
/// mouse or arrow keys.
class WaterfallView : public QWidget, public AccessibleItems {
  Q_OBJECT
 public:
  explicit WaterfallView(QWidget* parent = nullptr);

  void setBars(std::vector<WaterfallBar> bars);
  void setStale(bool stale);
  [[nodiscard]] const std::vector<WaterfallBar>& bars() const { return m_bars; }
  [[nodiscard]] int chosen() const { return m_chosen; }
  /// −1 for none.
  void choose(int bar);
  [[nodiscard]] QString textOf(int bar) const;
  /// All bars without a chosen one, for a figure.
  [[nodiscard]] ViewPicture picture() const;

  [[nodiscard]] int itemCount() const override { return int(m_bars.size()); }
  [[nodiscard]] AccessibleItem itemAt(int index) const override;
  [[nodiscard]] int focusedItem() const override { return m_chosen; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void chosenChanged();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] double lineHeight() const;
  [[nodiscard]] double leastRowHeight() const;
  [[nodiscard]] QRectF rectOf(int bar) const;
  [[nodiscard]] int barAt(QPointF point) const;
  void paintBar(QPainter& painter, int bar) const;
  void paint(QPainter& painter) const;

  std::vector<WaterfallBar> m_bars;
  int m_chosen = -1;
  bool m_stale = false;
};

}  // namespace p2::views
