// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/detail/strategy_choice_json.h"

#include <set>

#include "base/figures.h"
#include "workspace/detail/property_json.h"
#include "workspace/strategy_fields.h"

namespace p2::inline workspace {
namespace {

constexpr std::string_view kNeedStrategy = "a strategy has graph, devices, space, model, flops, bandwidth and pins";
constexpr std::string_view kNeedPins =
    "a pin is a vertex' name and its parts, as in {\"name\": \"fc1\", \"parts\": [4, 1]}";
constexpr std::int64_t kMostWhole = INT64_MAX / 2;

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

/// Documents may name a model of former versions, whose lower bound is now a part of the hierarchical one.
constexpr std::string_view kFormerModel = "per-operator";

bool isFormerModel(const PropertyInfo& info, const JsonValue& value) {
  return info.key == "model" && value.json() == kFormerModel;
}

}  // namespace

Json strategyChoiceJson(const StrategyChoice& choice) {
  if (choice == StrategyChoice{}) return {};
  Json pins = Json::array();
  for (const StrategyPin& pin : choice.pins) pins.push_back({{"name", pin.vertex}, {"parts", pin.parts}});
  const auto& memory = choice.options.deviceMemory;
  Json json = Json::object();
  writeProperties(json, strategyFields(), choice);
  json["dimensions"] = choice.dimensions.empty() ? Json() : Json(choice.dimensions);
  json["device_memory"] = memory ? jsonNumber(memory->value()) : Json();
  json["pins"] = pins.empty() ? Json() : std::move(pins);
  return json;
}

StrategyChoice readStrategyChoice(const JsonValue& in) {
  StrategyChoice choice;
  if (!in.json().is_object()) in.refuse("an object", kNeedStrategy);
  for (const Property<StrategyChoice>& field : strategyFields()) {
    if (!in.has(field.info.key)) continue;
    const JsonValue value = in.at(field.info.key, {});
    if (isFormerModel(field.info, value)) {
      choice.options.model = StrategyCostModel::Hierarchical;
    } else {
      field.set(choice, readProperty(value, field.info, true));
    }
  }
  if (in.has("dimensions")) {
    for (const auto& [name, size] : in.at("dimensions", {}).members("\"dimensions\" gives the size of each by name")) {
      choice.dimensions[name] = size.whole(1, kMostWhole, "a dimension has a size of 1 or more");
    }
  }
  if (in.has("device_memory")) {
    choice.options.deviceMemory =
        Bytes(in.at("device_memory", {}).number(0, kAmountRange.most, "use bytes, 0 for no bound"));
  }
  if (in.has("pins")) choice.pins = readPins(in.at("pins", {}));
  return choice;
}

}  // namespace p2::inline workspace
