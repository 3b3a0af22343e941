// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/train_listing.h"

#include <cmath>
#include <cstdio>
#include <numeric>

#include "base/counted.h"
#include "base/units.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between = ", ") {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : std::string(between)) + part;
  return text;
}

std::string_view contextKindOf(ContextCollective kind) {
  constexpr std::string_view kNames[] = {"ring", "allgather", "a2a", "a2a+p2p"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// "tp 8 sp · pp 4×5 · dp 16 · ZeRO 1"
std::string degreesText(const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name, std::int64_t degree) {
    if (degree > 1) parts.push_back(std::string(name) + " " + std::to_string(degree));
  };
  add("tp", plan.tensor);
  if (plan.tensor > 1 && plan.sequenceParallel != SequenceParallelism::None) parts.back() += " sp";
  add("cp", plan.context);
  if (plan.context > 1) parts.back() += " " + std::string(contextKindOf(plan.contextCollective));
  add("pp", plan.pipeline);
  if (plan.chunks > 1) parts.back() += "×" + std::to_string(plan.chunks);
  add("ep", plan.expert);
  add("etp", plan.expertTensor);
  parts.push_back("dp " + std::to_string(plan.data));
  if (plan.replicas > 1) parts.back() += " in " + countedText(plan.replicas, "replica");
  if (plan.zero > 0) parts.push_back("ZeRO " + std::to_string(plan.zero));
  return joined(parts, " · ");
}

std::string matrixText(const PlannedConfiguration& each) {
  if (each.matrix.empty()) return "";
  return each.matrix.text();
}

/// "data over node 16, tensor over gpu 8": the levels that every axis spans.
std::string placementText(const PlannedConfiguration& each, const System& system) {
  std::string text;
  for (std::size_t axis = 0; axis < each.axes.size(); ++axis) {
    std::string levels;
    for (std::size_t level = 0; level < each.matrix.columns(); ++level) {
      const std::int64_t factor = each.matrix.at(axis, level);
      if (factor > 1)
        levels += (levels.empty() ? "" : " × ") + system.levels[level].name + " " + std::to_string(factor);
    }
    if (!levels.empty()) text += (text.empty() ? "" : ", ") + each.axes[axis].name + " over " + levels;
  }
  return text;
}

double compute(const StepParts& parts) { return parts.compute + parts.inefficiency; }

/// The place in the listing, with "=" where the intervals cannot tell it from the first.
std::string rankText(const TrainingAnswer& answer, std::size_t row) {
  const auto& ties = answer.configurations[row].tiesWith;
  const bool tied = row > 0 && std::find(ties.begin(), ties.end(), std::size_t{0}) != ties.end();
  return std::to_string(row + 1) + (tied || (row == 0 && !ties.empty()) ? "=" : "");
}

Value exposedValue(const StepParts& parts) {
  Document axes;
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    axes.field(kExposedAxes[axis], Value::number(parts.exposed[axis]));
  }
  return Value::object(std::move(axes));
}

Value partsValue(const StepParts& parts) {
  Document fields;
  fields.field("compute", Value::number(parts.compute))
      .field("inefficiency", Value::number(parts.inefficiency))
      .field("recompute", Value::number(parts.recompute))
      .field("exposed", exposedValue(parts))
      .field("bubble", Value::number(parts.bubble))
      .field("imbalance", Value::number(parts.imbalance))
      .field("optimizer", Value::number(parts.optimizer))
      .field("host", Value::number(parts.host));
  return Value::object(std::move(fields));
}

Value memoryValue(const TrainingMemory& memory, double reserve) {
  Document fields;
  fields.field("parameters", Value::number(memory.parameters))
      .field("gradients", Value::number(memory.gradients))
      .field("optimizer", Value::number(memory.optimizer))
      .field("activations", Value::number(memory.activations))
      .field("buffers", Value::number(memory.buffers))
      .field("reserve", Value::number(reserve));
  return Value::object(std::move(fields));
}

Value axesValue(const std::vector<Axis>& axes) {
  Document fields;
  for (const Axis& axis : axes) fields.field(axis.name, Value::whole(axis.size));
  return Value::object(std::move(fields));
}

std::vector<std::int64_t> asWholes(const std::vector<std::size_t>& places) {
  std::vector<std::int64_t> wholes;
  for (const std::size_t place : places) wholes.push_back(static_cast<std::int64_t>(place + 1));
  return wholes;
}

