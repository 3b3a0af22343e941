// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "base/counted.h"
#include "base/near.h"
#include "plan/plan.h"
#include "workspace/document_json.h"

namespace p2::inline plan {
namespace {

constexpr std::string_view kNeedLowered = "a plan needs the program's lowered steps; write it again with p2 plan";
constexpr std::string_view kNeedVector = "a plan says how its vectors are cut; write it again with p2 plan";
constexpr std::string_view kNeedGroups = "a plan lists the devices that are reduced together";
constexpr std::string_view kNeedChunks = "the chunks that all members hold, as in \"0-3,8\", or a list, one per device";
constexpr std::string_view kNeedBytes = "the program needs a number of bytes, or one per device";
constexpr std::string_view kNeedSeconds = "use a number of seconds, 0 or more";
constexpr std::string_view kNeedDevices = "devices count from 0";
constexpr double kMostNumber = 1e300;

/// The list's value for every member; a lone value stands for all of them.
std::vector<JsonValue> perMember(const JsonValue& in, std::size_t members, std::string_view need) {
  if (!in.json().is_array()) return {in};
  std::vector<JsonValue> items = in.items(need);
  if (items.size() != members) in.fail("not one number per device; " + std::string(need));
  return items;
}

/// The parts of a file of version 2.
class PlanReader {
 public:
  PlanReader(const JsonValue& in, const Workspace& workspace) : m_in(in), m_devices(workspace.system.deviceCount()) {
    for (const Axis& axis : workspace.axes) m_chunks *= axis.reduce ? axis.size : 1;
    m_bytes = workspace.options.cost.bytes;
  }

  VectorCut cut() {
    const JsonValue in = m_in.at("vector", kNeedVector);
    const auto expected = VectorCut::of(m_bytes, m_chunks);
    if (!expected.ok()) {
      in.fail(expected.error().message);
      return {};
    }
    if (in.failed()) return {};
    m_cut = *expected;
    const std::vector<std::pair<const char*, std::int64_t>> numbers{{"element_bytes", kElementBytes},
                                                                    {"elements", m_cut.elements},
                                                                    {"padded_elements", m_cut.paddedElements()},
                                                                    {"chunks", m_cut.chunks},
                                                                    {"chunk_elements", m_cut.chunkElements}};
    for (const auto& [key, wanted] : numbers) {
      const JsonValue number = in.at(key, kNeedVector);
      const std::int64_t value = number.whole(1, INT64_MAX / 2, kNeedVector);
      if (!in.failed() && value != wanted) number.fail("the plan's vectors need " + std::to_string(wanted) + " here");
    }
    const JsonValue layout = in.at("layout", kNeedVector);
    if (layout.text(kNeedVector) != "ascending") layout.fail("this version knows the layout \"ascending\" alone");
    return m_cut;
  }

  std::vector<DeviceGroup> reductionGroups() {
    std::vector<DeviceGroup> groups;
    for (const JsonValue& item : m_in.at("reduction_groups", kNeedGroups).items(kNeedGroups)) {
      groups.push_back(devicesOf(item));
      if (m_in.failed()) return {};
      if (static_cast<std::int64_t>(groups.back().size()) != m_chunks) {
        item.fail("the plan reduces over " + countedText(m_chunks, "device") + ", these are " +
                  std::to_string(groups.back().size()));
      }
    }
    return groups;
  }

  std::vector<PlanStep> steps() {
    std::vector<PlanStep> steps;
    for (const JsonValue& item : m_in.at("lowered", kNeedLowered).items(kNeedLowered)) {
      if (m_in.failed()) return {};
      steps.push_back(step(item));
    }
    if (steps.empty()) m_in.at("lowered", kNeedLowered).fail(std::string(kNeedLowered));
    return steps;
  }

 private:
  DeviceGroup devicesOf(const JsonValue& in) const {
    DeviceGroup devices;
    for (const JsonValue& device : in.items(kNeedDevices)) {
      devices.emplace_back(device.whole(0, m_devices - 1, "the plan is for " + countedText(m_devices, "device")));
    }
    return devices;
  }

  PlanStep step(const JsonValue& in) {
    PlanStep step;
    step.collective = in.at("collective", kNeedLowered).word(collectiveFrom, kNeedLowered);
    std::vector<bool> takesPart(static_cast<std::size_t>(m_devices), false);
    for (const JsonValue& item : in.at("groups", kNeedLowered).items(kNeedLowered)) {
      if (in.failed()) return step;
      step.groups.push_back(group(item, traitsOf(step.collective).keepsApart));
      for (const Device device : step.groups.back().devices) {
        if (takesPart[device.index()]) {
          item.at("devices", kNeedLowered)
              .fail("device " + std::to_string(device.value()) + " takes part in this step twice");
        }
        takesPart[device.index()] = true;
      }
    }
    return step;
  }

