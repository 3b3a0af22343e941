// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/workload_json.h"

#include "base/figures.h"
#include "base/numbers.h"
#include "text/named_items.h"
#include "workload/generate/fields.h"
#include "workload/generate/fields_json.h"

namespace p2::inline workload {
namespace {

constexpr std::string_view kNeedWorkloadAxes = "a workload names its axes with their sizes, as in {\"data\": 8}";
constexpr std::string_view kNeedCollectives =
    "\"collectives\" lists entries with name, axes, kind, bytes, count and overlap";
constexpr std::string_view kNeedCount =
    "use a whole number of 1 or more, or factors as in {\"layers\": 80, \"microbatches\": 4}";
constexpr std::string_view kNeedOverlap =
    "use \"none\", \"compute\", a share from 0 to 1, or a window as in {\"seconds\": 0.1}";
constexpr std::string_view kNeedRouting =
    "a routing is as in {\"experts\": 256, \"experts_per_token\": 8, \"groups\": 8, \"most_groups\": 4}";
constexpr std::string_view kNeedTraining = "\"training\" has \"model\" and \"plan\" as a p2-model file has them";
constexpr std::string_view kNeedScatterAxes =
    "\"scatter\" names axes of a ReduceScatter, as in [\"shard\"]; leave it out for all of them";

Axis workloadAxis(std::string name, const JsonValue& size) {
  return {std::move(name), size.whole(1, INT64_MAX / 2, "an axis needs size 1 or more"), false};
}

std::vector<Axis> readWorkloadAxes(const JsonValue& in) {
  std::vector<Axis> axes;
  if (in.json().is_array()) {
    for (const JsonValue& item : in.items(kNeedWorkloadAxes)) {
      std::string name = item.at("name", kNeedWorkloadAxes).text("an axis' name is a string");
      axes.push_back(workloadAxis(std::move(name), item.at("size", kNeedWorkloadAxes)));
    }
    return axes;
  }
  for (const auto& [name, size] : in.members(kNeedWorkloadAxes)) axes.push_back(workloadAxis(name, size));
  return axes;
}

void readCount(const JsonValue& in, WorkloadEntry& entry) {
  if (!in.json().is_object()) {
    entry.count = in.whole(1, INT64_MAX, kNeedCount);
    return;
  }
  std::optional<std::int64_t> product = 1;
  for (const auto& [name, value] : in.members(kNeedCount)) {
    entry.factors.push_back({name, value.whole(1, INT64_MAX, kNeedCount)});
    if (product) product = checkedProduct(*product, entry.factors.back().value);
  }
  if (entry.factors.empty()) in.fail("there are no factors; " + std::string(kNeedCount));
  if (!product) in.fail("the factors multiply to over 2^63; use smaller ones");
  entry.count = product.value_or(1);
}

CommunicationOverlap readOverlap(const JsonValue& in) {
  using Extent = CommunicationOverlap::Extent;
  if (in.json().is_number()) return {Extent::Fraction, in.number(0, 1, kNeedOverlap)};
  if (in.json().is_object()) {
    return {Extent::Window, in.at("seconds", kNeedOverlap).number(0, kTimeRange.most, kNeedOverlap)};
  }
  const std::string word = in.text(kNeedOverlap);
  if (word == "compute") return {Extent::Compute, 0};
  if (word != "none") in.fail("\"" + word + "\" is not an overlap; " + std::string(kNeedOverlap));
  return {};
}

ExpertRouting readRouting(const JsonValue& in) {
  ExpertRouting routing;
  routing.experts = in.at("experts", kNeedRouting).whole(1, INT64_MAX, kNeedRouting);
  routing.expertsPerToken = in.at("experts_per_token", kNeedRouting).whole(1, INT64_MAX, kNeedRouting);
  // What limits of nodes were called before there were other groups.
  const char* const limit = in.has("most_nodes") ? "most_nodes" : "most_groups";
  if (in.has(limit)) routing.mostGroups = in.at(limit, {}).whole(0, INT64_MAX, kNeedRouting);
  if (in.has("groups")) routing.groups = in.at("groups", {}).whole(0, INT64_MAX, kNeedRouting);
  return routing;
}

WorkloadEntry readEntry(const JsonValue& in) {
  WorkloadEntry entry;
  if (in.has("name")) entry.name = in.at("name", {}).text("an entry's name is a string");
  for (const JsonValue& axis : in.at("axes", kNeedCollectives).items("\"axes\" lists names, as in [\"data\"]")) {
    entry.axes.push_back(axis.text("an entry names axes, as in [\"data\"]"));
  }
  entry.kind = in.at("kind", kNeedCollectives).word(communicationKindFrom, "a kind is a word, as in AllReduce");
  entry.bytes = in.at("bytes", kNeedCollectives).whole(1, INT64_MAX, "use the bytes of the full tensor, 1 or more");
  if (in.has("count")) readCount(in.at("count", {}), entry);
  if (in.has("overlap")) entry.overlap = readOverlap(in.at("overlap", {}));
  if (in.has("closed")) entry.closed = in.at("closed", {}).boolean("use true or false");
  if (in.has("routing")) entry.routing = readRouting(in.at("routing", {}));
  if (in.has("scatter")) {
    for (const JsonValue& axis : in.at("scatter", {}).items(kNeedScatterAxes)) {
      entry.scatter.push_back(axis.text(kNeedScatterAxes));
    }
    if (entry.scatter.empty()) in.at("scatter", {}).fail("it is empty; " + std::string(kNeedScatterAxes));
  }
  if (in.has("formula")) entry.formula = in.at("formula", {}).text("a formula is a string");
  return entry;
}

Json countJson(const WorkloadEntry& entry) {
  if (entry.factors.empty()) return entry.count;
  Json factors = Json::object();
  for (const CountFactor& factor : entry.factors) factors[factor.name] = factor.value;
  return factors;
}

Json routingJson(const std::optional<ExpertRouting>& routing) {
  if (!routing) return {};
  return {{"experts", routing->experts},
          {"experts_per_token", routing->expertsPerToken},
          {"groups", routing->groups == 0 ? Json() : Json(routing->groups)},
          {"most_groups", routing->mostGroups == 0 ? Json() : Json(routing->mostGroups)}};
}

Json entryJson(const WorkloadEntry& entry) {
  return {{"name", entry.name},
          {"axes", entry.axes},
          {"kind", nameOf(entry.kind)},
          {"bytes", entry.bytes},
          {"count", countJson(entry)},
          {"overlap", overlapJson(entry.overlap)},
          {"closed", entry.closed ? Json() : Json(false)},
          {"routing", routingJson(entry.routing)},
          {"scatter", entry.scatter.empty() ? Json() : Json(entry.scatter)},
          {"formula", entry.formula.empty() ? Json() : Json(entry.formula)}};
}

Json axesJson(const std::vector<Axis>& axes) {
  Json object = Json::object();
  for (const Axis& axis : axes) object[axis.name] = axis.size;
  return object;
}

/// The axes of an object as the list that a file has of them.
Json listedAxes(const Json& source, const Json& axes) {
  Json list = Json::array();
  for (const auto& [name, size] : axes.items()) list.push_back({{"name", name}, {"size", size}});
  return overlaid(source, list);
}

/// The object without the keys' values, but with their places.
Json emptied(Json object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (object.is_object() && object.contains(key)) object[key] = nullptr;
  }
  return object;
}

/// A count or an overlap is replaced as a whole: factors that are gone leave nothing behind.
Json overEntry(Json old, const Json& known) { return overlaid(emptied(std::move(old), {"count", "overlap"}), known); }

Json trainingJson(const TrainedStep& training) {
  return {{"model", fieldsJson(modelFields(), training.model)}, {"plan", fieldsJson(planFields(), training.plan)}};
}

TrainedStep readTraining(const JsonValue& in, const std::string& name) {
  TrainedStep training;
  readFields(in.at("model", kNeedTraining), modelFields(), training.model, kNeedTraining);
  readFields(in.at("plan", kNeedTraining), planFields(), training.plan, kNeedTraining);
  training.model.name = name;
  if (in.failed()) return training;
  const auto possible = checkModel(training.model);
  if (!possible.ok()) in.at("model", {}).fail(possible.error().message);
  if (in.failed()) return training;
  training = {resolved(training.model), resolved(training.plan)};
  const auto plan = checkPlan(training.model, training.plan);
  if (!plan.ok()) in.at("plan", {}).fail(plan.error().message);
  return training;
}

Json member(const Json& source, const char* key) {
  return source.is_object() && source.contains(key) ? source[key] : Json();
}

}  // namespace

