// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/entries_model.h"

#include <QStringList>

#include "base/units.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/workload/ranking_bars.h"
#include "views/workload/ranking_words.h"

namespace p2::views {
namespace {

constexpr int kSwatch = 18;

QString namesOf(const std::vector<std::string>& names) {
  QStringList list;
  for (const std::string& name : names) list += QString::fromStdString(name);
  return list.join(QStringLiteral(", "));
}

}  // namespace

QString entryKindText(const WorkloadEntry& entry) {
  const std::string_view kind = nameOf(entry.kind);
  const QString over = QObject::tr("%1 over %2").arg(qs(kind), namesOf(entry.axes));
  return entry.scatter.empty() ? over : QObject::tr("%1, scattered over %2").arg(over, namesOf(entry.scatter));
}

QString entryBytesText(const WorkloadEntry& entry) {
  const QString bytes = QString::fromStdString(formatBytes(Bytes(double(entry.bytes))));
  return QObject::tr("%L1 × %2").arg(qlonglong(entry.count)).arg(bytes);
}

void EntriesModel::setEntries(std::vector<WorkloadEntry> entries, std::vector<bool> changed) {
  const bool sameRows = entries.size() == m_entries.size();
  if (!sameRows) beginResetModel();
  m_entries = std::move(entries);
  m_changed = std::move(changed);
  if (m_ranking && m_ranking->entries().size() != m_entries.size()) m_ranking.reset();
  if (!sameRows) return endResetModel();
  tellChanged();
}

void EntriesModel::setRanking(std::shared_ptr<const StepRanking> ranking, std::size_t placement) {
  if (ranking && ranking->entries().size() != m_entries.size()) ranking.reset();
  m_ranking = std::move(ranking);
  m_placement = placement;
  tellChanged();
}

void EntriesModel::setStale(bool stale) {
  if (std::exchange(m_stale, stale) != stale) tellChanged();
}

void EntriesModel::tellChanged() {
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int EntriesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_entries.size()); }
int EntriesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant EntriesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (role == Qt::DisplayRole) {
    return QStringList{tr("Entry"), tr("Bytes"), tr("Best program"), tr("Time")}.at(section);
  }
  if (role == Qt::ToolTipRole) {
    return QStringList{tr("The communication, its kind and its axes"),
                       tr("Bytes of the full tensor, and how often in a step"),
                       tr("The best program on the selected placement, and the levels that it spans"),
                       tr("Total time per step on the selected placement, and its share of all communication")}
        .at(section);
  }
  if (role == Qt::TextAlignmentRole) {
    return int((section == Data || section == Time ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  return {};
}

QVariant EntriesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto row = std::size_t(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return text(row, index.column());
    case Qt::DecorationRole:
      return index.column() == Entry ? QVariant(entrySwatch(row, kSwatch)) : QVariant();
    case Qt::TextAlignmentRole:
      return headerData(index.column(), Qt::Horizontal, role);
    case Qt::ForegroundRole:
      return m_stale && index.column() >= Program ? QVariant(Theme::mutedText()) : QVariant();
    case Qt::FontRole: {
      QFont font = index.column() == Entry ? QFont() : Theme::tabularFont();
      font.setBold(index.column() == Data && m_changed[row]);
      return index.column() == Entry ? QVariant() : QVariant(font);
    }
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
      return tip(row);
    default:
      return {};
  }
}

bool EntriesModel::isRanked(std::size_t row) const {
  return m_ranking && m_placement < m_ranking->placements.size() && row < m_ranking->entries().size();
}

QString EntriesModel::text(std::size_t row, int column) const {
  const WorkloadEntry& entry = m_entries[row];
  if (column == Entry) {
    const QString name = entry.name.empty() ? tr("entry %1").arg(row + 1) : QString::fromStdString(entry.name);
    return name + '\n' + entryKindText(entry);
  }
  if (column == Data) {
    const QString bytes = QString::fromStdString(formatBytes(Bytes(double(entry.bytes))));
    return tr("%1\n× %L2").arg(bytes).arg(qlonglong(entry.count));
  }
  if (!isRanked(row)) return {};
  const PlacementStep& placement = m_ranking->placements[m_placement];
  const EntryCost& cost = m_ranking->cost(placement, row);
  if (column == Program) {
    const std::string& title = cost.title.empty() ? cost.program : cost.title;
    return QString::fromStdString(title) + '\n' + QString::fromStdString(cost.span);
  }
  return QString::fromStdString(formatSeconds(m_ranking->seconds(placement, row))) + '\n' +
         qs(formatPercent(m_ranking->share(placement, row)));
}

QString EntriesModel::tip(std::size_t row) const {
  const WorkloadEntry& entry = m_entries[row];
  QStringList lines{QString::fromStdString(entry.name), entryKindText(entry),
                    entryBytesText(entry) + ", " + overlapText(entry.overlap)};
  if (!entry.formula.empty()) lines += QString::fromStdString(entry.formula);
  if (m_changed[row]) lines += tr("tried out; the document keeps its own figures");
  if (isRanked(row)) {
    const EntryCost& cost = m_ranking->cost(m_ranking->placements[m_placement], row);
    lines += tr("%1 each time").arg(QString::fromStdString(formatSeconds(cost.seconds)));
    if (!cost.program.empty()) lines += QString::fromStdString(cost.program);
  }
  lines.removeAll(QString());
  return lines.join('\n');
}

}  // namespace p2::views
