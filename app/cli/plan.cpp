// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "app/cli/assumed.h"
#include "app/cli/commands.h"
#include "app/cli/listing.h"
#include "app/cli/options.h"
#include "base/counted.h"
#include "synthesis/program_notation.h"
#include "text/text_file.h"

namespace p2::cli {
namespace {

struct PlanRequest : Request {
  std::string program;
  std::optional<std::string> file;
};

/// The workspace with the Nth cheapest program chosen, of its placement or of all.
Result<Workspace> withRankedProgram(Workspace workspace, const std::string& rank) {
  P2_TRY_ASSIGN(const auto number, wholeNumber(rank, "--program", 1, kMostListed));
  ExploreScope scope;
  scope.bestOverall = static_cast<std::size_t>(number);
  scope.programsPerPlacement = scope.bestOverall;
  P2_TRY_ASSIGN(const auto exploration, exploreWorkspace(workspace, scope, !workspace.matrix.empty()));
  const auto order = rankedPrograms(*exploration);
  if (order.size() < scope.bestOverall) {
    return Error{
        "there are only " + countedText(order.size(), "program") + "; use 1 to " + std::to_string(order.size()),
        "--program"};
  }
  const PlacementResult& placement = exploration->placements[order.back().first];
  workspace.matrix = placement.matrix;
  workspace.program = programText(*placement.hierarchy, placement.programs[order.back().second].program);
  return workspace;
}

/// "AR", "RS": a title of one step.
bool isShortName(const std::string& program) {
  return std::any_of(kCollectives.begin(), kCollectives.end(),
                     [&](Collective each) { return shortNameOf(each) == program; });
}

/// Whether a program is given by its steps rather than by a number.
bool isWritten(const std::string& program) {
  return isShortName(program) || program.find(':') != std::string::npos || program.find("·") != std::string::npos ||
         (program.find('.') != std::string::npos && collectiveFrom(program.substr(0, program.find('.'))).ok());
}

Result<Workspace> withWrittenProgram(Workspace workspace, const std::string& program) {
  if (workspace.matrix.empty() && countMatricesOf(workspace.system, workspace.axes) == Count(1)) {
    MatrixEnumerator only = matricesOf(workspace.system, workspace.axes);
    if (only.next()) workspace.matrix = only.matrix();
  }
  if (workspace.matrix.empty()) {
    return Error{"a program in words belongs to one placement; add --matrix, or use a number", "--program"};
  }
  const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, workspace.matrix));
  P2_TRY_ASSIGN(const auto steps,
                readProgram(hierarchy, program, workspace.options.rules, workspace.options.goal).within("--program"));
  workspace.program = programText(hierarchy, steps);
  return workspace;
}

Result<int> run(const PlanRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(auto workspace, workspaceOf(request));
  const bool written = isWritten(request.program);
  const std::string assumed = assumedLine(textsOf(assumedBy(request, workspace.options)));
  P2_TRY_ASSIGN(auto chosen, written ? withWrittenProgram(std::move(workspace), request.program)
                                     : withRankedProgram(std::move(workspace), request.program));
  const auto plan = makePlan(chosen);
  if (!plan.ok()) return written ? plan.error().within("--program") : plan.error();
  bool isDone = true;
  if (request.file) {
    P2_TRY(writeTextFile(*request.file, planToJson(*plan)));
  } else {
    isDone = static_cast<bool>(out << planToJson(*plan) << std::flush);
  }
  // The rank of a program depends on them, and the plan's file has no place for them.
  if (isDone && !written && !assumed.empty()) std::cerr << "p2: note: " << assumed << '\n';
  return kDone;
}

}  // namespace

void addPlan(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("plan", "Write a program as a plan file: its device groups and predicted times");
  const auto request = std::make_shared<PlanRequest>();
  addSystemArguments(*command, *request);
  addReduction(*command, *request);
  addMatrix(*command, *request, false);
  addValue(*command, "--program N|PROGRAM", request->program, "N for the Nth cheapest (1 is the best), or its steps")
      ->required();
  addValue(*command, "-o,--output FILE", request->file, "The file to write (standard output)");
  addSynthesis(*command, *request);
  addCost(*command, *request);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