Json overlapJson(const CommunicationOverlap& overlap) {
  switch (overlap.extent) {
    case CommunicationOverlap::Extent::None:
      return "none";
    case CommunicationOverlap::Extent::Compute:
      return "compute";
    case CommunicationOverlap::Extent::Fraction:
      return jsonNumber(overlap.value);
    case CommunicationOverlap::Extent::Window:
      return {{"seconds", jsonNumber(overlap.value)}};
  }
  return {};
}

Json workloadJson(const Workload& workload) {
  Json collectives = Json::array();
  for (const WorkloadEntry& entry : workload.collectives) collectives.push_back(entryJson(entry));
  return {{"name", workload.name.empty() ? Json() : Json(workload.name)},
          {"axes", axesJson(workload.axes)},
          {"compute_seconds", workload.computeSeconds ? jsonNumber(*workload.computeSeconds) : Json()},
          {"slowdown", workload.slowdown ? jsonNumber(*workload.slowdown) : Json()},
          {"usable_share", workload.usableShare ? jsonNumber(*workload.usableShare) : Json()},
          {"concurrent", workload.concurrent ? Json(true) : Json()},
          {"training", workload.training ? trainingJson(*workload.training) : Json()},
          {"collectives", std::move(collectives)}};
}

Json overlaidWorkload(const Json& source, const Json& known) {
  if (!source.is_object()) return overlaid(Json(), known);
  Json result = overlaid(emptied(source, {"axes", "collectives"}), known);
  const Json axes = member(source, "axes");
  if (axes.is_array()) result["axes"] = listedAxes(axes, known["axes"]);
  const Json entries = member(source, "collectives");
  NamedItems old(entries);
  result["collectives"] = Json::array();
  for (const Json& entry : known["collectives"]) {
    const Json* same = old.next(entry["name"].get_ref<const std::string&>());
    result["collectives"].push_back(overEntry(same ? *same : Json(), entry));
  }
  return result;
}

