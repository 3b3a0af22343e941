// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the best configurations of a search so far.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "training/planner.h"

namespace p2::inline training {

/// The best configurations that a search has met, of each framework, degrees and ZeRO stage only the best unless every
/// variant is listed.
class PlannerListing {
 public:
  /// At most `most` are listed, at least one.
  PlannerListing(std::size_t most, bool everyVariant);

  [[nodiscard]] bool empty() const { return m_kept.empty(); }
  /// Seconds above which a step of such a configuration is not kept; infinite while there is room. O(log n).
  [[nodiscard]] double enough(const TrainingFramework& framework, const TrainingPlan& plan) const;
  /// From now on keeps only steps that would also enter the other listing, which is from a part of the same search.
  void limitBy(const PlannerListing& other);
  /// O(log n).
  void keep(PlannedConfiguration made);
  /// Best first, with their ties. Unless every variant is listed, the simplest of steps that read the same
  /// (kDisplayTolerance) comes first, among the fastest variants of their degrees, and of tied ones an order of the
  /// framework before a rank file. O(n²) for the ties, in which steps far apart are not compared.
  [[nodiscard]] std::vector<PlannedConfiguration> take();

  using Degrees = std::tuple<const TrainingFramework*, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                             std::int64_t, std::int64_t, std::int64_t, SequenceParallelism>;
  [[nodiscard]] static Degrees degreesOf(const TrainingFramework& framework, const TrainingPlan& plan);

 private:
  /// The faster one first; of equal ones that which needs no rank file, then the one that needs less memory.
  struct IsBetter {
    bool operator()(const PlannedConfiguration& a, const PlannedConfiguration& b) const;
  };
  using Kept = std::multiset<PlannedConfiguration, IsBetter>;

  /// Seconds above which nothing is kept: the last one's, or the most that read the same as the best one's.
  [[nodiscard]] double lastSeconds() const;
  void dropLast();

  std::size_t m_most;
  bool m_everyVariant;
  Kept m_kept;                                    ///< above m_most only while they read the same as the best
  std::map<Degrees, Kept::iterator> m_byDegrees;  ///< unless every variant is listed
  double m_limit = std::numeric_limits<double>::infinity();
  std::map<Degrees, double> m_limits;
};

/// The listing of a search without a filter and, where the question asks for them, one for each of kPlanFilters.
class PlannerListings {
 public:
  /// Without filters.
  PlannerListings(std::size_t most, bool everyVariant) : m_listings(1, PlannerListing(most, everyVariant)) {}
  /// `memory`, `reserve`: TrainingAnswer's. The question outlives it.
  PlannerListings(const TrainingQuestion& question, double memory, double reserve);

  [[nodiscard]] bool empty() const { return m_listings.front().empty(); }
  /// The largest PlannerListing::enough() of all listings that may have such a configuration. `total`: bytes of its
  /// memory; 0: unknown. O(filters · log n).
  [[nodiscard]] double enough(const TrainingFramework& framework, const TrainingPlan& plan, double total = 0) const;
  /// See PlannerListing. `other` has the same filters.
  void limitBy(const PlannerListings& other);
  void keep(const PlannedConfiguration& made);
  [[nodiscard]] std::vector<PlannedConfiguration> take() { return m_listings.front().take(); }
  /// In the order of kPlanFilters; empty without filters.
  [[nodiscard]] std::vector<std::vector<PlannedConfiguration>> takeFiltered();

 private:
  std::vector<PlannerListing> m_listings;  ///< without a filter, then by kPlanFilters
  const System* m_system = nullptr;
  std::int64_t m_nodeDevices = 0;
  double m_memory = 0;
  double m_reserve = 0;
};

/// The configurations of a search with the least memory, of each framework, degrees and ZeRO stage only the smallest.
class SmallestConfigurations {
 public:
  struct Small {
    const TrainingFramework* framework = nullptr;
    TrainingConfiguration configuration;
    TrainingMemory memory;
    double total = 0;  ///< bytes of the memory
  };
  struct IsSmaller {
    bool operator()(const Small& a, const Small& b) const { return a.total < b.total; }
  };
  using Kept = std::multiset<Small, IsSmaller>;
  /// At most `most` are kept, at least one.
  explicit SmallestConfigurations(std::size_t most) : m_most(std::max<std::size_t>(1, most)) {}
  /// O(log most).
  void keep(const TrainingFramework& framework, const TrainingConfiguration& configuration,
            const TrainingMemory& memory);
  /// The smallest first, of equal ones the first that was met.
  [[nodiscard]] const Kept& all() const { return m_kept; }

 private:
  std::size_t m_most;
  Kept m_kept;
  std::map<PlannerListing::Degrees, Kept::iterator> m_byDegrees;
};

}  // namespace p2::inline training
