// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/achieved.h"

namespace p2::inline synthesis {

std::string achievedOn(const SynthesisHierarchy& hierarchy, const Goal& goal) {
  std::string achieved(goal.achieved);
  if (!hierarchy.outsideDigits().empty() && goal.achieved.ends_with("sum")) achieved += " of its group";
  return achieved;
}

}  // namespace p2::inline synthesis
