// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "graphs/hierarchical_prices.h"
#include "graphs/onnx_import.h"

namespace p2 {

/// A graph from an argument: the name of a bundled one, or a path to a p2-graph file or an ONNX model. What looks like
/// a path (has a '/' or a '.') is one. `batch` is for ONNX alone.
[[nodiscard]] Result<LoadedGraph> graphFromArgument(const std::string& argument,
                                                    std::optional<std::int64_t> batch = std::nullopt,
                                                    const std::stop_token& stop = {});

/// Whether an argument names a graph rather than a file of cost tables: no path, a file ending in .onnx, or one whose
/// text says that it is a p2-graph near its beginning.
[[nodiscard]] bool namesGraph(const std::string& argument);

/// The pricer of a cost model. Hierarchical needs a system with as many devices as the options say.
[[nodiscard]] Result<std::unique_ptr<CollectivePricer>> pricerFor(const GraphCostOptions& options,
                                                                  const std::optional<System>& system,
                                                                  const ExploreOptions& explore = {},
                                                                  std::stop_token stop = {});

}  // namespace p2
