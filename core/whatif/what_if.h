// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/system.h"
#include "training/step_estimate.h"
#include "training_answer/document_training.h"

namespace p2::inline whatif {

/// Price and power of a running machine; both may be unknown.
struct RunningCost {
  std::optional<double> pricePerDeviceHour;  ///< in any currency
  std::optional<double> wattsPerDevice;      ///< drawn while training; a share of hosts and cooling if wanted
  friend bool operator==(const RunningCost&, const RunningCost&) = default;
};

/// Price and power that a system states of its accelerator; without a power the limit of its board.
[[nodiscard]] RunningCost runningCostOf(const Accelerator& accelerator);

/// Board power limit of an accelerator by its type, in watts, from the data sheets of NVIDIA and AMD; other types have
/// none.
[[nodiscard]] std::optional<double> boardPowerOf(std::string_view type);

/// Price of a million tokens.
[[nodiscard]] std::optional<double> pricePerMillionTokens(const RunningCost& cost, const StepEstimate& step,
                                                          std::int64_t devices);
/// Joules of a token.
[[nodiscard]] std::optional<double> joulesPerToken(const RunningCost& cost, const StepEstimate& step,
                                                   std::int64_t devices);
/// Price of training on `tokens` tokens.
[[nodiscard]] std::optional<double> priceOf(const RunningCost& cost, const StepEstimate& step, std::int64_t devices,
                                            double tokens);

/// A change of a training's question; empty parts stay as they are.
struct WhatIfChange {
  std::optional<std::int64_t> nodes;
  std::optional<std::int64_t> rackNodes;   ///< of as many nodes in all
  std::optional<double> oversubscription;  ///< ratio of the network above the nodes, at least 1
  std::optional<double> spineBandwidth;    ///< bytes/s of a port of that network
  std::optional<double> nicBandwidth;      ///< bytes/s of a NIC
  std::string accelerator;                 ///< type, "H200"
  std::optional<std::int64_t> batch;       ///< sequences of a step
  std::optional<std::int64_t> sequence;    ///< tokens of a sequence
  std::string down;                  ///< "node 3", "NIC 0 of node 2", "NIC 0 of every node", "rail 3 of node 5: 50%"
  std::optional<std::int64_t> jobs;  ///< on the network that joins the nodes, this one included
  std::optional<ProductPrecision> precision;
  std::optional<RecomputeKind> recomputation;  ///< for the kept and the best configuration
  std::optional<double> reserve;               ///< bytes of a device that are kept free
  const TrainingFramework* framework = nullptr;
  friend bool operator==(const WhatIfChange&, const WhatIfChange&) = default;
};

/// "16 nodes, spine 4:1": a change in words; empty for none. `node` is nodeNameOf() the system.
[[nodiscard]] std::string describe(const WhatIfChange& change, std::string_view node = "node");

/// Quantities that can be varied.
inline constexpr std::array<std::string_view, 13> kWhatIfQuantities{
    "nodes", "rack", "spine",     "nic",       "gpu",     "batch",    "sequence",
    "down",  "jobs", "precision", "recompute", "reserve", "framework"};
/// One change for each value of "nodes=2,4,8", "rack=4,8" (nodes of a rack) or "spine=1,2,4" (its oversubscription, or
/// its bandwidth, as in spine=400GB/s). Errors: another form, an unknown quantity, a value that
/// cannot be read.
[[nodiscard]] Result<std::vector<WhatIfChange>> whatIfChangesFrom(std::string_view text);

/// The first change with the parts that the second sets.
[[nodiscard]] WhatIfChange combined(WhatIfChange first, const WhatIfChange& second);

/// The question after the change. Errors: as the functions of system_changes.h, a sequence beyond the model's
/// positions, a precision that the accelerator's products lack, a framework that does not run on the accelerator.
[[nodiscard]] Result<TrainingQuestion> changedQuestion(const TrainingQuestion& question, const WhatIfChange& change);
/// The chosen configuration after the change: with its recomputation, and in another framework with its degrees and
/// what both frameworks have. Errors of fixedChoicesFrom().
[[nodiscard]] Result<ChosenConfiguration> changedChoice(ChosenConfiguration chosen, const WhatIfChange& change);

/// A run that goes on without the nodes that are down: the chosen degrees with fewer data-parallel replicas.
struct FewerReplicas {
  std::int64_t nodes = 0;  ///< nodes in use
  std::int64_t devices = 0;
  std::int64_t batch = 0;  ///< sequences of a step: the multiple of dp·microbatch nearest to the question's
  PlannedConfiguration planned;
};

/// Fewer nodes, or another batch, with which more tokens are trained on in a second.
struct FasterNearby {
  std::int64_t nodes = 0;  ///< in use
  std::int64_t idle = 0;   ///< nodes
  std::int64_t batch = 0;  ///< sequences of a step
  PlannedConfiguration planned;
};

/// How a best configuration stands to the kept one: "this plan"; "no clear gain: 1.9 % faster, within the error of
/// ±3.4 %", by tieMargin(); "6 % faster".
[[nodiscard]] std::string describeBest(const PlannedConfiguration& kept, const PlannedConfiguration& best);

/// The whole step after a change.
struct WhatIfPoint {
  WhatIfChange change;
  std::string node;  ///< nodeNameOf() the changed system
  std::int64_t devices = 0;
  RunningCost cost;                          ///< one device's, in the changed system
  std::optional<PlannedConfiguration> kept;  ///< the chosen configuration, with degrees derived again where they must
  std::string keptProblem;                   ///< why there is none
  std::optional<PlannedConfiguration> best;  ///< best configuration; only after findBest()
  std::string bestProblem;
  std::string bestReason;              ///< reason for an odd degree of the best; empty if it has none
  std::optional<FewerReplicas> fewer;  ///< only after findFewerReplicas()
  std::vector<FasterNearby> faster;    ///< only after findFasterNearby()
  std::vector<std::string> effects;    ///< on routes, shares and a spine that carries nothing, a sentence each
  /// Whether the best differs from the kept one by more than the intervals leave open.
  [[nodiscard]] bool bestChanges() const;
  /// "dp 12 on 9 nodes, batch 516": where the run with fewer replicas goes on; empty without one.
  [[nodiscard]] std::string fewerText() const;
  /// "20 of 22 nodes take 29.4 s a step, with 2 idle; a batch of 528 takes 27.4 s, 14 % more tokens per second"; empty
  /// without either.
  [[nodiscard]] std::string fasterText() const;
};

/// The chosen configuration after a change. Errors: the change. A configuration that cannot run there is no error.
[[nodiscard]] Result<WhatIfPoint> whatIf(const TrainingQuestion& question, const ChosenConfiguration& chosen,
                                         const WhatIfChange& change, std::stop_token stop = {});
/// Adds the best configuration there to a point. Errors: the change, cancelled.
[[nodiscard]] Result<void> findBest(WhatIfPoint& point, const TrainingQuestion& question, std::stop_token stop = {},
                                    const Progress& progress = {});

/// Adds the run with fewer replicas, on as many nodes as whole replicas fill, to a point whose change takes nodes away
/// and cannot keep the configuration. Adds nothing if no number of replicas runs. Errors: the change, cancelled.
[[nodiscard]] Result<void> findFewerReplicas(WhatIfPoint& point, const TrainingQuestion& question,
                                             const ChosenConfiguration& chosen, std::stop_token stop = {});

/// Adds what trains faster than a point's best, where the batch does not divide by the odd factors of the number of
/// devices: a number of nodes that is more even and lower by up to three tenths, and the batch nearest that divides. As
/// many searches as there are such changes, three at most. Adds nothing without a best. Errors: cancelled.
[[nodiscard]] Result<void> findFasterNearby(WhatIfPoint& point, const TrainingQuestion& question,
                                            std::stop_token stop = {});

/// The cost of a device at a point: `now`, or the point's own cost with another accelerator.
[[nodiscard]] const RunningCost& costAt(const WhatIfPoint& point, const RunningCost& now);

/// The cheapest point whose training of `tokens` tokens ends within `seconds`, by the kept or the best configuration,
/// whichever is faster; none if no point does. Points without a price, by costAt(), do not take part.
[[nodiscard]] std::optional<std::size_t> cheapestWithin(const std::vector<WhatIfPoint>& points, const RunningCost& cost,
                                                        double tokens, double seconds);

}  // namespace p2::inline whatif
