// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/step.
#pragma once

#include "cost/flows/link_loads.h"
#include "step/step_ranking.h"

namespace p2::inline step {

/// Load of every link from all entries of a placement, in a step.
class LinkSums {
 public:
  /// The sums of a placement. None on more than kMostDevicesWithPorts devices, or if an AllToAll has too many messages.
  /// O(steps · flows).
  [[nodiscard]] static std::optional<LinkSums> of(const StepRanking& ranking, const PlacementStep& placement);

  /// Bytes over the busiest link, by interconnect. Methods without a program count as equal on all links.
  [[nodiscard]] std::vector<double> mostBytes() const;
  /// The most of exposed + slowdown · overlappable seconds of any link: a lower bound of its step, since methods
  /// without a program count where all nodes are equal only.
  [[nodiscard]] double mostSeconds(double slowdown) const;

 private:
  explicit LinkSums(const StepRanking& ranking);
  /// Runs of a column's entries in a step.
  struct Runs {
    std::size_t entry = 0;  ///< one of them
    double exposed = 0;
    double overlappable = 0;
  };
  [[nodiscard]] bool add(const StepRanking& ranking, const PlacementStep& placement, const Runs& runs);
  [[nodiscard]] bool addProgram(const StepRanking& ranking, const PlacementStep& placement, const Runs& runs);
  void addShift(const StepRanking& ranking, const PlacementStep& placement, const Runs& runs);
  void addEverywhere(const EntryCost& cost, const Runs& runs);
  /// Loads of one run; `busy`: seconds of the busiest link, by interconnect.
  void addLoads(const LinkLoads& loads, const std::vector<double>& busy, const Runs& runs);

  const Topology& m_topology;
  LinkLoads m_bytes;
  std::vector<double> m_exposed;       // seconds, by link
  std::vector<double> m_overlappable;  // as above
  std::vector<double> m_evenBytes;     // by interconnect, on top of each of its links
  std::vector<double> m_evenExposed;
  std::vector<double> m_evenOverlappable;
};

}  // namespace p2::inline step
