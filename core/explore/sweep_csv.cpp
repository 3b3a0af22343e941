// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/sweep_csv.h"

#include "base/lists.h"
#include "base/numbers.h"
#include "text/csv.h"

namespace p2::inline explore {
std::string sweepCsv(const Sweep& sweep) {
  const std::string prefix = sweep.workspace.options.goal == kAllReduceGoal ? ",allreduce_" : ",flat_";
  std::string csv = std::string(nameOf(sweep.range.over)) +
                    ",matrix,program,seconds,latency_seconds,bandwidth_seconds,algorithm,protocol";
  for (const char* column : {"matrix", "seconds", "latency_seconds", "algorithm", "protocol"}) csv += prefix + column;
  csv += ",gain\n";
  const auto algorithm = [](const StepCost& step) { return nameOf(step.algorithm); };
  const auto protocol = [](const StepCost& step) { return nameOf(step.protocol); };
  for (const SweepPoint& point : sweep.points) {
    const SweepChoice& best = point.best;
    const SweepChoice& single = point.single;
    csv += exactNumber(point.value) + ',' + csvCell(best.matrix.text()) + ',' +
           csvCell(programText(*best.hierarchy, best.program)) + ',' + exactNumber(best.seconds) + ',' +
           exactNumber(best.latencySeconds()) + ',' + exactNumber(best.seconds - best.latencySeconds()) + ',' +
           joined(best.steps, " ", algorithm) + ',' + joined(best.steps, " ", protocol) + ',' +
           csvCell(single.matrix.text()) + ',' + exactNumber(single.seconds) + ',' +
           exactNumber(single.latencySeconds()) + ',' + joined(single.steps, " ", algorithm) + ',' +
           joined(single.steps, " ", protocol) + ',' + exactNumber(point.gain) + '\n';
  }
  return csv;
}

std::string sweepMapCsv(const SweepMap& map) {
  std::string csv = std::string(nameOf(map.range.over)) + ",matrix,title,program,seconds,gain,best\n";
  for (std::size_t row = 0; row < map.placements.size(); ++row) {
    for (std::size_t column = 0; column < map.values.size(); ++column) {
      const SweepCell& cell = map.at(row, column);
      csv += exactNumber(map.values[column]) + ',' + csvCell(map.placements[row].text()) + ',' +
             map.winners[cell.winner] + ',' + csvCell(programText(*cell.best.hierarchy, cell.best.program)) + ',' +
             exactNumber(cell.best.seconds) + ',' + exactNumber(cell.gain) +
             (map.bestRow[column] == row ? ",1\n" : ",0\n");
    }
  }
  return csv;
}

}  // namespace p2::inline explore
