// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/cost_model.h"
#include "text/json_value.h"
#include "workload/workload_json.h"
#include "workspace/detail/property_json.h"
#include "workspace/detail/strategy_choice_json.h"
#include "workspace/document_json.h"
#include "workspace/explore_fields.h"
#include "workspace/training_choice.h"
#include "workspace/training_fields.h"

namespace p2::inline workspace {
namespace {

constexpr std::string_view kNeedTraining =
    "training has model, config, batch, sequence, precision, framework, reserve, fixed, chosen and mine";
constexpr std::string_view kNeedChosen =
    "a chosen configuration has a framework and its choices, as in {\"framework\": \"megatron\", \"choices\": "
    "\"tp=8,pp=4\"}";

Json unlessEmpty(const std::string& text) { return text.empty() ? Json() : Json(text); }

/// A chosen configuration: "framework", "choices" and "order".
Json chosenConfigurationJson(const ChosenConfiguration& chosen) {
  return {{"framework", chosen.framework}, {"choices", chosen.choices}, {"order", unlessEmpty(chosen.order)}};
}

ChosenConfiguration readChosenConfiguration(const JsonValue& in) {
  ChosenConfiguration chosen;
  chosen.framework = in.at("framework", kNeedChosen).text(kNeedChosen);
  chosen.choices = in.at("choices", kNeedChosen).text(kNeedChosen);
  if (in.has("order")) chosen.order = in.at("order", {}).text("an order of ranks is a name, as in Megatron-LM");
  return chosen;
}

/// The "training" object of a workspace; null for a choice without a model that is otherwise the default.
Json trainingChoiceJson(const TrainingChoice& choice) {
  if (choice == TrainingChoice{}) return {};
  Json json = Json::object();
  writeProperties(json, trainingFields(), choice);
  json["chosen"] = choice.chosen ? chosenConfigurationJson(*choice.chosen) : Json();
  return json;
}

TrainingChoice readTrainingChoice(const JsonValue& in) {
  TrainingChoice choice;
  if (!in.json().is_object()) in.refuse("an object", kNeedTraining);
  readProperties(in, trainingFields(), choice, {}, {}, true);
  if (in.has("chosen")) choice.chosen = readChosenConfiguration(in.at("chosen", {}));
  return choice;
}

constexpr std::string_view kNeedAxes = "a workspace needs a list of axes, each with a name and a size";
constexpr std::string_view kNeedReduce = "\"reduce\" lists the numbers of the axes to reduce over, counted from 0";
constexpr std::string_view kNeedScatter =
    "\"scatter\" lists the numbers of the axes that a ReduceScatter scatters over, of those in \"reduce\"";

std::vector<Axis> readAxes(const JsonValue& in) {
  std::vector<Axis> axes;
  for (const JsonValue& item : in.at("axes", kNeedAxes).items(kNeedAxes)) {
    Axis axis;
    axis.name =
        item.has("name") ? item.at("name", {}).text("an axis' name is a string") : "axis" + std::to_string(axes.size());
    axis.size = item.at("size", kNeedAxes).whole(1, INT64_MAX / 2, "an axis needs size 1 or more");
    if (item.has("inside")) {
      axis.inside = item.at("inside", {}).text("\"inside\" names the level that an axis stays inside, as in node");
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

void readReduction(const JsonValue& in, std::vector<Axis>& axes) {
  for (const JsonValue& item : in.items(kNeedReduce)) {
    const std::int64_t index = item.whole(0, INT64_MAX / 2, kNeedReduce);
    if (in.failed()) return;
    if (index >= static_cast<std::int64_t>(axes.size())) {
      item.fail("there is no axis " + std::to_string(index) + "; the workspace has " + std::to_string(axes.size()));
      return;
    }
    Axis& axis = axes[static_cast<std::size_t>(index)];
    if (axis.reduce) item.fail("axis " + std::to_string(index) + " is listed twice; keep one");
    axis.reduce = true;
  }
}

void readScatter(const JsonValue& in, const Goal& goal, std::vector<Axis>& axes) {
  if (goal != kReduceScatterGoal) in.fail("only a ReduceScatter is scattered over some axes alone; leave it out");
  const std::vector<JsonValue> items = in.items(kNeedScatter);
  if (items.empty()) in.fail("it is empty; leave it out to scatter over all axes that are reduced over");
  for (Axis& axis : axes) axis.replicate = axis.reduce;
  for (const JsonValue& item : items) {
    const std::int64_t index = item.whole(0, INT64_MAX / 2, kNeedScatter);
    if (in.failed()) return;
    if (index >= static_cast<std::int64_t>(axes.size()) || !axes[static_cast<std::size_t>(index)].reduce) {
      item.fail("axis " + std::to_string(index) + " is not reduced over, so no sum can be scattered over it");
      return;
    }
    Axis& axis = axes[static_cast<std::size_t>(index)];
    if (!axis.replicate) item.fail("axis " + std::to_string(index) + " is listed twice; keep one");
    axis.replicate = false;
  }
  const auto replicas = checkReplicas(axes);
  if (!replicas.ok()) in.fail(replicas.error().message);
}

ExploreOptions readOptions(const JsonValue& in) {
  ExploreOptions options;
  if (!in.json().is_object())
    in.refuse("an object", "options has goal, rules, limit, model, algorithm, bytes, repeat and overlap");
  for (const Property<ExploreOptions>& field : exploreFields()) {
    if (!in.has(field.info.key)) continue;
    const JsonValue value = in.at(field.info.key, {});
    const PropertyValue read = readProperty(value, field.info, true);
    if (value.failed() || field.info.kind != PropertyKind::Text) {
      if (!value.failed()) field.set(options, read);
      continue;
    }
    const auto named = exploreOptionFrom(field.info, std::get<std::string>(read));
    if (named.ok()) {
      field.set(options, *named);
    } else {
      value.fail(named.error().message);
    }
  }
  return options;
}

Json optionsJson(const ExploreOptions& options) {
  Json json = Json::object();
  writeProperties(json, exploreFields(), options);
  return json;
}

Json matrixJson(const ParallelismMatrix& matrix) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    Json row = Json::array();
    for (std::size_t c = 0; c < matrix.columns(); ++c) row.push_back(matrix.at(r, c));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json reductionJson(const Workspace& workspace) {
  Json axes = Json::array();
  Json reduce = Json::array();
  Json scatter = Json::array();
  const bool replicates = !scatteredAxes(workspace.axes).empty();
  for (const Axis& axis : workspace.axes) {
    if (axis.reduce) reduce.push_back(axes.size());
    if (axis.reduce && !axis.replicate) scatter.push_back(axes.size());
    axes.push_back(
        {{"name", axis.name}, {"size", axis.size}, {"inside", axis.inside.empty() ? Json() : Json(axis.inside)}});
  }
  return {{"axes", std::move(axes)},
          {"reduce", std::move(reduce)},
          {"scatter", replicates ? std::move(scatter) : Json()},
          {"matrix", workspace.matrix.empty() ? Json() : matrixJson(workspace.matrix)},
          {"program", workspace.program.empty() ? Json() : Json(workspace.program)},
          {"workload", workspace.workload ? workloadJson(*workspace.workload) : Json()}};
}

Json ownJson(const DocumentReduction& own) {
  const Workspace workspace = withReduction({}, own);
  Json json = reductionJson(workspace);
  const Json options = optionsJson(workspace.options);
  json["options"] = {{"goal", options["goal"]}, {"bytes", options["bytes"]}, {"repeat", options["repeat"]}};
  return json;
}

Json plannedJson(const std::optional<PlannedReduction>& planned) {
  if (!planned) return {};
  Json json = chosenConfigurationJson(planned->plan);
  json["own"] = planned->own ? ownJson(*planned->own) : Json();
  return json;
}

void readReduced(const JsonValue& in, Workspace& workspace) {
  workspace.axes = readAxes(in);
  if (in.has("reduce")) readReduction(in.at("reduce", {}), workspace.axes);
  if (in.has("options")) workspace.options = readOptions(in.at("options", {}));
  if (in.has("scatter")) readScatter(in.at("scatter", {}), workspace.options.goal, workspace.axes);
  if (in.has("matrix")) workspace.matrix = readMatrix(in.at("matrix", {}));
  if (in.has("program")) {
    workspace.program = in.at("program", {}).text("a program is a string, as in root:InsideGroup:AllReduce");
  }
  if (in.has("workload")) workspace.workload = readWorkload(in.at("workload", {}));
}

PlannedReduction readPlanned(const JsonValue& in) {
  PlannedReduction planned{readChosenConfiguration(in), {}};
  if (!in.has("own")) return planned;
  Workspace own;
  readReduced(in.at("own", {}), own);
  planned.own = reductionOf(own);
  return planned;
}

}  // namespace

ParallelismMatrix readMatrix(const JsonValue& in) {
  constexpr std::string_view kNeed = "a matrix needs one list of positive whole numbers per axis, all as long";
  const std::vector<JsonValue> rows = in.items(kNeed);
  if (rows.empty()) {
    in.fail("the matrix is empty; leave the key out to choose none");
    return {};
  }
  ParallelismMatrix result(rows.size(), std::max<std::size_t>(1, rows[0].json().size()));
  for (std::size_t r = 0; r < rows.size() && !in.failed(); ++r) {
    const std::vector<JsonValue> cells = rows[r].items(kNeed);
    if (cells.size() != result.columns()) rows[r].fail("this row has another length; " + std::string(kNeed));
    for (std::size_t c = 0; c < cells.size() && !in.failed(); ++c) {
      result.set(r, c, cells[c].whole(1, kMostDevices, kNeed));
    }
  }
  return in.failed() ? ParallelismMatrix() : result;
}

Json workspaceJson(const Workspace& workspace) {
  Json json = reductionJson(workspace);
  json.update({{"system", systemJson(workspace.system)},
               {"options", optionsJson(workspace.options)},
               {"notes", workspace.notes.empty() ? Json() : Json(workspace.notes)},
               {"strategy", strategyChoiceJson(workspace.strategy)},
               {"training", trainingChoiceJson(workspace.training)},
               {"planned", plannedJson(workspace.planned)}});
  return json;
}

Workspace readWorkspace(const JsonValue& in) {
  Workspace workspace;
  workspace.system = readSystem(in.at("system", "a workspace needs a system"));
  readReduced(in, workspace);
  if (in.has("notes")) workspace.notes = in.at("notes", {}).text("notes are a string");
  if (in.has("strategy")) workspace.strategy = readStrategyChoice(in.at("strategy", {}));
  if (in.has("training")) workspace.training = readTrainingChoice(in.at("training", {}));
  if (in.has("planned")) workspace.planned = readPlanned(in.at("planned", {}));
  return workspace;
}

std::string fileText(const char* format, const Json& known, const std::string& source) {
  Json file{{"format", format}, {"version", versionOf(format)}};
  file.update(known);
  const auto parsed = source.empty() ? Result<Json>(Json()) : parseJson(source);
  const Json old = parsed.ok() ? *parsed : Json();
  Json text = overlaid(old, file);
  const auto workload = file.find("workload");
  if (workload != file.end() && workload->is_object()) {
    text["workload"] =
        overlaidWorkload(old.is_object() && old.contains("workload") ? old["workload"] : Json(), *workload);
  }
  return jsonText(text);
}

Result<Workspace> workspaceFromJson(std::string_view text, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto json, parseJson(text, std::move(stop)));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  (void)readHeader(in, {kWorkspaceFormat, kPlanFormat});
  Workspace workspace = readWorkspace(in);
  if (problem) return *problem;
  workspace.source = text;
  return workspace;
}

std::string workspaceToJson(const Workspace& workspace) {
  Json known = workspaceJson(workspace);
  // A plan's additions follow from the workspace and do not outlive an edit of it.
  known["vector"] = nullptr;
  known["reduction_groups"] = nullptr;
  known["lowered"] = nullptr;
  known["predicted"] = nullptr;
  known["realisable_by"] = nullptr;
  return fileText(kWorkspaceFormat, known, workspace.source);
}

}  // namespace p2::inline workspace
