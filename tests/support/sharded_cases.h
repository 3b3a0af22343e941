// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "placement/parallelism_matrix.h"
#include "support/fixtures.h"

namespace p2::test {

/// A placement of two axes that are both reduced over, one of them replicated.
struct ShardedCase {
  System system;
  Placement placement;
  SynthesisHierarchy hierarchy;
};

/// All of them on systems of up to so many devices and levels, the replicated axis first or last: one for every kind of
/// hierarchy, levels with factors of both axes included. Cut, those have at most `mostCut` levels.
inline std::vector<ShardedCase> shardedCases(std::int64_t mostDevices, std::size_t mostLevels, int mostCut) {
  std::vector<ShardedCase> cases;
  std::set<std::pair<std::vector<std::int64_t>, LevelSet>> met;
  for (const auto& counts : hierarchiesUpTo(mostDevices, mostLevels)) {
    const System system = systemOf(counts);
    for (std::int64_t replicas = 2; replicas < system.deviceCount(); ++replicas) {
      if (system.deviceCount() % replicas != 0) continue;
      for (const bool replicaFirst : {true, false}) {
        std::vector<Axis> axes{{"replica", replicas, true, true},
                               {"shard", system.deviceCount() / replicas, true, false}};
        if (!replicaFirst) std::swap(axes[0], axes[1]);
        MatrixEnumerator enumerator(sizesOf(axes), counts);
        while (enumerator.next()) {
          const Placement placement(axes, enumerator.matrix());
          SynthesisHierarchy hierarchy(system, placement);
          if (hierarchy.levelCount() > mostCut) continue;
          const bool isNew = met.emplace(hierarchy.sizes(), hierarchy.replicatedLevels()).second;
          if (isNew) cases.push_back({system, placement, std::move(hierarchy)});
        }
      }
    }
  }
  return cases;
}

}  // namespace p2::test
