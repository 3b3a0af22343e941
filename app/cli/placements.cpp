// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/listing.h"
#include "placement/containment.h"
#include "synthesis/synthesis_hierarchy.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

struct PlacementsRequest : Request {
  bool countOnly = false;
};

/// "node 4 · gpu 8": what the reduction spans, level by level.
std::string reductionText(const Workspace& workspace, const ParallelismMatrix& matrix) {
  const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, matrix));
  std::string text;
  for (const SynthesisLevel& level : hierarchy.levels()) {
    text += (text.empty() ? "" : " · ") + level.name + " " + std::to_string(level.size);
  }
  return text;
}

void writeJson(std::ostream& out, const Count& count, MatrixEnumerator* enumerator, const OtherAxes* others) {
  JsonWriter json(out);
  json.beginObject().key("count").raw(count.toString());
  if (enumerator != nullptr) {
    json.key("matrices").beginArray();
    while (out.good() && enumerator->next()) writeMatrix(json, enumerator->matrix());
    json.end();
  }
  if (others != nullptr) {
    json.key("other_axes").beginArray();
    for (const auto& [matrix, costs] : *others) writeOtherAxes(json, *others, matrix);
    json.end();
  }
  json.end();
}

void writeTable(std::ostream& out, const Workspace& workspace, bool reduced, MatrixEnumerator& enumerator,
                const std::shared_ptr<const OtherAxes>& others) {
  TextTable table({{"#", TextTable::Align::Right},
                   {"matrix"},
                   {reduced ? "reduction spans" : ""},
                   {others && !others->empty() ? "other axes" : ""}});
  for (int number = 1; enumerator.next(); ++number) {
    table.add({std::to_string(number), enumerator.matrix().text(),
               reduced ? reductionText(workspace, enumerator.matrix()) : "",
               otherAxesText(others, enumerator.matrix())});
  }
  out << table.text();
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
  MatrixEnumerator enumerator = matricesOf(workspace.system, workspace.axes);
  if (request.json) {
    writeJson(out, count, request.countOnly ? nullptr : &enumerator, others.get());
    return kDone;
  }
  out << titleOf(workspace) << '\n' << counted(count, "placement") << '\n';
  if (!request.countOnly) {
    out << '\n';
    writeTable(out, workspace, request.reduce.has_value(), enumerator, others);
  }
  return kDone;
}

}  // namespace

void addPlacements(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("placements", "List every parallelism matrix of the axes on a system");
  const auto request = std::make_shared<PlacementsRequest>();
  addSystemArguments(*command, *request);
  addReducedAxes(*command, *request, false);
  command->add_flag("--count", request->countOnly, "Only how many there are");
  addJson(*command, *request);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
