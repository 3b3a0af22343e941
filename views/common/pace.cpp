// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/pace.h"

#include <algorithm>
#include <cmath>

#include "views/common/timeline.h"

namespace p2::views {

std::vector<double> paceOfCosts(const std::vector<double>& seconds, PaceScale scale) {
  double least = 0;
  double whole = 0;
  int priced = 0;
  for (const double each : seconds) {
    if (!(each > 0)) continue;
    least = least > 0 ? std::min(least, each) : each;
    whole += each;
    ++priced;
  }
  std::vector<double> pace;
  for (const double each : seconds) {
    if (!(each > 0)) {
      pace.push_back(Timeline::kStepSeconds);
    } else if (scale == PaceScale::True) {
      pace.push_back(kTruePace * priced * each / whole);
    } else {
      pace.push_back(std::min(kMostPace, kLeastPace + kPacePerDecade * std::log10(each / least)));
    }
  }
  return pace;
}

}  // namespace p2::views
