// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/answer_keys.h"
#include "app/cli/commands.h"
#include "app/cli/listing.h"
#include "base/lists.h"
#include "placement/containment.h"
#include "synthesis/synthesis_hierarchy.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kOtherAxesOfAll{"other_axes", "With --reduce, for every matrix as for simulate"};
constexpr AnswerKey kMatrices{"matrices", "List of matrices, each a list of rows of whole numbers"};

using Align = TextTable::Align;

struct PlacementsRequest : Request {
  bool countOnly = false;
};

/// "node 4 · gpu 8": the span of the reduction, level by level.
std::string reductionText(const Workspace& workspace, const ParallelismMatrix& matrix) {
  const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, matrix));
  return joined(hierarchy.levels(), " · ",
                [](const SynthesisLevel& level) { return level.name + " " + std::to_string(level.size); });
}

struct MatrixRow {
  const Workspace& workspace;
  ParallelismMatrix matrix;
  std::size_t number;
  const std::shared_ptr<const OtherAxes>& others;
};

constexpr Column<MatrixRow> kMatrixColumns[] = {
    {"", "#", [](const MatrixRow& row) { return Value::whole(std::int64_t(row.number)); }},
    {"", "matrix", [](const MatrixRow& row) { return Value::text(row.matrix.text()); }, Align::Left},
    {"", "reduction spans", [](const MatrixRow& row) { return Value::text(reductionText(row.workspace, row.matrix)); },
     Align::Left},
    {"", "other axes", [](const MatrixRow& row) { return Value::text(otherAxesText(row.others, row.matrix)); },
     Align::Left},
};

/// All matrices, held at once: at most kMostListed.
Document placementsAnswer(const Workspace& workspace, const PlacementsRequest& request, const Count& count,
                          const std::shared_ptr<const OtherAxes>& others) {
  Document answer;
  answer.field("count", Value::digits(count.toString()));
  answer.line(titleOf(workspace)).line(counted(count, "placement"));
  if (request.countOnly) return answer;
  const auto matrices = std::make_shared<std::vector<ParallelismMatrix>>();
  for (MatrixEnumerator each = matricesOf(workspace.system, workspace.axes); each.next();) {
    matrices->push_back(each.matrix());
  }
  answer.array(kMatrices, matrices->size(), [matrices](std::size_t i) { return matrixValue((*matrices)[i]); });
  Table table = tableOf<MatrixRow>(kMatrixColumns, matrices->size(), [&workspace, matrices, &others](std::size_t i) {
    return MatrixRow{workspace, (*matrices)[i], i + 1, others};
  });
  if (!request.reduce) table.heads[2].title.clear();
  if (!others || others->empty()) table.heads[3].title.clear();
  answer.line("").table("", std::move(table));
  if (!others) return answer;
  std::vector<Value> costs;
  for (const auto& [matrix, axes] : *others) costs.push_back(otherAxesValue(*others, matrix));
  answer.field(kOtherAxesOfAll, Value::list(std::move(costs), Value::Layout::Lines));
  return answer;
}

Result<int> run(const PlacementsRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(auto workspace, systemAndAxesOf(request));
  const Count count = countMatricesOf(workspace.system, workspace.axes);
  if (!request.countOnly && count > kMostListed) {
    return Error{"there are " + count.toString() + " placements, more than " + std::to_string(kMostListed) +
                 " to list; use --count or fewer axes"};
  }
  std::shared_ptr<const OtherAxes> others;
  if (request.reduce && !request.countOnly) {
    P2_TRY_ASSIGN(workspace.options, optionsOf(request, workspace.system));
    P2_TRY_ASSIGN(others, pricedOtherAxes(workspace));
  }
  writeAnswer(out, placementsAnswer(workspace, request, count, others), request.form);
  return kDone;
}

}  // namespace

std::vector<AnswerKey> placementsKeys() { return {kMatrices, kOtherAxesOfAll}; }

void addPlacements(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("placements", "List every parallelism matrix of the axes on a system");
  const auto request = std::make_shared<PlacementsRequest>();
  addSystemArguments(*command, *request);
  addReducedAxes(*command, *request, false);
  command->add_flag("--count", request->countOnly, "Print only the number of placements");
  addJson(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