  PlanGroup group(const JsonValue& in, bool keepsApart) const {
    const JsonValue devices = in.at("devices", kNeedLowered);
    PlanGroup group{devicesOf(devices), {}, {}};
    if (group.devices.size() < 2) devices.fail("a group has two devices or more");
    group.before = chunks(in.at("chunks_before", kNeedChunks), group.devices.size());
    group.after = chunks(in.at("chunks_after", kNeedChunks), group.devices.size());
    if (in.failed()) return {};
    // Each member has all its blocks before and after, of however many chunks.
    const std::vector<ChunkSet> all{{{0, m_chunks}}};
    checkBytes(in.at("bytes_before", kNeedBytes), group.devices.size(), keepsApart ? all : group.before);
    checkBytes(in.at("bytes_after", kNeedBytes), group.devices.size(), keepsApart ? all : group.after);
    return group;
  }

  std::vector<ChunkSet> chunks(const JsonValue& in, std::size_t members) const {
    std::vector<ChunkSet> held;
    for (const JsonValue& item : perMember(in, members, kNeedChunks)) {
      auto set = chunksFromText(item.text(kNeedChunks), m_chunks);
      if (!set.ok()) item.fail(set.error().message);
      if (in.failed()) return {ChunkSet()};
      held.push_back(std::move(set).value());
    }
    const bool same = std::all_of(held.begin(), held.end(), [&](const ChunkSet& set) { return set == held[0]; });
    if (same) held.resize(1);
    return held;
  }

  void checkBytes(const JsonValue& in, std::size_t members, const std::vector<ChunkSet>& held) const {
    const std::vector<JsonValue> items = perMember(in, members, kNeedBytes);
    for (std::size_t i = 0; i < members && !in.failed(); ++i) {
      const JsonValue& item = items[items.size() > 1 ? i : 0];
      const std::int64_t wanted = m_cut.bytesOf(countOf(held[held.size() > 1 ? i : 0]));
      if (item.number(0, kMostNumber, kNeedBytes) != static_cast<double>(wanted) && !in.failed()) {
        item.fail("the chunks held here have " + countedText(wanted, "byte"));
      }
    }
  }

  const JsonValue& m_in;
  std::int64_t m_devices;
  std::int64_t m_chunks = 1;
  Bytes m_bytes;
  VectorCut m_cut;
};

/// Compares a file of version 1, whose steps are shares of a vector that need not be whole elements, with the plan that
/// its program makes.
class FirstVersion {
 public:
  explicit FirstVersion(const Plan& plan) : m_plan(plan), m_bytes(plan.workspace().options.cost.bytes.value()) {}

  void checkLowered(const JsonValue& in) const {
    const std::vector<JsonValue> steps = in.items(kNeedLowered);
    const std::vector<PlanStep>& wanted = m_plan.steps();
    if (steps.size() != wanted.size()) {
      in.fail(countedText(steps.size(), "lowered step") + " for a program of " + std::to_string(wanted.size()) +
              "; write the plan again with p2 plan");
    }
    for (std::size_t i = 0; i < steps.size() && !in.failed(); ++i) checkStep(steps[i], wanted[i]);
  }

 private:
  void checkStep(const JsonValue& in, const PlanStep& wanted) const {
    const JsonValue collective = in.at("collective", kNeedLowered);
    if (collective.word(collectiveFrom, kNeedLowered) != wanted.collective) {
      collective.fail("the program has " + std::string(nameOf(wanted.collective)) + " here");
    }
    const JsonValue list = in.at("groups", kNeedLowered);
    const std::vector<JsonValue> groups = list.items(kNeedLowered);
    if (groups.size() != wanted.groups.size()) {
      list.fail(countedText(groups.size(), "group") + "; the program has " + std::to_string(wanted.groups.size()));
    }
    for (std::size_t g = 0; g < groups.size() && !in.failed(); ++g) checkGroup(groups[g], wanted.groups[g]);
  }

  void checkGroup(const JsonValue& in, const PlanGroup& wanted) const {
    const JsonValue devices = in.at("devices", kNeedLowered);
    DeviceGroup found;
    for (const JsonValue& device : devices.items(kNeedLowered)) {
      found.emplace_back(device.whole(0, kMostDevices - 1, kNeedDevices));
    }
    if (found != wanted.devices) devices.fail("these devices are not the program's; write the plan again with p2 plan");
    const LoweredGroup shares = sharesOf(wanted, m_plan.cut().chunks);
    checkBytes(in.at("bytes_before", kNeedLowered), shares.before);
    checkBytes(in.at("bytes_after", kNeedLowered), shares.after);
  }

  void checkBytes(const JsonValue& in, const std::vector<double>& shares) const {
    const std::vector<JsonValue> items = perMember(in, shares.size(), kNeedBytes);
    for (std::size_t i = 0; i < shares.size() && !in.failed(); ++i) {
      const JsonValue& item = items[items.size() > 1 ? i : 0];
      const double wanted = shares[i] * m_bytes;
      const double value = item.number(0, kMostNumber, kNeedBytes);
      if (!in.failed() && std::abs(value - wanted) > kArithmeticTolerance * m_bytes) {
        item.fail("these bytes are not the program's, which has " + jsonNumber(wanted).dump() + " here");
      }
    }
  }

