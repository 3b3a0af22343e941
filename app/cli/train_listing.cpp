// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/train_listing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/answer_keys.h"
#include "app/cli/assumed.h"
#include "app/cli/train_configuration.h"
#include "app/cli/train_evaluation.h"
#include "base/counted.h"
#include "base/units.h"
#include "text/text_table.h"
#include "timeline/step_timeline.h"
#include "training_answer/configuration_comparison.h"
#include "training_answer/configuration_text.h"
#include "training_answer/interval_evidence.h"
#include "training_answer/plan_hints.h"
#include "whatif/what_if.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kConsidered{"considered", "Configurations with their layouts of stages"};
constexpr AnswerKey kExcluded{
    "excluded",
    "How many of them are excluded by rules of the framework (rules), by a lower bound of their time above the listed "
    "steps (too_slow, whose memory is not looked at) and by memory"};
constexpr AnswerKey kConfigurations{
    "configurations",
    "List, best first: framework, tp, sp, cp, cp_kind, pp, vpp, ep, etp, dp, replicas, zero, reshard (whether "
    "parameters of ZeRO 3 are gathered again for every microbatch), microbatch, microbatches, recompute, "
    "recompute_modules (of selective recomputation; empty for the framework's own choice), schedule, layers_per_stage, "
    "layers_per_chunk (of every virtual stage, in the order of the model), layout (in words), axes, matrix, orders, "
    "rank_file (whether only a rank file gives the placement), tokens_per_second, mfu, memory, ties_with (places)"};
constexpr AnswerKey kProblem{"problem",
                             "Why nothing fits, and how many devices would do; null if something does. Only with "
                             "--too-large; an error without it"};
constexpr AnswerKey kPrice{
    "price_per_million_tokens",
    "Price of the first configuration, by the price of the system's accelerator; null where unknown"};
constexpr AnswerKey kJoules{
    "joules_per_token",
    "Energy of the first configuration, by the power of the system's accelerator; null where unknown"};
constexpr AnswerKey kHidden{
    "hidden_communication",
    "s, by axis: communication of the first configuration behind computation, which its parts do not count"};
constexpr AnswerKey kTooLarge{"too_large",
                              "Answer of --too-large: the same figures of configurations that do not fit, the fastest "
                              "first, or the smallest first where none fits, and lacks (bytes)"};
constexpr AnswerKey kCalibration{"calibration", "Factors from the logs of --measured; absent without these"};
constexpr AnswerKey kFactors{"factors", "Factors of predicted computation, host, communication and bubble"};
constexpr AnswerKey kLeftOutError{
    "left_out_error",
    "Median error of each run, predicted from the others, as a natural logarithm; null for a single run"};
constexpr AnswerKey kMeasured{"measured",
                              "The logs: file, framework, steps, measured_seconds (the median without the first steps) "
                              "and predicted_seconds before calibration"};

double compute(const StepParts& parts) { return parts.compute + parts.inefficiency; }

/// The place in the listing, with "=" where the intervals cannot tell it from the first.
std::string rankText(const std::vector<PlannedConfiguration>& listed, std::size_t row) {
  const auto& ties = listed[row].tiesWith;
  const bool tied = row > 0 && std::find(ties.begin(), ties.end(), std::size_t{0}) != ties.end();
  return std::to_string(row + 1) + (tied || (row == 0 && !ties.empty()) ? "=" : "");
}

std::vector<std::int64_t> asWholes(const std::vector<std::size_t>& places) {
  std::vector<std::int64_t> wholes;
  for (const std::size_t place : places) wholes.push_back(static_cast<std::int64_t>(place + 1));
  return wholes;
}

Document listedDocument(const TrainingQuestion& question, const TrainingAnswer& answer,
                        const PlannedConfiguration& each) {
  Document fields = configurationDocument(question.model, each, answer.reserve);
  fields.field("ties_with", Value::wholes(asWholes(each.tiesWith)));
  return fields;
}

/// Degrees, and whether only a rank file gives the placement.
std::string degreesAndStart(const PlannedConfiguration& each) {
  return trainingDegreesText(each.configuration) + (each.needsRankFile() ? " · with a rank file" : "");
}

