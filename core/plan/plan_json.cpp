// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "plan/plan.h"
#include "workspace/document_json.h"

namespace p2 {
namespace {

constexpr std::string_view kNeedLowered = "a plan needs the program's lowered steps; write it again with p2 plan";
constexpr std::string_view kNeedSeconds = "use a number of seconds, 0 or more";
constexpr double kMostNumber = 1e300;
constexpr double kRoundingError = 1e-9;

/// One number when all members agree, else a list.
Json bytesJson(const std::vector<double>& shares, double bytes) {
  if (std::all_of(shares.begin(), shares.end(), [&](double share) { return share == shares[0]; })) {
    return jsonNumber(shares[0] * bytes);
  }
  Json list = Json::array();
  for (const double share : shares) list.push_back(jsonNumber(share * bytes));
  return list;
}

Json loweredJson(const Plan& plan) {
  const double bytes = plan.workspace.options.cost.bytes;
  Json steps = Json::array();
  for (const LoweredStep& step : plan.lowered) {
    Json groups = Json::array();
    for (const LoweredGroup& group : step.groups) {
      groups.push_back({{"devices", group.devices},
                        {"bytes_before", bytesJson(group.before, bytes)},
                        {"bytes_after", bytesJson(group.after, bytes)}});
    }
    steps.push_back({{"collective", nameOf(step.collective)}, {"groups", std::move(groups)}});
  }
  return steps;
}

Json predictedJson(const Plan& plan) {
  const CostOptions& cost = plan.workspace.options.cost;
  Json steps = Json::array();
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    steps.push_back({{"seconds", jsonNumber(plan.steps[i].seconds)},
                     {"link", plan.links[i]},
                     {"link_bytes", jsonNumber(plan.steps[i].linkBytes)},
                     {"algorithm", nameOf(plan.steps[i].algorithm)}});
  }
  return {{"model", cost.model},
          {"algorithm", nameOf(cost.algorithm)},
          {"bytes", jsonNumber(cost.bytes)},
          {"repeat", cost.repeat},
          {"seconds", jsonNumber(plan.seconds)},
          {"allreduce_seconds", jsonNumber(plan.allReduceSeconds)},
          {"steps", std::move(steps)}};
}

void checkBytes(const JsonValue& in, const std::vector<double>& shares, double bytes) {
  const std::string need = "the program needs a number of bytes, or one per device";
  const bool list = in.json().is_array();
  const std::vector<JsonValue> items = list ? in.items(need) : std::vector<JsonValue>();
  if (list && items.size() != shares.size()) in.fail("not one number per device; " + need);
  for (std::size_t i = 0; i < shares.size() && !in.failed(); ++i) {
    const JsonValue& item = list ? items[i] : in;
    const double wanted = shares[i] * bytes;
    const double value = item.number(0, kMostNumber, need);
    if (!in.failed() && std::abs(value - wanted) > kRoundingError * bytes) {
      item.fail("these bytes are not the program's, which has " + scalarText(jsonNumber(wanted)) + " here");
    }
  }
}

void checkGroup(const JsonValue& in, const LoweredGroup& group, double bytes) {
  const JsonValue devices = in.at("devices", kNeedLowered);
  std::vector<Device> found;
  for (const JsonValue& device : devices.items(kNeedLowered)) {
    found.push_back(device.whole(0, kMostDevices - 1, "devices count from 0"));
  }
  if (found != group.devices) devices.fail("these devices are not the program's; write the plan again with p2 plan");
  checkBytes(in.at("bytes_before", kNeedLowered), group.before, bytes);
  checkBytes(in.at("bytes_after", kNeedLowered), group.after, bytes);
}

/// The lowered steps follow from the program; a file in which they do not would run something else than it says.
void checkLowered(const JsonValue& in, const Plan& plan) {
  const std::vector<JsonValue> steps = in.items(kNeedLowered);
  if (steps.size() != plan.lowered.size()) {
    in.fail(std::to_string(steps.size()) + " lowered steps for a program of " + std::to_string(plan.lowered.size()) +
            "; write the plan again with p2 plan");
  }
  for (std::size_t i = 0; i < steps.size() && !in.failed(); ++i) {
    const LoweredStep& wanted = plan.lowered[i];
    const JsonValue collective = steps[i].at("collective", kNeedLowered);
    if (collective.word(collectiveFrom, kNeedLowered) != wanted.collective) {
      collective.fail("the program has " + std::string(nameOf(wanted.collective)) + " here");
    }
    const JsonValue list = steps[i].at("groups", kNeedLowered);
    const std::vector<JsonValue> groups = list.items(kNeedLowered);
    if (groups.size() != wanted.groups.size()) {
      list.fail(std::to_string(groups.size()) + " groups; the program has " + std::to_string(wanted.groups.size()));
    }
    for (std::size_t g = 0; g < groups.size() && !in.failed(); ++g) {
      checkGroup(groups[g], wanted.groups[g], plan.workspace.options.cost.bytes);
    }
  }
}

/// What was predicted when the plan was made stays, whatever this version would predict.
void readPredicted(const JsonValue& in, Plan& plan) {
  plan.seconds = in.at("seconds", kNeedSeconds).number(0, kMostNumber, kNeedSeconds);
  plan.allReduceSeconds = in.at("allreduce_seconds", kNeedSeconds).number(0, kMostNumber, kNeedSeconds);
  const JsonValue list = in.at("steps", "a prediction lists the seconds of every step");
  const std::vector<JsonValue> steps = list.items("a prediction lists the seconds of every step");
  if (steps.size() != plan.steps.size()) list.fail("not one prediction per step of the program");
  for (std::size_t i = 0; i < steps.size() && !in.failed(); ++i) {
    StepCost& cost = plan.steps[i];
    cost.seconds = steps[i].at("seconds", kNeedSeconds).number(0, kMostNumber, kNeedSeconds);
    if (steps[i].has("link")) plan.links[i] = steps[i].at("link", {}).text("a link is a text");
    if (steps[i].has("link_bytes")) {
      cost.linkBytes = steps[i].at("link_bytes", {}).number(0, kMostNumber, "use a number of bytes, 0 or more");
    }
    if (steps[i].has("algorithm")) {
      cost.algorithm = steps[i].at("algorithm", {}).word(algorithmFrom, "use ring, tree or auto");
    }
  }
}

}  // namespace

std::string planToJson(const Plan& plan) {
  Json known = workspaceJson(plan.workspace);
  known["lowered"] = loweredJson(plan);
  known["predicted"] = predictedJson(plan);
  return fileText(kPlanFormat, known, plan.workspace.source);
}

Result<Plan> planFromJson(std::string_view text, std::stop_token stop) {
  const auto json = parseJson(text, std::move(stop));
  if (!json.ok()) return json.error();
  std::optional<Error> problem;
  const JsonValue in(*json, problem);
  (void)readHeader(in, {kPlanFormat});
  Workspace workspace = readWorkspace(in);
  (void)in.at("matrix", "a plan needs the matrix of its placement");
  (void)in.at("program", "a plan needs a program");
  const JsonValue lowered = in.at("lowered", kNeedLowered);
  if (problem) return *problem;
  if (auto checked = checkWorkspace(workspace); !checked.ok()) return checked.error();
  workspace.source = text;
  auto plan = makePlan(workspace);
  if (!plan.ok()) return plan.error().within("/program");
  checkLowered(lowered, *plan);
  if (in.has("predicted")) readPredicted(in.at("predicted", {}), plan.value());
  if (problem) return *problem;
  return plan;
}

}  // namespace p2
