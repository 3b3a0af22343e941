// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "placement/realisation.h"
#include "plan/plan.h"
#include "workspace/document_json.h"

namespace p2::inline plan {
namespace {

/// One value when all members agree, else a list.
template <class Value>
Json memberJson(const std::vector<ChunkSet>& held, const Value& value) {
  if (held.size() == 1) return value(held[0]);
  Json list = Json::array();
  for (const ChunkSet& chunks : held) list.push_back(value(chunks));
  const bool same = std::all_of(list.begin(), list.end(), [&](const Json& item) { return item == list[0]; });
  return same ? list[0] : list;
}

/// Blocks that are kept apart grow in number as the chunks do not.
Json groupJson(const PlanGroup& group, const VectorCut& cut, bool keepsApart) {
  const auto bytes = [&](const ChunkSet& chunks) {
    return Json(cut.bytesOf(keepsApart ? cut.chunks : countOf(chunks)));
  };
  const auto chunks = [](const ChunkSet& set) { return Json(chunkText(set)); };
  return {{"devices", numbersOf(group.devices)},
          {"bytes_before", memberJson(group.before, bytes)},
          {"bytes_after", memberJson(group.after, bytes)},
          {"chunks_before", memberJson(group.before, chunks)},
          {"chunks_after", memberJson(group.after, chunks)}};
}

Json loweredJson(const Plan& plan) {
  Json steps = Json::array();
  for (const PlanStep& step : plan.steps()) {
    Json groups = Json::array();
    const bool keepsApart = traitsOf(step.collective).keepsApart;
    for (const PlanGroup& group : step.groups) groups.push_back(groupJson(group, plan.cut(), keepsApart));
    steps.push_back({{"collective", nameOf(step.collective)}, {"groups", std::move(groups)}});
  }
  return steps;
}

Json vectorJson(const VectorCut& cut) {
  return {{"element_bytes", kElementBytes},          {"elements", cut.elements},
          {"padded_elements", cut.paddedElements()}, {"chunks", cut.chunks},
          {"chunk_elements", cut.chunkElements},     {"layout", "ascending"}};
}

Json realisableJson(const Workspace& workspace) {
  Json ways = Json::array();
  for (const Realisation& way : realisableBy(workspace.system, workspace.axes, workspace.matrix)) {
    ways.push_back({{"name", way.name}, {"reason", way.reason}});
  }
  return ways;
}

Json predictedJson(const Plan& plan) {
  const CostOptions& cost = plan.workspace().options.cost;
  const Prediction& predicted = plan.predicted();
  Json steps = Json::array();
  for (std::size_t i = 0; i < predicted.steps.size(); ++i) {
    steps.push_back({{"seconds", jsonNumber(predicted.steps[i].seconds)},
                     {"link", predicted.links[i]},
                     {"link_bytes", jsonNumber(predicted.steps[i].linkBytes.value())},
                     {"algorithm", nameOf(predicted.steps[i].algorithm)}});
    if (const auto range = rangeOf(predicted.steps[i])) {
      steps.back()["seconds_low"] = jsonNumber(range->low);
      steps.back()["seconds_high"] = jsonNumber(range->high);
    }
    if (predicted.steps[i].protocol == Protocol::None) continue;
    steps.back()["protocol"] = nameOf(predicted.steps[i].protocol);
    steps.back()["latency_seconds"] = jsonNumber(predicted.steps[i].latencySeconds);
  }
  Json json = {{"model", cost.model},
               {"algorithm", nameOf(cost.algorithm)},
               {"bytes", jsonNumber(cost.bytes.value())},
               {"repeat", cost.repeat},
               {"seconds", jsonNumber(predicted.seconds)},
               {plan.workspace().options.goal == kAllReduceGoal ? "allreduce_seconds" : "flat_seconds",
                jsonNumber(predicted.singleSeconds)},
               {"steps", std::move(steps)}};
  const LowerBound& limit = predicted.limit;
  if (limit.seconds > 0) json["limit"] = {{"seconds", jsonNumber(limit.seconds)}, {"where", limit.where}};
  return json;
}

}  // namespace

std::string planToJson(const Plan& plan) {
  Json known = workspaceJson(plan.workspace());
  known["vector"] = vectorJson(plan.cut());
  Json reductionGroups = Json::array();
  for (const DeviceGroup& group : plan.reductionGroups()) reductionGroups.push_back(numbersOf(group));
  known["reduction_groups"] = std::move(reductionGroups);
  known["lowered"] = loweredJson(plan);
  known["predicted"] = predictedJson(plan);
  known["realisable_by"] = realisableJson(plan.workspace());
  return fileText(kPlanFormat, known, plan.workspace().source);
}

}  // namespace p2::inline plan
