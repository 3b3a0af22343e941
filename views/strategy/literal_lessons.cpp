// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/literal_lessons.h"

#include <QFile>

#include "graphs/strategy_json.h"

namespace p2::views {

const std::vector<LiteralLesson>& literalLessons() {
  static const std::vector<LiteralLesson> kLessons{
      {"chain", "Chain: arbitrary ties can lose the optimum", 0},
      {"cycle", "Cycle: arbitrary ties can lose every strategy", 30},
      {"diamond", "Diamond: two branches, no ties to lose", 0},
  };
  return kLessons;
}

Result<StrategyProblem> readLesson(const QString& name) {
  QFile file(":/p2/lessons/" + name + ".json");
  if (!file.open(QIODevice::ReadOnly)) {
    return Error{"there is no lesson called \"" + name.toStdString() + "\"; choose one from the list"};
  }
  return strategyProblemFromJson(file.readAll().toStdString());
}

}  // namespace p2::views
