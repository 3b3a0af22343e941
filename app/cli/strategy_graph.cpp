// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_graph.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <iostream>

#include "app/cli/listing.h"
#include "app/cli/output.h"
#include "app/cli/request.h"
#include "app/cli/strategy_pricing.h"
#include "base/units.h"
#include "graphs/bundled_graphs.h"
#include "graphs/strategy_source.h"
#include "strategy/shared_tensors.h"
#include "text/json_writer.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

struct GraphOption {
  const char* name;
  const char* help;
  std::optional<std::string> GraphRequest::*text;
};

constexpr std::array kOptions{
    GraphOption{"--model", "flat; hierarchical, one mesh on a system; per-operator, as if each had its own (flat)",
                &GraphRequest::model},
    GraphOption{"--system", "The system of the other models", &GraphRequest::system},
    GraphOption{
        "--cost-model",
        "What prices the system's collectives: paper or nccl (nccl where it says its GPUs' generation, else paper)",
        &GraphRequest::costModel},
    GraphOption{"--space", "all, divisors or powers-of-two: into how many parts (divisors)", &GraphRequest::space},
    GraphOption{"--cutoff", "Least size of a part, for divisors (8)", &GraphRequest::cutoff},
    GraphOption{"--flops", "FLOP/s of one device (that of the system for the type of numbers, 1e13)",
                &GraphRequest::flops},
    GraphOption{"--bandwidth", "Bandwidth of one device in the flat model (4GB/s)", &GraphRequest::bandwidth},
    GraphOption{"--dtype", "fp32, bf16, fp16 or fp8 (bf16 on systems that say its speed, else fp32)",
                &GraphRequest::elementType},
    GraphOption{"--memory-bandwidth", "Of one device's memory, as in 3.35TB/s (that of the system)",
                &GraphRequest::memoryBandwidth},
    GraphOption{"--device-memory", "Most that a strategy may take of each device, as in 80GB, or any (the system's)",
                &GraphRequest::deviceMemory},
    GraphOption{"--passes", "How often a step goes through the graph before parameters are updated (1)",
                &GraphRequest::passes},
    GraphOption{"--optimizer", "adam, momentum or none (adam)", &GraphRequest::optimizer},
    GraphOption{"--zero", "Stage of ZeRO, 0 to 3 (0)", &GraphRequest::zero},
    GraphOption{"--recompute", "none or selective: all but products and embeddings (none)",
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
    P2_TRY_ASSIGN(options.passes, wholeNumber(*request.passes, "--passes", 1, kMostPasses));
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
  P2_TRY(read(request.elementType, "--dtype", elementBytesFrom, options.wordBytes));
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

Result<LoadedGraph> graphOf(const std::string& file, const GraphRequest& request) {
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
  return graphFromArgument(file, sizes);
}

/// Of a model by name, whose number of sequences nobody gave: one for many devices is no training that anybody does.
std::optional<std::string> sequencesNote(const std::string& file, const GraphRequest& request,
                                         const ComputationGraph& graph, std::int64_t devices) {
  const std::vector<std::string>& models = bundledModelNames();
  if (request.batch || std::find(models.begin(), models.end(), file) == models.end()) return std::nullopt;
  const auto attention = std::find_if(graph.operators.begin(), graph.operators.end(),
                                      [](const Operator& op) { return op.kind == OperatorKind::Attention; });
  if (attention == graph.operators.end() || attention->dimensions.front().size >= devices) return std::nullopt;
  return "a pass has " + counted(static_cast<std::uint64_t>(attention->dimensions.front().size), "sequence") + " for " +
         counted(static_cast<std::uint64_t>(devices), "device") + "; --batch gives it more";
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

Result<StrategyQuestion> graphQuestionOf(const std::string& file, const GraphRequest& request,
                                         std::optional<std::int64_t> devices) {
  P2_TRY_ASSIGN(auto options, costOptionsOf(request));
  P2_TRY_ASSIGN(const auto system, systemOf(request, options.model));
  P2_TRY_ASSIGN(const auto pricing, pricingOf(request, system));
  P2_TRY_ASSIGN(auto loaded, graphOf(file, request));
  for (const std::string& warning : loaded.warnings) std::cerr << "p2: " << oneLine(warning) << '\n';
  if (system) options.devices = system->deviceCount();
  if (devices) options.devices = *devices;
  options = filledIn(options, system, loaded.graph.elementBytes);
  auto note = cutoffNote(loaded.graph, options);
  if (const auto more = sequencesNote(file, request, loaded.graph, options.devices)) {
    note = note ? *note + "; " + *more : *more;
  }
  P2_TRY_ASSIGN(auto pricer, pricerFor(options, system, pricing).within("--devices"));
  if (options.model == StrategyCostModel::Hierarchical) loaded.graph = withSharedTensors(std::move(loaded.graph));
  PricedGraph priced{std::move(loaded.graph), options, std::move(pricer), note};
  if (options.model == StrategyCostModel::Hierarchical) return StrategyQuestion{{}, std::move(priced), {}};
  P2_TRY_ASSIGN(auto problem, strategyProblemFrom(priced.graph, options, *priced.pricer));
  return StrategyQuestion{std::move(problem), std::move(priced), {}};
}

Result<std::vector<StrategyNeed>> needsOf(const StrategyQuestion& question, const Strategy& strategy) {
  if (!question.source) return std::vector<StrategyNeed>();
  if (question.mapped) return question.mapped->needs;
  const PricedGraph& source = *question.source;
  return strategyNeeds(source.graph, source.options, question.problem, strategy,
                       dynamic_cast<HierarchicalPrices*>(source.pricer.get()));
}

Result<void> checkNoGraphOptions(const std::string& file, const GraphRequest& request) {
  for (const GraphOption& option : kOptions) {
    if (request.*option.text) return Error{file + " has cost tables already; leave the option out", option.name};
  }
  if (!request.dimensions.empty()) return Error{file + " has cost tables already; leave the option out", "--dim"};
  if (request.exactly) return Error{file + " has cost tables already; leave the option out", "--exactly"};
  return {};
}

void writeBundledGraphs(std::ostream& out, bool json) {
  std::vector<std::pair<std::string, std::string>> graphs;
  for (const BundledGraph& graph : bundledGraphs()) graphs.emplace_back(graph.name, graph.description);
  for (const std::string& name : bundledModelNames()) {
    if (const auto loaded = graphFromArgument(name); loaded.ok()) graphs.emplace_back(name, loaded->graph.source);
  }
  if (!json) {
    TextTable table({{"graph"}, {"what it is"}});
    for (const auto& [name, description] : graphs) table.add({name, description});
    out << table.text();
    return;
  }
  JsonWriter writer(out);
  writer.beginObject().key("graphs").beginArray();
  for (const auto& [name, description] : graphs) {
    writer.beginObject(JsonWriter::Layout::OneLine);
    writer.key("name").text(name).key("description").text(description).end();
  }
  writer.end().end();
}

}  // namespace p2::cli
