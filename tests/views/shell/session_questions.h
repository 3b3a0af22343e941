// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/shell/examples.h"
#include "views/shell/session.h"

namespace p2::test {

inline Workspace example(const char* name) { return views::readExample(name).value(); }

/// The example as its author left it before looking at any answer.
inline Workspace withoutChoice(const char* name) {
  Workspace workspace = example(name);
  workspace.matrix = {};
  workspace.program.clear();
  return workspace;
}

inline Workspace withBytes(Workspace workspace, double bytes) {
  workspace.options.cost.bytes = Bytes(bytes);
  return workspace;
}

inline std::string selectedProgram(const views::Session& session) {
  return programText(*session.placement()->hierarchy, session.program()->program);
}

}  // namespace p2::test
