// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "strategy/computation_graph.h"

namespace p2::inline graphs {

/// A computation graph read from a foreign file, and its parts that were not understood.
struct LoadedGraph {
  ComputationGraph graph;
  std::vector<std::string> warnings;  ///< one sentence each
};

/// Sizes in place of those that an ONNX model leaves open.
struct OnnxSizes {
  std::optional<std::int64_t> batch;  ///< size of the inputs' first dimensions, and of others with their names
  std::map<std::string, std::int64_t> dimensions;  ///< by the names of openDimensions(); these go before the batch
  friend bool operator==(const OnnxSizes&, const OnnxSizes&) = default;
};

/// A dimension of an ONNX model's input whose size is open.
struct OpenDimension {
  std::string name;             ///< the model's; else the input's with the dimension's number: "x.1"
  std::string input;            ///< the first that has it
  std::int64_t axis = 0;        ///< its number there
  std::int64_t suggestion = 1;  ///< a common size of dimensions with this name
  friend bool operator==(const OpenDimension&, const OpenDimension&) = default;
};

/// Reads an ONNX model of at most 2 GB. Model-local functions are written out, branches whose condition is known too,
/// of others the one that takes more multiply-adds, with a warning. What follows from weights, constants and shapes
/// alone is computed or a weight; every other node becomes one operator, fused ones several. Computation that is not
/// counted is in the graph's `unpriced`: nodes of unknown kinds, which are taken as elementwise, and nodes whose sizes
/// are not known before the model runs, which are left out. Its shapes come from libonnx, and from rules of our own.
/// Errors: not an ONNX model, dimensions that are left open (named), sizes for dimensions it does not have, shapes that
/// contradict each other; a model that libonnx crashes on or that takes it over two minutes; cancelled.
[[nodiscard]] Result<LoadedGraph> importOnnx(const std::string& path, const OnnxSizes& sizes = {},
                                             const std::stop_token& stop = {});

/// The dimensions that a model's inputs leave open, each name once, in the order of the inputs. Errors as importOnnx(),
/// without errors of shapes.
[[nodiscard]] Result<std::vector<OpenDimension>> openDimensions(const std::string& path,
                                                                const std::stop_token& stop = {});

/// A size for every open dimension: those that are given, the batch where it stands for one, the suggested of the
/// others. Sizes for dimensions that are not open are ignored.
[[nodiscard]] OnnxSizes withSuggestions(const OnnxSizes& given, const std::vector<OpenDimension>& open);

}  // namespace p2::inline graphs
