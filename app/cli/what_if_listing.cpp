// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/what_if_listing.h"

#include <algorithm>
#include <cstdio>

#include "app/cli/answer_keys.h"
#include "app/cli/assumed.h"
#include "base/counted.h"
#include "base/units.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kBefore{"before",
                            "Today's configuration: framework, configuration, dp, seconds with its interval, mfu, "
                            "tokens_per_second, price_per_million_tokens, joules_per_token, days, price"};
constexpr AnswerKey kPoints{
    "points",
    "List: change, devices, kept and best (as before), kept_problem, best_problem, best_changes (whether the best one "
    "differs by more than the intervals leave open), best_reason (why the best one has a degree such as pp 11), "
    "fewer_replicas (nodes, batch and step of the same degrees without the nodes that are down; null where they are "
    "kept), faster_nearby (list of nodes, idle_nodes, batch and step that train faster than the best one, where the "
    "batch does not divide by the number of devices), effects (what states of parts do to routes and shares)"};
constexpr AnswerKey kCheapest{"cheapest", "The change that meets the deadline at the lowest price; null for none"};

constexpr auto kFigure = TextTable::Align::Right;
constexpr double kDay = 86400;

std::string moneyText(const std::optional<double>& value) {
  if (!value) return "";
  char text[32];
  std::snprintf(text, sizeof text, *value < 100 ? "%.3g" : "%.0f", *value);
  return text;
}

std::string nameOf(const WhatIfPoint& point) { return describe(point.change, point.node); }

std::string choicesText(const PlannedConfiguration& planned) {
  return std::string(planned.framework->name) + ": " + chosenFrom(planned).choices;
}

std::optional<double> daysOf(const WhatIfAnswer& answer, const PlannedConfiguration& planned) {
  if (!answer.tokens) return std::nullopt;
  return *answer.tokens / planned.estimate.tokensPerSecond / kDay;
}

Value configurationValue(const WhatIfAnswer& answer, const RunningCost& cost,
                         const std::optional<PlannedConfiguration>& planned, std::int64_t devices) {
  if (!planned) return Value::null();
  const StepEstimate& estimate = planned->estimate;
  Document fields;
  fields.field("framework", Value::text(planned->framework->name))
      .field("configuration", Value::text(chosenFrom(*planned).choices))
      .field("dp", Value::whole(planned->configuration.plan.data))
      .field("seconds", Value::number(estimate.seconds))
      .field("seconds_low", Value::number(estimate.low))
      .field("seconds_high", Value::number(estimate.high))
      .field("mfu", Value::number(estimate.mfu))
      .field("tokens_per_second", Value::number(estimate.tokensPerSecond))
      .field("price_per_million_tokens", Value::number(pricePerMillionTokens(cost, estimate, devices)))
      .field("joules_per_token", Value::number(joulesPerToken(cost, estimate, devices)))
      .field("days", Value::number(daysOf(answer, *planned)));
  if (answer.tokens) fields.field("price", Value::number(priceOf(cost, estimate, devices, *answer.tokens)));
  return Value::object(std::move(fields));
}

/// Whether a device has a price, today or at some point.
bool hasPrices(const WhatIfAnswer& answer) {
  return answer.cost.pricePerDeviceHour ||
         std::any_of(answer.points.begin(), answer.points.end(),
                     [&](const auto& each) { return costAt(each, answer.cost).pricePerDeviceHour.has_value(); });
}

bool hasPower(const WhatIfAnswer& answer) {
  return answer.cost.wattsPerDevice || std::any_of(answer.points.begin(), answer.points.end(), [&](const auto& each) {
           return costAt(each, answer.cost).wattsPerDevice.has_value();
         });
}

Value fewerValue(const WhatIfAnswer& answer, const WhatIfPoint& point) {
  if (!point.fewer) return Value::null();
  const FewerReplicas& fewer = *point.fewer;
  Document fields;
  fields.field("nodes", Value::whole(fewer.nodes))
      .field("batch", Value::whole(fewer.batch))
      .field("step", configurationValue(answer, costAt(point, answer.cost), fewer.planned, fewer.devices));
  return Value::object(std::move(fields));
}

Value fasterValue(const WhatIfAnswer& answer, const WhatIfPoint& point, const FasterNearby& faster) {
  const std::int64_t devices = point.devices / (faster.nodes + faster.idle) * faster.nodes;
  Document fields;
  fields.field("nodes", Value::whole(faster.nodes))
      .field("idle_nodes", Value::whole(faster.idle))
      .field("batch", Value::whole(faster.batch))
      .field("step", configurationValue(answer, costAt(point, answer.cost), faster.planned, devices));
  return Value::object(std::move(fields));
}

Document pointDocument(const WhatIfAnswer& answer, const WhatIfPoint& point) {
  const RunningCost& cost = costAt(point, answer.cost);
  Document fields;
  fields.field("change", Value::text(nameOf(point)))
      .field("devices", Value::whole(point.devices))
      .field("kept", configurationValue(answer, cost, point.kept, point.devices))
      .field("kept_problem", Value::textOrNull(point.keptProblem))
      .field("best", configurationValue(answer, cost, point.best, point.devices))
      .field("best_problem", Value::textOrNull(point.bestProblem))
      .field("best_changes", Value::flag(point.bestChanges()))
      .field("best_reason", Value::textOrNull(point.bestReason))
      .field("fewer_replicas", fewerValue(answer, point))
      .array("faster_nearby", point.faster.size(),
             [&answer, &point](std::size_t i) { return fasterValue(answer, point, point.faster[i]); })
      .field("effects", Value::texts(point.effects));
  return fields;
}

