// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <vector>

#include "views/runs/run_groups.h"

class QHBoxLayout;
class QLabel;

namespace p2::views {

class ComparisonPlot;

/// What was measured against what was predicted, group by group side by side: a chart each and a line of figures, which
/// never mix systems, sizes, backends or targets.
class RunComparison : public QScrollArea {
  Q_OBJECT
 public:
  /// More runs are too many to be told apart, and too many to draw on the way.
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostGroups = 8;

  explicit RunComparison(QWidget* parent = nullptr);
  /// Compares runs, of which the first kMost are taken; `of` is how many there are. One of them is marked; −1 for none.
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
