// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_request.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <iostream>

#include "app/cli/output.h"
#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "cost/cost_model.h"
#include "mapping/strategy_step_json.h"
#include "text/text_file.h"

namespace p2::cli {
namespace {

struct GraphOption {
  const char* name;
  const char* help;
  std::optional<std::string> GraphRequest::*text;
};

constexpr std::array kOptions{
    GraphOption{"--model", "flat, or hierarchical: one mesh on a system (flat)", &GraphRequest::model},
    GraphOption{"--system", "The system of the hierarchical model", &GraphRequest::system},
    GraphOption{
        "--cost-model",
        "What prices the system's collectives: paper or nccl (nccl where it says its GPUs' generation, else paper)",
        &GraphRequest::costModel},
    GraphOption{"--space", "all, divisors or powers-of-two: into how many parts (divisors)", &GraphRequest::space},
    GraphOption{"--cutoff", "Minimum shard size, for divisors (8)", &GraphRequest::cutoff},
    GraphOption{"--flops", "Peak FLOP/s of one device (from the system for the data type, else 1e13)",
                &GraphRequest::flops},
    GraphOption{"--bandwidth", "Bandwidth of one device in the flat model (4GB/s)", &GraphRequest::bandwidth},
    GraphOption{"--dtype", "fp32, bf16, fp16 or fp8 (bf16 on systems that say its speed, else fp32)",
                &GraphRequest::elementType},
    GraphOption{"--memory-bandwidth", "Memory bandwidth of one device, as in 3.35TB/s (from the system)",
                &GraphRequest::memoryBandwidth},
    GraphOption{"--device-memory",
                "Most that a strategy may take of each device, as in 80GB, or any (the system's less a reserve)",
                &GraphRequest::deviceMemory},
    GraphOption{"--passes", "How often a step goes through the graph before parameters are updated (1)",
                &GraphRequest::passes},
    GraphOption{"--optimizer", "adam, momentum or none (adam)", &GraphRequest::optimizer},
    GraphOption{"--zero", "Stage of ZeRO, 0 to 3 (0)", &GraphRequest::zero},
    GraphOption{"--recompute",
                "none, selective (all but products and embeddings) or full (all but the inputs of layers) (none)",
                &GraphRequest::recomputation},
    GraphOption{"--batch", "Takes the place of an ONNX model's open first dimension; sequences of a transformer's pass",
                &GraphRequest::batch},
    GraphOption{"--sequence", "Tokens of a transformer's sequence", &GraphRequest::sequence},
    GraphOption{"--capacity-factor", "Rows that experts have room for, of those that reach them evenly (1)",
                &GraphRequest::capacityFactor},
};

/// Reads one option with the function for its words, if it is given.
template <class T>
Result<void> read(const std::optional<std::string>& text, const char* name, Result<T> (*from)(std::string_view),
                  T& value) {
  if (!text) return {};
  P2_TRY_ASSIGN(value, from(*text).within(name));
  return {};
}

Result<Bytes> deviceMemoryFrom(std::string_view text) { return text == "any" ? Bytes(0) : parseBytes(text); }

Result<void> readMemory(const GraphRequest& request, GraphCostOptions& options) {
  P2_TRY(read(request.optimizer, "--optimizer", optimizerFrom, options.memory.optimizer));
  P2_TRY(read(request.recomputation, "--recompute", recomputationFrom, options.memory.recomputation));
  P2_TRY(read(request.memoryBandwidth, "--memory-bandwidth", parseBandwidth, options.memoryBandwidth));
  if (request.zero) {
    P2_TRY_ASSIGN(const auto stage, wholeNumber(*request.zero, "--zero", 0, kMostZero));
    options.memory.zero = static_cast<int>(stage);
  }
  if (request.passes) {
    P2_TRY_ASSIGN(options.microbatches, wholeNumber(*request.passes, "--passes", 1, kMostMicrobatches));
  }
  if (request.deviceMemory) {
    P2_TRY_ASSIGN(options.deviceMemory, deviceMemoryFrom(*request.deviceMemory).within("--device-memory"));
  }
  return {};
}

Result<void> readSpace(const GraphRequest& request, ConfigurationSpace& space) {
  space.exactly = request.exactly;
  if (request.cutoff) {
    P2_TRY_ASSIGN(space.cutoff, wholeNumber(*request.cutoff, "--cutoff", 1, kMostDimensionSize));
  }
  return read(request.space, "--space", spaceKindFrom, space.kind);
}

Result<GraphCostOptions> costOptionsOf(const GraphRequest& request) {
  GraphCostOptions options = StrategyChoice{}.options;
  options.devices = GraphCostOptions{}.devices;
  P2_TRY(readSpace(request, options.space));
  P2_TRY(read(request.model, "--model", strategyCostModelFrom, options.model));
  P2_TRY(read(request.flops, "--flops", parseFlops, options.flops));
  P2_TRY(read(request.bandwidth, "--bandwidth", parseBandwidth, options.bandwidth));
  P2_TRY(read(request.elementType, "--dtype", elementBytesFrom, options.bytesPerElement));
  P2_TRY(readMemory(request, options));
  return options;
}

Result<std::optional<System>> systemOf(const GraphRequest& request, StrategyCostModel model) {
  if (!request.system) {
    if (model == StrategyCostModel::Flat) return std::optional<System>();
    return Error{"the " + std::string(nameOf(model)) + " model needs a system, as in --system gcp-a100:4", "--system"};
  }
  if (model == StrategyCostModel::Flat)
    return Error{"the flat model knows no system; add --model hierarchical", "--system"};
  P2_TRY_ASSIGN(auto system, systemOfArgument(*request.system, "--system"));
  return std::optional<System>(std::move(system));
}

/// "N=8". Names may hold an equals sign themselves, sizes do not.
Result<void> readDimension(const std::string& text, GraphSizes& sizes) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) {
    return Error{"\"" + text + "\" names no dimension and its size; write them as in N=8", "--dim"};
  }
  const std::string name = text.substr(0, equals);
  P2_TRY_ASSIGN(const auto size, wholeNumber(text.substr(equals + 1), "--dim", 1, kMostDimensionSize));
  if (!sizes.dimensions.emplace(name, size).second)
    return Error{"\"" + name + "\" comes twice; give one size", "--dim"};
  return {};
}