/// `large`: what each configuration lacks takes the place of the interval.
std::string tableText(const TrainingQuestion& question, const TrainingAnswer& answer,
                      const std::vector<PlannedConfiguration>& listed, bool large) {
  constexpr auto kRight = TextTable::Align::Right;
  const bool piped =
      std::any_of(listed.begin(), listed.end(), [](const auto& each) { return each.configuration.plan.pipeline > 1; });
  std::vector<TextTable::Column> columns{{"#", kRight}, {"framework"}, {"degrees"}};
  if (piped) columns.push_back({"layers of stages"});
  columns.insert(columns.end(), {{"microbatch", kRight}, {"recompute"}, {"memory", kRight}});
  if (large) columns.push_back({"lacks", kRight});
  columns.push_back({"step", kRight});
  if (!large) columns.push_back({"80 % interval"});
  columns.insert(columns.end(), {{"MFU", kRight}, {"tokens/s/GPU", kRight}});
  TextTable table(columns);
  const auto devices = static_cast<double>(question.system.deviceCount());
  const auto bytesText = [](double bytes) { return formatBytes(Bytes(static_cast<std::int64_t>(bytes))); };
  for (std::size_t row = 0; row < listed.size(); ++row) {
    const PlannedConfiguration& each = listed[row];
    const TrainingPlan& plan = each.configuration.plan;
    const double memory = each.memory.total() + answer.reserve;
    std::vector<std::string> cells{rankText(listed, row), std::string(each.framework->label), degreesAndStart(each)};
    if (piped) cells.push_back(plan.pipeline > 1 ? layoutText(question.model, each.configuration) : "–");
    cells.insert(cells.end(), {std::to_string(plan.microbatch) + " of " + std::to_string(plan.microbatches),
                               recomputationName(recomputationOf(each.configuration)), bytesText(memory)});
    if (large) cells.push_back(bytesText(memory - answer.memory));
    cells.push_back(formatSeconds(each.estimate.seconds));
    if (!large) {
      cells.push_back(formatSecondsLike(each.estimate.seconds, each.estimate.low) + "–" +
                      formatSecondsLike(each.estimate.seconds, each.estimate.high));
    }
    cells.insert(cells.end(), {formatPercent(each.estimate.mfu),
                               std::to_string(static_cast<std::int64_t>(each.estimate.tokensPerSecond / devices))});
    table.add(cells);
  }
  return table.text();
}

std::string partsText(const PlannedConfiguration& each) {
  const StepParts& parts = each.estimate.parts;
  std::string text = "computation " + formatSeconds(compute(parts));
  const auto add = [&](std::string_view name, double seconds) {
    if (seconds > 1e-3 * each.estimate.seconds) text += ", " + std::string(name) + " " + formatSeconds(seconds);
  };
  add("recomputation", parts.recompute);
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    add("exposed " + std::string(kExposedAxes[axis]), parts.exposed[axis]);
  }
  add("pipeline bubble", parts.bubble);
  add("imbalance", parts.imbalance);
  add("optimizer", parts.optimizer);
  add("host", parts.host);
  return text;
}

/// The configurations that do not fit.
void addLarge(Document& document, const TrainingQuestion& question, const TrainingAnswer& answer) {
  document.line("");
  if (answer.large.empty()) {
    document.line(answer.problem.empty()
                      ? "no configuration is too large"
                      : "no framework can place the smallest configurations with its order of ranks");
  } else {
    document.line("too large for " + formatBytes(Bytes(static_cast<std::int64_t>(answer.memory))) +
                  (answer.configurations.empty() ? ", the smallest" : ", the fastest") + " first, as if they fitted:");
    document.text([&question, &answer] { return tableText(question, answer, answer.large, true); });
  }
  document.list(kTooLarge, answer.large.size(), [&question, &answer](std::size_t row) {
    const PlannedConfiguration& each = answer.large[row];
    Document fields = listedDocument(question, answer, each);
    fields.field("lacks", Value::number(each.memory.total() + answer.reserve - answer.memory));
    return fields;
  });
}

