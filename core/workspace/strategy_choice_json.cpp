// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/strategy_choice_json.h"

#include <set>

namespace p2 {
namespace {

constexpr std::string_view kNeedStrategy = "a strategy has graph, devices, space, model, flops, bandwidth and pins";
constexpr std::string_view kNeedPins =
    "a pin is a vertex' name and its parts, as in {\"name\": \"fc1\", \"parts\": [4, 1]}";
constexpr std::int64_t kMostWhole = INT64_MAX / 2;
constexpr double kMostFigure = 1e300;

ConfigurationSpace readSpace(const JsonValue& in) {
  ConfigurationSpace space;
  if (in.has("space")) space.kind = in.at("space", {}).word(spaceKindFrom, "use all, divisors or powers-of-two");
  if (in.has("cutoff")) space.cutoff = in.at("cutoff", {}).whole(1, kMostWhole, "a part has 1 or more");
  if (in.has("exactly")) space.exactly = in.at("exactly", {}).boolean("exactly asks for all devices to be used");
  return space;
}

std::vector<StrategyPin> readPins(const JsonValue& in) {
  std::vector<StrategyPin> pins;
  std::set<std::string> names;
  for (const JsonValue& item : in.items(kNeedPins)) {
    StrategyPin pin{item.at("name", kNeedPins).text(kNeedPins), {}};
    for (const JsonValue& part : item.at("parts", kNeedPins).items(kNeedPins)) {
      pin.parts.push_back(part.whole(1, kMostWhole, kNeedPins));
    }
    if (in.failed()) return {};
    if (!names.insert(pin.vertex).second) item.fail("the vertex \"" + pin.vertex + "\" is pinned twice; keep one");
    pins.push_back(std::move(pin));
  }
  return pins;
}

}  // namespace

Json strategyChoiceJson(const StrategyChoice& choice) {
  if (choice == StrategyChoice{}) return {};
  Json pins = Json::array();
  for (const StrategyPin& pin : choice.pins) pins.push_back({{"name", pin.vertex}, {"parts", pin.parts}});
  const GraphCostOptions& options = choice.options;
  const bool all = options.devices == StrategyChoice::kAllDevices;
  return {{"graph", choice.graph},
          {"batch", choice.batch == 0 ? Json() : Json(choice.batch)},
          {"devices", all ? Json() : Json(options.devices)},
          {"space", nameOf(options.space.kind)},
          {"cutoff", options.space.cutoff},
          {"exactly", options.space.exactly},
          {"model", nameOf(options.model)},
          {"flops", jsonNumber(options.flops)},
          {"bandwidth", jsonNumber(options.bandwidth)},
          {"word_bytes", jsonNumber(options.wordBytes.value())},
          {"pins", pins.empty() ? Json() : std::move(pins)}};
}

StrategyChoice readStrategyChoice(const JsonValue& in) {
  StrategyChoice choice;
  GraphCostOptions& options = choice.options;
  if (!in.json().is_object()) in.refuse("an object", kNeedStrategy);
  if (in.has("graph")) choice.graph = in.at("graph", {}).text("a graph is a bundled one's name or a path");
  if (in.has("batch")) choice.batch = in.at("batch", {}).whole(1, kMostWhole, "a batch has 1 or more samples");
  if (in.has("devices")) options.devices = in.at("devices", {}).whole(1, kMostWhole, "use 1 or more devices");
  options.space = readSpace(in);
  if (in.has("model")) options.model = in.at("model", {}).word(strategyCostModelFrom, "use flat or hierarchical");
  if (in.has("flops")) options.flops = in.at("flops", {}).number(1, kMostFigure, "use FLOP/s, 1 or more");
  if (in.has("bandwidth")) options.bandwidth = in.at("bandwidth", {}).number(1, kMostFigure, "use bytes/s, 1 or more");
  if (in.has("word_bytes"))
    options.wordBytes = Bytes(in.at("word_bytes", {}).number(1, kMostFigure, "use bytes, 1 or more"));
  if (in.has("pins")) choice.pins = readPins(in.at("pins", {}));
  return choice;
}

}  // namespace p2
