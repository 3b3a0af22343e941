// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/choreography.h"

#include <algorithm>

namespace p2::views {

double eased(double share) {
  const double x = std::clamp(share, 0.0, 1.0);
  return x * x * (3 - 2 * x);
}

double placeOf(const Flight& flight, double progress) {
  return flight.end <= flight.start ? double(progress >= flight.end)
                                    : eased((progress - flight.start) / (flight.end - flight.start));
}

std::string Choreography::shortManner() const {
  const std::string name = manner.substr(0, manner.find(": "));
  return name.find('(') == std::string::npos || name.ends_with(')') ? name : name + ")";
}

double Choreography::merged(double progress) const {
  return failsAt ? 0 : eased((progress - mergeFrom) / (mergeTo - mergeFrom));
}

double Choreography::dropped(double progress) const {
  return failsAt ? 0 : eased((progress - mergeTo) / (dropTo - mergeTo));
}

double Choreography::announcement(double progress) const { return eased(progress / announced); }

double Choreography::spotlight(double progress) const {
  constexpr double kFade = StepMotion::kFade;
  if (leadTo <= announced) return 0;
  return eased((progress - announced + kFade) / kFade) * (1 - eased((progress - leadTo) / kFade));
}

}  // namespace p2::views