Value excludedValue(const TrainingAnswer& answer) {
  Document rules;
  for (const auto& [rule, count] : answer.broken) rules.named(rule, Value::whole(count));
  Document excluded;
  excluded.field("memory", Value::whole(answer.tooLarge))
      .field("too_slow", Value::whole(answer.tooSlow))
      .field("rules", Value::object(std::move(rules)));
  return Value::object(std::move(excluded));
}

Value calibrationValue(const TrainingMeasurements& measured) {
  Document factors;
  for (std::size_t k = 0; k < kCalibratedParts.size(); ++k) {
    factors.field(kCalibratedParts[k], Value::number(measured.calibration.factors[k]));
  }
  Document calibration;
  calibration.field(kFactors, Value::object(std::move(factors)));
  calibration.field(kLeftOutError, measured.runs.size() > 1 ? Value::number(measured.leftOut) : Value::null());
  calibration.list(kMeasured, measured.runs.size(), [&measured](std::size_t row) {
    const MeasuredTraining& run = measured.runs[row];
    Document fields;
    fields.field("file", Value::text(run.file))
        .field("framework", Value::text(run.log.framework))
        .field("steps", Value::whole(static_cast<std::int64_t>(run.log.seconds.size())))
        .field("measured_seconds", Value::number(run.log.median))
        .field("predicted_seconds", Value::number(run.planned.estimate.seconds));
    return fields;
  });
  return Value::object(std::move(calibration));
}

void addMeasurements(Document& document, const TrainingMeasurements& measured) {
  document.field(kCalibration, calibrationValue(measured));
  for (const MeasuredTraining& run : measured.runs) {
    document.line("measured: " + run.file + ", " + countedText(run.log.seconds.size(), "step") + " of " +
                  run.log.framework + ", " + formatSeconds(run.log.median) + "; predicted for " +
                  trainingDegreesText(run.planned.configuration) + ": " + formatSeconds(run.planned.estimate.seconds));
  }
  std::string factors;
  for (std::size_t k = 0; k < kCalibratedParts.size(); ++k) {
    char text[32];
    std::snprintf(text, sizeof text, " × %.2f", measured.calibration.factors[k]);
    factors += (k == 0 ? "" : ", ") + std::string(kCalibratedParts[k]) + text;
  }
  document.line("calibrated: " + factors +
                (measured.runs.size() > 1 ? "; each run predicted from the others is off by " +
                                                formatPercent(std::expm1(measured.leftOut)) + " in the median"
                                          : "; a second run would tell how far other configurations are off"));
  document.line("");
}

constexpr double kLeastHidden = 1e-3;  // share of the step

/// Communication of the first configuration that its parts do not count.
void addHidden(Document& document, const TrainingQuestion& question, const TrainingAnswer& answer) {
  const auto study = studyStep(question, answer.configurations.front(), answer.reserve);
  if (!study.ok()) return;
  Document axes;
  std::string text;
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    const double hidden = study->detail.hidden[axis];
    axes.field(kExposedAxes[axis], Value::number(hidden));
    if (hidden > kLeastHidden * study->detail.estimate.seconds) {
      text += (text.empty() ? "" : ", ") + std::string(kExposedAxes[axis]) + ' ' + formatSeconds(hidden);
    }
  }
  document.field(kHidden, Value::object(std::move(axes)));
  if (!text.empty()) document.line("hidden behind the computation of 1: " + text);
}

