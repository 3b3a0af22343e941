// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/perspectives.h"

#include <QCoreApplication>
#include <utility>

#include "views/cost/cost_perspective.h"
#include "views/lesson/lesson_perspective.h"
#include "views/model/model_perspective.h"
#include "views/placement/placement_perspective.h"
#include "views/plan/plan_perspective.h"
#include "views/program/program_perspective.h"
#include "views/runs/runs_perspective.h"
#include "views/shell/perspective_bar.h"
#include "views/shell/perspective_stack.h"
#include "views/shell/session.h"
#include "views/start/start_perspective.h"
#include "views/strategy/strategy_perspective.h"
#include "views/system/drawing_export.h"
#include "views/system/system_perspective.h"
#include "views/use/use_perspective.h"
#include "views/whatif/what_if_perspective.h"
#include "views/why/why_perspective.h"
#include "views/workload/workload_perspective.h"

namespace p2::explorer {
namespace {

QStringList noViews() { return {}; }
QStringList costViews() { return {"showBySizeAction", "showMapAction"}; }
QStringList workloadViews() { return {"showRankingAction", "showTradeoffAction", "showBreakEvensAction"}; }
QStringList lessonViews() { return {"lessonListAction"}; }

QStringList planViews() { return {"showPlanMapAction", "showPlanScatterAction"}; }

QStringList whyViews() { return {"whyMachineAction", "whyMemoryAction"}; }

constexpr const char* kCollectives = "collectives";

struct Place {
  const char* key;
  const char* group = "";
  bool separated = false;
};

template <class T>
constexpr PerspectiveRow row(Place place, QStringList (*views)() = noViews) {
  return {T::face,   [](views::Session& session) -> views::Perspective* { return new T(session); },
          views,     place.group,
          place.key, place.separated};
}

views::Perspective* makeStart(views::Session& session) {
  return new views::StartPerspective(session, views::systemSketch);
}

constexpr PerspectiveRow kPerspectives[] = {
    row<views::SystemPerspective>({"Ctrl+1"}),
    row<views::ModelPerspective>({"Ctrl+2"}),
    row<views::PlanPerspective>({"Ctrl+3"}, planViews),
    row<views::WhyPerspective>({"Ctrl+4"}, whyViews),
    row<views::WhatIfPerspective>({"Ctrl+5"}),
    row<views::UsePerspective>({"Ctrl+6"}),
    row<views::PlacementPerspective>({"Ctrl+7", kCollectives, true}),
    row<views::ProgramPerspective>({"Ctrl+8", kCollectives}),
    row<views::CostPerspective>({"Ctrl+9", kCollectives}, costViews),
    row<views::WorkloadPerspective>({"Ctrl+Shift+W", kCollectives}, workloadViews),
    row<views::StrategyPerspective>({"Ctrl+Shift+G"}),
    row<views::RunsPerspective>({"Ctrl+Shift+R", "", true}),
    row<views::LessonPerspective>({"Ctrl+Shift+L"}, lessonViews),
    {views::StartPerspective::face, makeStart, noViews, "", "Alt+Home"},
};

}  // namespace

std::span<const PerspectiveRow> perspectives() { return kPerspectives; }

void addPerspectives(views::PerspectiveStack& stack, views::PerspectiveBar& bar, views::Session& session) {
  bool grouped = false;
  for (const PerspectiveRow& row : kPerspectives) {
    if (!std::exchange(grouped, grouped || *row.group != '\0') && *row.group != '\0') {
      bar.addGroup({kCollectives, QCoreApplication::translate("PerspectiveBar", "Collectives"), "collectives"}, true);
    }
    stack.add(row.face(), [&session, make = row.make] { return make(session); });
    bar.add(row.face(), {row.group, row.key, row.separated && *row.group == '\0'});
  }
}

}  // namespace p2::explorer
