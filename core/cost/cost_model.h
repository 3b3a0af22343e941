// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/near.h"
#include "base/progress.h"
#include "cost/traffic.h"

namespace p2::inline cost {

struct Calibration;
struct MeasuredTime;
}  // namespace p2::inline cost
namespace p2::inline system {
struct System;
}
namespace p2::inline cost {
class PredictionRanges;
enum class HoldOut;

/// The predicted time of one step and where it goes.
struct StepCost {
  double seconds = 0;                     ///< seconds of all repeats
  LinkId link;                            ///< the busiest link; the lowest number among equals
  Bytes linkBytes;                        ///< over it, in one run
  Algorithm algorithm = Algorithm::Ring;  ///< the one that was taken, never Auto
  Protocol protocol = Protocol::None;     ///< the one that was taken
  std::int64_t channels = 1;              ///< rings or trees over which the vector was scattered
  double latencySeconds = 0;              ///< part of `seconds` that a vector of one byte would take
  double lowSeconds = 0;                  ///< lower end of the interval of 80 % of such steps; 0 if unknown
  double highSeconds = 0;                 ///< the other end
  bool isLibrarysChoice = false;          ///< whether the library's own estimates choose this algorithm and protocol
  double fasterSeconds = 0;  ///< with all repeats, by the fastest possible run, where the library takes another
  Algorithm fasterAlgorithm = Algorithm::Ring;  ///< which that is, where fasterSeconds is above 0
  Protocol fasterProtocol = Protocol::None;
  int errorClass = -1;  ///< steps of one number are wrong by the same factor; below 0 when unknown
  friend bool operator==(const StepCost&, const StepCost&) = default;
};
/// Adds those by which some steps run to others.
void addAlgorithms(std::span<const StepCost> steps, std::set<Algorithm>& algorithms);
/// "ring, LL128": algorithm and protocol that were taken; the algorithm alone where the model knows no protocols.
[[nodiscard]] std::string choiceText(const StepCost& cost);

/// Whether another algorithm or protocol than the library's choice is at least 5 % faster.
[[nodiscard]] bool isFasterWorthSaying(const StepCost& cost);
/// "NCCL would choose tree, LL128; ring, Simple is 1.40× faster: NCCL_ALGO=Ring NCCL_PROTO=Simple"; empty where the
/// library's choice is the fastest, or as good but for 5 %.
[[nodiscard]] std::string fasterChoiceText(const StepCost& cost);

/// Interval of a predicted time.
struct SecondsRange {
  double low = 0;
  double high = 0;
  friend bool operator==(const SecondsRange&, const SecondsRange&) = default;
};
/// The interval of 80 % of steps like this one; none if unknown: under the paper model before
/// calibration.
[[nodiscard]] std::optional<SecondsRange> rangeOf(const StepCost& step);
/// The interval of steps one after the other; none unless all have one. Both ends are
/// sums: errors of a system's predictions mostly agree, so that errors do not cancel as independent ones would.
[[nodiscard]] std::optional<SecondsRange> rangeOf(std::span<const StepCost> steps);
/// "6.00 ms (5.20–7.10)": the time and its interval in the unit of the time; the time alone where none is known.
[[nodiscard]] std::string rangeText(double seconds, const std::optional<SecondsRange>& range);
/// Whether the intervals of these steps leave it open which of two lists takes longer: their sums differ by less than
/// what 80 % of such differences are wrong by, where steps of one error class are wrong by the same factor and others
/// independently of each other. Lists with the same steps are never open. False where an interval is not known.
/// O(steps · log steps).
[[nodiscard]] bool isOpenWhichIsFaster(std::span<const StepCost> one, std::span<const StepCost> other);

/// Turns traffic into time. Models have no state: there is one of each, for all threads.
class CostModel {
 public:
  virtual ~CostModel() = default;
  /// As in `--model paper`, files and listings.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// The algorithms among which the cheapest is looked for when `wanted` is asked for: itself, all for Auto. Those that
  /// a collective knows; Ring when it does not know the wanted one.
  [[nodiscard]] virtual std::span<const Algorithm> candidates(Collective collective, Algorithm wanted) const = 0;
  /// How a collective sends under one of its candidates.
  [[nodiscard]] virtual FlowShape shape(Collective collective, Algorithm algorithm) const = 0;
  /// Traffic::factor of a group of that many members.
  [[nodiscard]] virtual double factor(Collective collective, Algorithm algorithm, std::int64_t members) const = 0;
  /// By interconnect, how fast one communicator sends from one device to another under an algorithm, in bytes/s; 0 for
  /// as fast as the link is. Empty where there are no such limits, or the model has its own.
  [[nodiscard]] virtual std::span<const double> caps(const LibraryView& /*machine*/, Algorithm /*algorithm*/) const {
    return {};
  }
  /// One run of a step with this traffic on a working vector of that many bytes. Infinite seconds if the algorithm
  /// cannot run there.
  [[nodiscard]] virtual StepCost price(const Traffic& traffic, Bytes bytes) const = 0;
  /// Adds to `busy`, by Topology::interconnectOf() and long enough, the seconds for which a step of that price keeps
  /// the busiest link of every interconnect at work.
  virtual void addBusy(const Traffic& traffic, Bytes bytes, const StepCost& price, std::vector<double>& busy) const = 0;
  /// Whether this is the model of such a system unless another is asked for; of several such models the last of
  /// costModels().
  [[nodiscard]] virtual bool isDefaultOf(const System& /*system*/) const { return true; }
  /// The algorithm that goes with the model unless another is asked for: Auto, as libraries choose for themselves.
  [[nodiscard]] virtual Algorithm defaultAlgorithm() const { return Algorithm::Auto; }
  /// Whether steps have a protocol (StepCost::protocol) and channels.
  [[nodiscard]] virtual bool hasProtocols() const { return false; }
  /// Error ranges of systems that are not calibrated; empty where none are known.
  [[nodiscard]] virtual const PredictionRanges& publicRanges() const;
  /// Fits a system to measurements under this model. Errors of calibrate(), or of calibrateLibrary().
  [[nodiscard]] virtual Result<Calibration> calibrated(const System& system,
                                                       const std::vector<MeasuredTime>& measurements, HoldOut holdOut,
                                                       int folds, std::stop_token stop,
                                                       const Progress& progress) const = 0;
  /// Effects that a step's ranking of placements ignores under this model, as a sentence; empty for nothing.
  [[nodiscard]] virtual std::string_view rankingCaveat() const { return {}; }
  /// Effects that a prediction ignores, as the end of "not modelled: …".
  [[nodiscard]] virtual std::string_view unmodelledEffects() const { return {}; }
  /// Whether this is the P² paper's model, with which its tables compare measurements: its times under Ring follow from
  /// bytes and bandwidths by hand.
  [[nodiscard]] virtual bool isPapers() const { return false; }
  /// Whether times of the algorithm were ever compared with measurements.
  [[nodiscard]] virtual bool isMeasured(Algorithm /*algorithm*/) const { return true; }
  /// Largest number of nodes of a group whose times were compared with measurements; 0 if they are not counted.
  [[nodiscard]] virtual std::int64_t measuredNodes() const { return 0; }
};

/// Every model there is. A new one is a class and a row here.
[[nodiscard]] std::span<const CostModel* const> costModels();
/// "paper, …": their names.
[[nodiscard]] std::string knownCostModels();
/// By name; the error lists the known ones.
[[nodiscard]] Result<const CostModel*> costModelFrom(std::string_view name);
/// The model by which a system is priced unless another is asked for, by CostModel::isDefaultOf().
[[nodiscard]] std::string_view defaultModel(const System& system);
/// CostModel::defaultAlgorithm() of a known model.
[[nodiscard]] Algorithm defaultAlgorithm(std::string_view model);
/// Algorithms to choose from under a model: all of its collectives, and Auto last.
[[nodiscard]] std::vector<Algorithm> algorithmsOf(const CostModel& model);
/// The model of checked options.
[[nodiscard]] const CostModel& modelOf(const CostOptions& options);
/// Its unmodelledEffects(), and parts of an answer that were never measured: the algorithms chosen in it, the node
/// count of the largest system in it.
[[nodiscard]] std::string unmodelledEffectsOf(const CostOptions& options, const std::set<Algorithm>& chosen,
                                              const System& largest);

/// How many times faster than the single collective, which takes `singleSeconds`, a program is; 1 where they are ties
/// (nearlyEqual()).
[[nodiscard]] double gainOver(double singleSeconds, double seconds);

/// A run's cost with its interval, where one is known: `ranges` of steps that work on that many bytes.
[[nodiscard]] StepCost withRange(StepCost run, const Traffic& traffic, Bytes working, const PredictionRanges& ranges);

/// The run that a library chooses of several: of those that are its choice (StepCost::isLibrarysChoice), or of all
/// where none is, the cheapest, the first among ties. The result names the fastest run where that is another.
class RunChoice {
 public:
  /// Up to kAlgorithms of them.
  void consider(const StepCost& run);
  /// Infinite seconds where no run can be.
  [[nodiscard]] StepCost chosen() const;

 private:
  std::array<StepCost, kAlgorithms> m_runs;
  std::size_t m_count = 0;
};

/// Cost of a step under the wanted algorithm; under Auto under the one that RunChoice names. Where the
/// wanted one cannot run, it is Ring. `runOf(algorithm)` is the price of one run.
template <class RunOf>
[[nodiscard]] StepCost priceStep(const CostModel& model, Collective collective, const CostOptions& options,
                                 const RunOf& runOf) {
  RunChoice runs;
  const auto consider = [&](Algorithm algorithm) {
    StepCost run = runOf(algorithm);
    run.algorithm = algorithm;
    runs.consider(run);
  };
  for (const Algorithm algorithm : model.candidates(collective, options.algorithm)) consider(algorithm);
  StepCost best = runs.chosen();
  if (best.seconds == std::numeric_limits<double>::infinity()) {
    best = runOf(Algorithm::Ring);
    best.algorithm = Algorithm::Ring;
  }
  best.seconds *= options.repeat;
  best.latencySeconds *= options.repeat;
  best.lowSeconds *= options.repeat;
  best.highSeconds *= options.repeat;
  best.fasterSeconds *= options.repeat;
  return best;
}

}  // namespace p2::inline cost
