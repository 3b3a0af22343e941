// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_collectives_model.h"

#include "views/common/text.h"

namespace p2::views {

void RunCollectivesModel::show(std::shared_ptr<const RunAnswer> answer) {
  reset([&] { m_answer = std::move(answer); });
}

std::vector<TableColumn> RunCollectivesModel::columns() const {
  return {{tr("Collective")},
          {tr("Bytes"), {}, true},
          {tr("Devices"), {}, true},
          {tr("Runs"), {}, true},
          {tr("Transfer"), tr("The shortest time over the ranks: the last rank to arrive waits for no other"), true},
          {tr("Predicted"), {}, true},
          {tr("Difference"), tr("Measured time divided by predicted time"), true},
          {tr("Wait"), tr("Average wait of the other ranks for the last one"), true},
          {tr("Reason")}};
}

QString RunCollectivesModel::toolTip(int row, int) const {
  return qs(describeVerdict(m_answer->collectives[std::size_t(row)]));
}

QString RunCollectivesModel::text(int number, int column) const {
  const MeasuredCollective& row = m_answer->collectives[std::size_t(number)];
  const QString none = QStringLiteral("–");
  switch (column) {
    case Collective:
      return row.group.empty() ? qs(row.name) : qs(row.name) + ", " + qs(row.group);
    case Bytes:
      return row.bytes > 0 ? bytesText(p2::Bytes(row.bytes)) : none;
    case Devices:
      return row.members > 0 ? QString::number(row.members) : none;
    case Runs:
      return QString::number(row.runs);
    case Measured:
      return secondsText(row.transfer);
    case Predicted:
      return row.predicted ? secondsText(*row.predicted) : none;
    case Difference:
      return row.predicted ? factorText(row.transfer / *row.predicted) : none;
    case Wait:
      return row.ranks > 1 ? secondsText(row.wait) : none;
    case Reason:
      return qs(describeVerdict(row));
    default:
      return {};
  }
}

}  // namespace p2::views
