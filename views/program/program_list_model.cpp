// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_list_model.h"

#include <QApplication>
#include <QFont>
#include <QFontMetrics>
#include <algorithm>

#include "base/units.h"
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
  beginResetModel();
  m_exploration = std::move(exploration);
  m_placement = placementIndex;
  endResetModel();
}

void ProgramListModel::setStale(bool stale) {
  if (m_stale == stale) return;
  m_stale = stale;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

void ProgramListModel::setShort(bool abbreviated) {
  if (m_short == abbreviated) return;
  m_short = abbreviated;
  if (rowCount() > 0) emit dataChanged(index(0, ProgramColumn), index(rowCount() - 1, ProgramColumn));
}

Count ProgramListModel::unlisted() const {
  const PlacementResult* shown = placement();
  if (!shown || !shown->programCount.fits64()) return shown ? shown->programCount : Count();
  return shown->programCount.clamped64() - shown->programs.size();
}

int ProgramListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !placement() ? 0 : int(placement()->programs.size());
}

int ProgramListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ProgramListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ProgramResult& result = placement()->programs[std::size_t(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return cellText(index.row(), index.column());
    case Qt::ToolTipRole:
      return toolTip(index.row());
    case Qt::ForegroundRole:
      return m_stale ? QVariant(Theme::mutedText()) : QVariant();
    case Qt::FontRole:
      return index.column() == ProgramColumn ? QVariant() : QVariant(Theme::tabularFont());
    case Qt::TextAlignmentRole:
      return index.column() == ProgramColumn ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case kSearchRole:
      return programNotation(*placement()->hierarchy, result.program) + "\n" +
             typedNotation(*placement()->hierarchy, result.program) + "\n" +
             qs(shortNotation(*placement()->hierarchy, result.program)) + "\n" + cellText(index.row(), ProgramColumn) +
             "\n" + qs(programTitle(result.program)) + "\n" + qs(programText(*placement()->hierarchy, result.program));
    default:
      return {};
  }
}

QVariant ProgramListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
  if (role == Qt::TextAlignmentRole) {
    return section == ProgramColumn ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                    : QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  // The style keeps room for a mark of sorting, and would take it from the first letter.
  if (role == Qt::SizeHintRole && section != ProgramColumn) {
    const QFontMetrics metrics(QApplication::font("QHeaderView"));
    const QString title = headerData(section, orientation, Qt::DisplayRole).toString();
    return QSize(metrics.horizontalAdvance(title) + 4 * Theme::kGrid, metrics.height() + Theme::kGrid);
  }
  if (role == Qt::ToolTipRole && section == TimeColumn) return tr("Predicted time of all runs");
  if (role == Qt::ToolTipRole && section == OverlappedColumn) {
    return tr("Predicted time when steps overlap, working on consecutive chunks");
  }
  if (role == Qt::ToolTipRole && section == SpeedupColumn)
    return tr("Speed-up over one AllReduce (the goal's single collective)");
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case ProgramColumn:
      return tr("Program");
    case StepsColumn:
      return tr("Steps");
    case TimeColumn:
      return tr("Time");
    case OverlappedColumn:
      return tr("Overlapped");
    case SpeedupColumn:
      return tr("Speed-up");
    default:
      return {};
  }
}

bool ProgramListModel::canFetchMore(const QModelIndex& parent) const {
  return !parent.isValid() && !m_asked && !m_stale && unlisted() > Count(0);
}

void ProgramListModel::fetchMore(const QModelIndex& parent) {
  if (!canFetchMore(parent)) return;
  m_asked = true;
  emit moreWanted();
}

QString ProgramListModel::cellText(int row, int column) const {
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
      return qs(formatFactor(gainOver(placement()->singleSeconds, result.rankedSeconds())));
    default:
      return {};
  }
}

QString ProgramListModel::toolTip(int row) const {
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
