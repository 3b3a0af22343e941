// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "cost/calibration/calibration.h"
#include "views/common/rows_model.h"

namespace p2::views {

/// Nominal and fitted figures, one interconnect per row, and below them one row for every cap that the measurements can
/// tell.
class CalibrationModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { Name, Bandwidth, FittedBandwidth, Latency, FittedLatency, Measurements };

  using RowsModel::RowsModel;
  void setFigures(std::vector<FittedInterconnect> interconnects, std::vector<FittedCap> caps);

 protected:
  [[nodiscard]] int count() const override { return int(m_interconnects.size() + m_caps.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;

 private:
  std::vector<FittedInterconnect> m_interconnects;
  std::vector<FittedCap> m_caps;
};

/// "median error 16.6 %, 12 of 20 within 25 %".
[[nodiscard]] QString errorText(const FitError& error);

}  // namespace p2::views
