// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <charconv>

#include "app/cli/commands.h"
#include "app/cli/terminal_progress.h"
#include "app/cli/what_if_listing.h"
#include "base/units.h"

namespace p2::cli {
namespace {

struct WhatIfRequest {
  std::string model;
  std::string system;
  std::vector<std::string> degraded;
  TrainingRequest asked;
  std::vector<std::string> varied;  ///< "nodes=2,4,8"
  bool keptOnly = false;
  std::optional<double> price;
  std::optional<double> power;
  std::optional<std::string> tokens;
  std::optional<std::string> deadline;
  bool json = false;
};

/// A number above 0 with one of some endings, "15T" or "30d".
Result<double> numberWith(const std::string& text, std::initializer_list<std::pair<char, double>> endings,
                          const char* option, const char* example) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest(read.ptr, static_cast<std::size_t>(text.data() + text.size() - read.ptr));
  double factor = rest.empty() ? 1 : 0;
  for (const auto& [ending, times] : endings) {
    if (rest.size() == 1 && rest.front() == ending) factor = times;
  }
  if (read.ec != std::errc() || factor == 0 || !(value > 0) || value * factor > 1e18) {
    return Error{"\"" + text + "\" is not a number such as " + example, option};
  }
  return value * factor;
}

Result<TrainingInput> inputOf(const WhatIfRequest& request) {
  P2_TRY_ASSIGN(auto model, modelFromArgument(request.model).within("MODEL"));
  P2_TRY_ASSIGN(auto system, systemOfArgument(request.system, "SYSTEM", request.degraded));
  auto input = readTrainingRequest(request.asked, std::move(model), std::move(system));
  if (!input.ok()) {
    Error error = input.error();
    error.where.document.insert(0, "--");
    return error;
  }
  return input;
}

Result<void> readCosts(const WhatIfRequest& request, WhatIfAnswer& answer) {
  answer.cost = {request.price, request.power};
  if (!request.power) answer.cost.wattsPerDevice = boardPowerOf(answer.question.system.accelerator.type);
  if (!request.power && answer.cost.wattsPerDevice) {
    answer.assumed.push_back("a device draws its board's limit; --power changes it");
  }
  if (request.tokens) {
    P2_TRY_ASSIGN(answer.tokens,
                  numberWith(*request.tokens, {{'M', 1e6}, {'B', 1e9}, {'T', 1e12}}, "--tokens", "15T or 300B"));
  }
  if (request.deadline) {
    if (!request.tokens) return Error{"a deadline needs the tokens of the training, as in --tokens 15T", "--deadline"};
    P2_TRY_ASSIGN(answer.deadline, numberWith(*request.deadline, {{'h', 3600.0}, {'d', 86400.0}, {'w', 604800.0}},
                                              "--deadline", "30d or 72h"));
  }
  return {};
}

/// Every combination of the values of all quantities.
Result<std::vector<WhatIfChange>> changesOf(const WhatIfRequest& request) {
  constexpr std::size_t kMostPoints = 1000;
  std::vector<WhatIfChange> all{{}};
  for (const std::string& varied : request.varied) {
    P2_TRY_ASSIGN(const auto values, whatIfChangesFrom(varied).within("--vary"));
    std::vector<WhatIfChange> next;
    for (const WhatIfChange& each : all) {
      for (const WhatIfChange& value : values) next.push_back(combined(each, value));
    }
    if (next.size() > kMostPoints) return Error{"more than 1000 combinations; vary fewer values", "--vary"};
    all = std::move(next);
  }
  return all;
}

/// Whether the training runs at some point, by the deadline if there is one.
bool isAnyInTime(const WhatIfAnswer& answer) {
  return std::any_of(answer.points.begin(), answer.points.end(), [&](const WhatIfPoint& point) {
    const auto inTime = [&](const std::optional<PlannedConfiguration>& planned) {
      if (!planned) return false;
      return !answer.deadline || *answer.tokens / planned->estimate.tokensPerSecond <= *answer.deadline;
    };
    return inTime(point.kept) || inTime(point.best);
  });
}

Result<int> run(const WhatIfRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto input, inputOf(request));
  P2_TRY_ASSIGN(const auto changes, changesOf(request));
  WhatIfAnswer answer{request.model, request.system, input.question, {}, {}, !request.keptOnly, {}, {}, {}, {}};
  TerminalProgress progress("searching configurations");
  TrainingInput first = input;
  first.question.best = 1;
  P2_TRY_ASSIGN(auto found, answerTraining(first, {}, progress.progress()));
  answer.before = std::move(found.configurations.front());
  answer.assumed = std::move(found.assumed);
  P2_TRY(readCosts(request, answer));
  for (const WhatIfChange& change : changes) {
    P2_TRY_ASSIGN(auto point, whatIf(input.question, chosenFrom(answer.before), change).within("--vary"));
    if (answer.findsBest) P2_TRY(findBest(point, input.question));
    answer.points.push_back(std::move(point));
  }
  writeAnswer(out, whatIfDocument(answer), request.json ? AnswerForm::Json : AnswerForm::Text);
  return isAnyInTime(answer) ? kDone : kNo;
}

}  // namespace

void addWhatIf(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand(
      "what-if", "The training step on another machine: nodes, oversubscription, NICs, accelerators, batches");
  const auto request = std::make_shared<WhatIfRequest>();
  command->add_option("MODEL", request->model, "A bundled model, as in llama3-70b, or a config.json")->required();
  command->add_option("SYSTEM", request->system, "A preset, as in dgx-h100:16, levels as text, or a file")->required();
  addDegrade(*command, request->degraded);
  command->add_option("--batch", request->asked.batch, "Sequences of a step")
      ->required()
      ->check(CLI::Range(1, 1 << 30));
  command->add_option("--sequence", request->asked.sequence, "Tokens of a sequence")->check(CLI::Range(1, 1 << 30));
  command->add_option("--framework", request->asked.framework, "megatron, torchtitan, deepspeed, fsdp, maxtext or any");
  command->add_option("--precision", request->asked.precision, "Of products: bf16, fp8 or fp4");
  command->add_option("--fix", request->asked.fixed, "Choices that are made, as in tp=8,pp=4");
  command->add_option("--reserve", request->asked.reserve, "Memory of a device that is kept free, as in 6GB");
  command
      ->add_option(
          "--vary", request->varied,
          "Values of nodes, rack (its nodes), spine (oversubscription or bandwidth), nic, gpu, batch, sequence, down "
          "or jobs: nodes=2,4,8; several --vary are combined")
      ->required();
  command->add_flag("--kept", request->keptOnly, "Price the configuration of today alone, without the best of each");
  command->add_option("--price", request->price, "Price of a device for an hour")->check(CLI::Range(1e-6, 1e6));
  command->add_option("--power", request->power, "Watts of a device (its board's limit)")->check(CLI::Range(1.0, 1e5));
  command->add_option_function<std::string>(
      "--tokens", [request](const std::string& text) { request->tokens = text; },
      "Tokens of the whole training, as in 15T: adds days and price");
  command->add_option_function<std::string>(
      "--deadline", [request](const std::string& text) { request->deadline = text; },
      "Name the cheapest that is done by then, as in 30d");
  command->add_flag("--json", request->json, "Print one JSON object instead of a table");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
