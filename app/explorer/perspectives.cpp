// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/perspectives.h"

#include "views/cost/cost_perspective.h"
#include "views/lesson/lesson_perspective.h"
#include "views/placement/placement_perspective.h"
#include "views/program/program_perspective.h"
#include "views/runs/runs_perspective.h"
#include "views/shell/perspective_bar.h"
#include "views/shell/perspective_stack.h"
#include "views/shell/session.h"
#include "views/start/start_perspective.h"
#include "views/strategy/strategy_perspective.h"
#include "views/system/drawing_export.h"
#include "views/system/system_perspective.h"
#include "views/workload/workload_perspective.h"

namespace p2::explorer {
namespace {

struct Row {
  views::PerspectiveFace (*face)();
  views::Perspective* (*make)(views::Session&);
};

template <class T>
constexpr Row row() {
  return {T::face, [](views::Session& session) -> views::Perspective* { return new T(session); }};
}

constexpr Row kPerspectives[] = {
    row<views::SystemPerspective>(),
    row<views::PlacementPerspective>(),
    row<views::ProgramPerspective>(),
    row<views::CostPerspective>(),
    row<views::WorkloadPerspective>(),
    row<views::StrategyPerspective>(),
    row<views::RunsPerspective>(),
    row<views::LessonPerspective>(),
    {views::StartPerspective::face,
     [](views::Session& session) -> views::Perspective* {
       return new views::StartPerspective(session, views::systemSketch);
     }},
};

}  // namespace

void addPerspectives(views::PerspectiveStack& stack, views::PerspectiveBar& bar, views::Session& session) {
  for (const Row& row : kPerspectives) {
    stack.add(row.face(), [&session, make = row.make] { return make(session); });
    bar.add(row.face());
  }
}

}  // namespace p2::explorer
