// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/calibration/calibration.h"
#include "views/system/text_rows_model.h"

namespace p2::views {

/// The parameters of the nccl model after calibration: parameter, nominal, fitted, remaining uncertainty, determined by
/// these measurements; determined ones first.
[[nodiscard]] std::vector<TableColumn> parameterColumns();
[[nodiscard]] std::vector<QStringList> parameterRows(const Calibration& calibration);

/// Median errors by size: sizes, rows, nominal, fitted, held out.
[[nodiscard]] std::vector<TableColumn> bandColumns();
[[nodiscard]] std::vector<QStringList> bandRows(const Calibration& calibration);

/// The ranges that predictions have from then on: steps, range, rows.
[[nodiscard]] std::vector<TableColumn> rangeColumns();
[[nodiscard]] std::vector<QStringList> rangeRows(const Calibration& calibration);

}  // namespace p2::views
