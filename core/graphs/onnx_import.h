// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "strategy/computation_graph.h"

namespace p2 {

/// A computation graph read from wherever people have one, and what was not understood in it.
struct LoadedGraph {
  ComputationGraph graph;
  std::vector<std::string> warnings;  ///< one sentence each
};

/// Reads an ONNX model of at most 2 GB; its shapes are inferred. What is computed from weights and constants alone is a
/// weight; every other node becomes one operator. A node of an unknown kind becomes elementwise, with a warning that
/// names the kind. `batch` takes the place of inputs' first dimensions that are not fixed, and of every dimension of
/// the same name.
/// Errors: not an ONNX model, other dimensions that are not fixed, shapes that contradict each other or that cannot be
/// inferred; a model that libonnx crashes on or that takes it over two minutes; cancelled.
[[nodiscard]] Result<LoadedGraph> importOnnx(const std::string& path, std::optional<std::int64_t> batch = std::nullopt,
                                             const std::stop_token& stop = {});

}  // namespace p2
