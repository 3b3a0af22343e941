// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <iostream>
#include <ostream>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "base/counted.h"
#include "base/numbers.h"
#include "base/result.h"
#include "base/units.h"
#include "explore/run_prediction.h"
#include "plan/verify.h"
#include "remote/launch_command.h"
#include "remote/run_request.h"
#include "remote/run_setting.h"
#include "remote/runner_session.h"
#include "runs/run_json.h"
#include "text/document.h"
#include "text/json_writer.h"
#include "text/text_file.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

struct PlacedCommand {
  std::string where;
  const char* what;
  p2::Command command;
};

Value commandValue(const PlacedCommand& placed) {
  Document environment;
  for (const auto& [name, value] : placed.command.environment) environment.field(name, Value::text(value));
  Document fields;
  fields.field("where", Value::text(placed.where)).field("what", Value::text(placed.what));
  fields.field("environment", Value::object(std::move(environment)));
  fields.field("arguments", Value::texts(placed.command.arguments));
  return Value::object(std::move(fields), Value::Layout::Lines);
}

/// Writes every command that a run would start, on which machine, and starts none. Errors: more ranks than the target
/// has slots.
Result<void> writeRunCommands(std::ostream& out, const Target& target, const RunRequest& request,
                              const RunIdentity& identity, bool json) {
  const bool here = target.host.empty();
  const std::vector<std::string> runner = runnerCommand(target);
  const RunnerProgram program{here ? runner[0] : target.runner, request.pieces > 1, here && ::geteuid() == 0};
  P2_TRY_ASSIGN(const auto launch, launchCommand(target.launch, identity.ranks, program));
  const std::string place = here ? "this machine" : target.host;
  const std::array commands{PlacedCommand{"this machine", "starts the runner", {runner, {}}},
                            PlacedCommand{place, "starts the ranks, called by the runner", launch}};
  Document answer;
  answer.array("commands", commands.size(), [&](std::size_t i) { return commandValue(commands[i]); });
  for (const PlacedCommand& each : commands) {
    answer.line("on " + each.where + ", " + each.what + ":").line("  " + shellText(each.command));
  }
  answer.line("nothing was run");
  answer.field("plan_hash", Value::text(identity.planHash)).field("backend", Value::text(request.backend));
  answer.field("ranks", Value::whole(identity.ranks)).field("bytes", Value::number(request.bytes.value()));
  answer.field("repeat", Value::whole(request.repeat)).field("warmup", Value::whole(request.warmup));
  answer.field("pieces", Value::whole(request.pieces));
  writeAnswer(out, answer, json ? AnswerForm::Json : AnswerForm::Text);
  return {};
}

using Align = TextTable::Align;

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
  bool json = false;
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

void writeJson(std::ostream& out, const RunResult& result, const ProgramResult& predicted, const std::string& plan,
               const RunSetting& setting) {
  JsonWriter json(out);
  json.beginObject();
  json.key("backend").text(result.backend).key("library").text(result.library);
  json.key("runner_version").text(result.version).key("plan_hash").text(result.planHash);
  json.key("ranks").whole(std::int64_t(result.hosts.size())).key("hosts").beginArray();
  for (const std::string& host : result.hosts) json.text(host);
  json.end();
  RunPrediction expected{predicted.rankedSeconds(), {}};
  for (const StepCost& step : predicted.steps) expected.steps.push_back(step.seconds);
  writeRunFigures(json, result, &expected);
  writeRunSetting(json, setting);
  json.key("plan").text(plan).end();
}

/// `asked` is whether steps were to overlap if that is of use.
void writeText(std::ostream& out, const RunResult& result, const ProgramResult& predicted, bool asked) {
  out << result.library << " (" << result.backend << "), " << result.hosts.size() << " ranks, "
      << formatBytes(result.bytes) << " per device, " << countedText(result.repeat, "repetition") << "\n\n";
  const bool overlaps = result.pieces > 1;
  TextTable table({{"step", Align::Left},
                   {"min", Align::Right},
                   {"median", Align::Right},
                   {"max", Align::Right},
                   {"predicted", Align::Right},
                   {overlaps ? "" : "bus bandwidth", Align::Right}});
  const auto row = [&](const std::string& name, const Spread& seconds, double prediction, const std::string& bus) {
    table.add({name, formatSeconds(seconds.min), formatSeconds(seconds.median), formatSeconds(seconds.max),
               formatSeconds(prediction), bus});
  };
  for (std::size_t i = 0; !overlaps && i < result.steps.size(); ++i) {
    const StepRun& step = result.steps[i];
    row(std::to_string(i + 1) + " " + step.collective + " of " + std::to_string(step.members), step.seconds,
        predicted.steps[i].seconds, formatBandwidth(step.busBandwidth));
  }
  row(overlaps ? "whole program, overlapping" : "whole program", result.seconds, predicted.rankedSeconds(), "");
  out << table.text(2) << '\n';
  if (overlaps) {
    out << "in " << result.pieces
        << " pieces, which follow each other through the steps: no step has a time of its own; "
        << formatSeconds(predicted.seconds) << " predicted one after the other\n";
  } else if (asked) {
    out << "one step after the other, as nothing is predicted to be gained by overlapping them\n";
  }
  if (result.wrongElements == 0) {
    out << "every element is right, in float32 and in int64\n";
  } else {
    out << result.wrongElements << " elements are wrong: the run has failed\n";
  }
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
  arguments.json ? writeJson(out, *result, predicted, request.plan, settingOf(target))
                 : writeText(out, *result, predicted, arguments.overlap && arguments.overlap->empty());
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
    P2_TRY(writeRunCommands(out, target, request, identityOf(request, plan), arguments.json));
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
  addJson(*command, arguments->json);
  command->callback([arguments, &chosen] { chosen = [arguments](std::ostream& out) { return run(*arguments, out); }; });
}

}  // namespace p2::cli
