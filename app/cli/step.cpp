// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <iostream>
#include <string_view>
#include <utility>

#include "app/cli/assumed.h"
#include "app/cli/commands.h"
#include "app/cli/listing.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/step_listing.h"
#include "base/units.h"
#include "exporters/torchrun.h"
#include "text/text_file.h"
#include "training/step_computation.h"
#include "workload/sources.h"

namespace p2::cli {
namespace {

struct StepRequest : Request {
  std::string workload;
  std::optional<std::string> computeSeconds;
  std::optional<std::string> slowdown;
  std::optional<std::string> usable;
  std::optional<std::string> best;
  std::optional<std::string> torchrun;
  std::optional<bool> concurrent;
};

Result<double> factorOf(const std::string& text, const std::string& name) {
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc{} && stop == text.data() + text.size()) return value;
  return Error{"\"" + text + "\" is not a number; write, for example, 0.8 or 1.13", name};
}

/// Names the option that was typed in an error about a key of the workload.
Error underOption(Error error) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 3> kOptions{
      {{"/compute_seconds", "--compute-seconds"}, {"/slowdown", "--slowdown"}, {"/usable_share", "--usable"}}};
  for (const auto& [key, option] : kOptions) {
    if (error.where.position == key) error.where = option;
  }
  return error;
}

Result<StepOptions> stepOptionsOf(const StepRequest& request) {
  StepOptions options;
  options.concurrent = request.concurrent;
  if (request.computeSeconds) {
    P2_TRY_ASSIGN(options.computeSeconds, parseSeconds(*request.computeSeconds).within("--compute-seconds"));
  }
  if (request.slowdown) {
    P2_TRY_ASSIGN(options.slowdown, factorOf(*request.slowdown, "--slowdown"));
  }
  if (request.usable) {
    P2_TRY_ASSIGN(options.usableShare, factorOf(*request.usable, "--usable"));
  }
  if (const auto checked = checkStepOptions(options); !checked.ok()) return underOption(checked.error());
  return options;
}

/// --axes may only name axes of the workload.
Result<void> checkNames(const std::vector<Axis>& given, const Workload& workload) {
  const auto isGiven = [&](const Axis& axis) {
    return std::any_of(given.begin(), given.end(), [&](const Axis& each) { return each.name == axis.name; });
  };
  if (std::all_of(workload.axes.begin(), workload.axes.end(), isGiven)) return {};
  std::string names;
  std::string example;
  for (const Axis& axis : workload.axes) {
    names += (names.empty() ? "" : ", ") + axis.name;
    example += (example.empty() ? "" : ",") + axis.name + "=" + std::to_string(axis.size);
  }
  return Error{"the workload's axes are " + names + "; give each by its name, as in " + example, "--axes"};
}

/// `assumed` receives the choices that had to be made.
Result<StepQuestion> questionOf(const StepRequest& request, std::vector<std::string>& assumed) {
  StepQuestion question;
  P2_TRY_ASSIGN(question.step, stepOptionsOf(request));
  P2_TRY_ASSIGN(auto read, workloadFromArgument(request.workload).within("--workload"));
  assumed = std::move(read.assumed);
  question.workload = collapsed(read.workload);
  const std::string from = request.axes.empty() ? "--workload" : "--axes";
  P2_TRY_ASSIGN(const auto workspace, systemAndAxesOf(request, question.workload.axes, from));
  P2_TRY(checkNames(workspace.axes, question.workload));
  question.system = workspace.system;
  question.axes = workspace.axes;
  P2_TRY_ASSIGN(question.options, optionsOf(request, workspace.system));
  return question;
}

/// Writes a script that runs every entry on the best placement, or on the one of --matrix.
Result<void> writeTorchrun(const StepRequest& request, const StepRanking& ranking) {
  if (!request.torchrun) {
    if (request.matrix) return Error{"it chooses the placement of --torchrun; add --torchrun FILE", "--matrix"};
    return {};
  }
  std::size_t place = 0;
  if (request.matrix) {
    P2_TRY_ASSIGN(const auto matrix, parseMatrix(*request.matrix).within("--matrix"));
    const auto found = ranking.find(matrix);
    if (!found) return Error{"\"" + *request.matrix + "\" is not a placement of these axes", "--matrix"};
    place = *found;
  }
  P2_TRY_ASSIGN(const auto jobs, torchrunJobs(ranking, ranking.placements[place]).within("--torchrun"));
  const std::string& name = ranking.question.workload.name;
  P2_TRY_ASSIGN(const auto script, torchrunScript(jobs, name.empty() ? "step" : name));
  return writeTextFile(*request.torchrun, script);
}

Result<int> run(const StepRequest& request, std::ostream& out) {
  std::int64_t most = kMostListed;
  if (request.best) {
    P2_TRY_ASSIGN(most, wholeNumber(*request.best, "--best", 1, kMostListed));
  }
  std::vector<std::string> assumed;
  P2_TRY_ASSIGN(const auto asked, questionOf(request, assumed));
  const StepQuestion question = withComputation(asked);
  P2_TRY_ASSIGN(const auto ranking, rankSteps(question).within("--workload"));
  for (const auto& each : assumedBy(asked.step, ranking->question)) assumed.push_back(each.text());
  for (const auto& each : assumedBy(request, question.options)) assumed.push_back(each.text());
  P2_TRY(writeTorchrun(request, *ranking));
  if (!isForPrograms(request.form)) tellAssumed(question.system, request.system);
  if (const auto degrees = otherDegrees(question)) std::cerr << "p2: note: not modelled: " << *degrees << '\n';
  writeAnswer(out, stepAnswer(*ranking, static_cast<std::size_t>(most), assumed), request.form);
  return kDone;
}

}  // namespace

void addStep(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("step", "Rank the placements by a whole training step, or by its communication");
  const auto request = std::make_shared<StepRequest>();
  addSystemArguments(*command, *request, false);
  command->get_option("--axes")->description(
      "Other sizes of the workload's axes, with the same bytes: data=32,tensor=8");
  addValue(*command, "--workload FILE|NAME", request->workload, "A workload file, or the name of a bundled model")
      ->required();
  addRules(*command, *request);
  addModel(*command, *request);
  addValue(
      *command, "--compute-seconds TIME", request->computeSeconds,
      "Computation of a step, as in 6.2s, which hides overlappable communication (the workload's own, or estimated "
      "from its model)");
  addValue(*command, "--slowdown FACTOR", request->slowdown,
           "Factor by which communication slows down while it overlaps with computation (the workload's own, or 1.13)");
  addValue(*command, "--usable SHARE", request->usable,
           "Share of the computation that can overlap with communication, 0 to 1 (the workload's own, or 1)");
  command->add_flag_function(
      "--concurrent,!--no-concurrent", [request](std::int64_t stated) { request->concurrent = stated > 0; },
      "Overlappable communication also runs during exposed communication; loads of links add up");
  command->add_flag("--overlap", request->overlap, "Let the steps of a program overlap, chunk by chunk");
  addValue(*command, "--best K", request->best, "Only the K best placements");
  addValue(*command, "--torchrun FILE", request->torchrun,
           "Also write a Python script that runs every entry on the best placement with torch.distributed");
  addValue(*command, "--matrix MATRIX", request->matrix, "The placement of --torchrun (the best)");
  addJson(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
