// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/train_evaluation.h"

#include "app/cli/answer_keys.h"
#include "app/cli/assumed.h"
#include "app/cli/train_configuration.h"
#include "base/counted.h"
#include "base/units.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kEvaluated{
    "evaluated",
    "Answer of --evaluate: file, format, configuration, changes; understood (key, value, meaning), ignored (no effect "
    "on the prediction), unknown (no settings of the framework), skipped (not read)"};
constexpr AnswerKey kInFramework{"in_framework",
                                 "The place among the configurations of its framework: rank of how many; null where it "
                                 "cannot run. excluded then has rule, with reason and source, or memory"};
constexpr AnswerKey kInAll{"in_all", "The place among the configurations of all frameworks; null where it cannot run"};
constexpr AnswerKey kChanges{"changes",
                             "key (two keys, as in microbatch,pp, where it takes two choices), choice, gain_seconds "
                             "(below 0 only where the configuration does not run or fit), flags (new or different "
                             "lines of the launch), dropped (lines that go away), configuration"};

/// Names of settings that are printed one by one; the rest is in JSON.
constexpr std::size_t kMostNamed = 6;

std::string bytesText(double bytes) { return formatBytes(Bytes(static_cast<std::int64_t>(bytes))); }

std::string namesText(const std::vector<std::string>& names) {
  std::vector<std::string> first(names.begin(),
                                 names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMostNamed)));
  return joined(first) + (names.size() > kMostNamed ? ", …" : "");
}

std::string rankText(const TrainingRank& rank) { return std::to_string(rank.rank) + " of " + std::to_string(rank.of); }

/// "pp 2 instead of 4": the line that is changed, or goes away.
std::string flagsText(const TrainingChange& change) {
  std::vector<std::string> parts = change.flags;
  for (const std::string& each : change.dropped) parts.push_back("without " + each);
  return joined(parts, "  ");
}

Value excludedValue(const TrainingEvaluation& evaluation) {
  Document fields;
  if (evaluation.refused) {
    fields.field("rule", Value::text(evaluation.refused->rule))
        .field("reason", Value::text(evaluation.refused->reason))
        .field("source", Value::text(evaluation.refused->source));
  } else if (!evaluation.fits) {
    fields.field("rule", Value::text("memory"))
        .field("memory", Value::number(evaluation.mine.memory.total() + evaluation.reserve))
        .field("of", Value::number(evaluation.memory));
  } else {
    return Value::null();
  }
  return Value::object(std::move(fields));
}

Value rankValue(const std::optional<TrainingRank>& rank) {
  if (!rank) return Value::null();
  Document fields;
  fields.field("rank", Value::whole(rank->rank)).field("of", Value::whole(rank->of));
  return Value::object(std::move(fields));
}

Value changesValue(const TrainingQuestion& question, const TrainingEvaluation& evaluation) {
  std::vector<Value> changes;
  for (const TrainingChange& each : evaluation.changes) {
    Document fields;
    fields.field("key", Value::text(each.key))
        .field("choice", Value::text(each.choice))
        .field("gain_seconds", Value::number(each.gain))
        .field("flags", Value::texts(each.flags))
        .field("dropped", Value::texts(each.dropped))
        .field("configuration", Value::object(configurationDocument(question.model, each.planned, evaluation.reserve)));
    changes.push_back(Value::object(std::move(fields)));
  }
  return Value::list(std::move(changes), Value::Layout::Lines);
}

Value evaluationValue(const TrainingQuestion& question, const StatedTraining& stated,
                      const TrainingEvaluation& evaluation, const std::string& file) {
  std::vector<Value> understood;
  for (const StatedValue& each : stated.understood) {
    Document fields;
    fields.field("key", Value::text(each.key))
        .field("value", Value::text(each.value))
        .field("meaning", Value::text(each.meaning));
    understood.push_back(Value::object(std::move(fields)));
  }
  Document fields;
  fields.field("file", Value::text(file))
      .field("format", Value::text(stated.format))
      .field("configuration", Value::object(configurationDocument(question.model, evaluation.mine, evaluation.reserve)))
      .field("excluded", excludedValue(evaluation))
      .field(kInFramework, rankValue(evaluation.inFramework))
      .field(kInAll, rankValue(evaluation.inAll))
      .field(kChanges, changesValue(question, evaluation))
      .field("understood", Value::list(std::move(understood), Value::Layout::Lines))
      .field("assumed", Value::texts(stated.assumed))
      .field("ignored", Value::texts(stated.ignored))
      .field("unknown", Value::texts(stated.unknown))
      .field("skipped", Value::texts(stated.skipped));
  return Value::object(std::move(fields), Value::Layout::Lines);
}