TextTable tableOf(const WhatIfAnswer& answer) {
  std::vector<TextTable::Column> columns{
      {"change"}, {"devices", kFigure}, {"kept: step", kFigure}, {"of before", kFigure}, {"MFU", kFigure}};
  if (hasPrices(answer)) columns.push_back({"price/M tokens", kFigure});
  if (hasPower(answer)) columns.push_back({"J/token", kFigure});
  if (answer.tokens) columns.push_back({"days", kFigure});
  if (answer.findsBest) {
    columns.push_back({"best: step", kFigure});
    columns.push_back({"best here"});
  }
  return TextTable(columns);
}

std::vector<std::string> cellsOf(const WhatIfAnswer& answer, const std::string& name, const WhatIfPoint& point) {
  const auto& kept = point.kept;
  std::vector<std::string> cells{name, std::to_string(point.devices)};
  cells.push_back(kept ? formatSeconds(kept->estimate.seconds) : "–");
  cells.push_back(kept ? formatFactor(kept->estimate.seconds / answer.before.estimate.seconds) : "");
  cells.push_back(kept ? formatPercent(kept->estimate.mfu) : "");
  const auto* shown = kept ? &*kept : point.best ? &*point.best : nullptr;
  const auto figure = [&](const auto& of) {
    return shown == nullptr ? std::string() : moneyText(of(costAt(point, answer.cost), shown->estimate, point.devices));
  };
  if (hasPrices(answer)) cells.push_back(figure(pricePerMillionTokens));
  if (hasPower(answer)) cells.push_back(figure(joulesPerToken));
  if (answer.tokens) cells.push_back(shown == nullptr ? std::string() : moneyText(daysOf(answer, *shown)));
  if (answer.findsBest) {
    cells.push_back(point.best ? formatSeconds(point.best->estimate.seconds) : "–");
    cells.push_back(!point.best           ? std::string()
                    : point.bestChanges() ? choicesText(*point.best)
                                          : describeBest(*kept, *point.best));
  }
  return cells;
}

std::string textOf(const WhatIfAnswer& answer) {
  TextTable table = tableOf(answer);
  WhatIfPoint now;
  now.devices = answer.question.system.deviceCount();
  now.kept = answer.before;
  now.best = answer.before;
  table.add(cellsOf(answer, "as it is", now));
  for (const WhatIfPoint& point : answer.points) table.add(cellsOf(answer, nameOf(point), point));
  return table.text();
}

void addDeadline(Document& document, const WhatIfAnswer& answer) {
  if (!answer.deadline || !answer.tokens) return;
  const auto cheapest = cheapestWithin(answer.points, answer.cost, *answer.tokens, *answer.deadline);
  document.field(kCheapest, cheapest ? Value::text(nameOf(answer.points[*cheapest])) : Value::null());
  const std::string within = moneyText(*answer.deadline / kDay) + " days";
  if (!hasPrices(answer)) return void(document.line("--price decides which of them is the cheapest"));
  document.line(cheapest ? "cheapest within " + within + ": " + nameOf(answer.points[*cheapest])
                         : "none of them trains on that many tokens within " + within);
}

}  // namespace

std::vector<AnswerKey> whatIfKeys() { return {kBefore, kPoints, kCheapest}; }

Document whatIfDocument(const WhatIfAnswer& answer) {
  Document document;
  const std::int64_t devices = answer.question.system.deviceCount();
  document.field("model", Value::text(answer.model))
      .field("system", Value::text(answer.system))
      .field("batch", Value::whole(answer.question.batch))
      .field("sequence", Value::whole(answer.question.sequence))
      .field(kBefore, configurationValue(answer, answer.cost, answer.before, devices));
  document.line("before: " + choicesText(answer.before) + ", " + formatSeconds(answer.before.estimate.seconds) +
                " a step (" + formatSecondsLike(answer.before.estimate.seconds, answer.before.estimate.low) + "–" +
                formatSecondsLike(answer.before.estimate.seconds, answer.before.estimate.high) + ")");
  document.line("");
  document.text([&answer] { return textOf(answer); });
  document.array(kPoints, answer.points.size(),
                 [&answer](std::size_t i) { return Value::object(pointDocument(answer, answer.points[i])); });
  for (const WhatIfPoint& point : answer.points) {
    for (const std::string& effect : point.effects) document.line(nameOf(point) + ": " + effect);
    if (!point.keptProblem.empty()) document.line(nameOf(point) + ": " + point.keptProblem);
    if (!point.bestReason.empty()) document.line(nameOf(point) + ": " + point.bestReason);
    if (const auto faster = point.fasterText(); !faster.empty()) {
      document.line(nameOf(point) + ": faster than the best there: " + faster);
    }
    if (point.fewer) {
      document.line(nameOf(point) + ": with fewer replicas, " + point.fewerText() + ", a step takes " +
                    formatSeconds(point.fewer->planned.estimate.seconds));
    }
  }
  addDeadline(document, answer);
  for (const std::string& note : answer.notes) document.line(note);
  addAssumed(document, answer.assumed);
  return document;
}

}  // namespace p2::cli