Result<GraphSizes> sizesOf(const GraphRequest& request) {
  GraphSizes sizes;
  for (const std::string& dimension : request.dimensions) P2_TRY(readDimension(dimension, sizes));
  if (request.batch) {
    P2_TRY_ASSIGN(sizes.batch, wholeNumber(*request.batch, "--batch", 1, kMostDimensionSize));
  }
  if (request.sequence) {
    P2_TRY_ASSIGN(sizes.sequence, wholeNumber(*request.sequence, "--sequence", 1, kMostTokens));
  }
  if (request.capacityFactor) {
    double factor = 0;
    const std::string& text = *request.capacityFactor;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), factor);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
      return Error{"\"" + text + "\" is no number; use one as in 1.25", "--capacity-factor"};
    }
    sizes.capacityFactor = factor;
  }
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

/// Defaults of options that were typed are none.
void leaveOutTyped(const StrategyRequest& request, std::vector<AssumedDefault>& defaults) {
  std::erase_if(defaults, [&](const AssumedDefault& each) {
    if (each.option == "--stages") return request.stages.has_value();
    if (each.option == "--exactly") return request.graph.exactly;
    return std::any_of(kOptions.begin(), kOptions.end(), [&](const GraphOption& option) {
      return option.name == each.option && request.graph.*option.text;
    });
  });
}

/// The first number format of these bytes: see elementBytesFrom().
std::string elementNameOf(Bytes bytes) { return bytes == Bytes(4) ? "fp32" : bytes == Bytes(2) ? "bf16" : "fp8"; }

/// An error when one of the options is given although `file` has cost tables already.
Result<void> checkNoGraphOptions(const std::string& file, const GraphRequest& request) {
  for (const GraphOption& option : kOptions) {
    if (request.*option.text) return Error{file + " has cost tables already; leave the option out", option.name};
  }
  if (!request.dimensions.empty()) return Error{file + " has cost tables already; leave the option out", "--dim"};
  if (request.exactly) return Error{file + " has cost tables already; leave the option out", "--exactly"};
  return {};
}

}  // namespace

void addGraphOptions(CLI::App& command, GraphRequest& request) {
  for (const GraphOption& option : kOptions) {
    command.add_option_function<std::string>(
        option.name, [&request, option](const std::string& text) { request.*option.text = text; }, option.help);
  }
  command
      .add_option("--dim", request.dimensions,
                  "Size of an open dimension of an ONNX model, as in sequence=128; once for each")
      ->allow_extra_args(false);
  command.add_flag("--exactly", request.exactly, "Only configurations that use all devices");
}

Result<StrategyRequest> completedByFile(StrategyRequest request) {
  if (!request.evaluate || isPipe(*request.evaluate) || !namesGraph(request.file)) return request;
  P2_TRY_ASSIGN(const auto text, readTextFile(*request.evaluate).within("--evaluate"));
  P2_TRY_ASSIGN(const StrategyStep step, strategyStepFromJson(text).within(*request.evaluate));
  const auto complete = [](std::optional<std::string>& typed, const auto& value, const auto& textOf) {
    if (!typed && value) typed = textOf(*value);
  };
  const auto number = [](const auto& value) { return std::to_string(value); };
  const auto name = [](const auto& value) { return std::string(nameOf(value)); };
  GraphRequest& graph = request.graph;
  complete(graph.passes, step.microbatches, number);
  complete(graph.zero, step.zero, number);
  complete(graph.recomputation, step.recomputation, name);
  complete(graph.optimizer, step.optimizer, name);
  complete(graph.elementType, step.bytesPerElement, elementNameOf);
  if (!step.sizes || !hasOpenSequence(request.file)) return request;
  complete(graph.batch, std::optional(step.sizes->sequences), number);
  complete(graph.sequence, std::optional(step.sizes->tokens), number);
  return request;
}

Result<StrategyQuestion> strategyQuestionOf(const StrategyRequest& request) {
  StrategyQuestion question{.graph = request.file};
  P2_TRY_ASSIGN(const auto devices, devicesOf(request));
  P2_TRY_ASSIGN(question.options, costOptionsOf(request.graph));
  P2_TRY_ASSIGN(question.system, systemOf(request.graph, question.options.model));
  P2_TRY_ASSIGN(question.pricing, pricingOf(request.graph, question.system));
  P2_TRY_ASSIGN(question.sizes, sizesOf(request.graph));
  if (question.system) question.options.devices = question.system->deviceCount();
  if (devices) question.options.devices = *devices;
  return question;
}

Result<StrategyInput> strategyInputOf(const StrategyRequest& request) {
  for (const std::string& file : {request.file, request.evaluate.value_or("")}) {
    if (isPipe(file)) return Error{"it is a pipe, which can be read but once; write it to a file first", file};
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
