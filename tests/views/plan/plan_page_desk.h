// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <QTest>

#include "views/plan/plan_desk.h"
#include "views/plan/plan_model.h"

namespace p2::test {

/// The page Plan with its table at hand.
class PlanPageDesk : public TrainingDesk<views::PlanPerspective> {
 protected:
  PlanPageDesk() : TrainingDesk({1280, 760}) {}

  [[nodiscard]] QTableView& table() { return *find<QTableView>("planTable"); }
  [[nodiscard]] const views::PlanModel& model() { return *qobject_cast<views::PlanModel*>(table().model()); }
  [[nodiscard]] QPoint cellCentre(int row) { return table().visualRect(table().model()->index(row, 1)).center(); }
};

}  // namespace p2::test
