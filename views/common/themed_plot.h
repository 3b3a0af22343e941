// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace p2::views {

/// A plot in the theme's colours that describes the places under the pointer.
class ThemedPlot : public QCustomPlot {
 public:
  using QCustomPlot::QCustomPlot;

 protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void leaveEvent(QEvent* event) override;

  /// Called for every change of palette or font.
  virtual void applyTheme() = 0;
  /// Text of the tooltip at a place, empty for none; by default the plot's toolTip().
  [[nodiscard]] virtual QString toolTipAt(const QPoint& /*place*/) const { return toolTip(); }
  /// The pointer has left the plot.
  virtual void leave() {}
};

}  // namespace p2::views
