// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/paper_results.h"

#include <algorithm>
#include <cstdlib>

#include "explore/detail/paper_file.h"
#include "explore/explore.h"
#include "text/csv.h"
#include "workspace/presets.h"

namespace p2::inline explore {
namespace {

enum PaperColumn { Gpu, Nodes, GpusPerNode, Axes, Reduce, Matrix, FirstTime };
constexpr int kPaperRepeat = 10;
constexpr double kPaperBytes = 4.0 * (1 << 29);

/// "2,16" of "[2,16]".
std::string withoutBrackets(const std::string& list) { return list.size() < 2 ? "" : list.substr(1, list.size() - 2); }

PaperResult resultFrom(const CsvReader::Cells& cells) {
  std::string gpu = cells[Gpu];
  std::transform(gpu.begin(), gpu.end(), gpu.begin(), [](char c) { return static_cast<char>(c | 0x20); });
  PaperResult result{"gcp-" + gpu + ":" + cells[Nodes],
                     withoutBrackets(cells[Axes]),
                     withoutBrackets(cells[Reduce]),
                     cells[Matrix],
                     {}};
  for (std::size_t i = 0; i < result.measured.size(); ++i) {
    result.measured[i] = std::strtod(cells[FirstTime + i].c_str(), nullptr);
  }
  return result;
}

}  // namespace

const std::vector<PaperResult>& paperResults() {
  static const std::vector<PaperResult> kResults = [] {
    std::vector<PaperResult> results;
    CsvReader reader(paperResultsFile());
    CsvReader::Cells cells;
    (void)reader.next(cells);
    while (reader.next(cells)) {
      if (cells.size() >= FirstTime + kPaperTimes.size()) results.push_back(resultFrom(cells));
    }
    return results;
  }();
  return kResults;
}

Result<Workspace> paperWorkspace(const PaperResult& result) {
  Workspace workspace;
  P2_TRY_ASSIGN(workspace.system, parseSystem(result.machine));
  P2_TRY_ASSIGN(auto axes, parseAxes(result.axes));
  P2_TRY_ASSIGN(workspace.axes, withReduction(std::move(axes), result.reduce));
  P2_TRY_ASSIGN(workspace.matrix, parseMatrix(result.matrix));
  workspace.options.cost.model = "paper";
  workspace.options.cost.algorithm = Algorithm::Ring;
  workspace.options.cost.bytes = Bytes(kPaperBytes);
  workspace.options.cost.repeat = kPaperRepeat;
  return workspace;
}

Result<PaperSeconds> predictedPaperSeconds(const PaperResult& result, std::stop_token stop) {
  P2_TRY_ASSIGN(auto workspace, paperWorkspace(result));
  PaperSeconds seconds{};
  for (const std::size_t tree : {0U, 1U}) {
    workspace.options.cost.algorithm = tree == 1 ? Algorithm::Tree : Algorithm::Ring;
    P2_TRY_ASSIGN(const auto exploration, exploreWorkspace(workspace, {.programsPerPlacement = 1}, true, stop));
    const PlacementResult& placement = exploration->placements.front();
    seconds[tree] = placement.singleSeconds;
    seconds[2 + tree] = placement.bestSeconds;
  }
  return seconds;
}

}  // namespace p2::inline explore
