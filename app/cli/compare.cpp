// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/compare_listing.h"
#include "app/cli/terminal_progress.h"
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
  if (request.asked.batch == 0) return Error{"a number of sequences is needed, as in --batch 1024", "--batch"};
  P2_TRY_ASSIGN(auto model, modelFromArgument(request.trained).within("--train"));
  auto input = readTrainingRequest(request.asked, std::move(model), a);
  if (!input.ok()) {
    Error error = input.error();
    error.where.document.insert(0, "--");
    return error;
  }
  TerminalProgress progress("searching configurations");
  P2_TRY_ASSIGN(answer.step, compareSteps(*input, b, {}, progress.progress()));
  return {};
}

Result<int> run(const CompareRequest& request, std::ostream& out) {
  if (request.trained.empty() && request.axes.empty()) {
    return Error{
        "nothing is asked of the machines; give a model to train, --train llama3-70b --batch 1024, or axes, "
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

}  // namespace

void addCompare(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("compare", "Compare two machines: the training step, placements, programs, busiest links");
  const auto request = std::make_shared<CompareRequest>();
  command->add_option("A", request->system, "A preset, as in dgx-h100:16, levels as text, or a file")->required();
  command->add_option("B", request->other, "The other machine, or the same one for --degrade")->required();
  addDegrade(*command, request->degraded);
  command->add_option("--train", request->trained, "A bundled model, as in llama3-70b, or a config.json");
  command->add_option("--batch", request->asked.batch, "Sequences of a step")->check(CLI::Range(1, 1 << 30));
  command->add_option("--sequence", request->asked.sequence, "Tokens of a sequence")->check(CLI::Range(1, 1 << 30));
  command->add_option("--framework", request->asked.framework, "megatron, torchtitan, deepspeed, fsdp, maxtext or any");
  command->add_option("--precision", request->asked.precision, "Of products: bf16, fp8 or fp4");
  command->add_option("--fix", request->asked.fixed, "Choices that are made, as in tp=8,pp=4");
  command->add_option("--axes", request->axes, "Sizes of the parallelism axes: 8,2,4 or data=8,model=2,shards=4");
  addReducedAxes(*command, *request, false);
  addSynthesis(*command, *request);
  addCost(*command, *request);
  addJson(*command, *request);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