  const Plan& m_plan;
  double m_bytes;
};

LowerBound readLowerBound(const JsonValue& in) {
  return {in.at("seconds", kNeedSeconds).number(0, kMostNumber, kNeedSeconds),
          in.has("where") ? in.at("where", {}).text("what sets a limit is a string") : ""};
}

/// Keeps the prediction made with the plan, even where this version would predict another.
Prediction readPredicted(const JsonValue& in, std::size_t stepCount) {
  Prediction predicted;
  predicted.seconds = in.at("seconds", kNeedSeconds).number(0, kMostNumber, kNeedSeconds);
  const std::string_view flat = in.has("flat_seconds") ? "flat_seconds" : "allreduce_seconds";
  predicted.singleSeconds = in.at(flat, kNeedSeconds).number(0, kMostNumber, kNeedSeconds);
  if (in.has("limit")) predicted.limit = readLowerBound(in.at("limit", {}));
  const JsonValue list = in.at("steps", "a prediction lists the seconds of every step");
  const std::vector<JsonValue> steps = list.items("a prediction lists the seconds of every step");
  if (steps.size() != stepCount) list.fail("not one prediction per step of the program");
  predicted.steps.resize(stepCount);
  predicted.links.resize(stepCount);
  for (std::size_t i = 0; i < steps.size() && !in.failed(); ++i) {
    StepCost& cost = predicted.steps[i];
    cost.seconds = steps[i].at("seconds", kNeedSeconds).number(0, kMostNumber, kNeedSeconds);
    if (steps[i].has("link")) predicted.links[i] = steps[i].at("link", {}).text("a link is a string");
    if (steps[i].has("link_bytes")) {
      cost.linkBytes = Bytes(steps[i].at("link_bytes", {}).number(0, kMostNumber, "use a number of bytes, 0 or more"));
    }
    if (steps[i].has("algorithm")) {
      cost.algorithm = steps[i].at("algorithm", {}).word(algorithmFrom, "use ring, tree or auto");
    }
    if (steps[i].has("protocol")) {
      cost.protocol = steps[i].at("protocol", {}).word(protocolFrom, "use LL, LL128 or Simple");
    }
    if (steps[i].has("seconds_low") && steps[i].has("seconds_high")) {
      cost.lowSeconds = steps[i].at("seconds_low", {}).number(0, kMostNumber, kNeedSeconds);
      cost.highSeconds = steps[i].at("seconds_high", {}).number(0, kMostNumber, kNeedSeconds);
    }
    if (steps[i].has("latency_seconds")) {
      cost.latencySeconds = steps[i].at("latency_seconds", {}).number(0, kMostNumber, kNeedSeconds);
    }
  }
  return predicted;
}

Result<Plan> planOfFirstVersion(const JsonValue& in, const Workspace& workspace, std::optional<Error>& problem) {
  P2_TRY_ASSIGN(auto made, makePlan(workspace).within("/program"));
  FirstVersion(made).checkLowered(in.at("lowered", kNeedLowered));
  PlanParts parts{made.workspace(), made.cut(), made.reductionGroups(), made.steps(), made.predicted()};
  if (in.has("predicted")) parts.predicted = readPredicted(in.at("predicted", {}), parts.steps.size());
  if (problem) return *problem;
  return Plan(std::move(parts));
}

Result<Plan> planOfThisVersion(const JsonValue& in, Workspace workspace, std::optional<Error>& problem) {
  PlanReader reader(in, workspace);
  const VectorCut cut = reader.cut();
  PlanParts parts{std::move(workspace), cut, reader.reductionGroups(), reader.steps(), {}};
  const std::size_t steps = parts.steps.size();
  parts.predicted = readPredicted(in.at("predicted", "a plan needs its prediction"), steps);
  if (problem) return *problem;
  return Plan(std::move(parts));
}

}  // namespace

Result<Plan> planFromJson(std::string_view text, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto json, parseJson(text, std::move(stop)));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  (void)readHeader(in, {kPlanFormat});
  Workspace workspace = readWorkspace(in);
  demandParts(in.at("system", {}), workspace.system);
  (void)in.at("matrix", "a plan needs the matrix of its placement");
  (void)in.at("program", "a plan needs a program");
  (void)in.at("lowered", kNeedLowered);
  if (problem) return *problem;
  if (workspace.program.empty()) {
    return Error{"no program is named; give its steps, as in root:InsideGroup:AllReduce", "/program"};
  }
  P2_TRY(checkWorkspace(workspace));
  if (workspace.system.deviceCount() > kMostPlanDevices) {
    return Error{"a plan is for at most " + std::to_string(kMostPlanDevices) + " devices", "/system"};
  }
  workspace.source = text;
  const std::int64_t version = in.at("version", {}).whole(1, kPlanVersion, {});
  return version == 1 ? planOfFirstVersion(in, workspace, problem)
                      : planOfThisVersion(in, std::move(workspace), problem);
}

}  // namespace p2::inline plan
