// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/explore.
#pragma once

#include <map>

#include "explore/cheapest_program.h"
#include "explore/sweep.h"

namespace p2::inline explore {

/// State graphs by the shapes that they were built for, shared by all points of a sweep.
using Syntheses = std::map<SynthesisShape, std::unique_ptr<CheapestProgram>>;

/// All placements of one system, to be priced for one vector after another.
class PricedPlacements {
 public:
  /// The placements of the workspace, or only its matrix. Errors: as exploreWorkspace().
  [[nodiscard]] static Result<PricedPlacements> of(const Workspace& workspace, Syntheses& syntheses, bool onlyMatrix,
                                                   std::stop_token stop);

  [[nodiscard]] std::size_t count() const { return m_placements.size(); }
  [[nodiscard]] const ParallelismMatrix& matrix(std::size_t placement) const { return m_placements[placement].matrix; }

  /// The point of a sweep at that value, for vectors of this many bytes. Errors: cancelled.
  [[nodiscard]] Result<SweepPoint> bestAt(double value, Bytes bytes, const std::stop_token& stop);
  /// The best program of one placement, and how many times faster it is than the goal's one collective over the whole
  /// group (gainOver()). That collective where no program has so few steps.
  struct OfPlacement {
    SweepChoice best;
    double gain = 1;
  };
  [[nodiscard]] OfPlacement bestOf(std::size_t placement, Bytes bytes);

 private:
  struct Priced {
    ParallelismMatrix matrix;
    std::shared_ptr<const SynthesisHierarchy> hierarchy;
    std::unique_ptr<PatternPricer> pricer;
    CheapestProgram* cheapest = nullptr;
    std::vector<StateEdge> single;
  };

  PricedPlacements(const Workspace& workspace, std::shared_ptr<const Topology> topology)
      : m_workspace(workspace), m_topology(std::move(topology)) {}

  Result<void> add(const ParallelismMatrix& matrix, Syntheses& syntheses, const std::stop_token& stop);
  [[nodiscard]] static SweepChoice singleOf(Priced& placement);
  [[nodiscard]] static SweepChoice bestOf(Priced& placement);
  static void addStep(SweepChoice& choice, Priced& placement, const StateEdge& step);

  Workspace m_workspace;
  std::shared_ptr<const Topology> m_topology;
  std::vector<Priced> m_placements;
};

}  // namespace p2::inline explore
