// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/strategy_source.h"

#include <fstream>

#include "graphs/bundled_graphs.h"
#include "graphs/graph_json.h"
#include "text/text_file.h"

namespace p2 {
namespace {

constexpr std::size_t kHead = 4096;  // where a format stands in files people write

bool looksLikePath(const std::string& argument) { return argument.find_first_of("./") != std::string::npos; }

}  // namespace

Result<LoadedGraph> graphFromArgument(const std::string& argument, std::optional<std::int64_t> batch,
                                      const std::stop_token& stop) {
  if (argument.ends_with(".onnx")) return importOnnx(argument, batch, stop);
  if (batch) return Error{"a batch is for ONNX models; \"" + argument + "\" has one of its own"};
  if (!looksLikePath(argument)) {
    P2_TRY_ASSIGN(auto graph, bundledGraph(argument));
    return LoadedGraph{std::move(graph), {}};
  }
  P2_TRY_ASSIGN(const auto text, readTextFile(argument));
  P2_TRY_ASSIGN(auto graph, graphFromJson(text).within(argument));
  return LoadedGraph{std::move(graph), {}};
}

bool namesGraph(const std::string& argument) {
  if (!looksLikePath(argument) || argument.ends_with(".onnx")) return true;
  std::string head(kHead, '\0');
  std::ifstream file(argument, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find("\"" + std::string(kGraphFormat) + "\"") != std::string::npos;
}

Result<std::unique_ptr<CollectivePricer>> pricerFor(const GraphCostOptions& options,
                                                    const std::optional<System>& system, const ExploreOptions& explore,
                                                    std::stop_token stop) {
  if (options.model == StrategyCostModel::Flat) {
    std::unique_ptr<CollectivePricer> flat = std::make_unique<FlatPricer>(options.bandwidth);
    return flat;
  }
  if (!system) return Error{"the hierarchical cost model needs a system to place the axes on"};
  if (system->deviceCount() != options.devices) {
    return Error{"the system has " + std::to_string(system->deviceCount()) + " devices, not " +
                 std::to_string(options.devices) + "; use its number, or another system"};
  }
  P2_TRY_ASSIGN(auto valid, validated(*system));
  std::unique_ptr<CollectivePricer> prices =
      std::make_unique<HierarchicalPrices>(std::move(valid), explore, std::move(stop));
  return prices;
}

}  // namespace p2
