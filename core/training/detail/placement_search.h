// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the placements of the configurations of a search, priced as far as they can be listed.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <tuple>
#include <vector>

#include "training/detail/kernel_counts.h"
#include "training/detail/planner_listing.h"
#include "training/detail/played_schedules.h"

namespace p2::inline training {

/// The constants of a framework's configurations, which differ by nothing else that constants depend on than the
/// overlap of tensor parallelism, and the kernels that were counted with them.
struct FrameworkCosts {
  FrameworkCosts(const ModelShape& model, const TrainingConfiguration& configuration,
                 const TrainingAccelerator& accelerator)
      : constants(constantsFor(configuration, accelerator)), counts(model, accelerator, constants) {}
  FrameworkCosts(const FrameworkCosts&) = delete;
  FrameworkCosts& operator=(const FrameworkCosts&) = delete;
  StepConstants constants;
  KernelCountCache counts;
};

/// A layout of a configuration, with its figures before communication.
struct PlanCandidate {
  TrainingConfiguration configuration;
  TrainingMemory memory;
  double atLeast = 0;
  std::optional<StepEstimate> ordered;  ///< on the best placement by an order of the framework, as far as it matters
};

/// Prices the layouts of configurations on their placements: the framework's orders at once, rank files in the end.
/// Question, accelerator, pricers and answer outlive it.
class PlacementSearch {
 public:
  PlacementSearch(const TrainingQuestion& question, const TrainingAccelerator& accelerator,
                  const PlacementPricer& orders, const PlacementPricer& rankFiles, std::stop_token stop,
                  TrainingAnswer& answer);

  [[nodiscard]] FrameworkCosts& costs(const TrainingFramework& framework, const TrainingConfiguration& configuration);
  /// PlannerListings::enough() of predictions without calibration; infinite where every step is estimated.
  /// `total`: bytes of the configuration's memory; 0: unknown.
  [[nodiscard]] double enough(const TrainingFramework& framework, const TrainingPlan& plan, const PlannerListings& kept,
                              double total = 0) const;

  /// Lists the layouts of one configuration on its placements. Those that no placement makes fast enough are left out.
  /// `pricer` is of that configuration and has lower bounds of the prices. `counts`: adds them to the
  /// answer's counts, and remembers them for priceWithRankFiles(). False: error() is set.
  [[nodiscard]] bool price(const TrainingFramework& framework, LayoutPricer& pricer, std::vector<PlanCandidate> layouts,
                           PlannerListings& kept, bool counts = true);
  /// Rank files for those that price() put off. False: error() is set.
  [[nodiscard]] bool priceWithRankFiles();
  [[nodiscard]] bool isCancelled();
  [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

 private:
  using Degrees = std::tuple<const TrainingFramework*, std::int64_t, std::int64_t, ContextCollective, std::int64_t,
                             std::int64_t, std::int64_t, std::int64_t, std::int64_t, ExpertDispatch>;
  using Placements = std::vector<PricedPlacement>;
  /// Layouts of one configuration for which a rank file may be worth its while.
  struct Awaiting {
    const TrainingFramework* framework = nullptr;
    std::vector<PlanCandidate> layouts;
    PlannerListings* kept = nullptr;
  };

  [[nodiscard]] double enough(const TrainingFramework& framework, const PlanCandidate& each,
                              const PlannerListings& kept) const;
  [[nodiscard]] const Placements* placed(const TrainingFramework& framework, const TrainingConfiguration& configuration,
                                         const PlacementPricer& pricer, std::map<Degrees, Placements>& known);
  [[nodiscard]] StepEstimate estimateOf(LayoutPricer& pricer, const PlanCandidate& each, double enough,
                                        double exactTo = 0) const;
  void raiseBounds(std::vector<PlanCandidate>& layouts, LayoutPricer& pricer, const Placements& ordered) const;
  [[nodiscard]] bool isTooSlow(const TrainingFramework& framework, const PricedPlacement& placement,
                               LayoutPricer& pricer, const std::vector<PlanCandidate>& layouts,
                               const PlannerListings& kept) const;
  [[nodiscard]] bool mayGain(const PlanCandidate& each) const;
  void awaitRankFile(const TrainingFramework& framework, std::vector<PlanCandidate> layouts, PlannerListings& kept);
  [[nodiscard]] bool priceWithRankFile(Awaiting& each);
  [[nodiscard]] bool losesTensorOverlap(const TrainingPlan& plan, const PricedPlacement& placement) const;
  void completeOrdered(PlanCandidate& each, LayoutPricer& pricer, const Placements& ordered) const;

  const TrainingQuestion& m_question;
  const TrainingAccelerator& m_accelerator;
  const PlacementPricer& m_orders;
  const PlacementPricer& m_rankFiles;
  std::stop_token m_stop;
  TrainingAnswer& m_answer;
  /// By what constants depend on: TrainingPlan::tensorOverlap and expertOverlap, and how experts run.
  std::map<std::tuple<const TrainingFramework*, bool, bool, ExpertDispatch, GraphScope>, FrameworkCosts> m_costs;
  std::map<Degrees, Placements> m_ordered;
  std::map<Degrees, Placements> m_withRankFile;
  std::vector<Awaiting> m_awaiting;
  PlayedSchedules m_played;
  std::optional<Error> m_error;
};

}  // namespace p2::inline training
