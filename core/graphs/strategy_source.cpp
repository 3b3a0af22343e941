// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/strategy_source.h"

#include <algorithm>

#include "base/counted.h"
#include "graphs/bundled_graphs.h"
#include "graphs/detail/graph_json.h"
#include "system/part_states.h"
#include "text/argument.h"
#include "text/text_file.h"
#include "workload/generate/bundled_models.h"
#include "workload/generate/hugging_face.h"
#include "workload/generate/training_recipe.h"

namespace p2::inline graphs {
namespace {

constexpr double kHalfBytes = 2;  // of bf16 and fp16

const BundledModel* bundledModel(const std::string& name) {
  const auto models = bundledModels();
  const auto found =
      std::find_if(models.begin(), models.end(), [&](const BundledModel& each) { return each.name == name; });
  return found == models.end() ? nullptr : &*found;
}

/// A name that is a graph's as well is the graph's.
bool isBundledModel(const std::string& argument) {
  if (bundledModel(argument) != nullptr) return true;
  const auto recipes = bundledRecipes();
  return std::any_of(recipes.begin(), recipes.end(),
                     [&](const BundledRecipe& each) { return each.name == argument; }) &&
         !bundledGraph(argument).ok();
}

/// Bundled ones come first: "./NAME" is a file of such a name.
bool isFile(const ArgumentText& argument) {
  if (argument.isPath()) return true;
  return argument.exists() && !isBundledModel(argument.text()) && !bundledGraph(argument.text()).ok();
}

Error unknownGraph(const std::string& name) {
  std::string known;
  for (const BundledGraph& graph : bundledGraphs()) known += std::string(graph.name) + ", ";
  for (const std::string& model : bundledModelNames()) known += model + ", ";
  return {"there is no graph called \"" + name + "\"; use one of " + known + "or a file"};
}

bool isConfigFile(const ArgumentText& argument) { return isFile(argument) && isModelConfig(argument.head()); }

bool leavesSequenceOpen(const ArgumentText& argument) {
  return isBundledModel(argument.text()) || isConfigFile(argument);
}

Result<LoadedGraph> modelGraph(const ModelShape& model, const TrainingPlan& plan, const GraphSizes& sizes) {
  const std::int64_t batch = std::max<std::int64_t>(plan.globalBatch, 1);
  if (sizes.capacityFactor && model.experts == 0) {
    return Error{"a capacity factor is for models with experts; " + model.name + " has none"};
  }
  P2_TRY_ASSIGN(auto graph, graphOf(model, {sizes.batch.value_or(batch), sizes.sequence.value_or(plan.sequence),
                                            sizes.capacityFactor.value_or(1)}));
  return LoadedGraph{std::move(graph), {}};
}

Result<LoadedGraph> configuredGraph(std::string_view config, const GraphSizes& sizes) {
  P2_TRY_ASSIGN(auto configured, modelFromConfig(config));
  P2_TRY_ASSIGN(auto loaded, modelGraph(configured.shape, unsaidPlan(configured.shape), sizes));
  auto& assumed = loaded.graph.assumed;
  assumed.insert(assumed.begin(), configured.assumed.begin(), configured.assumed.end());
  return loaded;
}

}  // namespace

Result<LoadedGraph> graphFromArgument(const std::string& argument, const GraphSizes& sizes,
                                      const std::stop_token& stop) {
  const bool onnx = argument.ends_with(".onnx");
  const ArgumentText source(argument);
  if (sizes.sequence && !leavesSequenceOpen(source)) {
    return Error{"a sequence is for transformers; \"" + argument + "\" has its sizes"};
  }
  if (sizes.capacityFactor && !leavesSequenceOpen(source)) {
    return Error{"a capacity factor is for transformers with experts; \"" + argument + "\" has its sizes"};
  }
  if (!onnx && !sizes.dimensions.empty()) {
    return Error{"sizes of dimensions are for ONNX models; \"" + argument + "\" has its own"};
  }
  if (onnx) return importOnnx(argument, {sizes.batch, sizes.dimensions}, stop);
  if (const BundledModel* model = bundledModel(argument)) return configuredGraph(model->config, sizes);
  if (isBundledModel(argument)) {
    P2_TRY_ASSIGN(const auto recipe, bundledRecipe(argument));
    return modelGraph(recipe.model, resolved(recipe.plan), sizes);
  }
  if (isConfigFile(source)) {
    P2_TRY_ASSIGN(const auto text, readTextFile(argument));
    return configuredGraph(text, sizes).within(argument);
  }
  if (!isFile(source) && !bundledGraph(argument).ok()) return unknownGraph(argument);
  if (sizes.batch) return Error{"a batch is for models that leave it open; \"" + argument + "\" has one of its own"};
  if (!isFile(source)) {
    P2_TRY_ASSIGN(auto graph, bundledGraph(argument));
    return LoadedGraph{std::move(graph), {}};
  }
  P2_TRY_ASSIGN(const auto text, readTextFile(argument));
  P2_TRY_ASSIGN(auto graph, graphFromJson(text).within(argument));
  return LoadedGraph{std::move(graph), {}};
}

const std::vector<std::string>& bundledModelNames() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const BundledRecipe& each : bundledRecipes()) {
      const auto recipe = bundledRecipe(each.name);
      if (!recipe.ok() || recipe->listed) continue;
      ModelShape oneLayer = recipe->model;
      oneLayer.layers = 1;
      oneLayer.denseLayers = 0;
      oneLayer.expertStep = 0;
      if (graphOf(oneLayer, {}).ok()) names.emplace_back(each.name);
    }
    for (const BundledModel& each : bundledModels()) names.emplace_back(each.name);
    return names;
  }();
  return kNames;
}

