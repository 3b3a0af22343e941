// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/ranking_tables.h"

#include "base/numbers.h"
#include "text/csv.h"

namespace p2::views {
namespace {

constexpr const char* kEndOfLine = "\r\n";

std::string ordersCell(const StepRanking& ranking, const PlacementStep& placement) {
  std::string text;
  for (const std::size_t order : placement.orders) {
    text += (text.empty() ? "" : ", ") + ranking.orders[order].order.name;
  }
  return csvCell(text);
}

std::string rankingLine(const StepRanking& ranking, std::size_t row) {
  const PlacementStep& placement = ranking.placements[row];
  std::string line = std::to_string(row + 1) + "," + csvCell(placement.matrix.text());
  for (const double seconds : {placement.stepSeconds, placement.exposedSeconds, placement.overlappableSeconds}) {
    line += "," + exactNumber(seconds);
  }
  line += placement.front ? ",yes" : ",no";
  const auto nic = busiestBetweenNodes(ranking, placement);
  line += nic ? "," + csvCell(nic->interconnect) + "," + exactNumber(nic->bytes) : std::string(",,0");
  line += "," + ordersCell(ranking, placement);
  for (std::size_t entry = 0; entry < ranking.entries().size(); ++entry) {
    line += "," + exactNumber(ranking.seconds(placement, entry));
  }
  return line + kEndOfLine;
}

}  // namespace

std::string rankingCsv(const StepRanking& ranking) {
  std::string csv =
      "rank,matrix,step_seconds,exposed_seconds,overlappable_seconds,front,between_nodes,between_nodes_bytes,orders";
  for (const WorkloadEntry& entry : ranking.entries()) csv += "," + csvCell(entry.name + " seconds");
  csv += kEndOfLine;
  for (std::size_t row = 0; row < ranking.placements.size(); ++row) csv += rankingLine(ranking, row);
  return csv;
}

std::string breakEvenCsv(const StepRanking& ranking, const BreakEvens& answer) {
  std::string csv = "of,over,from_ratio,times_own,matrix";
  csv += kEndOfLine;
  const auto add = [&](double ratio, double times, std::size_t placement) {
    csv.append(csvCell(answer.second.name)).append(",").append(csvCell(answer.first.name)).append(",");
    csv.append(exactNumber(ratio)).append(",").append(exactNumber(times)).append(",");
    csv.append(csvCell(ranking.placements[placement].matrix.text())).append(kEndOfLine);
  };
  add(0, 0, answer.least);
  for (const BreakEven& point : answer.points) add(point.ratio, point.times, point.to);
  return csv;
}

}  // namespace p2::views
