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

QStringList noViews() { return {}; }
QStringList costViews() { return {"showBySizeAction", "showMapAction"}; }
QStringList workloadViews() { return {"showRankingAction", "showTradeoffAction", "showBreakEvensAction"}; }
QStringList lessonViews() { return {"lessonListAction"}; }

template <class T>
constexpr PerspectiveRow row(QStringList (*views)() = noViews) {
  return {T::face, [](views::Session& session) -> views::Perspective* { return new T(session); }, views};
}

views::Perspective* makeStart(views::Session& session) {
  return new views::StartPerspective(session, views::systemSketch);
}

constexpr PerspectiveRow kPerspectives[] = {
    row<views::SystemPerspective>(),
    row<views::PlacementPerspective>(),
    row<views::ProgramPerspective>(),
    row<views::CostPerspective>(costViews),
    row<views::WorkloadPerspective>(workloadViews),
    row<views::StrategyPerspective>(),
    row<views::RunsPerspective>(),
    row<views::LessonPerspective>(lessonViews),
    {views::StartPerspective::face, makeStart, noViews},
};

}  // namespace

std::span<const PerspectiveRow> perspectives() { return kPerspectives; }

void addPerspectives(views::PerspectiveStack& stack, views::PerspectiveBar& bar, views::Session& session) {
  for (const PerspectiveRow& row : kPerspectives) {
    stack.add(row.face(), [&session, make = row.make] { return make(session); });
    bar.add(row.face());
  }
}

}  // namespace p2::explorer
