// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QString>
#include <vector>

#include "views/runs/run_record_row.h"

class QHBoxLayout;
class QLabel;

namespace p2::views {

/// Comparable runs: one system with the same figures, one size, one backend on one target, all with steps that overlap
/// or none. Runs from before and after a fit have predictions of different systems.
struct RunGroup {
  QString system;
  Bytes bytes;
  QString backend;
  QString target;
  bool overlaps = false;
  bool fitted = false;       ///< predicted with fitted figures
  std::vector<RunRow> rows;  ///< all with a right result and a prediction

  /// "gcp-a100:4 · 1 MiB · mpi on local · overlapping".
  [[nodiscard]] QString title() const;
  /// Errors of the predictions and quality of their ranking in one line; with a single run, a hint to run a second.
  [[nodiscard]] QString quality() const;
};

/// Groups in the order in which their first runs come; runs without a right result or a prediction are left out.
/// O(runs · log groups).
[[nodiscard]] std::vector<RunGroup> groupsOf(const std::vector<RunRow>& rows);

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
