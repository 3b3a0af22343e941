// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "system/system.h"

namespace p2::views {

/// A changed system, and a sentence about the bandwidths above the nodes that depend on the change; empty for none.
struct KeptSums {
  System system;
  QString stated;
};

/// Keeps sums after a change of counts, instances or members: as many rails as a node has cards, and the
/// oversubscription of ports above the nodes, whose bandwidth follows. After a change of a bandwidth all others stay,
/// and the sentence has the new oversubscription: "The oversubscription of spine is now 4:1 (2:1 before)".
[[nodiscard]] KeptSums withSumsKept(const System& before, System after);

/// "spine now has 400 GB/s per port and stays 2:1." for every bandwidth above the nodes that has followed a change.
[[nodiscard]] QString followedText(const System& before, const System& after);

}  // namespace p2::views
