// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"
#include "workspace/presets.h"

namespace p2::test {

/// 4 nodes of 16 A100, data 8 and shards 4 reduced, model 2: the system of the bundled example.
inline Workspace exampleWorkspace() {
  Workspace workspace;
  workspace.system = presetSystem("gcp-a100", 4).value();
  workspace.axes = {{"data", 8, true}, {"model", 2, false}, {"shards", 4, true}};
  return workspace;
}

/// The same with a placement and a program of three steps chosen.
inline Workspace chosenWorkspace() {
  Workspace workspace = exampleWorkspace();
  workspace.matrix = parseMatrix("[[2,4],[1,2],[2,2]]").value();
  workspace.program = "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";
  return workspace;
}

}  // namespace p2::test
