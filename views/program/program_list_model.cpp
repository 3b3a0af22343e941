// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_list_model.h"

#include <algorithm>
#include <utility>

#include "synthesis/program_notation.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

bool continues(const PlacementResult& next, const PlacementResult& shown) {
  return next.matrix == shown.matrix && next.programs.size() >= shown.programs.size() &&
         std::equal(shown.programs.begin(), shown.programs.end(), next.programs.begin(),
                    [](const ProgramResult& a, const ProgramResult& b) {
                      return a.program == b.program && a.rankedSeconds() == b.rankedSeconds();
                    });
}

}  // namespace

const PlacementResult* ProgramListModel::placementOf(const Exploration* exploration, int index) {
  return !exploration || index < 0 ? nullptr : &exploration->placements[std::size_t(index)];
}

void ProgramListModel::show(std::shared_ptr<const Exploration> exploration, int placementIndex) {
  if (exploration == m_exploration && placementIndex == m_placement) return;
  if (exploration != m_exploration) m_asked = false;
  const PlacementResult* shown = placement();
  const PlacementResult* next = placementOf(exploration.get(), placementIndex);
  if (shown && next && exploration->workspace == m_exploration->workspace && continues(*next, *shown)) {
    const int before = int(shown->programs.size());
    const int after = int(next->programs.size());
    if (after > before) beginInsertRows({}, before, after - 1);
    m_exploration = std::move(exploration);
    m_placement = placementIndex;
    if (after > before) endInsertRows();
    return;
  }
  reset([&] {
    m_exploration = std::move(exploration);
    m_placement = placementIndex;
  });
}

void ProgramListModel::setShort(bool abbreviated) {
  if (std::exchange(m_short, abbreviated) != abbreviated) tellChanged(ProgramColumn, ProgramColumn);
}

Count ProgramListModel::unlisted() const {
  const PlacementResult* shown = placement();
  if (!shown || !shown->programCount.fits64()) return shown ? shown->programCount : Count();
  return shown->programCount.clamped64() - shown->programs.size();
}

int ProgramListModel::count() const { return placement() ? int(placement()->programs.size()) : 0; }

QVariant ProgramListModel::special(int row, int, int role) const {
  if (role != kSearchRole) return {};
  const SynthesisHierarchy& hierarchy = *placement()->hierarchy;
  const Program& program = placement()->programs[std::size_t(row)].program;
  return QStringList{programNotation(hierarchy, program),
                     typedNotation(hierarchy, program),
                     qs(shortNotation(hierarchy, program)),
                     text(row, ProgramColumn),
                     qs(programTitle(program)),
                     qs(programText(hierarchy, program))}
      .join('\n');
}

std::vector<TableColumn> ProgramListModel::columns() const {
  return {{tr("Program")},
          {tr("Steps"), {}, true},
          {tr("Time"), tr("Predicted time of all runs"), true},
          {tr("Overlapped"), tr("Predicted time when steps overlap, working on consecutive chunks"), true},
          {tr("Speed-up"), tr("Speed-up over one AllReduce (the goal's single collective)"), true}};
}

bool ProgramListModel::canFetchMore(const QModelIndex& parent) const {
  return !parent.isValid() && !m_asked && !isStale() && unlisted() > Count(0);
}

void ProgramListModel::fetchMore(const QModelIndex& parent) {
  if (!canFetchMore(parent)) return;
  m_asked = true;
  emit moreWanted();
}

QString ProgramListModel::text(int row, int column) const {
  const ProgramResult& result = placement()->programs[std::size_t(row)];
  const SynthesisHierarchy& hierarchy = *placement()->hierarchy;
  switch (column) {
    case ProgramColumn: {
      const QString notation =
          m_short ? shortProgramNotation(hierarchy, result.program) : programNotation(hierarchy, result.program);
      const QString reference = result.program == singleProgram(hierarchy, m_exploration->workspace.options.goal)
                                    ? tr(" (reference)")
                                    : QString();
      return (row == 0 ? "★ " : "") + notation + reference;
    }
    case StepsColumn:
      return QString::number(result.program.size());
    case TimeColumn:
      return secondsText(result.seconds);
    case OverlappedColumn:
      return result.overlapped ? secondsText(result.overlapped->seconds) : QString();
    case SpeedupColumn:
      if (result.seconds <= 0) return QString("–");
      return factorText(gainOver(placement()->singleSeconds, result.rankedSeconds()));
    default:
      return {};
  }
}

QString ProgramListModel::toolTip(int row, int) const {
  const PlacementResult& shown = *placement();
  const ProgramResult& result = shown.programs[std::size_t(row)];
  const Program& program = result.program;
  QString text = programSpellings(*shown.hierarchy, program);
  if (const auto range = rangeOf(result.steps)) {
    text += tr("\n%1: expected range of 80 % of runs").arg(qs(rangeText(result.seconds, range)));
  }
  const auto& overlapped = result.overlapped;
  if (overlapped && overlapped->chunks > 1) text += tr("\nOverlapped in %1 chunks").arg(overlapped->chunks);
  if (row == 0) text += tr("\n★ the fastest program of this placement");
  if (program == singleProgram(*shown.hierarchy, m_exploration->workspace.options.goal))
    text += tr("\nThe reference for speed-ups");
  return text;
}

ProgramFilter::ProgramFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setFilterRole(ProgramListModel::kSearchRole);
  setFilterCaseSensitivity(Qt::CaseInsensitive);
}

bool ProgramFilter::canFetchMore(const QModelIndex& parent) const {
  return filterRegularExpression().pattern().isEmpty() && QSortFilterProxyModel::canFetchMore(parent);
}

}  // namespace p2::views
