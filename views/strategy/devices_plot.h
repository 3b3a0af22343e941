// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "views/common/themed_plot.h"

namespace p2::views {

/// The cost of the best strategy and of data parallelism over the number of devices, both axes in powers of two.
class DevicesPlot : public ThemedPlot {
  Q_OBJECT
 public:
  struct Point {
    std::int64_t devices = 1;
    double best = 0;
    std::optional<double> dataParallel;
    friend bool operator==(const Point&, const Point&) = default;
  };

  explicit DevicesPlot(QWidget* parent = nullptr);

  /// The points so far, by ascending number of devices.
  void setPoints(std::vector<Point> points);
  void setStale(bool stale);
  [[nodiscard]] const std::vector<Point>& points() const { return m_points; }

 private:
  void applyTheme() override;
  void describe();

  QCPGraph* m_best;
  QCPGraph* m_data;
  std::vector<Point> m_points;
  bool m_stale = false;
};

}  // namespace p2::views
