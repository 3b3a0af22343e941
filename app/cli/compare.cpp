// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/compare_listing.h"
#include "app/cli/options.h"
#include "app/cli/terminal_progress.h"
#include "app/cli/training_options.h"
#include "compare/machine_comparison.h"
#include "text/argument.h"
#include "text/json_value.h"
#include "text/text_file.h"
#include "training_answer/document_training.h"

namespace p2::cli {
namespace {

struct CompareRequest : Request {
  std::string other;
  std::string trained;  ///< a model, as of p2 train
  TrainingRequest asked;
};

constexpr const char* kNothing =
    "there is nothing to compare; give a model to train, --train llama3-70b --batch 1024, axes, --axes 8,2 --reduce 0, "
    "or as A a document with a model or with axes";

Result<void> addStep(const CompareRequest& request, const System& a, const System& b, ComparisonAnswer& answer) {
  P2_TRY(checkBatchGiven(request.asked));
  P2_TRY_ASSIGN(auto model, trainingModelOf(request.trained, "--train"));
  P2_TRY_ASSIGN(const auto input, readTrainingOptions(request.asked, std::move(model), a));
  TerminalProgress progress("searching configurations");
  P2_TRY_ASSIGN(answer.step, compareSteps(input, b, {}, {}, progress.progress()));
  return {};
}

Result<void> addPlacements(const CompareRequest& request, const System& a, const System& b, ComparisonAnswer& answer) {
  Request question = request;
  question.degraded.clear();
  P2_TRY_ASSIGN(const auto workspace, workspaceOf(question));
  if (!request.reduce) return Error{"a comparison of placements needs the axes to reduce over", "--reduce"};
  P2_TRY(checkAxes(b, workspace.axes).within("B"));
  P2_TRY_ASSIGN(answer.placements, comparePlacements(workspace, a, b));
  return {};
}

/// The document of an argument; none if it is not the file of one. Errors: a document that cannot be read.
Result<std::optional<Workspace>> documentOf(const std::string& argument) {
  const ArgumentText file(argument);
  if (!file.exists() || formatIn(file.head()) != kWorkspaceFormat) return std::optional<Workspace>();
  P2_TRY_ASSIGN(const auto text, readTextFile(argument));
  P2_TRY_ASSIGN(auto document, workspaceFromJson(text).within("A"));
  return std::optional(std::move(document));
}

/// The question of a document: the step of its model, and the placements of its axes.
Result<void> addDocument(const Workspace& document, const System& b, ComparisonAnswer& answer) {
  const TrainingChoice& training = document.training;
  const bool hasModel = !training.model.empty() || !training.config.empty();
  const bool hasReduction =
      std::any_of(document.axes.begin(), document.axes.end(), [](const Axis& axis) { return axis.reduce; });
  if (!hasModel && !hasReduction) return Error{kNothing};
  if (hasModel) {
    P2_TRY_ASSIGN(const auto input, trainingInputOf(document.system, training).within("A"));
    TerminalProgress progress("searching configurations");
    P2_TRY_ASSIGN(answer.step, compareSteps(input, b, training.chosen, {}, progress.progress()));
  }
  if (!hasReduction) return {};
  auto fits = checkAxes(document.system, document.axes);
  if (fits.ok()) fits = checkAxes(b, document.axes).within("B");
  if (fits.ok()) {
    P2_TRY_ASSIGN(answer.placements, comparePlacements(document, document.system, b));
  } else if (hasModel) {
    answer.placementsProblem = fits.error().text();
  }
  return hasModel ? Result<void>() : fits;
}

Result<int> run(const CompareRequest& request, std::ostream& out) {
  const bool isAsked = !request.trained.empty() || !request.axes.empty();
  std::optional<Workspace> document;
  if (!isAsked) {
    P2_TRY_ASSIGN(document, documentOf(request.system));
    if (!document) return Error{kNothing};
  }
  P2_TRY_ASSIGN(const auto a, systemOfArgument(request.system, "A"));
  P2_TRY_ASSIGN(const auto b, systemOfArgument(request.other, "B", request.degraded));
  ComparisonAnswer answer{request.system, request.other, request.degraded};
  if (document) P2_TRY(addDocument(*document, b, answer));
  if (!request.trained.empty()) P2_TRY(addStep(request, a, b, answer));
  if (!request.axes.empty()) P2_TRY(addPlacements(request, a, b, answer));
  writeAnswer(out, comparisonDocument(answer), request.form);
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
  addValue(*command, "A", request->system,
           "A preset, as in dgx-h100:16, levels as text, or a file; without --train and --axes a document, whose "
           "model and axes are compared")
      ->required();
  addValue(*command, "B", request->other, "The other machine, or the same one for --degrade")->required();
  addDegrade(*command, request->degraded);
  addTrainingModel(*command, "--train MODEL", request->trained);
  addTrainingOptions(*command, request->asked, {"batch", "sequence", "framework", "precision", "fixed"});
  addValue(*command, "--axes AXES", request->axes, "Sizes of the parallelism axes: 8,2,4 or data=8,model=2,shards=4");
  addReducedAxes(*command, *request, false);
  addSynthesis(*command, *request);
  addCost(*command, *request);
  addJson(*command, request->form);
  need(*command, "--train", {"--batch", "--sequence", "--framework", "--precision", "--fix"});
  need(*command, "--axes",
       {"--reduce", "--goal", "--limit", "--rules", "--model", "--algorithm", "--bytes", "--repeat"});
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
