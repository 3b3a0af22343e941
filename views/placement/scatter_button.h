// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>
#include <vector>

#include "placement/axis.h"

namespace p2::views {

/// Over which of the axes that are reduced over a ReduceScatter scatters its sum: a menu of them, each to be ticked.
/// Along the others the sum is replicated, as the gradients of hybrid sharding (HSDP) are. At least one stays ticked.
class ScatterButton : public QToolButton {
  Q_OBJECT
 public:
  explicit ScatterButton(QWidget* parent = nullptr);

  /// Shows what is chosen of these axes. Only those of size 2 or more that are reduced over are offered, and there is
  /// nothing to choose of one alone.
  void showAxes(const std::vector<Axis>& axes);

 signals:
  void chosen(const QString& what, const std::vector<p2::Axis>& axes);

 private:
  void toggle(std::size_t axis);

  std::vector<Axis> m_axes;
};

}  // namespace p2::views
