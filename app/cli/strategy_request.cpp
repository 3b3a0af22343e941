// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_request.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "cost/cost_model.h"
#include "mapping/strategy_step_json.h"
#include "text/text_file.h"
#include "workspace/strategy_fields.h"

namespace p2::cli {
namespace {

/// An option whose values are no row of strategyFields().
struct GraphOption {
  const char* name;
  const char* placeholder;
  const char* help;
  std::optional<std::string> GraphRequest::*text;
};

constexpr std::array kOptions{
    GraphOption{"--system", "SYSTEM", "The system of the hierarchical model", &GraphRequest::system},
    GraphOption{"--cost-model", "MODEL",
                "Cost model of the system's collectives: paper, nccl or torus (nccl where the system says its GPUs' "
                "generation, torus on TPUs, else paper)",
                &GraphRequest::costModel},
    GraphOption{"--dtype", "TYPE",
                "Number type of tensors: fp32, bf16, fp16 or fp8 (bf16 on systems that say its speed, else fp32)",
                &GraphRequest::elementType},
    GraphOption{
        "--device-memory", "BYTES|any",
        "Largest memory that a strategy may use on each device, as in 80GB, or any (the system's less a reserve)",
        &GraphRequest::deviceMemory},
};

/// The rows that are options of a graph. The others are arguments of their own.
constexpr std::array<std::string_view, 13> kFieldOptions{
    "model",     "space", "cutoff",        "flops", "bandwidth", "memory_bandwidth", "passes",
    "optimizer", "zero",  "recomputation", "batch", "sequence",  "capacity_factor"};

/// A default that stands for none needs no mention.
std::string helpOf(const Property<StrategyChoice>& field) {
  const PropertyValue preset = field.get({});
  const bool none = field.info.none && (preset == PropertyValue(*field.info.none) ||
                                        preset == PropertyValue(static_cast<std::int64_t>(*field.info.none)));
  return none ? std::string(field.info.tip) : optionHelp(field);
}

std::string optionNameOf(const PropertyInfo& info) {
  return info.key == "recomputation" ? "--recompute" : optionOf(info);
}

Result<Bytes> deviceMemoryFrom(std::string_view text) { return text == "any" ? Bytes(0) : parseBytes(text); }

/// The choice of the typed values.
Result<StrategyChoice> choiceOf(const GraphRequest& request) {
  StrategyChoice choice;
  choice.options.devices = GraphCostOptions{}.devices;
  choice.options.space.exactly = request.exactly;
  for (const auto& [key, text] : request.fields) {
    const Property<StrategyChoice>& field = strategyField(key);
    P2_TRY_ASSIGN(const PropertyValue value, propertyFromText(field.info, text).within(optionNameOf(field.info)));
    field.set(choice, value);
  }
  // A document without such a size has 0; a typed size has to be one.
  for (const char* key : {"batch", "sequence", "capacity_factor"}) {
    const Property<StrategyChoice>& field = strategyField(key);
    if (!request.fields.contains(key) || field.get(choice) != field.get(StrategyChoice())) continue;
    return Error{"0 is out of range; " + std::string(field.info.need), optionNameOf(field.info)};
  }
  GraphCostOptions& options = choice.options;
  if (request.elementType) {
    P2_TRY_ASSIGN(options.bytesPerElement, elementBytesFrom(*request.elementType).within("--dtype"));
  }
  if (request.deviceMemory) {
    P2_TRY_ASSIGN(options.deviceMemory, deviceMemoryFrom(*request.deviceMemory).within("--device-memory"));
  }
  return choice;
}

Result<std::optional<System>> systemOf(const GraphRequest& request, StrategyCostModel model) {
  if (!request.system) {
    if (model == StrategyCostModel::Flat) return std::optional<System>();
    return Error{"the " + std::string(nameOf(model)) + " model needs a system, as in --system gcp-a100:4", "--system"};
  }
  if (model == StrategyCostModel::Flat)
    return Error{"the flat model takes no system; add --model hierarchical", "--system"};
  P2_TRY_ASSIGN(auto system, systemOfArgument(*request.system, "--system"));
  return std::optional<System>(std::move(system));
}

/// "N=8". Names may hold an equals sign themselves, sizes do not.
Result<void> readDimension(const std::string& text, GraphSizes& sizes) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) {
    return Error{"\"" + text + "\" is not of the form DIMENSION=SIZE; write, for example, N=8", "--dim"};
  }
  const std::string name = text.substr(0, equals);
  P2_TRY_ASSIGN(const auto size, wholeNumber(text.substr(equals + 1), "--dim", 1, kMostDimensionSize));
  if (!sizes.dimensions.emplace(name, size).second)
    return Error{"\"" + name + "\" is given twice; keep one size", "--dim"};
  return {};
}

