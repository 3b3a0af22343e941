// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/app/cli/run_p2.h"

namespace p2::test {

/// A system, its axes and what is reduced, as commands take them: 5 placements, 235 programs.
inline QStringList exampleRequest() {
  return {"gcp-a100:4", "--axes", "data=8,model=2,shards=4", "--reduce", "data,shards"};
}
/// One of its placements.
inline QStringList exampleMatrix() { return {"--matrix", "[[2,4],[2,1],[1,4]]"}; }
/// A command about it.
inline QStringList aboutExample(const char* command, const QStringList& more) {
  return QStringList{command} + exampleRequest() + more;
}

}  // namespace p2::test
