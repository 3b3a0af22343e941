// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/answer_keys.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/terminal_progress.h"
#include "app/cli/train_configuration.h"
#include "app/cli/train_listing.h"
#include "app/cli/training_options.h"
#include "base/counted.h"
#include "base/numbers.h"
#include "strategy/step_memory.h"
#include "text/document.h"
#include "text/text_file.h"
#include "timeline/chrome_trace.h"
#include "timeline/step_timeline.h"
#include "training_answer/configuration_comparison.h"
#include "training_answer/launch_files.h"
#include "training_answer/training_evaluation.h"
#include "training_answer/training_measurements.h"
#include "training_answer/training_plan_file.h"
#include "whatif/system_changes.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kConfigurationA{"a_configuration",
                                    "Answer of --why: the configuration of side A; rows has what, a, b, difference"};
constexpr AnswerKey kConfigurationB{"b_configuration", "The configuration of side B"};

using Align = TextTable::Align;

constexpr Column<ComparedLine> kColumns[] = {
    {"what", "what", [](const ComparedLine& line) { return Value::text((line.isPart() ? "  " : "") + line.what); },
     Align::Left},
    {"a", "A", [](const ComparedLine& line) { return line.a; }},
    {"b", "B", [](const ComparedLine& line) { return line.b; }},
    {"difference", "B − A", [](const ComparedLine& line) { return line.difference; }},
};

/// The answer of `--why A B`: choices that differ, the parts of both steps and of their memory, line by line. All
/// arguments must outlive the document.
Document comparisonDocument(const TrainingQuestion& question, double reserve, double memory,
                            const NamedConfiguration& a, const NamedConfiguration& b) {
  const auto lines = std::make_shared<std::vector<ComparedLine>>(
      compareConfigurations(a.planned, b.planned, reserve, question.system));
  Document document;
  document.field("a", "A", Value::text(a.name)).field("b", "B", Value::text(b.name));
  document.line("");
  document.line(describeComparison(*lines, a, b, reserve, memory));
  document.line("");
  document.field(kConfigurationA, Value::object(configurationDocument(question.model, a.planned, reserve)))
      .field(kConfigurationB, Value::object(configurationDocument(question.model, b.planned, reserve)));
  Table table = tableOver<ComparedLine>(kColumns, *lines);
  table.at = [lines, at = std::move(table.at)](std::size_t row, std::size_t column) { return at(row, column); };
  document.table("rows", std::move(table));
  return document;
}

struct TrainRequest {
  std::string model;
  std::string system;
  std::vector<std::string> degraded;
  TrainingRequest asked;
  std::optional<std::int64_t> gpus;   ///< GPUs of the system to use; all if not given
  std::optional<std::int64_t> flags;  ///< place of the configuration whose launch flags are printed
  std::optional<std::string> own;     ///< a user's own configuration: a file, or choices
  std::vector<std::string> compared;  ///< two: places of the listing, "mine", or files
  std::vector<std::string> measured;  ///< logs, each with its choices behind a colon
  std::optional<std::string> output;  ///< file for the plan of a configuration
  std::optional<std::string> trace;   ///< file for the timeline of the first configuration
  AnswerForm form = AnswerForm::AsText;
};

/// The loads of a file, or the text itself where it names a distribution.
Result<std::string> loadTextOf(const std::string& argument) {
  if (argument == "uniform" || argument.starts_with("power:")) return argument;
  return readTextFile(argument).within("--expert-load");
}

/// `planned`: a plan gives the batch.
Result<TrainingInput> inputOf(const TrainRequest& request, const std::optional<StatedTraining>& stated, bool planned) {
  TrainingRequest asked = request.asked;
  P2_TRY_ASSIGN(asked.expertLoad, loadTextOf(asked.expertLoad));
  if (!stated && !planned) P2_TRY(checkBatchGiven(asked));
  if (stated && asked.sequence == 0) asked.sequence = stated->sequence.value_or(0);
  P2_TRY_ASSIGN(auto model, trainingModelOf(request.model, "MODEL"));
  P2_TRY_ASSIGN(auto system, systemOfArgument(request.system, "SYSTEM", request.degraded));
  if (request.gpus) {
    P2_TRY_ASSIGN(system, withDeviceCount(system, *request.gpus).within("--gpus"));
  }
  return readTrainingOptions(asked, std::move(model), std::move(system));
}

/// An error about a value of the request, with the option's name.
Error namedAsOption(const Error& error) {
  const std::string& position = error.where.position;
  return position == "batch" || position == "reserve" || position == kFixKey ? error.at("--" + position) : error;
}

/// A file's configuration for the question's model and system. The question takes its sizes.
Result<OwnTraining> ownTraining(const std::string& file, StatedTraining stated, TrainingInput& input,
                                const GivenSizes& given) {
  P2_TRY_ASSIGN(auto made, ownConfiguration(stated, input, given).within(file));
  return OwnTraining{file, std::move(stated), std::move(made), {}};
}