/// The keys of one configuration, in the order of the format.
Document configurationDocument(const TrainingQuestion& question, const TrainingAnswer& answer, std::size_t row) {
  const PlannedConfiguration& each = answer.configurations[row];
  const TrainingPlan& plan = each.configuration.plan;
  Document fields;
  fields.field("framework", Value::text(each.framework->name))
      .field("tp", Value::whole(plan.tensor))
      .field("sp", Value::flag(plan.tensor > 1 && plan.sequenceParallel != SequenceParallelism::None))
      .field("cp", Value::whole(plan.context))
      .field("cp_kind", Value::text(contextKindOf(plan.contextCollective)))
      .field("pp", Value::whole(plan.pipeline))
      .field("vpp", Value::whole(plan.chunks))
      .field("ep", Value::whole(plan.expert))
      .field("etp", Value::whole(plan.expertTensor))
      .field("dp", Value::whole(plan.data))
      .field("replicas", Value::whole(plan.replicas))
      .field("zero", Value::whole(plan.zero))
      .field("microbatch", Value::whole(plan.microbatch))
      .field("microbatches", Value::whole(plan.microbatches))
      .field("recompute", Value::text(nameOf(each.configuration.recomputation)))
      .field("schedule", Value::text(plan.chunks > 1 && each.configuration.schedule == ScheduleKind::OneF1B
                                         ? "interleaved"
                                         : nameOf(each.configuration.schedule)))
      .field("layers_per_stage", Value::wholes(stageLayers(question.model, each.configuration)))
      .field("axes", axesValue(each.axes))
      .field("matrix", Value::digits(each.matrix.empty() ? "[]" : matrixText(each)))
      .field("orders", Value::texts(each.orders))
      .field("seconds", Value::number(each.estimate.seconds))
      .field("seconds_low", Value::number(each.estimate.low))
      .field("seconds_high", Value::number(each.estimate.high))
      .field("tokens_per_second", Value::number(each.estimate.tokensPerSecond))
      .field("mfu", Value::number(each.estimate.mfu))
      .field("memory", Value::number(each.memory.total() + answer.reserve))
      .field("memory_parts", memoryValue(each.memory, answer.reserve))
      .field("parts", partsValue(each.estimate.parts))
      .field("ties_with", Value::wholes(asWholes(each.tiesWith)));
  return fields;
}

std::string tableText(const TrainingQuestion& question, const TrainingAnswer& answer) {
  constexpr auto kRight = TextTable::Align::Right;
  TextTable table({{"#", kRight},
                   {"framework"},
                   {"degrees"},
                   {"microbatch", kRight},
                   {"recompute"},
                   {"memory", kRight},
                   {"step", kRight},
                   {"80 % of runs"},
                   {"MFU", kRight},
                   {"tokens/s/GPU", kRight}});
  const auto devices = static_cast<double>(question.system.deviceCount());
  for (std::size_t row = 0; row < answer.configurations.size(); ++row) {
    const PlannedConfiguration& each = answer.configurations[row];
    const TrainingPlan& plan = each.configuration.plan;
    table.add({rankText(answer, row), std::string(each.framework->label), degreesText(each.configuration),
               std::to_string(plan.microbatch) + " of " + std::to_string(plan.microbatches),
               std::string(nameOf(each.configuration.recomputation)),
               formatBytes(Bytes(static_cast<std::int64_t>(each.memory.total() + answer.reserve))),
               formatSeconds(each.estimate.seconds),
               formatSecondsLike(each.estimate.seconds, each.estimate.low) + "–" +
                   formatSecondsLike(each.estimate.seconds, each.estimate.high),
               formatPercent(each.estimate.mfu),
               std::to_string(static_cast<std::int64_t>(each.estimate.tokensPerSecond / devices))});
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

/// "4,812"
std::string countText(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string excludedText(const TrainingAnswer& answer) {
  std::int64_t broken = 0;
  for (const auto& [rule, count] : answer.broken) broken += count;
  return "considered " + countText(answer.considered) + " · too large " + countText(answer.tooLarge) +
         " · against the framework's rules " + countText(broken);
}

Value excludedValue(const TrainingAnswer& answer) {
  Document rules;
  for (const auto& [rule, count] : answer.broken) rules.field(rule, Value::whole(count));
  Document excluded;
  excluded.field("memory", Value::whole(answer.tooLarge)).field("rules", Value::object(std::move(rules)));
  return Value::object(std::move(excluded));
}

}  // namespace

Document trainingDocument(const TrainingQuestion& question, const TrainingAnswer& answer, const std::string& modelName,
                          const std::string& systemName) {
  const PlannedConfiguration& best = answer.configurations.front();
  std::vector<std::string> names;
  for (const TrainingFramework* framework : question.frameworks) names.emplace_back(framework->name);
  Document document;
  document.field("model", Value::text(modelName))
      .field("system", Value::text(systemName))
      .field("framework", Value::text(names.size() == 1 ? names.front() : "any"))
      .field("batch", Value::whole(question.batch))
      .field("sequence", Value::whole(question.sequence))
      .field("precision", Value::text(nameOf(question.precision)))
      .field("considered", Value::whole(answer.considered))
      .field("excluded", excludedValue(answer))
      .field("assumed", Value::texts(answer.assumed));
  document.line("Best: " + degreesText(best.configuration) + ". " + formatSeconds(best.estimate.seconds) + " a step (" +
                formatSecondsLike(best.estimate.seconds, best.estimate.low) + "–" +
                formatSecondsLike(best.estimate.seconds, best.estimate.high) + "), " +
                formatPercent(best.estimate.mfu) + " MFU, " +
                formatBytes(Bytes(static_cast<std::int64_t>(best.memory.total() + answer.reserve))) + " of " +
                formatBytes(Bytes(static_cast<std::int64_t>(answer.memory))) + ".");
  document.line(excludedText(answer));
  document.line("");
  document.text([&question, &answer] { return tableText(question, answer); });
  document.line("");
  document.line("where the time of 1 goes: " + partsText(best));
  const std::string placed = placementText(best, question.system);
  if (!placed.empty()) document.line("placement of 1: " + placed + " (" + joined(best.orders) + ")");
  if (!best.tiesWith.empty()) document.line("=: the intervals cannot tell these from 1");
  for (const std::string& assumed : answer.assumed) document.line("assumed: " + assumed);
  document.list("configurations", answer.configurations.size(),
                [&question, &answer](std::size_t row) { return configurationDocument(question, answer, row); });
  return document;
}

}  // namespace p2::cli
