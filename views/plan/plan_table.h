// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace p2::views {

class PlanModel;

/// The configurations of a PlanModel as rows. The bars of time take the width that the other columns leave.
class PlanTable : public QTableView {
  Q_OBJECT
 public:
  explicit PlanTable(PlanModel& model, QWidget* parent = nullptr);

  /// Fits widths and heights to the model's rows.
  void fit();
  /// Selects a row of the model; −1 for none.
  void showRow(int row);
  /// The selected row as text to the clipboard.
  void copyRow() const;

 signals:
  /// The user has chosen the configuration at that place of the answer.
  void placeChosen(int place);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fitDegrees();
  void fitTime();

  PlanModel& m_model;
  int m_degreesWidth = 0;  ///< that shows all degrees
  int m_batchWidth = 0;
  int m_leastTime = 0;  ///< width of the bars
  bool m_syncing = false;
};

}  // namespace p2::views
