// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "views/shell/derived.h"
#include "views/shell/step_planner.h"
#include "whatif/what_if.h"

namespace p2::views {

/// Points that a running job has found. Any thread may call it.
class PointsSoFar {
 public:
  void add(WhatIfPoint point);
  [[nodiscard]] std::vector<WhatIfPoint> points() const;

 private:
  mutable std::mutex m_mutex;
  std::vector<WhatIfPoint> m_points;
};

/// Changes of the question of an answer, for the shown configuration.
struct WhatIfQuestion {
  std::shared_ptr<const PlannerAnswer> answer;
  ChosenConfiguration chosen;
  std::vector<WhatIfChange> changes;
  bool findsBest = false;
  bool findsFaster = false;                 ///< nearby, for the best
  std::shared_ptr<PointsSoFar> soFar = {};  ///< gets every point as it is found; no part of the question
  friend bool operator==(const WhatIfQuestion& a, const WhatIfQuestion& b) {
    return a.answer == b.answer && a.chosen == b.chosen && a.changes == b.changes && a.findsBest == b.findsBest &&
           a.findsFaster == b.findsFaster;
  }
};

/// Whether the batch does not divide by the odd factors of the number of devices after a change.
[[nodiscard]] bool hasOddDevices(const TrainingQuestion& question, const WhatIfChange& change);

/// One point for each change, in their order. Errors: of whatIf() and findBest().
[[nodiscard]] Result<std::vector<WhatIfPoint>> pointsOf(const WhatIfQuestion& question, const std::stop_token& stop,
                                                        const Progress& progress);

/// The document with the machine and the training settings of a change. `kept`: the configuration after the change, if
/// it runs there; it is chosen where the change alters it. Errors: the change.
[[nodiscard]] Result<Workspace> adopted(const Workspace& workspace, const TrainingQuestion& question,
                                        const WhatIfChange& change, const PlannedConfiguration* kept);

}  // namespace p2::views
