// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/system_tuning.h"
#include "cost/nccl/nccl_constants.h"
#include "workspace/detail/part_json.h"
#include "workspace/document_json.h"

namespace p2::inline workspace {
namespace {

constexpr std::string_view kNeedSystem = "a system needs a name and a list of levels";
constexpr std::string_view kNeedTuned = "\"tuned\" gives constants of the nccl model values above 0";
constexpr std::string_view kNeedRange = "a range has model, steps, nodes, sizes, low, high and measurements";
constexpr std::string_view kNeedDisabled = "\"disabled\" lists names of instances and links, as in NIC 0 of node 2";

std::vector<TunedConstant> readTuned(const JsonValue& in) {
  std::vector<TunedConstant> tuned;
  for (const auto& [key, value] : in.members(kNeedTuned)) {
    tuned.push_back({key, value.number(0, kMostDouble, kNeedTuned)});
  }
  return tuned;
}

/// Every constant there is, null where it is not tuned, so that none outlives its calibration in a file.
Json tunedJson(const System& system) {
  if (system.tuned.empty()) return {};
  Json json = Json::object();
  for (const NcclConstants::Entry& constant : ncclConstantTable()) json[constant.key] = nullptr;
  for (const TunedConstant& tuned : system.tuned) json[tuned.key] = jsonNumber(tuned.value);
  return json;
}

PredictionRange readRange(const JsonValue& in) {
  PredictionRange range;
  range.model = in.at("model", kNeedRange).text(kNeedRange);
  range.steps = in.at("steps", kNeedRange).text(kNeedRange);
  const JsonValue nodes = in.at("nodes", kNeedRange);
  const std::string joined = nodes.text("use one or several");
  if (joined != "one" && joined != "several") nodes.refuse("a number of nodes", "use one or several");
  range.acrossNodes = joined == "several";
  range.sizes = in.at("sizes", kNeedRange).text(kNeedRange);
  range.low = in.at("low", kNeedRange).number(0, 1, "a range's low is above 0 and at most 1");
  range.high = in.at("high", kNeedRange).number(1, kMostDouble, "a range's high is at least 1");
  range.measurements = in.at("measurements", kNeedRange).whole(0, kMostDevices, kNeedRange);
  if (in.has("most_nodes")) range.mostNodes = in.at("most_nodes", kNeedRange).whole(0, kMostDevices, kNeedRange);
  return range;
}

Json rangesJson(const System& system) {
  if (system.ranges.empty()) return {};
  Json list = Json::array();
  for (const PredictionRange& range : system.ranges) {
    list.push_back({{"model", range.model},
                    {"steps", range.steps},
                    {"nodes", range.acrossNodes ? "several" : "one"},
                    {"sizes", range.sizes},
                    {"low", jsonNumber(range.low)},
                    {"high", jsonNumber(range.high)},
                    {"measurements", range.measurements},
                    {"most_nodes", range.mostNodes == 0 ? Json() : Json(range.mostNodes)}});
  }
  return list;
}

Json statesJson(const System& system) {
  if (system.states.empty()) return {};
  Json list = Json::array();
  for (const PartState& state : system.states) list.push_back(stateJson(state));
  return list;
}

}  // namespace

Json systemJson(const System& system) {
  Json levels = Json::array();
  for (const Level& level : system.levels) levels.push_back(levelJson(level));
  Json networks = Json::array();
  for (const Network& network : system.networks) networks.push_back(networkJson(network));
  return {{"name", system.name},
          {"levels", std::move(levels)},
          {"networks", networks.empty() ? Json() : std::move(networks)},
          {"disabled", system.disabled.empty() ? Json() : Json(system.disabled)},
          {"states", statesJson(system)},
          {"calibrated", unless(false, system.calibrated)},
          {"node", unless(std::string(), system.node)},
          {"library", libraryJson(system.library)},
          {"accelerator", acceleratorJson(system.accelerator)},
          {"tuned", tunedJson(system)},
          {"ranges", rangesJson(system)}};
}

System readSystem(const JsonValue& in) {
  System system;
  const std::vector<JsonValue> levels = in.at("levels", kNeedSystem).items(kNeedSystem);
  for (std::size_t i = 0; i < levels.size(); ++i) system.levels.push_back(readLevel(levels[i], i + 1 == levels.size()));
  if (in.has("networks")) {
    for (const JsonValue& network : in.at("networks", {}).items("\"networks\" is a list of networks")) {
      system.networks.push_back(readNetwork(network));
    }
  }
  if (in.has("disabled")) {
    for (const JsonValue& name : in.at("disabled", {}).items(kNeedDisabled)) {
      system.disabled.push_back(name.text(kNeedDisabled));
    }
  }
  if (in.has("states")) {
    for (const JsonValue& state : in.at("states", {}).items("\"states\" is a list of parts with their share")) {
      system.states.push_back(readState(state));
    }
  }
  if (in.has("calibrated")) system.calibrated = in.at("calibrated", {}).boolean("use true or false");
  if (in.has("node")) system.node = in.at("node", {}).text("\"node\" names the level whose instances are nodes");
  if (in.has("library")) system.library = readLibrary(in.at("library", {}));
  if (in.has("accelerator")) system.accelerator = readAccelerator(in.at("accelerator", {}));
  if (in.has("tuned")) system.tuned = readTuned(in.at("tuned", {}));
  if (in.has("ranges")) {
    for (const JsonValue& range : in.at("ranges", {}).items(kNeedRange)) system.ranges.push_back(readRange(range));
  }
  system.name = in.has("name") ? in.at("name", {}).text("a system's name is a string") : shapeOf(system);
  if (in.failed()) return system;
  // A view of an unfinished system has to show all of it.
  if (auto checked = checkRoom(system); !checked.ok()) in.fail(checked.error().text());
  if (auto checked = checkTuning(system); !checked.ok()) in.fail(checked.error().text());
  return system;
}

void demandParts(const JsonValue& in, const System& system) {
  if (in.failed()) return;
  if (auto checked = checkParts(system); !checked.ok()) in.fail(checked.error().text());
}

Result<System> systemFromJson(std::string_view text, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto json, parseJson(text, std::move(stop)));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  const std::string format = readHeader(in, {kSystemFormat, kWorkspaceFormat, kPlanFormat});
  const JsonValue object = format == kSystemFormat ? in : in.at("system", kNeedSystem);
  System system = readSystem(object);
  demandParts(object, system);
  if (problem) return *problem;
  return system;
}

std::string systemToJson(const System& system) { return fileText(kSystemFormat, systemJson(system), {}); }

}  // namespace p2::inline workspace