std::string stepText(const PlannedConfiguration& mine, double reserve, double memory) {
  return formatSeconds(mine.estimate.seconds) + " a step (" +
         formatSecondsLike(mine.estimate.seconds, mine.estimate.low) + "–" +
         formatSecondsLike(mine.estimate.seconds, mine.estimate.high) + "), " + formatPercent(mine.estimate.mfu) +
         " MFU, " + neededMemoryText(mine.memory.total(), reserve, memory);
}

/// Why it cannot run, or its ranks.
std::string standingText(const TrainingEvaluation& evaluation) {
  const std::string framework(evaluation.mine.framework->label);
  if (evaluation.refused) {
    return framework + " refuses it: " + evaluation.refused->reason + " (" + evaluation.refused->source + ").";
  }
  if (!evaluation.fits) {
    return "It does not fit: the fullest device needs " +
           bytesText(evaluation.mine.memory.total() + evaluation.reserve) + " with " + bytesText(evaluation.reserve) +
           " kept free, and has " + bytesText(evaluation.memory) + ".";
  }
  return "Place " + rankText(*evaluation.inFramework) + " that run and fit with " + framework + ", " +
         rankText(*evaluation.inAll) + " of all frameworks.";
}

std::string changesText(const TrainingEvaluation& evaluation) {
  constexpr auto kRight = TextTable::Align::Right;
  const bool runs = evaluation.inFramework.has_value();
  TextTable table({{runs                 ? "change that gains most"
                    : evaluation.refused ? "change that makes it run"
                                         : "change that makes it fit"},
                   {"step", kRight},
                   {"gain", kRight},
                   {"memory", kRight},
                   {"in the launch"}});
  for (const TrainingChange& each : evaluation.changes) {
    const double seconds = each.planned.estimate.seconds;
    table.add({each.choice, formatSeconds(seconds), runs ? formatSeconds(each.gain) : "–",
               bytesText(each.planned.memory.total() + evaluation.reserve), flagsText(each)});
  }
  return table.text();
}

/// "none", "selective of moe_act", "full of 5 layers"
std::string recomputationText(const TrainingConfiguration& configuration) {
  std::string text(nameOf(configuration.recomputation));
  std::string modules;
  for (const std::string_view each : configuration.recomputedModules.names()) {
    modules += (modules.empty() ? " of " : ", ") + std::string(each);
  }
  if (configuration.recomputedLayers > 0) modules = " of " + countedText(configuration.recomputedLayers, "layer");
  return text + modules;
}

}  // namespace

std::vector<AnswerKey> evaluationKeys() { return {kEvaluated, kInFramework, kInAll, kChanges}; }

void addEvaluation(Document& document, const TrainingQuestion& question, const StatedTraining& stated,
                   const TrainingEvaluation& evaluation, const std::string& file) {
  document.field(kEvaluated, evaluationValue(question, stated, evaluation, file));
  const PlannedConfiguration& mine = evaluation.mine;
  const bool priced = mine.estimate.seconds > 0;
  document.line("Yours: " + std::string(mine.framework->label) + ", " + trainingDegreesText(mine.configuration) + ", " +
                (mine.configuration.plan.pipeline > 1
                     ? "layers of stages " + layoutText(question.model, mine.configuration) + ", "
                     : std::string()) +
                countedText(mine.configuration.plan.microbatches, "microbatch") + " of " +
                countedText(mine.configuration.plan.microbatch, "sequence") + ", recomputation " +
                recomputationText(mine.configuration) + "." +
                (priced ? " " + stepText(mine, evaluation.reserve, evaluation.memory) + "." : ""));
  document.line(standingText(evaluation));
  if (stated.format == "choices") {
    document.line("read from " + file + ": " + stated.format + "; the others are the " +
                  (evaluation.fits ? "fastest" : "smallest"));
  } else if (stated.understood.empty()) {
    document.line("read from " + file + ": " + stated.format);
  } else {
    document.line("read from " + file + ": " + stated.format + ", " + countedText(stated.understood.size(), "setting") +
                  "; " + std::to_string(stated.ignored.size()) + " without effect on the prediction");
  }
  if (!stated.unknown.empty()) document.line("no options of the framework: " + namesText(stated.unknown));
  for (const std::string& each : stated.skipped) document.line("not read: " + each);
  addAssumedLine(document, stated.assumed);
  if (evaluation.changes.empty()) {
    document.line(evaluation.inFramework ? "no single change makes it faster"
                                         : "no change of one or two choices makes it run; see the best configurations");
  } else {
    document.line("");
    document.text([&evaluation] { return changesText(evaluation); });
  }
  document.line("");
}

}  // namespace p2::cli