/// The text of a plan of p2 train; empty for a file of another kind, which its own reader opens.
std::string planTextOf(const std::string& file) {
  const auto text = readTextFile(file);
  return text.ok() && isTrainingPlan(*text) ? *text : std::string();
}

/// The configuration of --evaluate, without its evaluation. `stated` is its file; none where it is a list of choices or
/// a plan.
Result<OwnTraining> ownOf(const TrainRequest& request, std::optional<StatedTraining> stated, const std::string& plan,
                          TrainingInput& input) {
  GivenSizes given;
  if (request.asked.batch > 0) given.batch = request.asked.batch;
  if (request.asked.sequence > 0) given.sequence = request.asked.sequence;
  if (!plan.empty()) {
    P2_TRY_ASSIGN(auto own, ownFromPlan(plan, input, given).within(*request.own).within("--evaluate"));
    return OwnTraining{*request.own, std::move(own.stated), std::move(own.configuration), {}};
  }
  if (!stated) {
    P2_TRY_ASSIGN(auto own, ownFromChoices(input, *request.own).within("--evaluate"));
    if (!own.completed.empty()) own.stated.assumed.push_back(own.completed + ", which the choices leave open");
    return OwnTraining{*request.own, std::move(own.stated), std::move(own.configuration), {}};
  }
  return ownTraining(*request.own, std::move(*stated), input, given);
}

/// One side of --why.
Result<NamedConfiguration> comparedOf(const std::string& name, TrainingInput& input, const TrainingAnswer& answer,
                                      const std::optional<OwnTraining>& own) {
  if (name == "mine") {
    if (!own) return Error{"\"mine\" is the configuration of --evaluate; add it", "--why"};
    return NamedConfiguration{name, own->evaluation.mine};
  }
  if (const auto place = parseInteger(name)) {
    if (*place < 1 || *place > static_cast<std::int64_t>(answer.configurations.size())) {
      return Error{name + " is not in the listing of " + countedText(answer.configurations.size(), "configuration") +
                       "; raise --best",
                   "--why"};
    }
    return NamedConfiguration{name, answer.configurations[static_cast<std::size_t>(*place - 1)]};
  }
  const GivenSizes sizes{input.question.batch, input.question.sequence};
  if (const std::string plan = planTextOf(name); !plan.empty()) {
    TrainingInput same = input;
    P2_TRY_ASSIGN(const auto made, ownFromPlan(plan, same, sizes).within(name).within("--why"));
    P2_TRY_ASSIGN(auto planned, priceOwn(input, made.stated, made.configuration));
    return NamedConfiguration{name, std::move(planned)};
  }
  P2_TRY_ASSIGN(auto stated, readTrainingFile(name).within("--why"));
  P2_TRY_ASSIGN(const auto made, ownTraining(name, std::move(stated), input, sizes));
  P2_TRY_ASSIGN(auto planned, priceOwn(input, made.stated, made.configuration));
  return NamedConfiguration{name, std::move(planned)};
}

Result<void> writeTrace(const std::string& file, const TrainingQuestion& question, const TrainingAnswer& answer) {
  P2_TRY_ASSIGN(auto study, studyStep(question, answer.configurations.front(), answer.reserve));
  addCounters(study);
  return writeTextFile(file, chromeTraceText(study.timeline));
}

/// The configuration of --flags, or the first.
Result<const PlannedConfiguration*> chosenOf(const TrainRequest& request, const TrainingAnswer& answer) {
  const auto place = static_cast<std::size_t>(request.flags.value_or(1));
  if (place <= answer.configurations.size()) return &answer.configurations[place - 1];
  return Error{std::to_string(place) + " is not in the listing of " +
                   countedText(answer.configurations.size(), "configuration") + "; raise --best",
               "--flags"};
}

Result<void> writePlan(const TrainRequest& request, TrainingQuestion question, const TrainingAnswer& answer) {
  P2_TRY_ASSIGN(const auto* chosen, chosenOf(request, answer));
  question.reserve = answer.reserve;
  return writeTextFile(*request.output,
                       trainingPlanToJson({request.model, std::move(question), *chosen, answer.assumed}));
}

/// "run.log:tp=8,pp=4" is a log and its choices; a log alone is of the configuration of --evaluate.
Result<TrainingMeasurements> measurementsOf(const std::vector<std::string>& logs, TrainingInput& input,
                                            const std::optional<OwnTraining>& own) {
  std::vector<MeasuredTraining> runs;
  for (const std::string& each : logs) {
    const std::size_t colon = each.rfind(':');
    const bool stated = colon != std::string::npos && each.find('=', colon) != std::string::npos;
    if (!stated && !own) {
      return Error{each + " needs its configuration: add it, as in " + each + ":tp=8,pp=4, or --evaluate FILE"};
    }
    if (stated) {
      P2_TRY_ASSIGN(auto made, measuredTraining(each.substr(0, colon), each.substr(colon + 1), input));
      runs.push_back(std::move(made));
    } else {
      P2_TRY_ASSIGN(auto planned, priceOwn(input, own->stated, own->configuration));
      P2_TRY_ASSIGN(auto made, measuredTraining(each, std::move(planned), input));
      runs.push_back(std::move(made));
    }
  }
  return calibratedBy(std::move(runs));
}

