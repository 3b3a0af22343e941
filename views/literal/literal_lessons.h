// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "strategy/literal/literal_solver.h"

namespace p2::views {

/// A small graph on which the literal algorithm can be followed row by row.
struct LiteralLesson {
  QString name;  ///< name of its file in resources/lessons/literal, without suffix
  QString title;
  LiteralOptions::Ties ties = LiteralOptions::Ties::Arbitrary;  ///< with which it shows its subject
  std::uint64_t seed = 0;                                       ///< of arbitrary ones
};

/// The lessons of resources/lessons/literal by the names of their files. A file is a problem as
/// strategyProblemFromJson() reads it, with "lesson": {"title": …, "ties": "arbitrary" or "lowest", "seed": …} added.
[[nodiscard]] const std::vector<LiteralLesson>& literalLessons();
/// The graph of the lesson of that name. Errors: there is none.
[[nodiscard]] Result<StrategyProblem> readLesson(const QString& name);

}  // namespace p2::views
