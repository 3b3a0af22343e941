// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "graphs/detail/model_graph.h"
#include "graphs/hierarchical_prices.h"
#include "graphs/onnx_import.h"

namespace p2::inline graphs {

/// Sizes that a graph leaves open.
struct GraphSizes {
  std::optional<std::int64_t> batch = {};               ///< for ONNX models; for transformers the sequences of a step
  std::optional<std::int64_t> sequence = {};            ///< tokens of a transformer's sequence
  std::map<std::string, std::int64_t> dimensions = {};  ///< for ONNX models, by the names of openDimensions()
  std::optional<double> capacityFactor = {};            ///< for a transformer's experts: see StepShape
  friend bool operator==(const GraphSizes&, const GraphSizes&) = default;
};

/// A graph from an argument: the name of a bundled one or of a model (bundledModelNames()), or a path to a
/// p2-graph file, an ONNX model or the config.json of a transformer. What looks like a path (has a '/' or a '.') is
/// one. Models have the batch and the sequence of their published training where no others are given; one without a
/// published training, and a config.json, one sequence of 4096 tokens. Errors: sizes that the graph has of its own.
[[nodiscard]] Result<LoadedGraph> graphFromArgument(const std::string& argument, const GraphSizes& sizes = {},
                                                    const std::stop_token& stop = {});

/// The models whose graphs have a name: "llama3-8b".
[[nodiscard]] const std::vector<std::string>& bundledModelNames();
/// Whether a graph leaves its batch open; and its sequence.
[[nodiscard]] bool hasOpenBatch(const std::string& argument);
[[nodiscard]] bool hasOpenSequence(const std::string& argument);
/// Whether it is a transformer with experts, whose capacity is limited. A file is looked into.
[[nodiscard]] bool hasCapacity(const std::string& argument);

/// Whether an argument names a graph rather than a file of cost tables: no path, a file ending in .onnx, or one whose
/// text says that it is a p2-graph near its beginning.
[[nodiscard]] bool namesGraph(const std::string& argument);

/// Options with defaults filled in: a speed of 0, an element of 0 bytes, and the memory's bandwidth and
/// size are the system's accelerator's where the hierarchical model knows them. Otherwise 10 TFLOP/s, 4 bytes, an
/// unknown bandwidth and no bound; an accelerator computes in 2 bytes by default, and no
/// graph in more bytes than a graph's numbers have (`elementBytes`, 0 where it does not say).
[[nodiscard]] GraphCostOptions filledIn(GraphCostOptions options, const std::optional<System>& system,
                                        double elementBytes = 0);

/// The default prices of a system's collectives: by its own model (defaultModel()).
[[nodiscard]] ExploreOptions ownPricing(const System& system);

/// The system on which the hierarchical model prices collectives. Errors: there is none, it is not valid, or it has
/// another number of devices.
[[nodiscard]] Result<ValidSystem> systemOfDevices(const std::optional<System>& system, std::int64_t devices);

}  // namespace p2::inline graphs
