// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <array>

class QCPAxis;
class QCustomPlot;

namespace p2::views {

/// Shortens the axis labels of a plot while it is painted, if they are longer than the plot and would overlap its
/// neighbours: parentheses go first, then the end. The stored labels stay complete.
class AxisLabels : public QObject {
  Q_OBJECT
 public:
  explicit AxisLabels(QCustomPlot& plot);

 private:
  [[nodiscard]] std::array<QCPAxis*, 2> axes() const;
  void shorten();
  void restore();

  QCustomPlot& m_plot;
  std::array<QString, 2> m_whole;
};

}  // namespace p2::views
