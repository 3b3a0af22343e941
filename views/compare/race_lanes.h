// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <array>

#include "views/compare/race.h"

namespace p2::views {

/// Two programs over true time, a lane each: steps as wide as they take long, how far each has come, and a flag where
/// it arrives.
class RaceLanes : public QWidget {
  Q_OBJECT
 public:
  struct Lane {
    QString name;       ///< "A"
    QStringList steps;  ///< "RS", as far as they can run
    std::vector<double> seconds;
    bool arrives = true;  ///< at its goal
  };
  explicit RaceLanes(QWidget* parent = nullptr);

  void setLanes(Lane a, Lane b);
  /// The true seconds that each has run.
  void setSeconds(double a, double b);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] int laneHeight() const;
  void paintLane(QPainter& painter, const Lane& lane, double seconds, const QRectF& rect, double whole) const;

  std::array<Lane, 2> m_lanes;
  std::array<double, 2> m_seconds{};
};

}  // namespace p2::views
