// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <array>

class QCPAxis;
class QCustomPlot;

namespace p2::views {

/// Cuts the labels of a plot's axes short, with dots, while they are painted longer than the plot: they would run into
/// what stands next to it. At all other times the axes have their whole labels.
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