/// A sentence on the first configuration, the table, and the parts of the first step.
void addBest(Document& document, const TrainingQuestion& question, const TrainingAnswer& answer) {
  const PlannedConfiguration& best = answer.configurations.front();
  document.line("Best: " + trainingDegreesText(best.configuration) + ". " + formatSeconds(best.estimate.seconds) +
                " a step (" + formatSecondsLike(best.estimate.seconds, best.estimate.low) + "–" +
                formatSecondsLike(best.estimate.seconds, best.estimate.high) + "), " +
                formatPercent(best.estimate.mfu) + " MFU, " +
                neededMemoryText(best.memory.total(), answer.reserve, answer.memory) + ".");
  document.line(describeExclusions(answer));
  for (const PlanHint& hint : planHints(question, answer)) document.line("note: " + hint.text);
  document.line("");
  document.text([&question, &answer] { return tableText(question, answer, answer.configurations, false); });
  document.line("");
  document.line("where the time of 1 goes: " + partsText(best));
  addHidden(document, question, answer);
  const std::string placed = spanText(best, question.system);
  if (!placed.empty()) {
    document.line(
        "placement of 1: " + placed + " (" +
        (best.needsRankFile() ? std::string("with a rank file: p2 export slurm or openmpi") : joined(best.orders)) +
        ")");
  }
  if (!best.tiesWith.empty()) {
    document.line("=: the intervals cannot tell these from 1; of steps within 0.5 % the simplest comes first");
  }
}

std::string costText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// Cost of the first configuration, where the system states a price or a power.
void addCost(Document& document, const TrainingQuestion& question, const TrainingAnswer& answer) {
  const Accelerator& accelerator = question.system.accelerator;
  const RunningCost cost = runningCostOf(accelerator);
  std::optional<double> price;
  std::optional<double> joules;
  if (!answer.configurations.empty()) {
    const StepEstimate& estimate = answer.configurations.front().estimate;
    price = pricePerMillionTokens(cost, estimate, question.system.deviceCount());
    joules = joulesPerToken(cost, estimate, question.system.deviceCount());
  }
  document.field(kPrice, Value::number(price)).field(kJoules, Value::number(joules));
  std::string text;
  if (price) text = costText(*price) + " for a million tokens";
  if (joules && (price || accelerator.power > 0)) {
    text += (text.empty() ? "" : ", ") + costText(*joules) + " J for a token";
    if (accelerator.power <= 0) text += " at the board's power limit";
  }
  if (!text.empty()) document.line("cost of 1: " + text);
}

}  // namespace

std::vector<AnswerKey> trainKeys() {
  return {kConsidered, kExcluded, kConfigurations, kProblem, kPrice,        kJoules,
          kHidden,     kTooLarge, kCalibration,    kFactors, kLeftOutError, kMeasured};
}

Document trainingDocument(const TrainingQuestion& question, const TrainingAnswer& answer, const std::string& modelName,
                          const std::string& systemName, const OwnTraining* own, const TrainingMeasurements* measured) {
  std::vector<std::string> names;
  for (const TrainingFramework* framework : question.frameworks) names.emplace_back(framework->name);
  Document document;
  document.field("model", Value::text(modelName))
      .field("system", Value::text(systemName))
      .field("framework", Value::text(names.size() == 1 ? names.front() : "any"))
      .field("batch", Value::whole(question.batch))
      .field("sequence", Value::whole(question.sequence))
      .field("precision", Value::text(nameOf(question.precision)))
      .field(kConsidered, Value::whole(answer.considered))
      .field(kExcluded, excludedValue(answer))
      .field(kProblem, Value::textOrNull(answer.problem));
  if (own != nullptr) addEvaluation(document, question, own->stated, own->evaluation, own->file);
  if (measured != nullptr) addMeasurements(document, *measured);
  if (answer.configurations.empty()) {
    document.line(answer.problem);
    document.line(describeExclusions(answer));
  } else {
    addBest(document, question, answer);
  }
  addCost(document, question, answer);
  if (!answer.configurations.empty()) {
    document.line(describeInterval() + "; p2 atlas --training lists the runs");
    const auto isWider = [&](const auto& each) {
      return !describeWiderInterval(question.model, each.configuration).empty();
    };
    const auto wider = std::find_if(answer.configurations.begin(), answer.configurations.end(), isWider);
    if (wider != answer.configurations.end()) {
      document.line(describeWiderInterval(question.model, wider->configuration));
    }
  }
  addAssumed(document, answer.assumed);
  document.list(kConfigurations, answer.configurations.size(), [&question, &answer](std::size_t row) {
    return listedDocument(question, answer, answer.configurations[row]);
  });
  if (question.listsLarge) addLarge(document, question, answer);
  return document;
}

}  // namespace p2::cli
