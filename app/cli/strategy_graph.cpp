// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_graph.h"

#include <array>
#include <iostream>

#include "app/cli/output.h"
#include "app/cli/request.h"
#include "base/units.h"
#include "graphs/bundled_graphs.h"
#include "graphs/strategy_source.h"
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
    GraphOption{"--model", "flat or hierarchical, which places every axis on a system (flat)", &GraphRequest::model},
    GraphOption{"--system", "The system of the hierarchical model", &GraphRequest::system},
    GraphOption{"--space", "all, divisors or powers-of-two: into how many parts (divisors)", &GraphRequest::space},
    GraphOption{"--cutoff", "Least size of a part, for divisors (8)", &GraphRequest::cutoff},
    GraphOption{"--flops", "FLOP/s of one device (1e13)", &GraphRequest::flops},
    GraphOption{"--bandwidth", "Bandwidth of one device in the flat model (4GB/s)", &GraphRequest::bandwidth},
    GraphOption{"--batch", "Takes the place of an ONNX model's open first dimension", &GraphRequest::batch},
};

/// Reads one option with the function for its words, if it is given.
template <class T>
Result<void> read(const std::optional<std::string>& text, const char* name, Result<T> (*from)(std::string_view),
                  T& value) {
  if (!text) return {};
  P2_TRY_ASSIGN(value, from(*text).within(name));
  return {};
}

/// FLOP/s: a positive number, as in 1e13.
Result<double> parseFlops(std::string_view text) {
  const auto bytes = parseBytes(text);
  if (bytes.ok() && text.find_first_not_of("0123456789.e+") == std::string_view::npos) return bytes->value();
  return Error{"\"" + std::string(text) + "\" is no speed; write a positive number of FLOP/s, as in 1e13"};
}

Result<void> readSpace(const GraphRequest& request, ConfigurationSpace& space) {
  space.exactly = request.exactly;
  if (request.cutoff) {
    P2_TRY_ASSIGN(space.cutoff, wholeNumber(*request.cutoff, "--cutoff", 1, kMostDimensionSize));
  }
  return read(request.space, "--space", spaceKindFrom, space.kind);
}

Result<GraphCostOptions> costOptionsOf(const GraphRequest& request) {
  GraphCostOptions options;
  P2_TRY(readSpace(request, options.space));
  P2_TRY(read(request.model, "--model", strategyCostModelFrom, options.model));
  P2_TRY(read(request.flops, "--flops", parseFlops, options.flops));
  if (auto done = read(request.bandwidth, "--bandwidth", parseBandwidth, options.bandwidth); !done.ok()) {
    return done.error();
  }
  return options;
}

Result<std::optional<System>> systemOf(const GraphRequest& request, StrategyCostModel model) {
  if (!request.system) {
    if (model == StrategyCostModel::Flat) return std::optional<System>();
    return Error{"the hierarchical model needs a system, as in --system gcp-a100:4", "--system"};
  }
  if (model == StrategyCostModel::Flat)
    return Error{"the flat model knows no system; add --model hierarchical", "--system"};
  P2_TRY_ASSIGN(auto system, systemOfArgument(*request.system, "--system"));
  return std::optional<System>(std::move(system));
}

Result<LoadedGraph> graphOf(const std::string& file, const GraphRequest& request) {
  std::optional<std::int64_t> batch;
  if (request.batch) {
    P2_TRY_ASSIGN(batch, wholeNumber(*request.batch, "--batch", 1, kMostDimensionSize));
  }
  return graphFromArgument(file, batch);
}

}  // namespace

void addGraphOptions(CLI::App& command, GraphRequest& request) {
  for (const GraphOption& option : kOptions) {
    command.add_option_function<std::string>(
        option.name, [&request, option](const std::string& text) { request.*option.text = text; }, option.help);
  }
  command.add_flag("--exactly", request.exactly, "Only configurations that use all devices");
}

Result<StrategyQuestion> graphQuestionOf(const std::string& file, const GraphRequest& request,
                                         std::optional<std::int64_t> devices) {
  P2_TRY_ASSIGN(auto options, costOptionsOf(request));
  P2_TRY_ASSIGN(const auto system, systemOf(request, options.model));
  P2_TRY_ASSIGN(auto loaded, graphOf(file, request));
  for (const std::string& warning : loaded.warnings) std::cerr << "p2: " << oneLine(warning) << '\n';
  if (system) options.devices = system->deviceCount();
  if (devices) options.devices = *devices;
  P2_TRY_ASSIGN(auto pricer, pricerFor(options, system).within("--devices"));
  P2_TRY_ASSIGN(auto problem, strategyProblemFrom(loaded.graph, options, *pricer));
  return StrategyQuestion{std::move(problem), PricedGraph{std::move(loaded.graph), options, std::move(pricer)}};
}

Result<std::vector<StrategyNeed>> needsOf(const StrategyQuestion& question, const Strategy& strategy) {
  if (!question.source) return std::vector<StrategyNeed>();
  const PricedGraph& source = *question.source;
  return strategyNeeds(source.graph, source.options, question.problem, strategy,
                       dynamic_cast<HierarchicalPrices*>(source.pricer.get()));
}

Result<void> checkNoGraphOptions(const std::string& file, const GraphRequest& request) {
  for (const GraphOption& option : kOptions) {
    if (request.*option.text) return Error{file + " has cost tables already; leave the option out", option.name};
  }
  if (request.exactly) return Error{file + " has cost tables already; leave the option out", "--exactly"};
  return {};
}

void writeBundledGraphs(std::ostream& out, bool json) {
  if (!json) {
    TextTable table({{"graph"}, {"what it is"}});
    for (const BundledGraph& graph : bundledGraphs()) {
      table.add({std::string(graph.name), std::string(graph.description)});
    }
    out << table.text();
    return;
  }
  JsonWriter writer(out);
  writer.beginObject().key("graphs").beginArray();
  for (const BundledGraph& graph : bundledGraphs()) {
    writer.beginObject(JsonWriter::Layout::OneLine);
    writer.key("name").text(graph.name).key("description").text(graph.description).end();
  }
  writer.end().end();
}

}  // namespace p2::cli
