// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "strategy_answer/strategy_answer.h"
#include "strategy_answer/strategy_baselines.h"
#include "text/document.h"

namespace p2::cli {

// Fields that the answers about strategies and about pipelines share.

/// Proof of a cost, or a lower bound.
struct Certainty {
  bool optimal = false;
  bool evaluated = false;  ///< the strategy was given
  bool bounded = false;    ///< only strategies that fit the memory count
  double cost = 0;
  double lowerBound = 0;
};

/// "optimal", "optimal_for_priced" where parts have no price, "unpriced", "assumed", "lower_bound" and "gap", and the
/// line with the cost. Costs of cost tables have no unit.
void addCertainty(Document& document, const Certainty& certainty, const StrategyInput& input);
/// The line "not priced: …". Precondition: the input has a graph.
void addUnpriced(Document& document, const StrategyInput& input);
/// "pricing", and on a mesh its line.
void addPricing(Document& document, const StrategyInput& input);
/// "note": the limits of the answer, where it has some.
void addNote(Document& document, const StrategyInput& input);
/// The strategy that baselines are compared with.
struct BaselineContext {
  bool seconds = true;       ///< the unit of costs; of cost tables unknown
  double best = 0;           ///< the cost of the answer
  std::int64_t devices = 0;  ///< that there are
  int zero = 0;              ///< the stage of ZeRO of the search
};
/// "baselines" and their table. Baselines of another stage of ZeRO that cost less than the answer have a line.
void addBaselines(Document& document, const std::vector<StrategyBaseline>& baselines, const BaselineContext& context);
/// {"total", "parameters", "gradients", "optimizer", "activations", "limit"}.
[[nodiscard]] Value memoryValue(const StepMemory& memory, Bytes limit);
/// "memory 41.2 GB of 80.0 GB a device: parameters 1.20 GB, …"; `where` stands behind "device".
[[nodiscard]] std::string memoryText(const StepMemory& memory, Bytes limit, const std::string& where);
/// {"axes": […], "matrix": […]}.
/// Each axis has its letter as "name" and its role as "splits".
[[nodiscard]] Document meshDocument(const Mesh& mesh, const std::vector<std::string>& names);
/// {"data": 16, "tensor": 8}; absent for none.
[[nodiscard]] Value degreesValue(const std::vector<Axis>& degrees);

/// "gpt2: 12 operators, 13 edges, 8 devices".
[[nodiscard]] std::string titleText(const std::string& name, std::size_t operators, std::size_t edges,
                                    std::int64_t devices);
/// "4 × 1 × 2".
[[nodiscard]] std::string partsText(const Configuration& parts);
/// "x on b, y on n": the axes that cut an operator; empty where all devices repeat its work.
[[nodiscard]] std::string cutText(const Operator& op, const AxisAssignment& assignment);
/// The axes that cut each dimension, "" for whole ones.
[[nodiscard]] Value cutValue(const Operator& op, const AxisAssignment& assignment);
/// Seconds, or of cost tables the exact number.
[[nodiscard]] std::string costText(double cost, bool seconds);

}  // namespace p2::cli
