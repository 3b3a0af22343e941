// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/what_if_points.h"

#include "training_answer/plan_hints.h"
#include "workspace/presets.h"

namespace p2::views {

void PointsSoFar::add(WhatIfPoint point) {
  const std::lock_guard lock(m_mutex);
  m_points.push_back(std::move(point));
}

std::vector<WhatIfPoint> PointsSoFar::points() const {
  const std::lock_guard lock(m_mutex);
  return m_points;
}

bool hasOddDevices(const TrainingQuestion& question, const WhatIfChange& change) {
  const auto changed = changedQuestion(question, change);
  return changed.ok() && dividingBatch(*changed).has_value();
}

Result<std::vector<WhatIfPoint>> pointsOf(const WhatIfQuestion& question, const std::stop_token& stop,
                                          const Progress& progress) {
  std::vector<WhatIfPoint> points;
  const TrainingQuestion& asked = question.answer->question;
  for (const WhatIfChange& change : question.changes) {
    P2_TRY_ASSIGN(auto point, whatIf(asked, question.chosen, change, stop));
    P2_TRY(question.findsBest ? findBest(point, asked, stop) : findFewerReplicas(point, asked, question.chosen, stop));
    if (question.findsFaster) P2_TRY(findFasterNearby(point, asked, stop));
    points.push_back(std::move(point));
    if (question.soFar) question.soFar->add(points.back());
    if (progress) progress(double(points.size()) / double(question.changes.size()));
  }
  return points;
}

Result<Workspace> adopted(const Workspace& workspace, const TrainingQuestion& question, const WhatIfChange& change,
                          const PlannedConfiguration* kept) {
  P2_TRY_ASSIGN(const auto changed, changedQuestion(question, change));
  System system = changed.system;
  const System& before = workspace.system;
  if (!(system == before) && system.name == before.name) system.name = editedName(before, system);
  Workspace next = withSystem(workspace, std::move(system));
  next.training.batch = changed.batch;
  next.training.sequence = changed.sequence;
  next.training.precision = nameOf(changed.precision);
  next.training.reserve = changed.reserve;
  if (change.framework != nullptr) {
    next.training.framework = change.framework->name;
    // A choice of another framework has no place in this one.
    if (kept == nullptr) next.training.chosen.reset();
  }
  const bool altersChoice = change.recomputation || (change.framework != nullptr && next.training.chosen);
  if (altersChoice && kept != nullptr) next.training.chosen = chosenFrom(*kept);
  return next;
}

}  // namespace p2::views
