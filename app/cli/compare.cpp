// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/compare_listing.h"
#include "app/cli/terminal_progress.h"
#include "app/cli/training_options.h"
#include "placement/containment.h"

namespace p2::cli {
namespace {

struct CompareRequest : Request {
  std::string other;
  std::string trained;  ///< a model, as of p2 train
  TrainingRequest asked;
};

Result<void> addStep(const CompareRequest& request, const System& a, const System& b, ComparisonAnswer& answer) {
  if (request.trained.empty()) return {};
  P2_TRY(checkBatchGiven(request.asked));
  P2_TRY_ASSIGN(auto model, modelFromArgument(request.trained).within("--train"));
  P2_TRY_ASSIGN(const auto input, readTrainingOptions(request.asked, std::move(model), a));
  TerminalProgress progress("searching configurations");
  P2_TRY_ASSIGN(answer.step, compareSteps(input, b, {}, progress.progress()));
  return {};
}

Result<int> run(const CompareRequest& request, std::ostream& out) {
  if (request.trained.empty() && request.axes.empty()) {
    return Error{
        "there is nothing to compare; give a model to train, --train llama3-70b --batch 1024, or axes, "
        "--axes 8,2 --reduce 0"};
  }
  P2_TRY_ASSIGN(const auto a, systemOfArgument(request.system, "A"));
  P2_TRY_ASSIGN(const auto b, systemOfArgument(request.other, "B", request.degraded));
  ComparisonAnswer answer{request.system, request.other, request.degraded, {}, {}};
  P2_TRY(addStep(request, a, b, answer));
  if (!request.axes.empty()) {
    Request question = request;
    question.degraded.clear();
    P2_TRY_ASSIGN(const auto workspace, workspaceOf(question));
    if (!request.reduce) return Error{"a comparison of placements needs the axes to reduce over", "--reduce"};
    P2_TRY(checkAxes(b, workspace.axes).within("B"));
    P2_TRY_ASSIGN(answer.placements, comparePlacements(workspace, a, b));
  }
  writeAnswer(out, comparisonDocument(answer), formOf(request.json));
  return kDone;
}

/// Options that are refused without the one that they belong to.
void need(CLI::App& command, const char* needed, std::initializer_list<const char*> options) {
  for (const char* option : options) command.get_option(option)->needs(command.get_option(needed));
}

}  // namespace

void addCompare(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("compare", "Compare two machines: the training step, placements, programs, busiest links");
  const auto request = std::make_shared<CompareRequest>();
  command->add_option("A", request->system, "A preset, as in dgx-h100:16, levels as text, or a file")->required();
  command->add_option("B", request->other, "The other machine, or the same one for --degrade")->required();
  addDegrade(*command, request->degraded);
  command->add_option("--train", request->trained, "A bundled model, as in llama3-70b, or a config.json");
  addTrainingOptions(*command, request->asked, {"batch", "sequence", "framework", "precision", "fixed"});
  command->add_option("--axes", request->axes, "Sizes of the parallelism axes: 8,2,4 or data=8,model=2,shards=4");
  addReducedAxes(*command, *request, false);
  addSynthesis(*command, *request);
  addCost(*command, *request);
  addJson(*command, *request);
  need(*command, "--train", {"--batch", "--sequence", "--framework", "--precision", "--fix"});
  need(*command, "--axes",
       {"--reduce", "--goal", "--limit", "--rules", "--model", "--algorithm", "--bytes", "--repeat"});
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
