// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_collectives_model.h"

#include "base/units.h"
#include "views/common/text.h"

namespace p2::views {

void RunCollectivesModel::show(std::shared_ptr<const RunAnswer> answer) {
  beginResetModel();
  m_answer = std::move(answer);
  endResetModel();
}

int RunCollectivesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_answer ? 0 : int(m_answer->collectives.size());
}

int RunCollectivesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant RunCollectivesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (role == Qt::TextAlignmentRole && section != Collective && section != Reason) {
    return int(Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole) {
    if (section == Measured) return tr("The shortest time over the ranks: the last rank to arrive waits for no other");
    if (section == Wait) return tr("Average wait of the other ranks for the last one");
    if (section == Difference) return tr("Measured time divided by predicted time");
  }
  if (role != Qt::DisplayRole) return {};
  static const QStringList kTitles{tr("Collective"), tr("Bytes"),      tr("Devices"), tr("Runs"),  tr("Transfer"),
                                   tr("Predicted"),  tr("Difference"), tr("Wait"),    tr("Reason")};
  return kTitles[section];
}

QVariant RunCollectivesModel::data(const QModelIndex& index, int role) const {
  if (!m_answer || !index.isValid()) return {};
  const MeasuredCollective& row = m_answer->collectives[std::size_t(index.row())];
  if (role == Qt::DisplayRole) return textOf(row, index.column());
  if (role == Qt::ToolTipRole) return qs(describeVerdict(row));
  if (role == Qt::TextAlignmentRole && index.column() != Collective && index.column() != Reason) {
    return int(Qt::AlignRight | Qt::AlignVCenter);
  }
  return {};
}

QString RunCollectivesModel::textOf(const MeasuredCollective& row, int column) const {
  const QString none = QStringLiteral("–");
  switch (column) {
    case Collective:
      return row.group.empty() ? qs(row.name) : qs(row.name) + ", " + qs(row.group);
    case Bytes:
      return row.bytes > 0 ? qs(formatBytes(p2::Bytes(row.bytes))) : none;
    case Devices:
      return row.members > 0 ? QString::number(row.members) : none;
    case Runs:
      return QString::number(row.runs);
    case Measured:
      return qs(formatSeconds(row.transfer));
    case Predicted:
      return row.predicted ? qs(formatSeconds(*row.predicted)) : none;
    case Difference:
      return row.predicted ? qs(formatFactor(row.transfer / *row.predicted)) : none;
    case Wait:
      return row.ranks > 1 ? qs(formatSeconds(row.wait)) : none;
    case Reason:
      return qs(describeVerdict(row));
    default:
      return {};
  }
}

}  // namespace p2::views
