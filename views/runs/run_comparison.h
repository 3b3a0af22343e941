// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <vector>

#include "views/runs/run_groups.h"

class QHBoxLayout;
class QLabel;

namespace p2::views {

class ComparisonPlot;

/// Measured against predicted times, group by group: a chart each and a line of figures. A group has one system, size,
/// backend and target.
class RunComparison : public QScrollArea {
  Q_OBJECT
 public:
  /// More runs would be indistinguishable and slow to draw.
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostGroups = 8;

  explicit RunComparison(QWidget* parent = nullptr);
  /// Compares the first kMost of `of` runs. `marked` is the id of a highlighted run, or −1.
  void show(std::vector<RunRow> rows, std::size_t of, qint64 marked);

 signals:
  void runClicked(qint64 id);

 private:
  struct Panel {
    QWidget* widget = nullptr;
    QLabel* title = nullptr;
    ComparisonPlot* plot = nullptr;
    QLabel* quality = nullptr;
  };
  void addPanel();

  std::vector<Panel> m_panels;
  QHBoxLayout* m_row = nullptr;
  QLabel* m_note = nullptr;
};

}  // namespace p2::views
