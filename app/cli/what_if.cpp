// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/terminal_progress.h"
#include "app/cli/training_options.h"
#include "app/cli/what_if_listing.h"

namespace p2::cli {
namespace {

struct WhatIfRequest {
  std::string model;
  std::string system;
  std::vector<std::string> degraded;
  TrainingRequest asked;
  std::vector<std::string> varied;  ///< "nodes=2,4,8"
  bool keptOnly = false;
  std::vector<std::string> prices;  ///< "2.5" of the system's devices, "H200=4" of another accelerator
  std::optional<std::string> power;
  std::optional<std::string> tokens;
  std::optional<std::string> deadline;
  AnswerForm form = AnswerForm::AsText;
};

/// A number of an option.
struct Figure {
  const char* option;
  const char* example;
  double least, most;
  std::initializer_list<std::pair<char, double>> endings = {};  ///< "15T", "30d"
};

Result<double> numberOf(const Figure& figure, const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest(read.ptr, static_cast<std::size_t>(text.data() + text.size() - read.ptr));
  double factor = rest.empty() ? 1 : 0;
  for (const auto& [ending, times] : figure.endings) {
    if (rest.size() == 1 && rest.front() == ending) factor = times;
  }
  if (read.ec != std::errc() || factor == 0 || std::isnan(value)) {
    return Error{"\"" + text + "\" is not a number such as " + figure.example, figure.option};
  }
  if (value * factor < figure.least || value * factor > figure.most) {
    return Error{
        "\"" + text + "\" is out of range; use " + exactNumber(figure.least) + " to " + exactNumber(figure.most),
        figure.option};
  }
  return value * factor;
}

Result<TrainingInput> inputOf(const WhatIfRequest& request) {
  P2_TRY(checkBatchGiven(request.asked));
  P2_TRY_ASSIGN(auto model, trainingModelOf(request.model, "MODEL"));
  P2_TRY_ASSIGN(auto system, systemOfArgument(request.system, "SYSTEM", request.degraded));
  return readTrainingOptions(request.asked, std::move(model), std::move(system));
}

/// Prices by accelerator; the empty name is the system's own.
using Prices = std::map<std::string, double>;

Result<Prices> pricesOf(const std::vector<std::string>& texts) {
  Prices prices;
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    const std::string type = sign == std::string::npos ? std::string() : text.substr(0, sign);
    if (!type.empty()) P2_TRY(trainingAcceleratorOf(type).within("--price"));
    const std::string figure = sign == std::string::npos ? text : text.substr(sign + 1);
    P2_TRY_ASSIGN(const double price,
                  numberOf({"--price", "2.5, or H200=4 for another accelerator", 1e-6, 1e6}, figure));
    prices[type] = price;
  }
  return prices;
}

/// Whether a name is an accelerator's type or its beginning, as "H100" is of "H100-SXM".
bool isNameOf(const std::string& name, const std::string& type) {
  return !name.empty() && type.starts_with(name) && (type.size() == name.size() || type[name.size()] == '-');
}

/// Figures of the options in place of the system's; the longest name of its accelerator counts.
Result<void> takeCosts(const WhatIfRequest& request, const Prices& prices, WhatIfAnswer& answer) {
  Accelerator& accelerator = answer.question.system.accelerator;
  for (const auto& [name, price] : prices) {
    if (name.empty() || isNameOf(name, accelerator.type)) accelerator.price = price;
  }
  if (request.power) {
    P2_TRY_ASSIGN(accelerator.power, numberOf({"--power", "700", 1, 1e5}, *request.power));
  }
  answer.cost = runningCostOf(accelerator);
  if (accelerator.power == 0 && answer.cost.wattsPerDevice) {
    answer.assumed.push_back("a device draws its board's limit (--power)");
  }
  return {};
}

Result<void> readAims(const WhatIfRequest& request, WhatIfAnswer& answer) {
  if (request.tokens) {
    P2_TRY_ASSIGN(answer.tokens, numberOf({"--tokens", "15T or 300B", 1, 1e18, {{'M', 1e6}, {'B', 1e9}, {'T', 1e12}}},
                                          *request.tokens));
  }
  if (request.deadline) {
    if (!request.tokens) return Error{"a deadline needs the tokens of the training, as in --tokens 15T", "--deadline"};
    P2_TRY_ASSIGN(
        answer.deadline,
        numberOf({"--deadline", "30d or 72h", 1, 1e12, {{'h', 3600}, {'d', 86400}, {'w', 604800}}}, *request.deadline));
  }
  return {};
}

/// A point's accelerator has the price of the option, and none without one.
void priceAccelerator(WhatIfPoint& point, const Prices& prices, WhatIfAnswer& answer) {
  const std::string& type = point.change.accelerator;
  if (type.empty()) return;
  if (const auto found = prices.find(type); found != prices.end()) {
    point.cost.pricePerDeviceHour = found->second;
  } else if (answer.cost.pricePerDeviceHour && !point.cost.pricePerDeviceHour) {
    const std::string sentence = "the price of " + type + " is not known; add --price " + type + "=…";
    if (std::find(answer.notes.begin(), answer.notes.end(), sentence) == answer.notes.end()) {
      answer.notes.push_back(sentence);
    }
  }
}

/// Notes prices that no point uses, and a power that the accelerators of other points do not have.
void noteUnused(const WhatIfRequest& request, const Prices& prices, WhatIfAnswer& answer) {
  const std::string& own = answer.question.system.accelerator.type;
  const auto isAnywhere = [&](const std::string& type) {
    return type.empty() || isNameOf(type, own) ||
           std::any_of(answer.points.begin(), answer.points.end(),
                       [&](const auto& each) { return each.change.accelerator == type; });
  };
  for (const auto& [type, price] : prices) {
    if (!isAnywhere(type)) answer.notes.push_back("--price " + type + "=… is not used: no point has " + type);
  }
  if (!request.power) return;
  std::set<std::string> others;
  for (const WhatIfPoint& point : answer.points) {
    if (const auto& type = point.change.accelerator; !type.empty() && type != own) others.insert(type);
  }
  for (const std::string& type : others) {
    const auto board = boardPowerOf(type);
    answer.notes.push_back("--power applies to today's devices; " + type + " draws " +
                           (board ? "its board's limit, " + exactNumber(*board) + " W" : "an unknown power"));
  }
}

/// Notes a fixed degree of data parallelism, which follows from the devices at every point.
void noteData(WhatIfAnswer& answer) {
  const std::optional<std::int64_t> data = answer.question.fixed.data;
  const bool otherDevices = std::any_of(answer.points.begin(), answer.points.end(), [&](const WhatIfPoint& point) {
    return point.devices != answer.question.system.deviceCount();
  });
  if (!data || !otherDevices) return;
  answer.notes.push_back("dp " + std::to_string(*data) +
                         " holds for the machine as it is; with another number of devices, dp follows from it");
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
  P2_TRY_ASSIGN(const auto prices, pricesOf(request.prices));
  WhatIfAnswer answer;
  answer.model = request.model;
  answer.system = request.system;
  answer.question = input.question;
  answer.findsBest = !request.keptOnly;
  TerminalProgress progress("searching configurations");
  TrainingInput first = input;
  first.question.best = 1;
  P2_TRY_ASSIGN(auto found, answerTraining(first, {}, progress.progress()));
  answer.before = std::move(found.configurations.front());
  answer.assumed = std::move(found.assumed);
  P2_TRY(takeCosts(request, prices, answer));
  P2_TRY(readAims(request, answer));
  const ChosenConfiguration chosen = chosenFrom(answer.before);
  for (const WhatIfChange& change : changes) {
    P2_TRY_ASSIGN(auto point, whatIf(answer.question, chosen, change).within("--vary"));
    P2_TRY(findFewerReplicas(point, answer.question, chosen));
    priceAccelerator(point, prices, answer);
    if (answer.findsBest) {
      P2_TRY(findBest(point, answer.question));
      P2_TRY(findFasterNearby(point, answer.question));
    }
    answer.points.push_back(std::move(point));
  }
  noteUnused(request, prices, answer);
  noteData(answer);
  writeAnswer(out, whatIfDocument(answer), request.form);
  return isAnyInTime(answer) ? kDone : kNo;
}

}  // namespace

