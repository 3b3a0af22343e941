// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <optional>

#include "views/system/system_part.h"

namespace p2::views {

/// An error in a system, or a note about it, and its place.
struct SystemProblem {
  QString sentence;
  std::optional<SystemPart> part;
  QString property;   ///< the part's, as PartField::key; empty for the part as a whole
  bool note = false;  ///< it can be worked with all the same
};

/// The problems of the levels and all other known problems, each once; then notes for the user.
[[nodiscard]] std::vector<SystemProblem> problemsOf(const System& system, const std::optional<Error>& known);

/// The problems as a list; a click or Enter goes to the place. Hidden while there are none.
class ProblemList : public QListWidget {
  Q_OBJECT
 public:
  explicit ProblemList(QWidget* parent = nullptr);
  void setProblems(std::vector<SystemProblem> problems);

 signals:
  void placeWanted(const p2::views::SystemPart& part, const QString& property);

 private:
  std::vector<SystemProblem> m_problems;
};

}  // namespace p2::views
