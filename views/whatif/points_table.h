// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace p2::views {

class PointsModel;

/// Points of a change, one a row. A table too narrow for the best plan hides devices and the price and energy of a
/// token.
class PointsTable : public QTableView {
  Q_OBJECT
 public:
  explicit PointsTable(PointsModel& model, QWidget* parent = nullptr);

  /// Shows the price of a token in a table wide enough for it.
  void setPriced(bool priced);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void fit();

  bool m_priced = false;
};

}  // namespace p2::views
