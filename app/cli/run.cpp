// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <ostream>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/run_listing.h"
#include "base/numbers.h"
#include "base/result.h"
#include "base/units.h"
#include "explore/run_prediction.h"
#include "plan/verify.h"
#include "remote/run_request.h"
#include "remote/run_setting.h"
#include "remote/runner_session.h"
#include "text/document.h"
#include "text/text_file.h"

namespace p2::cli {
namespace {

/// Enough for the bandwidth to count more than the start, and little enough for sixteen ranks on a laptop.
constexpr Bytes kDefaultBytes{16.0 * 1024 * 1024};

struct RunArguments {
  std::string plan;
  std::string target = "local";
  std::optional<std::string> bytes;
  std::optional<std::string> repeat;
  std::optional<std::string> warmup;
  std::optional<std::string> slots;
  std::optional<std::string> timeLimit;
  std::vector<std::string> environment;
  std::vector<std::string> sshArguments;
  Launch launch;
  std::string runner = "p2-runner";
  std::string backend = "mpi";
  std::optional<std::string> overlap;  ///< pieces; empty for as many as are predicted to pay
  AnswerForm form = AnswerForm::AsText;
  bool dry = false;  ///< shows the commands in place of running them
};

Result<Target> targetOf(const RunArguments& arguments) {
  Target target{arguments.target, arguments.target == "local" ? "" : arguments.target, arguments.runner,
                arguments.sshArguments, arguments.launch};
  if (arguments.slots) {
    P2_TRY_ASSIGN(const auto slots, wholeNumber(*arguments.slots, "--slots", 1, 1 << 20));
    target.launch.mostRanks = static_cast<int>(slots);
  }
  for (const std::string& variable : arguments.environment) {
    const std::size_t equals = variable.find('=');
    if (equals != std::string::npos) {
      target.launch.environment.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
      continue;
    }
    // Arguments are read by everyone on the machine, an environment by its owner alone.
    const char* own = std::getenv(variable.c_str());
    if (own == nullptr) {
      return Error{
          "\"" + variable + "\" is neither NAME=VALUE nor the name of a variable that is set here; use one of the two",
          "--env"};
    }
    target.launch.environment.emplace_back(variable, own);
  }
  return validated(std::move(target));
}

Result<RunRequest> requestOf(const RunArguments& arguments, const Plan& plan, const std::string& text) {
  RunRequest request;
  request.plan = text;
  request.backend = arguments.backend;
  request.bytes = std::min(plan.workspace().options.cost.bytes, kDefaultBytes);
  if (std::find(std::begin(kBackends), std::end(kBackends), request.backend) == std::end(kBackends)) {
    return Error{"\"" + request.backend + "\" is not a backend; use mpi or nccl", "--backend"};
  }
  if (arguments.bytes) {
    P2_TRY_ASSIGN(request.bytes, parseBytes(*arguments.bytes).within("--bytes"));
  }
  struct Number {
    const std::optional<std::string>& text;
    const char* name;
    int least;
    int& value;
  };
  int timeLimit = int(request.timeLimit);
  for (const Number& number : {Number{arguments.repeat, "--repeat", 1, request.repeat},
                               Number{arguments.warmup, "--warmup", 0, request.warmup},
                               Number{arguments.timeLimit, "--time-limit", 1, timeLimit}}) {
    if (!number.text) continue;
    P2_TRY_ASSIGN(const auto value, wholeNumber(*number.text, number.name, number.least, kMostRuns));
    number.value = static_cast<int>(value);
  }
  request.timeLimit = timeLimit;
  if (arguments.overlap && arguments.overlap->empty()) {
    P2_TRY_ASSIGN(const auto best, predictRun(plan.workspace(), request.bytes, std::nullopt));
    request.pieces = best.overlapped->chunks;
  } else if (arguments.overlap) {
    P2_TRY_ASSIGN(const auto pieces, wholeNumber(*arguments.overlap, "--overlap", 1, kMostChunks));
    request.pieces = static_cast<int>(pieces);
  }
  return request;
}

void showProgress(const RunProgress& progress) {
  showPassingLine(progress.phase + ", repetition " + std::to_string(progress.repetition) + " of " +
                  std::to_string(progress.repetitions));
}

/// Runs and answers; an obstacle to a run is a failed run, not bad input.
Result<int> runAndAnswer(const RunArguments& arguments, const Target& target, const RunRequest& request,
                         const Plan& plan, std::ostream& out) {
  const bool visible = ::isatty(STDERR_FILENO) != 0;
  RunObserver observer;
  if (visible) {
    observer.progress = showProgress;
    // A launcher may have to wait for its nodes, and says so.
    observer.log = [](const std::string& text) { showPassingLine(text); };
  }
  auto session = RunnerSession::open(target);
  auto result = session.ok() ? session.value().run(request, observer) : session.error();
  if (visible) showPassingLine({});
  if (!result.ok()) {
    std::cerr << "p2: " << oneLine(result.error().text()) << std::endl;
    return kNo;
  }
  const auto answers = checkAnswer(*result, identityOf(request, plan));
  if (!answers.ok()) {
    std::cerr << "p2: " << oneLine(answers.error().text()) << std::endl;
    return kNo;
  }
  P2_TRY_ASSIGN(const auto predicted, predictRun(plan.workspace(), result->bytes, result->pieces));
  const bool asked = arguments.overlap && arguments.overlap->empty();
  writeAnswer(out, runAnswer(*result, predicted, request.plan, settingOf(target), asked), arguments.form);
  return result->wrongElements == 0 ? kDone : kNo;
}

/// For the parser a plan right behind --overlap is its number.
void takePlanFromOverlap(RunArguments& arguments) {
  if (!arguments.plan.empty() || !arguments.overlap || parseInteger(*arguments.overlap)) return;
  arguments.plan = *std::exchange(arguments.overlap, "");
}

Result<int> run(RunArguments arguments, std::ostream& out) {
  takePlanFromOverlap(arguments);
  if (arguments.plan.empty()) return Error{"PLAN is required; see p2 run --help"};
  P2_TRY_ASSIGN(const auto target, targetOf(arguments));
  P2_TRY_ASSIGN(const auto text, readTextFile(arguments.plan));
  P2_TRY_ASSIGN(const auto plan, planFromJson(text).within(arguments.plan));
  P2_TRY(verify(plan).within(arguments.plan));
  P2_TRY_ASSIGN(const auto request, requestOf(arguments, plan, text));
  if (arguments.dry) {
    P2_TRY_ASSIGN(const auto commands, runCommandsAnswer(target, request, identityOf(request, plan)));
    writeAnswer(out, commands, arguments.form);
    return kDone;
  }
  return runAndAnswer(arguments, target, request, plan, out);
}

}  // namespace

void addRun(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("run", "Run a plan on real processes, check every element and time it");
  const auto arguments = std::make_shared<RunArguments>();
  addValue(*command, "PLAN", arguments->plan, "A plan file, as p2 plan writes it (required)");
  addValue(*command, "--target TARGET", arguments->target,
           "Machine that the ranks start from: local, or a host for ssh (local)");
  addValue(*command, "--backend BACKEND", arguments->backend, "Transport between ranks: mpi, or nccl on GPUs (mpi)");
  addValue(*command, "--bytes BYTES", arguments->bytes,
           "Size of the vector on every device, as in 64MiB (the plan's, at most 16 MiB)");
  addValue(*command, "--repeat N", arguments->repeat, "Number of timed repetitions (10)");
  addValue(*command, "--warmup N", arguments->warmup, "Number of repetitions before the timed ones (2)");
  command
      ->add_option_function<std::vector<std::string>>(
          "--overlap",
          [arguments](const std::vector<std::string>& given) { arguments->overlap = given.empty() ? "" : given[0]; },
          "Let steps overlap, with the vector cut into this number of pieces (the number predicted to be fastest)")
      ->type_name("PIECES")
      ->expected(0, 1);
  addValue(*command, "--time-limit SECONDS", arguments->timeLimit, "Time limit of the run, in seconds (600)");
  addValue(*command, "--slots N", arguments->slots, "Maximum number of processes on the target (64)");
  addValue(*command, "--launcher LAUNCHER", arguments->launch.launcher,
           "Program that starts the ranks: mpirun or srun (mpirun)");
  addValue(*command, "--hostfile FILE", arguments->launch.hostfile, "File with mpirun's list of hosts, on the target");
  command->add_flag("--by-node", arguments->launch.byNode, "Place consecutive ranks on different nodes");
  addValue(*command, "--env NAME=VALUE", arguments->environment,
           "Environment variable of every rank: NAME=VALUE, or NAME for the value it has here; may be repeated");
  addValue(*command, "--launcher-argument ARGUMENT", arguments->launch.arguments,
           "An argument for the launcher; may be repeated");
  addValue(*command, "--ssh-argument ARGUMENT", arguments->sshArguments,
           "An argument for ssh, as in -F and config; may be repeated");
  addValue(*command, "--runner PROGRAM", arguments->runner, "The runner's name or path on the target (p2-runner)");
  command->add_flag("--dry", arguments->dry, "Show every command that would be run, and run none");
  addJson(*command, arguments->form);
  command->callback([arguments, &chosen] { chosen = [arguments](std::ostream& out) { return run(*arguments, out); }; });
}

}  // namespace p2::cli
