// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_problems.h"

#include <QRegularExpression>
#include <algorithm>

#include "views/common/theme.h"
#include "views/system/system_edits.h"

namespace p2::views {
namespace {

using Kind = SystemPart::Kind;

constexpr int kMostRows = 3;  // in sight

/// Where in a sentence a name stands as a word of its own; −1 if it does not.
qsizetype mentionOf(const std::string& name, const QString& sentence) {
  if (name.empty()) return -1;
  const QRegularExpression word(
      QStringLiteral("(?<![\\w-])%1(?![\\w-])").arg(QRegularExpression::escape(QString::fromStdString(name))));
  return sentence.indexOf(word);
}

/// The level or network a sentence mentions first, which is what it is about.
std::optional<SystemPart> partIn(const System& system, const QString& sentence) {
  std::optional<SystemPart> found;
  qsizetype earliest = sentence.size();
  const auto consider = [&](const std::string& name, SystemPart part) {
    const qsizetype at = mentionOf(name, sentence);
    if (at < 0 || at >= earliest) return;
    earliest = at;
    found = std::move(part);
  };
  for (int i = 0; i < int(system.networks.size()); ++i) {
    consider(system.networks[std::size_t(i)].interconnect.name, {Kind::Network, i});
  }
  for (int i = 0; i < int(system.levels.size()); ++i) {
    consider(system.levels[std::size_t(i)].name, {Kind::Level, i});
  }
  return found;
}

}  // namespace

std::vector<SystemProblem> problemsOf(const System& system, const std::optional<Error>& known) {
  std::vector<SystemProblem> problems;
  const auto add = [&](const Error& error) {
    const QString sentence = QString::fromStdString(error.text());
    const bool listed = std::any_of(problems.begin(), problems.end(),
                                    [&](const SystemProblem& problem) { return problem.sentence == sentence; });
    if (!listed) problems.push_back({sentence, partIn(system, sentence)});
  };
  if (const auto levels = checkLevels(system); !levels.ok()) add(levels.error());
  if (known) add(*known);
  return problems;
}

ProblemList::ProblemList(QWidget* parent) : QListWidget(parent) {
  setObjectName(QStringLiteral("systemProblems"));
  setAccessibleName(tr("What is wrong with the system"));
  setToolTip(tr("Click to go to the place (Enter)"));
  setWordWrap(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  hide();
  const auto go = [this](QListWidgetItem* item) {
    const SystemProblem& problem = m_problems[std::size_t(row(item))];
    if (problem.part) emit placeWanted(SystemPart(*problem.part));
  };
  connect(this, &QListWidget::itemClicked, this, go);
  connect(this, &QListWidget::itemActivated, this, go);
}

void ProblemList::setProblems(std::vector<SystemProblem> problems) {
  m_problems = std::move(problems);
  clear();
  for (const SystemProblem& problem : m_problems) {
    auto* item = new QListWidgetItem(QStringLiteral("✗ ") + problem.sentence, this);
    item->setForeground(Theme::bad());
  }
  setVisible(!m_problems.empty());
  const int rows = std::min(count() + 1, kMostRows);
  setFixedHeight(rows * (fontMetrics().lineSpacing() + Theme::kGrid) + 2 * frameWidth());
}

}  // namespace p2::views
