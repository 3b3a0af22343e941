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
  for (const std::string& name : names) list += qs(name);
  return list.join(QStringLiteral(", "));
}

}  // namespace

QString entryKindText(const WorkloadEntry& entry) {
  const std::string_view kind = nameOf(entry.kind);
  const QString over = QObject::tr("%1 over %2").arg(qs(kind), namesOf(entry.axes));
  return entry.scatter.empty() ? over : QObject::tr("%1, scattered over %2").arg(over, namesOf(entry.scatter));
}

QString entryBytesText(const WorkloadEntry& entry) {
  const QString bytes = bytesText(Bytes(double(entry.bytes)));
  return QObject::tr("%L1 × %2").arg(qlonglong(entry.count)).arg(bytes);
}

void EntriesModel::setEntries(std::vector<WorkloadEntry> entries, std::vector<bool> changed) {
  const bool sameRows = entries.size() == m_entries.size();
  const auto replace = [&] {
    m_entries = std::move(entries);
    m_changed = std::move(changed);
    if (m_ranking && m_ranking->entries().size() != m_entries.size()) m_ranking.reset();
  };
  if (!sameRows) return reset(replace);
  replace();
  tellChanged();
}

void EntriesModel::setRanking(std::shared_ptr<const StepRanking> ranking, std::size_t placement) {
  if (ranking && ranking->entries().size() != m_entries.size()) ranking.reset();
  m_ranking = std::move(ranking);
  m_placement = placement;
  tellChanged();
}

std::vector<TableColumn> EntriesModel::columns() const {
  return {{tr("Entry"), tr("The communication, its kind and its axes")},
          {tr("Bytes"), tr("Bytes of the full tensor, and how often in a step"), true},
          {tr("Best program"), tr("The best program on the selected placement, and the levels that it spans")},
          {tr("Time"), tr("Total time per step on the selected placement, and its share of all communication"), true}};
}

QVariant EntriesModel::special(int row, int column, int role) const {
  if (role == Qt::DecorationRole && column == Entry) return entrySwatch(std::size_t(row), kSwatch);
  if (role == Qt::AccessibleDescriptionRole) return toolTip(row, column);
  if (role != Qt::FontRole || column == Entry) return {};
  QFont font = Theme::tabularFont();
  font.setBold(column == Data && m_changed[std::size_t(row)]);
  return font;
}

bool EntriesModel::isRanked(std::size_t row) const {
  return m_ranking && m_placement < m_ranking->placements.size() && row < m_ranking->entries().size();
}

QString EntriesModel::text(int number, int column) const {
  const auto row = std::size_t(number);
  const WorkloadEntry& entry = m_entries[row];
  if (column == Entry) {
    const QString name = entry.name.empty() ? tr("entry %1").arg(row + 1) : qs(entry.name);
    return name + '\n' + entryKindText(entry);
  }
  if (column == Data) {
    const QString bytes = bytesText(Bytes(double(entry.bytes)));
    return tr("%1\n× %L2").arg(bytes).arg(qlonglong(entry.count));
  }
  if (!isRanked(row)) return {};
  const PlacementStep& placement = m_ranking->placements[m_placement];
  const EntryCost& cost = m_ranking->cost(placement, row);
  if (column == Program) {
    const std::string& title = cost.title.empty() ? cost.program : cost.title;
    return qs(title) + '\n' + qs(cost.span);
  }
  return secondsText(m_ranking->seconds(placement, row)) + '\n' + qs(formatPercent(m_ranking->share(placement, row)));
}

QString EntriesModel::toolTip(int number, int) const {
  const auto row = std::size_t(number);
  const WorkloadEntry& entry = m_entries[row];
  QStringList lines{qs(entry.name), entryKindText(entry), entryBytesText(entry) + ", " + overlapText(entry.overlap)};
  if (!entry.formula.empty()) lines += qs(entry.formula);
  if (m_changed[row]) lines += tr("tried out; the document keeps its own figures");
  if (isRanked(row)) {
    const EntryCost& cost = m_ranking->cost(m_ranking->placements[m_placement], row);
    lines += tr("%1 each time").arg(secondsText(cost.seconds));
    if (!cost.program.empty()) lines += qs(cost.program);
  }
  lines.removeAll(QString());
  return lines.join('\n');
}

}  // namespace p2::views
