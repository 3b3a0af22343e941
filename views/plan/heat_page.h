// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/plan/heat_model.h"
#include "views/shell/derived.h"
#include "views/shell/step_planner.h"

class QComboBox;
class QLabel;
class QTableView;

namespace p2::views {

/// The best step time over two degrees, as a map. Another pair than tp × pp is searched in a job.
class HeatPage : public QWidget {
  Q_OBJECT
 public:
  explicit HeatPage(JobQueue& jobs, QWidget* parent = nullptr);

  /// Configurations that the filter does not let through are left out.
  void setAnswer(std::shared_ptr<const PlannerAnswer> found, const PlanFilter& filter, bool stale);
  /// Marks the cell of a configuration; null for none.
  void setShown(const PlannedConfiguration* planned);
  [[nodiscard]] const HeatModel& model() const { return m_model; }

 signals:
  void chosen(const PlannedConfiguration& planned);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  using Rows = std::vector<PlannedConfiguration>;
  struct Question {
    std::shared_ptr<const PlannerAnswer> of;  ///< without a filter
    bool filtered = false;                    ///< also the best that pass each filter, which take as long again
    friend bool operator==(const Question&, const Question&) = default;
  };
  [[nodiscard]] static Result<Rows> withEveryMicrobatch(const Question& asked, std::stop_token stop,
                                                        const Progress& progress);
  void fill();
  [[nodiscard]] Rows passing(const Rows& rows) const;
  void markShown();

  std::shared_ptr<const PlannerAnswer> m_found;
  PlanFilter m_filter;
  std::optional<PlannedConfiguration> m_shown;
  HeatModel m_model;
  QComboBox* m_axes;
  QTableView* m_table;
  QLabel* m_note;
  Derived<Question, Rows> m_microbatches;
  bool m_stale = false;
  bool m_syncing = false;
};

}  // namespace p2::views
