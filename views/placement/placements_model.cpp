// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/placements_model.h"

#include <QStringList>
#include <cmath>
#include <utility>

#include "placement/placement_diff.h"
#include "views/common/program_notation.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/placement/split_text.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

QString bestTitle(const PlacementResult& placement) {
  return placement.programs.empty() ? QString()
                                    : shortProgramNotation(*placement.hierarchy, placement.programs[0].program);
}

/// "RS·AR·AG", by which programs are looked for as well.
QString programTitleOf(const PlacementResult& placement) {
  return placement.programs.empty() ? QString() : qs(programTitle(placement.programs[0].program));
}

}  // namespace

QString filterKey(const QString& text) {
  QString key;
  for (const QChar c : text) {
    const bool separates = c.isSpace() || QStringLiteral(",·-–→>").contains(c);
    if (!separates) {
      key += c.toLower();
    } else if (!key.isEmpty() && !key.endsWith(',')) {
      key += ',';
    }
  }
  if (key.endsWith(',')) key.chop(1);
  return key;
}

void PlacementsModel::setExploration(std::shared_ptr<const Exploration> exploration) {
  if (exploration == m_exploration) return;
  reset([&] {
    m_exploration = std::move(exploration);
    m_compared = -1;
    m_longest = 0;
    m_ranks.assign(std::size_t(count()), 0);
    if (m_exploration) {
      const auto order = rankedPlacements(*m_exploration);
      for (std::size_t rank = 0; rank < order.size(); ++rank) m_ranks[order[rank]] = int(rank);
    }
    for (int row = 0; row < count(); ++row) m_longest = std::max(m_longest, placement(row).rankedBestSeconds());
  });
}

void PlacementsModel::setNotes(PlacementNotes notes, bool stale) {
  m_notes = std::move(notes);
  m_notesStale = stale;
  m_longestStep = 0;
  if (m_notes.kind() == PlacementNotes::Kind::Step) {
    for (int row = 0; row < rowCount(); ++row) {
      if (const double step = m_notes.rank(row); std::isfinite(step)) m_longestStep = std::max(m_longestStep, step);
    }
  }
  renewColumns();
  tellChanged();
}

void PlacementsModel::setCompared(int row) {
  if (std::exchange(m_compared, row) != row) tellChanged();
}

std::vector<TableColumn> PlacementsModel::columns() const {
  const QString single = m_exploration ? singleName(m_exploration->workspace) : QStringLiteral("AllReduce");
  const QString step = m_notes.stepTimeName();
  return {{QString(), tr("★ best placement, ● best by %1, ◇ default of the frameworks, ⇄ compared with").arg(step)},
          {tr("Matrix"), tr("The parallelism matrix: a row per axis, a column per level of the system")},
          {tr("Where"), tr("Levels of the system that each axis is split on, one line per row of the matrix")},
          {tr("Time"),
           tr("Predicted time of the best program%1; bars start at 0")
               .arg(m_exploration ? ofRuns(m_exploration->workspace.options.cost.repeat) : QString()),
           true},
          {tr("Against ⇄"),
           tr("Time relative to the compared placement ⇄, and how many devices change reduction partners")},
          {tr("Other axes"),
           tr("Time of a 1 GiB AllReduce over the other axes, and its ratio to the best placement (▲: 2× or more)")},
          {step == QLatin1String("step") ? tr("Step") : tr("Comm."), tr("Predicted %1").arg(step), true},
          {tr("Best program"), tr("Program with the least predicted time")},
          {single, tr("Predicted time of a single %1 over the whole group").arg(single), true},
          {tr("Gain"), tr("Speed-up of the best program over the single %1").arg(single), true},
          {tr("Programs"), tr("Number of valid programs of this placement, up to the size limit"), true}};
}

QVariant PlacementsModel::special(int row, int column, int role) const {
  switch (role) {
    case Qt::UserRole:
      return column == Matrix ? QVariant(text(row, Matrix)) : QVariant();
    case kShareRole:
      return share(row, column);
    case Qt::ForegroundRole:
      return column == OtherAxes && m_notes.warns(row) ? QVariant(Theme::bad()) : QVariant();
    case Qt::BackgroundRole:
      return row == m_compared ? QVariant(Theme::box(1)) : QVariant();
    case Qt::FontRole:
      return column >= BestTime ? QVariant(Theme::tabularFont()) : QVariant();
    case Qt::AccessibleDescriptionRole:
      return toolTip(row, column);
    default:
      return {};
  }
}

QString PlacementsModel::toolTip(int row, int column) const {
  if (column == OtherAxes || column == Step) return m_notes.tip(row);
  if (column == Where || column == Against) return text(row, column);
  return column == BestProgram || column == BestTime ? programTip(row) : markTip(row);
}

QString PlacementsModel::text(int row, int column) const {
  const PlacementResult& result = placement(row);
  switch (column) {
    case Mark:
      return mark(row);
    case Matrix:
      return qs(result.matrix.text());
    case BestProgram:
      return bestTitle(result);
    case Where:
      return placeWords(m_exploration->workspace.system, m_exploration->workspace.axes, result.matrix);
    case BestTime:
      return secondsText(result.rankedBestSeconds());
    case Against:
      return against(row);
    case OtherAxes:
      return m_notes.kind() == PlacementNotes::Kind::OtherAxes ? m_notes.text(row) : QString();
    case Step:
      return m_notes.kind() == PlacementNotes::Kind::Step ? m_notes.text(row) : QString();
    case SingleTime:
      return secondsText(result.singleSeconds);
    case Speedup:
      return factorText(result.speedup());
    default:
      return qs(result.programCount.toString());
  }
}

