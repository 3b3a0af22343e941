// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "synthesis/execution.h"

namespace p2::inline synthesis {

/// A loss that puts a goal out of reach for good.
struct LostPart {
  enum class Kind {
    Missing,   ///< `contributor`'s contribution to `chunk` never arrives at `device`
    TooMuch,   ///< `device` keeps more than it is to end with
    Together,  ///< every part can still arrive somewhere, but never all of them in one program
  };
  Kind kind = Kind::Together;
  Device device;
  int chunk = 0;
  Device contributor;
  std::string sentence;  ///< "no further step brings device 5's contribution to chunk 0 of device 0"
  friend bool operator==(const LostPart&, const LostPart&) = default;
};

/// Why no further step leads from the end of `program` to the goal, given that none does.
/// Instructions only distinguish on which levels a device is first. So the program is followed
/// on the smallest hierarchy with the same number of levels, two devices on each, through every
/// state it can still reach; a part missing or superfluous in all of these stays so, and stands
/// for the device of the real hierarchy that is last on the levels on which it is not first.
/// Only the first and the last chunk are compared: the holders of the others depend on the
/// sizes. For hierarchies of up to three levels and kind ReductionAxes; beyond, for too many
/// states, and after a stop request, the kind is Together. O(states of the small hierarchy that
/// can follow).
[[nodiscard]] LostPart lostPartAfter(const Placement& placement, const SynthesisHierarchy& hierarchy,
                                     const Program& program, RuleSet rules, const Goal& goal = kAllReduceGoal,
                                     const std::stop_token& stop = {});

}  // namespace p2::inline synthesis