Result<GraphSizes> sizesOf(const GraphRequest& request, const StrategyChoice& choice) {
  GraphSizes sizes;
  for (const std::string& dimension : request.dimensions) P2_TRY(readDimension(dimension, sizes));
  if (choice.batch > 0) sizes.batch = choice.batch;
  if (choice.sequence > 0) sizes.sequence = choice.sequence;
  if (choice.capacityFactor > 0) sizes.capacityFactor = choice.capacityFactor;
  return sizes;
}

/// How --cost-model prices the collectives of a system: by the system's own model where it is not given.
Result<ExploreOptions> pricingOf(const GraphRequest& request, const std::optional<System>& system) {
  if (!system) {
    if (!request.costModel) return ExploreOptions();
    return Error{"the flat model has one bandwidth for everything; add --model hierarchical and --system",
                 "--cost-model"};
  }
  ExploreOptions options = ownPricing(*system);
  if (request.costModel) {
    P2_TRY_ASSIGN(const auto model, costModelFrom(*request.costModel).within("--cost-model"));
    options.cost.model = model->name();
    options.cost.algorithm = defaultAlgorithm(options.cost.model);
  }
  return options;
}

constexpr std::int64_t kMostDevicesAsked = std::int64_t{1} << 40;

Result<std::optional<std::int64_t>> devicesOf(const StrategyRequest& request) {
  if (!request.devices) return std::optional<std::int64_t>();
  P2_TRY_ASSIGN(const auto devices, wholeNumber(*request.devices, "--devices", 1, kMostDevicesAsked));
  return std::optional(devices);
}

/// Whether an option of a graph is given.
bool isTyped(const GraphRequest& request, const std::string& name) {
  for (const auto& [key, text] : request.fields) {
    if (optionNameOf(strategyField(key).info) == name) return true;
  }
  return std::any_of(kOptions.begin(), kOptions.end(),
                     [&](const GraphOption& option) { return option.name == name && request.*option.text; });
}

/// Defaults of options that were typed are none.
void leaveOutTyped(const StrategyRequest& request, std::vector<AssumedDefault>& defaults) {
  std::erase_if(defaults, [&](const AssumedDefault& each) {
    if (each.option == "--stages") return request.stages.has_value();
    if (each.option == "--exactly") return request.graph.exactly;
    return isTyped(request.graph, each.option);
  });
}

/// The first number format of these bytes: see elementBytesFrom().
std::string elementNameOf(Bytes bytes) { return bytes == Bytes(4) ? "fp32" : bytes == Bytes(2) ? "bf16" : "fp8"; }

/// An error when one of the options is given although `file` has cost tables already.
Result<void> checkNoGraphOptions(const std::string& file, const GraphRequest& request) {
  const auto refused = [&](std::string name) {
    return Error{file + " has cost tables already; leave the option out", std::move(name)};
  };
  for (const auto& [key, text] : request.fields) return refused(optionNameOf(strategyField(key).info));
  for (const GraphOption& option : kOptions) {
    if (request.*option.text) return refused(option.name);
  }
  if (!request.dimensions.empty()) return refused("--dim");
  if (request.exactly) return refused("--exactly");
  return {};
}

}  // namespace

