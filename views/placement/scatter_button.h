// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>
#include <vector>

#include "placement/axis.h"

namespace p2::views {

/// A menu of the reduced axes over which a ReduceScatter scatters its sum. Along unticked axes the sum is replicated,
/// as in hybrid sharding (HSDP). At least one stays ticked.
class ScatterButton : public QToolButton {
  Q_OBJECT
 public:
  explicit ScatterButton(QWidget* parent = nullptr);

  /// Shows the choice for these axes. Only reduced axes of size 2 or more are offered; with a single one there is no
  /// choice.
  void showAxes(const std::vector<Axis>& axes);

 signals:
  void chosen(const QString& what, const std::vector<p2::Axis>& axes);

 private:
  void toggle(std::size_t axis);

  std::vector<Axis> m_axes;
};

}  // namespace p2::views
