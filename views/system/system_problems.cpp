// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_problems.h"

#include <algorithm>

#include "system/interconnects.h"
#include "system/part_states.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/system/system_edits.h"

namespace p2::views {
namespace {

using Kind = SystemPart::Kind;

constexpr int kMostRows = 3;  // in sight

/// The problem of an error, at the part that its place names.
SystemProblem problemOf(const System& system, const Error& error, bool note = false) {
  SystemProblem problem{qs(error.text()), {}, {}, note};
  const auto faulty = faultyPart(error);
  if (!faulty) return problem;
  const bool ofLink = faulty->kind == Kind::Interconnect;
  // An interconnect of a level is edited with the level, which is drawn in any case.
  const SystemPart part{ofLink ? Kind::Level : faulty->kind, int(faulty->index)};
  if (!isPartOf(system, part)) return problem;
  problem.part = part;
  problem.property = ofLink && faulty->property == "name" ? QStringLiteral("network") : qs(faulty->property);
  return problem;
}

}  // namespace

std::vector<SystemProblem> problemsOf(const System& system, const std::optional<Error>& known) {
  std::vector<SystemProblem> problems;
  const auto add = [&](SystemProblem problem) {
    const bool listed = std::any_of(problems.begin(), problems.end(),
                                    [&](const SystemProblem& other) { return problem.sentence == other.sentence; });
    if (!listed) problems.push_back(std::move(problem));
  };
  if (const auto levels = checkLevels(system); !levels.ok()) add(problemOf(system, levels.error()));
  if (known) add(problemOf(system, *known));
  if (const auto note = assumedFigures(system)) {
    add(problemOf(system, Error{note->sentence}.about(note->part), true));
  }
  if (const std::string states = describeStates(system); !states.empty()) {
    add(problemOf(system, Error{"down, slow or shared: " + states}, true));
  }
  for (const SystemNote& note : notesOn(system)) add(problemOf(system, Error{note.sentence}.about(note.part), true));
  return problems;
}

ProblemList::ProblemList(QWidget* parent) : QListWidget(parent) {
  setObjectName(QStringLiteral("systemProblems"));
  setAccessibleName(tr("Problems and notes of the system"));
  setToolTip(tr("Click to go there (Enter)"));
  setWordWrap(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  hide();
  const auto go = [this](QListWidgetItem* item) {
    // A copy: going there can change the list.
    const SystemProblem wanted = m_problems[std::size_t(row(item))];
    if (wanted.part) emit placeWanted(*wanted.part, wanted.property);
  };
  connect(this, &QListWidget::itemClicked, this, go);
  connect(this, &QListWidget::itemActivated, this, go);
}

void ProblemList::setProblems(std::vector<SystemProblem> problems) {
  m_problems = std::move(problems);
  clear();
  for (const SystemProblem& problem : m_problems) {
    auto* item =
        new QListWidgetItem((problem.note ? QStringLiteral("ℹ ") : QStringLiteral("✗ ")) + problem.sentence, this);
    if (!problem.note) item->setForeground(Theme::bad());
  }
  setVisible(!m_problems.empty());
  const int rows = std::min(count() + 1, kMostRows);
  setFixedHeight(rows * (fontMetrics().lineSpacing() + Theme::kGrid) + 2 * frameWidth());
}

}  // namespace p2::views