void addGraphOptions(CLI::App& command, GraphRequest& request) {
  for (const std::string_view key : kFieldOptions) {
    const Property<StrategyChoice>& field = strategyField(key);
    command
        .add_option_function<std::string>(
            optionNameOf(field.info),
            [&request, key](const std::string& text) { request.fields[std::string(key)] = text; }, helpOf(field))
        ->type_name(placeholderOf(field.info));
  }
  for (const GraphOption& option : kOptions) {
    addValue(command, option.name + std::string(" ") + option.placeholder, request.*option.text, option.help);
  }
  addValue(command, "--dim NAME=SIZE", request.dimensions,
           "Size of an open dimension of an ONNX model, as in sequence=128; may be repeated")
      ->allow_extra_args(false);
  command.add_flag("--exactly", request.exactly, "Only configurations that use all devices");
}

Result<StrategyRequest> completedByFile(StrategyRequest request) {
  if (!request.evaluate || isPipe(*request.evaluate) || !namesGraph(request.file)) return request;
  P2_TRY_ASSIGN(const auto text, readTextFile(*request.evaluate).within("--evaluate"));
  P2_TRY_ASSIGN(const StrategyStep step, strategyStepFromJson(text).within(*request.evaluate));
  GraphRequest& graph = request.graph;
  const auto complete = [&graph](const char* key, const auto& value, const auto& textOf) {
    if (value) graph.fields.emplace(key, textOf(*value));
  };
  const auto number = [](const auto& value) { return std::to_string(value); };
  const auto name = [](const auto& value) { return std::string(nameOf(value)); };
  complete("passes", step.microbatches, number);
  complete("zero", step.zero, number);
  complete("recomputation", step.recomputation, name);
  complete("optimizer", step.optimizer, name);
  if (!graph.elementType && step.bytesPerElement) graph.elementType = elementNameOf(*step.bytesPerElement);
  if (!step.sizes || !hasOpenSequence(request.file)) return request;
  complete("batch", std::optional(step.sizes->sequences), number);
  complete("sequence", std::optional(step.sizes->tokens), number);
  return request;
}

Result<StrategyQuestion> strategyQuestionOf(const StrategyRequest& request) {
  StrategyQuestion question{.graph = request.file};
  P2_TRY_ASSIGN(const auto devices, devicesOf(request));
  P2_TRY_ASSIGN(const StrategyChoice choice, choiceOf(request.graph));
  question.options = choice.options;
  P2_TRY_ASSIGN(question.system, systemOf(request.graph, question.options.model));
  P2_TRY_ASSIGN(question.pricing, pricingOf(request.graph, question.system));
  P2_TRY_ASSIGN(question.sizes, sizesOf(request.graph, choice));
  if (question.system) question.options.devices = question.system->deviceCount();
  if (devices) question.options.devices = *devices;
  return question;
}

Result<StrategyInput> strategyInputOf(const StrategyRequest& request) {
  for (const std::string& file : {request.file, request.evaluate.value_or("")}) {
    if (isPipe(file)) return Error{"it is a pipe, which can be read only once; write it to a file first", file};
  }
  if (namesGraph(request.file)) {
    P2_TRY_ASSIGN(const auto question, strategyQuestionOf(request));
    P2_TRY_ASSIGN(auto input, readStrategyInput(question));
    leaveOutTyped(request, input.defaults);
    for (const std::string& warning : input.warnings) std::cerr << "p2: " << oneLine(warning) << '\n';
    return input;
  }
  P2_TRY_ASSIGN(const auto devices, devicesOf(request));
  P2_TRY_ASSIGN(auto input, readStrategyInput({.graph = request.file}));
  P2_TRY(checkNoGraphOptions(request.file, request.graph));
  if (devices && *devices != input.problem.devices) {
    return Error{"the cost tables are for " + countedText(input.problem.devices, "device") + ", not " +
                     std::to_string(*devices) + "; leave the option out or use their number",
                 "--devices"};
  }
  return input;
}

}  // namespace p2::cli