void addWhatIf(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand(
      "what-if", "Predict the training step on another machine: nodes, oversubscription, NICs, accelerators, batches");
  const auto request = std::make_shared<WhatIfRequest>();
  addTrainingModel(*command, "MODEL", request->model)->required();
  addSystemArgument(*command, request->system);
  addDegrade(*command, request->degraded);
  addTrainingOptions(*command, request->asked, {"batch", "sequence", "framework", "precision", "fixed", "reserve"});
  addValue(*command, "--vary QUANTITY=VALUES", request->varied,
           "Values of nodes, rack (its nodes), spine (oversubscription or bandwidth), nic, gpu, batch, sequence, down, "
           "jobs, precision, recompute, reserve or framework: nodes=2,4,8; several --vary are combined")
      ->required();
  command->add_flag("--kept", request->keptOnly,
                    "Price only the current configuration, without searching for the best one at each value");
  addValue(*command, "--price PRICE", request->prices,
           "Price of a device for an hour, by default the system's; H200=4 for another accelerator")
      ->delimiter(',');
  addValue(*command, "--power WATTS", request->power,
           "Watts of a device, by default the system's, else its board's limit");
  addValue(*command, "--tokens N", request->tokens, "Tokens of the whole training, as in 15T: adds days and price");
  addValue(*command, "--deadline TIME", request->deadline,
           "Deadline, as in 30d: names the cheapest training that ends by then");
  addJson(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
