// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <optional>
#include <stop_token>
#include <tuple>
#include <variant>
#include <vector>

#include "cost/cost_model.h"
#include "cost/flows/listed_load.h"
#include "cost/flows/uniform_load.h"
#include "cost/flows/unit_load.h"
#include "cost/overlap.h"

namespace p2::inline cost {

/// Prices the edges of a state graph for one placement, with the numbers of simulateStep() on the lowered step. Traffic
/// is proportional to the working bytes, so the traffic of each pattern of groups is computed once per collective and
/// algorithm, and an edge then costs one call of the model for any number of devices. In closed form if the topology is
/// uniform, for one of all equal nodes if routes repeat (Topology::units()), else flow by flow.
class PatternPricer {
 public:
  /// Both must outlive the pricer; the hierarchy is of the kind ReductionAxes. For `stop` see listenTo().
  PatternPricer(const Topology& topology, const SynthesisHierarchy& hierarchy, const CostOptions& options,
                std::stop_token stop = {});

  /// Honours `stop` from now on. After a stop request the results are meaningless; callers must check the token before
  /// using them. Known traffic is discarded, since it may be incomplete.
  void listenTo(const std::stop_token& stop);

  /// Sets the size of the vector in bytes; known traffic is kept.
  void setBytes(Bytes bytes) { m_options.bytes = bytes; }
  [[nodiscard]] StepCost price(const StateEdge& edge);
  /// As above for one run on a vector of that many bytes, with the busy time of each interconnect.
  [[nodiscard]] BusyStep busyStep(const StateEdge& edge, Bytes bytes);
  /// The busiest link of every interconnect that carries something in one run of that edge, with the bytes over it.
  [[nodiscard]] std::vector<LinkLoad> busiestLinks(const StateEdge& edge);
  /// Seconds of every edge of the graph, in its order.
  [[nodiscard]] std::vector<double> priceAll(const StateGraph& graph);

 private:
  using Engine = std::variant<UniformLoad, ListedLoad, UnitLoad>;
  /// Traffic of the groups of one pattern, every group working on the whole vector.
  struct Known {
    Engine engine;
    std::optional<ChannelPath> path;
    std::array<std::optional<std::vector<LinkLoad>>, kFlowShapes> loads;  // by shape
    std::array<std::array<std::optional<Traffic>, kAlgorithms>, kCollectives.size()> traffic;
    std::map<std::tuple<Collective, Algorithm, std::vector<GroupShare>>, Traffic> uneven;
  };
  [[nodiscard]] double shareOf(LevelSet split) const;
  [[nodiscard]] Known& knownOf(const GroupPattern& pattern);
  [[nodiscard]] static const std::vector<LinkLoad>& wholeLoads(Known& known, FlowShape shape);
  [[nodiscard]] std::vector<LinkLoad> ownLoads(Known& known, Algorithm algorithm, FlowShape shape,
                                               const std::vector<GroupShare>& shares) const;
  [[nodiscard]] static const ChannelPath& pathOf(Known& known);
  [[nodiscard]] const Traffic& wholeTraffic(const Instruction& instruction, Algorithm algorithm);
  [[nodiscard]] const Traffic& unevenTraffic(const StateEdge& edge, Algorithm algorithm);
  void forgetIfStopped();
  [[nodiscard]] std::pair<const Traffic&, Bytes> workOf(const StateEdge& edge, Algorithm algorithm);

  const Topology& m_topology;
  const SynthesisHierarchy& m_hierarchy;
  CostOptions m_options;
  const CostModel& m_model;
  std::stop_token m_stop;
  std::vector<std::int64_t> m_sizes;
  std::shared_ptr<const LibraryView> m_machine;
  std::map<GroupPattern, Known> m_known;
};

}  // namespace p2::inline cost