bool hasOpenSequence(const std::string& argument) { return leavesSequenceOpen(ArgumentText(argument)); }

bool hasCapacity(const std::string& argument) {
  if (const BundledModel* model = bundledModel(argument))
    return model->config.find("experts") != std::string_view::npos;
  const ArgumentText source(argument);
  if (isConfigFile(source)) return source.head().find("experts") != std::string::npos;
  if (!isBundledModel(argument)) return false;
  const auto recipe = bundledRecipe(argument);
  return recipe.ok() && recipe->model.experts > 0;
}

bool hasOpenBatch(const std::string& argument) { return argument.ends_with(".onnx") || hasOpenSequence(argument); }

bool namesGraph(const std::string& argument) {
  const ArgumentText source(argument);
  if (isBundledModel(argument) || !isFile(source)) return true;
  return argument.ends_with(".onnx") || isConfigFile(source) || formatIn(source.head()) == kGraphFormat;
}

GraphCostOptions filledIn(GraphCostOptions options, const std::optional<System>& system, double elementBytes) {
  const bool known = options.model != StrategyCostModel::Flat && system;
  const Accelerator accelerator = known ? slowestAccelerator(*system) : Accelerator{};
  if (options.bytesPerElement == Bytes(0)) {
    options.bytesPerElement = accelerator.bf16 > 0 ? Bytes(kHalfBytes) : GraphCostOptions{}.bytesPerElement;
    if (elementBytes > 0) options.bytesPerElement = std::min(options.bytesPerElement, Bytes(elementBytes));
  }
  if (options.flops == 0) {
    options.flops = options.bytesPerElement <= Bytes(1)            ? accelerator.fp8
                    : options.bytesPerElement <= Bytes(kHalfBytes) ? accelerator.bf16
                                                                   : accelerator.fp32;
  }
  if (options.flops == 0) options.flops = GraphCostOptions{}.flops;
  if (options.memoryBandwidth == 0) options.memoryBandwidth = accelerator.memoryBandwidth;
  if (!options.deviceMemory) options.deviceMemory = Bytes(accelerator.memory);
  return options;
}

ExploreOptions ownPricing(const System& system) {
  ExploreOptions options;
  options.cost.model = defaultModel(system);
  options.cost.algorithm = defaultAlgorithm(options.cost.model);
  return options;
}

Result<ValidSystem> systemOfDevices(const std::optional<System>& system, std::int64_t devices) {
  if (!system) return Error{"a cost model that places axes needs a system to place them on"};
  if (system->deviceCount() != devices) {
    return Error{"the system has " + countedText(system->deviceCount(), "device") + ", not " + std::to_string(devices) +
                 "; use its number, or another system"};
  }
  return validated(*system);
}

}  // namespace p2::inline graphs
