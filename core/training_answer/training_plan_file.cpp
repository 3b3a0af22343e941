// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/training_plan_file.h"

#include <array>

#include "text/json_stream.h"
#include "text/json_value.h"
#include "training_answer/training_evaluation.h"
#include "workload/generate/fields.h"
#include "workload/generate/fields_json.h"
#include "workload/generate/training_recipe.h"
#include "workspace/document_json.h"

namespace p2::inline training_answer {
namespace {

constexpr int kVersion = 1;
constexpr std::string_view kNeed = "a plan has model, system, framework, plan, precision, recompute and schedule";

/// Choices that are on or off, by their keys.
struct Switch {
  std::string_view key;
  bool TrainingConfiguration::*value;
};
constexpr std::array kSwitches{Switch{"fused_attention", &TrainingConfiguration::fusedAttention},
                               Switch{"compiled", &TrainingConfiguration::compiled},
                               Switch{"overlaps", &TrainingConfiguration::overlaps},
                               Switch{"overlaps_data", &TrainingConfiguration::overlapsData},
                               Switch{"fused_loss", &TrainingConfiguration::fusedLoss},
                               Switch{"pads_experts", &TrainingConfiguration::padsExperts},
                               Switch{"deterministic", &TrainingConfiguration::deterministic},
                               Switch{"adapters", &TrainingConfiguration::adapters},
                               Switch{"full_precision_sums", &TrainingConfiguration::fullPrecisionSums},
                               Switch{"fp8_parameters", &TrainingConfiguration::fp8Parameters},
                               Switch{"micro_scales", &TrainingConfiguration::microScales},
                               Switch{"half_moments", &TrainingConfiguration::halfMoments},
                               Switch{"half_states", &TrainingConfiguration::halfStates},
                               Switch{"whole_ends", &TrainingConfiguration::wholeEnds}};

Json predictedJson(const PlannedConfiguration& planned, double reserve) {
  const StepEstimate& estimate = planned.estimate;
  return {{"seconds", jsonNumber(estimate.seconds)},   {"seconds_low", jsonNumber(estimate.low)},
          {"seconds_high", jsonNumber(estimate.high)}, {"tokens_per_second", jsonNumber(estimate.tokensPerSecond)},
          {"mfu", jsonNumber(estimate.mfu)},           {"memory", jsonNumber(planned.memory.total() + reserve)}};
}

Json switchesJson(const TrainingConfiguration& configuration) {
  Json switches = Json::object();
  for (const Switch& each : kSwitches) switches[std::string(each.key)] = configuration.*each.value;
  return switches;
}

/// Model and plan as a recipe has them.
Result<TrainingRecipe> recipeOf(const Json& document) {
  const Json recipe = {{"format", kModelFormat},
                       {"version", 1},
                       {"name", document.value("model_name", std::string("model"))},
                       {"model", document.at("model")},
                       {"plan", document.at("plan")}};
  return recipeFromJson(jsonText(recipe));
}

/// Plans of earlier releases have switches in place of "dispatch" and "graphs".
void readEarlierKernels(const JsonValue& in, TrainingConfiguration& configuration) {
  if (!in.has("switches") || in.has("dispatch")) return;
  const JsonValue switches = in.at("switches", {});
  const auto isOn = [&](const char* key) {
    return switches.has(key) && switches.at(key, {}).boolean("use true or false");
  };
  if (isOn("cuda_graphs") || isOn("fused_routing")) configuration.graphs = GraphScope::All;
  const bool once = configuration.plan.expert > 1 && isOn("once_for_every_node");
  if (once || isOn("fused_routing")) configuration.dispatch = ExpertDispatch::HybridEp;
}

void readChoices(const JsonValue& in, TrainingConfiguration& configuration) {
  configuration.precision = in.at("precision", kNeed).word(productPrecisionFrom, "use bf16, fp8 or fp4");
  configuration.recomputation = in.at("recompute", kNeed).word(recomputeKindFrom, "use none, selective or full");
  configuration.schedule = in.at("schedule", kNeed).word(scheduleKindFrom, "use the name of a schedule, as in 1f1b");
  readEarlierKernels(in, configuration);
  if (in.has("dispatch")) {
    configuration.dispatch = in.at("dispatch", {}).word(expertDispatchFrom, "use alltoall, deepep or hybridep");
  }
  if (in.has("graphs")) {
    configuration.graphs = in.at("graphs", {}).word(graphScopeFrom, "use none, routing, layers or all");
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 24;
  if (in.has("recompute_modules")) {
    for (const JsonValue& each : in.at("recompute_modules", {}).items("modules have names")) {
      configuration.recomputedModules.add(each.word(recomputedModuleFrom, "use the name of a module, as in moe_act"));
    }
  }
  if (in.has("recomputed_layers")) {
    configuration.recomputedLayers = in.at("recomputed_layers", {}).whole(0, kMost, "use a number of layers");
  }
  if (in.has("mtp")) configuration.predictedTokens = in.at("mtp", {}).whole(0, kMost, "use a number of tokens");
  if (in.has("layers_per_stage")) {
    for (const JsonValue& each : in.at("layers_per_stage", {}).items("stages have layers")) {
      configuration.layersPerStage.push_back(each.whole(0, kMost, "a stage has a number of layers"));
    }
  }
  if (!in.has("switches")) return;
  const JsonValue switches = in.at("switches", {});
  for (const Switch& each : kSwitches) {
    if (switches.has(each.key)) configuration.*each.value = switches.at(each.key, {}).boolean("use true or false");
  }
}

/// A plan as its file states it.
struct StatedPlan {
  TrainingPlanFile file;  ///< without the planned configuration
  StatedTraining stated;
  TrainingConfiguration configuration;
};

Result<void> checkHead(const JsonValue& in) {
  const std::string format = in.at("format", kNeed).text("a format is a string");
  if (format != kTrainingFormat) return jsonError("\"" + format + "\" is not a plan of p2 train", "/format");
  const std::int64_t version = in.at("version", kNeed).whole(1, 1 << 20, "a version is a whole number");
  if (version <= kVersion) return {};
  return jsonError(
      "version " + std::to_string(version) + " is newer than this program, which reads " + std::to_string(kVersion),
      "/version");
}

Result<StatedPlan> statedPlan(std::string_view text) {
  P2_TRY_ASSIGN(const Json document, parseJson(text));
  std::optional<Error> problem;
  const JsonValue in(document, problem);
  P2_TRY(checkHead(in));
  for (const char* key : {"model", "plan", "system"}) (void)in.at(key, kNeed);
  StatedPlan plan;
  auto& [file, stated, configuration] = plan;
  const std::string framework = in.at("framework", kNeed).text("a framework is a name, as in megatron");
  if (in.has("assumed")) {
    for (const JsonValue& each : in.at("assumed", {}).items("assumptions are sentences")) {
      file.assumed.push_back(each.text("an assumption is a sentence"));
    }
  }
  if (in.has("model_name")) file.modelName = in.at("model_name", {}).text("a model's name is a string");
  if (problem) return *problem;
  P2_TRY_ASSIGN(stated.framework, trainingFrameworkFrom(framework));
  P2_TRY_ASSIGN(const auto recipe, recipeOf(document));
  configuration.plan = resolved(recipe.plan);
  configuration.family = stated.framework->family;
  if (stated.framework->applyDefaults != nullptr) stated.framework->applyDefaults(configuration);
  // A plan states what its framework would default.
  configuration.plan = resolved(recipe.plan);
  readChoices(in, configuration);
  // Plans of a rank file have null.
  const bool hasOrder = in.has("order") && !document.at("order").is_null();
  if (!hasOrder && in.has("matrix")) stated.matrix = in.at("matrix", {}).text("a matrix is a string");
  if (hasOrder) stated.order = in.at("order", {}).text("an order of ranks is a name, as in Megatron-LM");
  TrainingQuestion& question = file.question;
  if (in.has("reserve")) question.reserve = in.at("reserve", {}).number(0, 1e18, "use bytes");
  if (problem) return *problem;
  question.model = resolved(recipe.model);
  const JsonValue model = in.at("model", kNeed);
  question.model.name = model.has("name") ? model.at("name", {}).text("a model's name is a string") : std::string();
  P2_TRY_ASSIGN(question.system, systemFromJson(jsonText(document.at("system"))).about("/system"));
  question.batch = configuration.plan.globalBatch;
  question.sequence = configuration.plan.sequence;
  question.precision = configuration.precision;
  question.frameworks = {stated.framework};
  P2_TRY(checkConfiguration(question.model, configuration).within("plan"));
  return plan;
}

}  // namespace

bool isTrainingPlan(std::string_view text) {
  return text.substr(0, 400).find("\"" + std::string(kTrainingFormat) + "\"") != std::string_view::npos;
}

std::string trainingPlanToJson(const TrainingPlanFile& file) {
  const TrainingQuestion& question = file.question;
  const TrainingConfiguration& configuration = file.planned.configuration;
  const auto system = parseJson(systemToJson(question.system));
  Json json = {{"format", kTrainingFormat},
               {"version", kVersion},
               {"model_name", file.modelName},
               {"framework", file.planned.framework->name},
               {"release", file.planned.framework->release},
               {"plan", fieldsJson(planFields(), configuration.plan)},
               {"precision", nameOf(configuration.precision)},
               {"recompute", nameOf(configuration.recomputation)},
               {"recomputed_layers", configuration.recomputedLayers},
               {"mtp", configuration.predictedTokens},
               {"schedule", nameOf(configuration.schedule)},
               {"dispatch", nameOf(configuration.dispatch)},
               {"graphs", nameOf(configuration.graphs)},
               {"order", file.planned.orders.empty() ? Json() : Json(file.planned.orders.front())},
               {"matrix", file.planned.matrix.empty() ? Json() : Json(file.planned.matrix.text())},
               {"switches", switchesJson(configuration)},
               {"reserve", jsonNumber(question.reserve)},
               {"predicted", predictedJson(file.planned, question.reserve)},
               {"model", fieldsJson(modelFields(), question.model)},
               {"system", system.ok() ? *system : Json()}};
  if (!file.assumed.empty()) json["assumed"] = file.assumed;
  if (!configuration.recomputedModules.empty()) json["recompute_modules"] = configuration.recomputedModules.names();
  if (!configuration.layersPerStage.empty()) json["layers_per_stage"] = configuration.layersPerStage;
  return jsonText(json);
}

Result<StatedTraining> statedByPlan(std::string_view text) {
  P2_TRY_ASSIGN(auto plan, statedPlan(text));
  StatedTraining stated = std::move(plan.stated);
  stated.format = kStatedByPlan;
  stated.model = std::move(plan.file.question.model);
  stated.modelName = std::move(plan.file.modelName);
  stated.globalBatch = plan.configuration.plan.globalBatch;
  stated.sequence = plan.configuration.plan.sequence;
  stated.precision = plan.configuration.precision;
  return stated;
}

Result<TrainingPlanFile> trainingPlanFromJson(std::string_view text) {
  P2_TRY_ASSIGN(auto plan, statedPlan(text));
  auto& [file, stated, configuration] = plan;
  P2_TRY_ASSIGN(const auto accelerator, trainingAcceleratorOf(file.question.system));
  configuration = runnableOn(std::move(configuration), accelerator);
  P2_TRY_ASSIGN(file.planned, priceOwn({file.question, {}}, stated, configuration));
  return std::move(file);
}

}  // namespace p2::inline training_answer
