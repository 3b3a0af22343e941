// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "explore/explore.h"
#include "support/fixtures.h"
#include "views/stage/replay.h"

namespace p2::test {

/// A program, or none, run on the only placement of a reduction over all devices.
inline std::shared_ptr<const views::Replay> replayOn(const std::string& system, const std::string& axes,
                                                     const std::string& matrix, const std::string& program) {
  ExploreScope scope;
  scope.programsPerPlacement = 1;
  const auto exploration = valueOf(exploreWorkspace(workspaceOf(system, axes, "data", matrix), scope, true));
  const Program parsed =
      program.empty() ? Program() : valueOf(parseProgram(*exploration->placements[0].hierarchy, program));
  return valueOf(views::makeReplay(*exploration, 0, parsed));
}

/// The same of any workspace with one placement.
inline std::shared_ptr<const views::Replay> replayOf(const Workspace& workspace, const std::string& program) {
  ExploreScope scope;
  scope.programsPerPlacement = 1;
  const auto exploration = valueOf(exploreWorkspace(workspace, scope));
  const Program parsed = valueOf(parseProgram(*exploration->placements[0].hierarchy, program));
  return valueOf(views::makeReplay(*exploration, 0, parsed));
}

/// The bytes of all flights of a motion whose way leads over a link.
inline double bytesOver(const views::Replay& replay, const views::Choreography& motion, LinkId link) {
  const Topology::LinkEnds ends = replay.topology->ends(link);
  double chunks = 0;
  for (const views::Flight& flight : motion.flights) {
    const std::vector<Place>& path = motion.paths[flight.path];
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (path[i - 1] == ends.from && path[i] == ends.to) chunks += flight.chunks;
    }
  }
  return chunks / double(replay.trace.chunks()) * replay.cost.bytes.value();
}

inline const std::string kScatteredProgram =
    "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";

/// Two nodes of four devices.
inline std::shared_ptr<const views::Replay> replayOfEight(const std::string& program = kScatteredProgram) {
  return replayOn("node:2 gpu:4", "data=8", "[[2,4]]", program);
}

}  // namespace p2::test
