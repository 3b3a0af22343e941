// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "placement/parallelism_matrix.h"
#include "training/detail/expert_load.h"
#include "training/detail/search_space.h"
#include "training/detail/step_calibration.h"
#include "training/memory.h"
#include "training/plan_filter.h"
#include "training/step_estimate.h"

namespace p2::inline training {

/// How should this model be trained on this machine?
struct TrainingQuestion {
  ModelShape model;  ///< resolved and checked
  System system;
  std::int64_t batch = 0;     ///< sequences of a step
  std::int64_t sequence = 0;  ///< tokens of a sequence
  std::vector<const TrainingFramework*> frameworks;
  ProductPrecision precision = ProductPrecision::Bf16;
  FixedChoices fixed;
  ExpertLoad expertLoad;        ///< of mixtures: tokens by expert
  StepCalibration calibration;  ///< from measured steps of the system
  double reserve = 0;           ///< bytes of a device that are kept free; 0 for defaultMemoryReserve()
  std::size_t best = 10;        ///< configurations that are listed
  /// Lists every configuration. Else only the best of those with the same framework, degrees and ZeRO stage: over
  /// microbatches, virtual stages, recomputation, schedules and placements.
  bool everyVariant = false;
  /// Also lists configurations above the memory, in TrainingAnswer::large: the fastest, or the smallest where nothing
  /// fits.
  bool listsLarge = false;
  bool listsFiltered = false;  ///< also finds TrainingAnswer::filtered
  bool exhaustive = false;  ///< estimates every step; else leaves out those whose lower bound is above the last listed
};

/// A placement that a framework can bring about for some degrees, with the prices of its communication.
struct PricedPlacement {
  std::vector<Axis> axes;  ///< all of size above 1
  ParallelismMatrix matrix;
  std::vector<std::string> orders;  ///< the framework's orders that give it; empty: it takes a rank file
  std::shared_ptr<const CommunicationPrices> prices;
};
/// All of them. No collective costs less than LeastOnAnyPlacement says: the bytes that must leave a node, over
/// outsideOf() the system. Errors: cancelled, a system that cannot be priced.
using PlacementPricer = std::function<Result<std::vector<PricedPlacement>>(
    const TrainingFramework& framework, const TrainingConfiguration& configuration, std::stop_token stop)>;

/// One way to train the model, with its predicted time and memory.
struct PlannedConfiguration {
  const TrainingFramework* framework = nullptr;
  TrainingConfiguration configuration;
  std::vector<Axis> axes;
  ParallelismMatrix matrix;
  std::vector<std::string> orders;  ///< the framework's orders that give the matrix; empty: a rank file does
  StepEstimate estimate;
  TrainingMemory memory;              ///< the fullest device, without the reserve
  std::vector<std::size_t> tiesWith;  ///< places of the listing that the intervals cannot tell apart from this one
  /// Seconds by which it is listed: its step time, or, where a rank file gains no more than the intervals can tell,
  /// those on the best of the framework's own orders.
  double listedSeconds = 0;

  /// Whether the ranks must be started where the matrix has them. Single devices have nothing to place.
  [[nodiscard]] bool needsRankFile() const { return orders.empty() && !axes.empty(); }
};

/// The answer to a TrainingQuestion.
struct TrainingAnswer {
  /// Best first; of steps that read the same (kDisplayTolerance) the simplest, of one set of degrees the fastest. Empty
  /// only if nothing fits and listsLarge is set.
  std::vector<PlannedConfiguration> configurations;
  /// With listsFiltered: for each of kPlanFilters, the listing of the configurations that it lets through.
  std::vector<std::vector<PlannedConfiguration>> filtered;
  /// Configurations above the memory, priced as if they fitted: the fastest first, or the smallest first where nothing
  /// fits.
  std::vector<PlannedConfiguration> large;
  /// Configurations with their layouts of stages, those that were excluded included. Does not depend on `best`.
  std::int64_t considered = 0;
  /// A lower bound is above the listed steps, or recomputation would only add to a step that fits without it; their
  /// memory was not looked at.
  std::int64_t tooSlow = 0;
  std::int64_t tooLarge = 0;                   ///< do not fit, among the others
  std::map<std::string, std::int64_t> broken;  ///< excluded by a rule of the framework, by its name
  double memory = 0;                           ///< bytes of a device
  double reserve = 0;
  double leastMemory = 0;    ///< least need of a configuration that does not fit; 0 if one fits
  double droppedTokens = 0;  ///< share of the copies of tokens above the capacity of their experts
  std::string problem;       ///< why nothing fits, with a remedy; empty if something does
  std::vector<std::string> assumed;
};

/// The best configurations and placements by predicted step time. `rankFiles`: placements beyond the framework's own
/// orders that a rank file brings about; none are searched without it. They are listed after tied plans by an order
/// of the framework. Errors: nothing to search (a batch that no degree of data parallelism divides, with those
/// that would), a model that fits with no configuration (TooLarge, with the least memory that one needs) unless
/// listsLarge is set, cancelled. O(configurations · placements); a step is estimated only where it fits.
[[nodiscard]] Result<TrainingAnswer> planTraining(const TrainingQuestion& question, const PlacementPricer& placements,
                                                  std::stop_token stop = {}, const Progress& progress = {},
                                                  const PlacementPricer& rankFiles = {});

/// The place in a listing of the plan with the same framework, degrees and ZeRO stage; none where it lists none.
/// O(listing).
[[nodiscard]] std::optional<std::size_t> variantIn(const std::vector<PlannedConfiguration>& listing,
                                                   const PlannedConfiguration& planned);

/// The configuration with the question's loads of experts for its expert degree.
[[nodiscard]] TrainingConfiguration withExpertLoad(const TrainingQuestion& question,
                                                   TrainingConfiguration configuration);

/// What launchTextOf() cannot describe of a model, as a sentence without a full stop; empty for nothing.
[[nodiscard]] std::string launchGap(const ModelShape& model, const TrainingFramework& framework);

/// The flags or the file with which the framework starts a configuration, one option a line; data and paths are left to
/// the user.
[[nodiscard]] std::string launchTextOf(const ModelShape& model, const System& system,
                                       const PlannedConfiguration& planned);

/// A lower bound of estimateStep(): the model's FLOP at the highest efficiency that the constants allow, full
/// recomputation once more, and the bubble of a pipeline of equal stages without communication. `values` are
/// constantsFor() the configuration. `anyLayout`: for every layout of its stages, a weaker bound.
[[nodiscard]] double stepLowerBound(const ModelShape& model, const TrainingConfiguration& configuration,
                                    const TrainingAccelerator& accelerator, const StepConstants& values,
                                    bool anyLayout);

/// Repeated runs of one configuration on other nodes differ by 1.3 to 4.4 % in the median of public tables.
inline constexpr double kRunNoise = 0.03;

/// How many ways of parallelism a plan has besides data parallelism, and additions to them: replicas, virtual stages,
/// uneven stages, overlapped experts, parameters gathered once a step.
[[nodiscard]] int complexityOf(const TrainingConfiguration& configuration);

/// Whether the model of a step cannot tell which of two is faster. Errors that both share cancel; the noise of a run
/// (3 %) and a fifth of the difference of every part remain.
[[nodiscard]] bool areTied(const StepEstimate& a, const StepEstimate& b);

}  // namespace p2::inline training