Result<int> run(const TrainRequest& request, std::ostream& out) {
  std::optional<StatedTraining> stated;
  const std::string plan = request.own ? planTextOf(*request.own) : std::string();
  if (request.own && plan.empty() && !isChoiceList(*request.own)) {
    P2_TRY_ASSIGN(stated, readTrainingFile(*request.own).within("--evaluate"));
  }
  P2_TRY_ASSIGN(auto input, inputOf(request, stated, !plan.empty()));
  const TrainingQuestion& question = input.question;
  std::optional<OwnTraining> own;
  if (request.own) {
    P2_TRY_ASSIGN(own, ownOf(request, std::move(stated), plan, input));
  }
  std::optional<TrainingMeasurements> measurements;
  if (!request.measured.empty()) {
    P2_TRY_ASSIGN(measurements, measurementsOf(request.measured, input, own).within("--measured"));
    input.question.calibration = measurements->calibration;
  }
  TerminalProgress progress("searching configurations");
  auto found = answerTraining(input, {}, progress.progress());
  if (!found.ok()) return namedAsOption(found.error());
  const TrainingAnswer answer = std::move(found.value());
  const bool isListing = !own && !request.trace && !request.output && !request.flags && request.compared.empty();
  if (answer.configurations.empty() && !isListing) {
    return Error{answer.problem, {}, ErrorKind::TooLarge}.about(kNothingFits);
  }
  if (own) {
    P2_TRY_ASSIGN(own->evaluation, evaluateTraining(input, own->stated, own->configuration, {}, progress.progress()));
  }
  if (request.trace) P2_TRY(writeTrace(*request.trace, question, answer));
  if (request.output) P2_TRY(writePlan(request, question, answer));
  if (request.flags) {
    P2_TRY_ASSIGN(const auto* chosen, chosenOf(request, answer));
    out << launchTextOf(question.model, question.system, *chosen);
    for (const auto& note :
         {launchGap(question.model, *chosen->framework), untrainedPart(question.model, *chosen, answer.assumed)}) {
      if (!note.empty()) std::cerr << "p2: note: " << note << '\n';
    }
    return kDone;
  }
  const AnswerForm form = request.form;
  if (!request.compared.empty()) {
    P2_TRY_ASSIGN(const auto a, comparedOf(request.compared.front(), input, answer, own));
    P2_TRY_ASSIGN(const auto b, comparedOf(request.compared.back(), input, answer, own));
    writeAnswer(out, comparisonDocument(question, answer.reserve, answer.memory, a, b), form);
    return kDone;
  }
  writeAnswer(out,
              trainingDocument(question, answer, request.model, request.system, own ? &*own : nullptr,
                               measurements ? &*measurements : nullptr),
              form);
  const bool isNo = answer.configurations.empty() || (own && !own->evaluation.inFramework);
  return isNo ? kNo : kDone;
}

}  // namespace

std::vector<AnswerKey> whyKeys() { return {kConfigurationA, kConfigurationB}; }

void addTrain(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("train", "Find how to train a model on a system: degrees, memory, placement and step time");
  const auto request = std::make_shared<TrainRequest>();
  addTrainingModel(*command, "MODEL", request->model)->required();
  addSystemArgument(*command, request->system);
  addDegrade(*command, request->degraded);
  addTrainingOptions(*command, request->asked,
                     {"batch", "sequence", "framework", "precision", "fixed", "reserve", "best", "too_large",
                      "variants", "expert_load", "capacity"});
  addValue(*command, "--gpus N", request->gpus,
           "Use only this number of GPUs of the system: whole nodes, a part of one node, or equally many GPUs of the "
           "fewest racks with one NVLink")
      ->check(CLI::Range(1, 1 << 24).description(""));
  addValue(*command, "--flags N", request->flags,
           "Print the launch flags or the file of the framework for this place of the listing, as in 1")
      ->check(CLI::Range(std::int64_t{1}, kMostListedConfigurations).description(""));
  addValue(
      *command, "--evaluate FILE", request->own,
      "Your own configuration to price and rank: a Megatron-LM script, TorchTitan TOML, DeepSpeed JSON, …; or choices, "
      "as in tp=8,pp=4");
  addValue(*command, "--why CONFIGURATION", request->compared,
           "Compare two line by line: places of the listing, mine (the file of --evaluate), or files")
      ->expected(2);
  addValue(*command, "--measured LOG[:CHOICES]", request->measured,
           "A log of a run on this system, as in run.log:tp=8,pp=4, that calibrates the predictions");
  addValue(*command, "-o,--output FILE", request->output,
           "Also write the plan of the first configuration, or of --flags N, to this file, for p2 export");
  addValue(*command, "--trace FILE", request->trace,
           "Also write the step of the first configuration as a timeline for Perfetto to this file");
  addJson(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
