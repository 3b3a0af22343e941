// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/perspectives.h"

#include "views/cost/cost_perspective.h"
#include "views/placement/placement_perspective.h"
#include "views/program/program_perspective.h"
#include "views/runs/runs_perspective.h"
#include "views/shell/perspective_bar.h"
#include "views/shell/perspective_stack.h"
#include "views/shell/session.h"
#include "views/strategy/strategy_perspective.h"
#include "views/system/system_perspective.h"

namespace p2::explorer {
namespace {

template <class T>
views::PerspectiveStack::Factory making(views::Session& session) {
  return [&session] { return new T(session); };
}

}  // namespace

void addPerspectives(views::PerspectiveStack& stack, views::PerspectiveBar& bar, views::Session& session) {
  const auto add = [&](const QString& title, const QString& icon, views::PerspectiveStack::Factory factory) {
    stack.add(title, std::move(factory));
    bar.add(title, icon);
  };
  add("System", "system", making<views::SystemPerspective>(session));
  add("Placements", "placement", making<views::PlacementPerspective>(session));
  add("Programs", "program", making<views::ProgramPerspective>(session));
  add("Costs", "cost", making<views::CostPerspective>(session));
  add("Strategy", "strategy", making<views::StrategyPerspective>(session));
  add("Runs", "run", making<views::RunsPerspective>(session));
}

}  // namespace p2::explorer