bool PlacementsModel::isGrey(int column) const {
  return isStale() || ((column == OtherAxes || column == Step) && m_notesStale);
}

QVariant PlacementsModel::share(int row, int column) const {
  if (column == BestTime && m_longest > 0) return placement(row).rankedBestSeconds() / m_longest;
  const bool known = column == Step && m_longestStep > 0 && std::isfinite(m_notes.rank(row));
  return known ? QVariant(m_notes.rank(row) / m_longestStep) : QVariant();
}

QString PlacementsModel::against(int row) const {
  if (m_compared < 0) return {};
  if (row == m_compared) return tr("baseline");
  const std::vector<Axis>& axes = m_exploration->workspace.axes;
  const PlacementDiff diff(Placement(axes, placement(m_compared).matrix), Placement(axes, placement(row).matrix));
  const QString time = slowerThan(placement(row).rankedBestSeconds(), placement(m_compared).rankedBestSeconds());
  return diff.changedCount() == 0
             ? tr("%1\nthe same partners").arg(time)
             : tr("%1\n%L2 of %L3 differ").arg(time).arg(diff.changedCount()).arg(diff.deviceCount());
}

QString PlacementsModel::rowText(int row) const {
  QStringList cells;
  for (const int column : {Matrix, Where, BestTime, BestProgram, SingleTime, Speedup, OtherAxes, Step}) {
    QString cell = text(row, column);
    if (column == Where) cell.replace('\n', QStringLiteral(" · "));
    if (cell.isEmpty() && column > BestTime) continue;
    cells += cell.replace('\n', ' ');
  }
  return cells.join('\t');
}

QString PlacementsModel::mark(int row) const {
  return QString(row == m_exploration->bestPlacement ? QStringLiteral("★") : QString()) +
         (m_notes.isBest(row) ? QStringLiteral("●") : QString()) +
         (row == m_exploration->defaultPlacement ? QStringLiteral("◇") : QString()) +
         (row == m_compared ? QStringLiteral("⇄") : QString());
}

QString PlacementsModel::markTip(int row) const {
  QStringList parts;
  if (row == m_exploration->bestPlacement) parts += tr("the best placement");
  if (m_notes.isBest(row)) parts += tr("the best by %1").arg(m_notes.stepTimeName());
  if (row == m_exploration->defaultPlacement) {
    const double best = placement(m_exploration->bestPlacement).rankedBestSeconds();
    parts += tr("the row-major default of JAX and PyTorch; with one %1 %2 than the best")
                 .arg(singleName(m_exploration->workspace), slowerThan(placement(row).singleSeconds, best));
  }
  if (row == m_compared) parts += tr("compared with the selected one");
  return parts.join(QStringLiteral(" · "));
}

// All figures of the row: where there is little room their columns fold away.
QString PlacementsModel::programTip(int row) const {
  QStringList lines{text(row, BestProgram) + QStringLiteral(": ") + text(row, BestTime)};
  lines +=
      tr("single %1: %2, gain %3").arg(singleName(m_exploration->workspace), text(row, SingleTime), text(row, Speedup));
  lines += counted(placement(row).programCount, QStringLiteral("program"));
  if (const QString marks = markTip(row); !marks.isEmpty()) lines += marks;
  return lines.join('\n');
}

QString PlacementsModel::searchText(int row) const {
  const PlacementResult& result = placement(row);
  QStringList steps;
  if (!result.programs.empty()) {
    for (const Instruction& step : result.programs[0].program) steps += qs(nameOf(step.collective));
  }
  return filterKey(text(row, Matrix)) + '\n' + filterKey(bestTitle(result)) + '\n' + filterKey(programTitleOf(result)) +
         '\n' + filterKey(steps.join(' ')) + '\n' + filterKey(text(row, Where));
}

const PlacementsModel& PlacementsProxy::placements() const {
  return static_cast<const PlacementsModel&>(*sourceModel());
}

void PlacementsProxy::setFilterText(const QString& text) {
  m_filter = filterKey(text);
  invalidateFilter();
}

bool PlacementsProxy::filterAcceptsRow(int row, const QModelIndex&) const {
  return m_filter.isEmpty() || placements().searchText(row).contains(m_filter);
}

bool PlacementsProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const PlacementResult& a = placements().placement(left.row());
  const PlacementResult& b = placements().placement(right.row());
  switch (left.column()) {
    case PlacementsModel::BestProgram:
      return bestTitle(a) < bestTitle(b);
    case PlacementsModel::Where:
      return left.data().toString() < right.data().toString();
    case PlacementsModel::BestTime:
    case PlacementsModel::Against:
      return placements().rankOf(left.row()) < placements().rankOf(right.row());
    case PlacementsModel::OtherAxes:
    case PlacementsModel::Step:
      return placements().notes().rank(left.row()) < placements().notes().rank(right.row());
    case PlacementsModel::SingleTime:
      return a.singleSeconds < b.singleSeconds;
    case PlacementsModel::Speedup:
      return a.speedup() < b.speedup();
    case PlacementsModel::Programs:
      return a.programCount < b.programCount;
    default:
      return left.row() < right.row();
  }
}

}  // namespace p2::views
