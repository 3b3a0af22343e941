// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/runs/run_record_row.h"

class QLabel;

namespace p2::views {

class ComparisonPlot;

/// What was measured beside what was predicted, drawn and in one line of figures.
class RunComparison : public QWidget {
  Q_OBJECT
 public:
  /// More runs are too many to be told apart, and too many to draw on the way.
  static constexpr std::size_t kMost = 1000;

  explicit RunComparison(QWidget* parent = nullptr);
  /// Compares runs, of which the first kMost are taken; `of` is how many there are. One of them is marked; −1 for none.
  void show(std::vector<RunRow> rows, std::size_t of, qint64 marked);

 signals:
  void runClicked(qint64 id);

 private:
  ComparisonPlot* m_plot = nullptr;
  QLabel* m_quality = nullptr;
};

}  // namespace p2::views
