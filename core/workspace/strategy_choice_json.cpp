// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/detail/strategy_choice_json.h"

#include <set>

#include "base/figures.h"

namespace p2::inline workspace {
namespace {

constexpr std::string_view kNeedStrategy = "a strategy has graph, devices, space, model, flops, bandwidth and pins";
constexpr std::string_view kNeedPins =
    "a pin is a vertex' name and its parts, as in {\"name\": \"fc1\", \"parts\": [4, 1]}";
constexpr std::int64_t kMostWhole = INT64_MAX / 2;

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

MemoryOptions readMemory(const JsonValue& in) {
  MemoryOptions memory;
  if (in.has("optimizer")) memory.optimizer = in.at("optimizer", {}).word(optimizerFrom, "use adam, momentum or none");
  if (in.has("zero")) memory.zero = static_cast<int>(in.at("zero", {}).whole(0, kMostZero, "ZeRO has stages 0 to 3"));
  if (in.has("recomputation")) {
    memory.recomputation = in.at("recomputation", {}).word(recomputationFrom, "use none, selective or full");
  }
  return memory;
}

/// 0 stands for the system's value.
Json unlessZero(double value) { return value == 0 ? Json() : jsonNumber(value); }

/// Documents may name a model of former versions, whose lower bound is now a part of the hierarchical one.
Result<StrategyCostModel> savedModelFrom(std::string_view name) {
  return name == "per-operator" ? StrategyCostModel::Hierarchical : strategyCostModelFrom(name);
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
          {"sequence", choice.sequence == 0 ? Json() : Json(choice.sequence)},
          {"capacity_factor", unlessZero(choice.capacityFactor)},
          {"stages", choice.stages == 0 ? Json() : Json(choice.stages)},
          {"dimensions", choice.dimensions.empty() ? Json() : Json(choice.dimensions)},
          {"devices", all ? Json() : Json(options.devices)},
          {"space", nameOf(options.space.kind)},
          {"cutoff", options.space.cutoff},
          {"exactly", options.space.exactly},
          {"model", nameOf(options.model)},
          {"flops", unlessZero(options.flops)},
          {"bandwidth", jsonNumber(options.bandwidth)},
          {"word_bytes", unlessZero(options.bytesPerElement.value())},
          {"memory_bandwidth", unlessZero(options.memoryBandwidth)},
          {"optimizer", nameOf(options.memory.optimizer)},
          {"zero", options.memory.zero},
          {"recomputation", nameOf(options.memory.recomputation)},
          {"passes", options.microbatches},
          {"device_memory", options.deviceMemory ? jsonNumber(options.deviceMemory->value()) : Json()},
          {"pins", pins.empty() ? Json() : std::move(pins)}};
}

StrategyChoice readStrategyChoice(const JsonValue& in) {
  StrategyChoice choice;
  GraphCostOptions& options = choice.options;
  if (!in.json().is_object()) in.refuse("an object", kNeedStrategy);
  if (in.has("graph")) choice.graph = in.at("graph", {}).text("a graph is a bundled one's name or a path");
  if (in.has("batch")) choice.batch = in.at("batch", {}).whole(1, kMostWhole, "a batch has 1 or more samples");
  if (in.has("sequence"))
    choice.sequence = in.at("sequence", {}).whole(1, kMostWhole, "a sequence has 1 or more tokens");
  if (in.has("capacity_factor")) {
    constexpr double kMostCapacity = 64;
    choice.capacityFactor =
        in.at("capacity_factor", {}).number(1, kMostCapacity, "experts have room for 1 to 64 times");
  }
  if (in.has("stages")) choice.stages = in.at("stages", {}).whole(1, kMostWhole, "a pipeline has 1 or more stages");
  if (in.has("dimensions")) {
    for (const auto& [name, size] : in.at("dimensions", {}).members("\"dimensions\" gives the size of each by name")) {
      choice.dimensions[name] = size.whole(1, kMostWhole, "a dimension has a size of 1 or more");
    }
  }
  if (in.has("devices")) options.devices = in.at("devices", {}).whole(1, kMostWhole, "use 1 or more devices");
  options.space = readSpace(in);
  if (in.has("model")) options.model = in.at("model", {}).word(savedModelFrom, "use flat or hierarchical");
  if (in.has("flops"))
    options.flops = in.at("flops", {}).number(kSpeedRange.least, kSpeedRange.most, "use FLOP/s, 1 or more");
  if (in.has("bandwidth"))
    options.bandwidth =
        in.at("bandwidth", {}).number(kBandwidthRange.least, kBandwidthRange.most, "use bytes/s, 1 or more");
  if (in.has("word_bytes"))
    options.bytesPerElement =
        Bytes(in.at("word_bytes", {}).number(kElementRange.least, kElementRange.most, "use bytes, 1 or more"));
  if (in.has("memory_bandwidth")) {
    options.memoryBandwidth =
        in.at("memory_bandwidth", {}).number(kBandwidthRange.least, kBandwidthRange.most, "use bytes/s, 1 or more");
  }
  options.memory = readMemory(in);
  if (in.has("passes"))
    options.microbatches = in.at("passes", {}).whole(1, kMostMicrobatches, "a step has 1 or more passes");
  if (in.has("device_memory")) {
    options.deviceMemory = Bytes(in.at("device_memory", {}).number(0, kAmountRange.most, "use bytes, 0 for no bound"));
  }
  if (in.has("pins")) choice.pins = readPins(in.at("pins", {}));
  return choice;
}

}  // namespace p2::inline workspace
