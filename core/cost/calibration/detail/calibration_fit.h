// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost.
#pragma once

#include <limits>
#include <stop_token>
#include <vector>

#include "cost/calibration/detail/calibration_rows.h"

namespace p2::inline cost {

/// One fit of the figures to some of the rows; calibrate() says how.
class CalibrationFit {
 public:
  /// The rows must outlive it.
  CalibrationFit(const CalibrationRows& rows, CalibrationRows::List list, std::stop_token stop);

  [[nodiscard]] Figures best();

 private:
  [[nodiscard]] double loss(const Figures& figures, const std::vector<double>& seconds) const;
  [[nodiscard]] double profiledLoss(const Figures& figures) const;
  void descend(Figures figures);
  void descendFromElsewhere();
  [[nodiscard]] Figures simplified(Figures figures, double loss) const;
  [[nodiscard]] Figures solved(const Figures& figures) const;

  const CalibrationRows& m_rows;
  CalibrationRows::List m_list;
  std::stop_token m_stop;
  Figures m_nominal;
  std::vector<TimeProfile> m_profiles;
  Figures m_best;
  double m_leastLoss = std::numeric_limits<double>::infinity();
};

}  // namespace p2::inline cost
