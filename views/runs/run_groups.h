// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "views/runs/run_record_row.h"

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

}  // namespace p2::views
