// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/step.
#pragma once

#include <map>
#include <set>
#include <tuple>

#include "explore/cheapest_program.h"
#include "explore/explore.h"
#include "placement/group_signature.h"
#include "step/dispatch.h"
#include "step/step_ranking.h"

namespace p2::inline step {

/// The axes that an entry goes over.
struct EntryAxes {
  AxisSet all = 0;
  AxisSet replicated = 0;  ///< for ReduceScatter: the axes that its result is not scattered over
  friend auto operator<=>(const EntryAxes&, const EntryAxes&) = default;
};

/// Prices entries on all placements of a system. A reduction group is determined by the factors of its own axes on
/// every level and, on levels that are no plain switch, by their positions among the factors of other axes; placements
/// that agree in these form one class and are priced once.
class EntryPricer {
 public:
  /// Errors: the system, axes and options; too many placements, cancelled.
  [[nodiscard]] static Result<std::unique_ptr<EntryPricer>> of(const System& system, const std::vector<Axis>& axes,
                                                               const ExploreOptions& options, std::stop_token stop);

  [[nodiscard]] const std::shared_ptr<const Topology>& topology() const { return m_topology; }
  /// The matrices, in the order of enumeration.
  [[nodiscard]] const std::vector<ParallelismMatrix>& matrices() const { return m_matrices; }
  /// The axes of an entry, except ones of size 1; at least one if checkWorkload() accepts the entry.
  [[nodiscard]] EntryAxes axesOf(const WorkloadEntry& entry) const;

  /// Properties of an entry that decide its price.
  using Key = std::tuple<CommunicationKind, EntryAxes, std::int64_t, bool, ExpertRouting>;
  [[nodiscard]] static Key keyOf(const WorkloadEntry& entry, const EntryAxes& axes);
  /// The prices of all entries of that key; those that are known already are not found again. Errors: a kind that
  /// cannot be priced, too large, cancelled.
  [[nodiscard]] Result<StepRanking::Column> column(const WorkloadEntry& entry, const EntryAxes& axes,
                                                   const std::stop_token& stop);
  /// Forgets all other prices.
  void keepOnly(const std::set<Key>& keys);

 private:
  /// A class of equal placements, and the known traffic of a group there.
  struct Class {
    std::size_t placement = 0;  ///< one of them
    std::shared_ptr<const SynthesisHierarchy> hierarchy;
    std::unique_ptr<PatternPricer> pricer;
  };
  struct Classes {
    std::shared_ptr<const std::vector<std::uint32_t>> classOf;  // by placement
    std::vector<Class> all;
  };
  using Cost = std::shared_ptr<const EntryCost>;

  EntryPricer(std::shared_ptr<const Topology> topology, std::vector<Axis> axes, const ExploreOptions& options);

  [[nodiscard]] std::vector<Axis> marked(const EntryAxes& axes) const;
  Classes& classesOf(const EntryAxes& axes);
  void prepare(Class& entryClass, const EntryAxes& axes, const std::stop_token& stop) const;
  [[nodiscard]] Result<CheapestProgram*> programsFor(const SynthesisHierarchy& hierarchy, const Goal& goal,
                                                     const std::stop_token& stop);
  [[nodiscard]] Result<Cost> price(Class& entryClass, const WorkloadEntry& entry, const EntryAxes& axes,
                                   const std::stop_token& stop);
  [[nodiscard]] Result<Cost> priceBest(Class& entryClass, const Goal& goal, Bytes bytes, const EntryAxes& axes,
                                       const std::stop_token& stop);
  [[nodiscard]] Cost priceShift(const Class& entryClass, const WorkloadEntry& entry) const;
  [[nodiscard]] Result<Cost> priceDispatch(Class& entryClass, const WorkloadEntry& entry, const EntryAxes& axes,
                                           const std::stop_token& stop);
  [[nodiscard]] static EntryCost onceForEveryNode(Class& entryClass, const ExpertRouting& routing, double bytes,
                                                  const DispatchExchanges& exchanges);
  [[nodiscard]] Result<Cost> priceGoal(Class& entryClass, const Goal& goal, Bytes bytes, const std::stop_token& stop);
  [[nodiscard]] Result<Cost> priceOverlapping(Class& entryClass, const Goal& goal, Bytes bytes, const EntryAxes& axes,
                                              const std::stop_token& stop);
  using Steps = std::vector<const StateEdge*>;
  [[nodiscard]] static EntryCost costOf(Class& entryClass, const Goal& goal, const Steps& steps, Bytes bytes);

  std::shared_ptr<const Topology> m_topology;
  std::vector<Axis> m_axes;
  ExploreOptions m_options;
  std::vector<ParallelismMatrix> m_matrices;
  std::map<EntryAxes, Classes> m_classes;
  std::map<std::pair<std::string, SynthesisShape>, std::unique_ptr<CheapestProgram>> m_programs;
  std::map<Key, StepRanking::Column> m_columns;
};

}  // namespace p2::inline step