Workload readWorkload(const JsonValue& in) {
  Workload workload;
  if (in.has("name")) workload.name = in.at("name", {}).text("a workload's name is a string");
  if (in.has("compute_seconds")) {
    workload.computeSeconds = in.at("compute_seconds", {}).number(0, kTimeRange.most, "use seconds, 0 or more");
  }
  if (in.has("slowdown")) {
    workload.slowdown = in.at("slowdown", {}).number(1, kSlowdownRange.most, "use a factor of 1 or more");
  }
  if (in.has("usable_share")) {
    workload.usableShare = in.at("usable_share", {}).number(0, 1, "use a share from 0 to 1");
  }
  if (in.has("training")) workload.training = readTraining(in.at("training", {}), workload.name);
  if (in.has("concurrent")) workload.concurrent = in.at("concurrent", {}).boolean("use true or false");
  workload.axes = readWorkloadAxes(in.at("axes", kNeedWorkloadAxes));
  for (const JsonValue& item : in.at("collectives", kNeedCollectives).items(kNeedCollectives)) {
    if (in.failed()) break;
    workload.collectives.push_back(readEntry(item));
  }
  return workload;
}

Result<Workload> workloadFromJson(std::string_view text) {
  P2_TRY_ASSIGN(const auto json, parseJson(text));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  (void)readHeader(in, {kWorkloadFormat});
  Workload workload = readWorkload(in);
  if (problem) return *problem;
  const auto checked = checkWorkload(workload);
  if (!checked.ok()) return checked.error().at(checked.error().where.part);
  workload.source = text;
  return workload;
}

std::string workloadToJson(const Workload& workload) {
  const auto old = workload.source.empty() ? Result<Json>(Json()) : parseJson(workload.source);
  Json known{{"format", kWorkloadFormat}, {"version", versionOf(kWorkloadFormat)}};
  known.update(workloadJson(workload));
  return jsonText(overlaidWorkload(old.ok() ? *old : Json(), known));
}

}  // namespace p2::inline workload
