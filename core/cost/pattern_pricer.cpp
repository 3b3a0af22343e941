// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/pattern_pricer.h"

#include <algorithm>
#include <utility>

namespace p2::inline cost {

PatternPricer::PatternPricer(const Topology& topology, const SynthesisHierarchy& hierarchy, const CostOptions& options,
                             std::stop_token stop)
    : m_topology(topology),
      m_hierarchy(hierarchy),
      m_options(options),
      m_model(modelOf(m_options)),
      m_stop(std::move(stop)),
      m_sizes(hierarchy.sizes()),
      m_machine(std::make_shared<const LibraryView>(libraryViewOf(topology))) {}

void PatternPricer::listenTo(const std::stop_token& stop) {
  m_stop = stop;
  for (auto& [pattern, known] : m_known) {
    if (auto* listed = std::get_if<ListedLoad>(&known.engine)) listed->listenTo(stop);
    if (auto* units = std::get_if<UnitLoad>(&known.engine)) units->listenTo(stop);
  }
}

double PatternPricer::shareOf(LevelSet split) const {
  double share = 1;
  for (std::size_t level = 0; level < m_sizes.size(); ++level) {
    if ((split >> level & 1) != 0) share /= static_cast<double>(m_sizes[level]);
  }
  return share;
}

PatternPricer::Known& PatternPricer::knownOf(const GroupPattern& pattern) {
  if (const auto known = m_known.find(pattern); known != m_known.end()) return known->second;
  if (m_topology.units() != nullptr) {
    return m_known
        .emplace(pattern, Known{UnitLoad(m_topology, *m_machine, m_hierarchy, pattern, m_stop), {}, {}, {}, {}})
        .first->second;
  }
  if (!m_topology.isUniform()) {
    return m_known
        .emplace(
            pattern,
            Known{ListedLoad(m_topology, *m_machine, m_hierarchy, pattern, m_stop, m_topology.torus()), {}, {}, {}, {}})
        .first->second;
  }
  return m_known.emplace(pattern, Known{UniformLoad(m_topology, *m_machine, m_hierarchy, pattern), {}, {}, {}, {}})
      .first->second;
}

const std::vector<LinkLoad>& PatternPricer::wholeLoads(Known& known, FlowShape shape) {
  auto& loads = known.loads[static_cast<std::size_t>(shape)];
  if (!loads) loads = std::visit([&](auto& engine) { return engine.loads(shape, {GroupShare{}}); }, known.engine);
  return *loads;
}

std::vector<LinkLoad> PatternPricer::ownLoads(Known& known, Algorithm algorithm, FlowShape shape,
                                              const std::vector<GroupShare>& shares) const {
  const std::span<const double> caps = m_model.caps(*m_machine, algorithm);
  return std::visit([&](auto& engine) { return engine.ownLoads(shape, shares, caps); }, known.engine);
}

const ChannelPath& PatternPricer::pathOf(Known& known) {
  if (!known.path) known.path = std::visit([](const auto& engine) { return engine.path(); }, known.engine);
  return *known.path;
}

const Traffic& PatternPricer::wholeTraffic(const Instruction& instruction, Algorithm algorithm) {
  const Collective collective = instruction.collective;
  Known& known = knownOf(instruction.pattern);
  auto& traffic = known.traffic[static_cast<std::size_t>(collective)][static_cast<std::size_t>(algorithm)];
  if (!traffic) {
    const FlowShape shape = m_model.shape(collective, algorithm);
    const std::int64_t members = m_hierarchy.groupSize(instruction.pattern);
    const double factor = m_model.factor(collective, algorithm, members);
    traffic.emplace(Traffic{collective,
                            algorithm,
                            wholeLoads(known, shape),
                            ownLoads(known, algorithm, shape, {GroupShare{}}),
                            factor,
                            factor,
                            {},
                            {},
                            members,
                            std::visit([](auto& engine) { return engine.nodes(); }, known.engine),
                            m_machine});
    if (hasPath(shape)) traffic->path = pathOf(known);
    if (hasHops(shape)) {
      traffic->hops = std::visit([&](auto& engine) { return engine.hops(collective, shape); }, known.engine);
    }
  }
  return *traffic;
}

const Traffic& PatternPricer::unevenTraffic(const StateEdge& edge, Algorithm algorithm) {
  const Collective collective = edge.instruction.collective;
  Known& known = knownOf(edge.instruction.pattern);
  const auto [at, isNew] = known.uneven.try_emplace(std::tuple(collective, algorithm, edge.shares));
  Traffic& uneven = at->second;
  if (!isNew) return uneven;
  uneven = wholeTraffic(edge.instruction, algorithm);
  const FlowShape shape = m_model.shape(collective, algorithm);
  uneven.loads = std::visit([&](auto& engine) { return engine.loads(shape, edge.shares); }, known.engine);
  uneven.own = ownLoads(known, algorithm, shape, edge.shares);
  double most = 0;
  for (const GroupShare& share : edge.shares) most = std::max(most, shareOf(share.split));
  uneven.flow *= most;
  return uneven;
}

/// The traffic of an edge, and the bytes that each group works on, per byte of the vector.
std::pair<const Traffic&, Bytes> PatternPricer::workOf(const StateEdge& edge, Algorithm algorithm) {
  if (edge.shares.size() > 1) return {unevenTraffic(edge, algorithm), m_options.bytes};
  return {wholeTraffic(edge.instruction, algorithm), m_options.bytes * shareOf(edge.shares[0].split)};
}

StepCost PatternPricer::price(const StateEdge& edge) {
  StepCost cost = priceStep(m_model, edge.instruction.collective, m_options, [&](Algorithm algorithm) {
    const auto [traffic, bytes] = workOf(edge, algorithm);
    return m_model.price(traffic, bytes);
  });
  forgetIfStopped();
  return cost;
}

void PatternPricer::forgetIfStopped() {
  if (m_stop.stop_requested()) m_known.clear();
}

BusyStep PatternPricer::busyStep(const StateEdge& edge, Bytes bytes) {
  const CostOptions all = std::exchange(m_options, {m_options.algorithm, bytes, 1, m_options.model});
  const StepCost cost = price(edge);
  BusyStep step{cost.seconds, cost.lowSeconds, cost.highSeconds, std::vector<double>(m_machine->across.size(), 0),
                cost.algorithm};
  const auto [traffic, working] = workOf(edge, cost.algorithm);
  m_model.addBusy(traffic, working, cost, step.busy);
  m_options = all;
  forgetIfStopped();
  return step;
}

std::vector<LinkLoad> PatternPricer::busiestLinks(const StateEdge& edge) {
  const auto [traffic, working] = workOf(edge, price(edge).algorithm);
  std::vector<LinkLoad> links = traffic.loads;
  for (LinkLoad& link : links) link.bytes *= working.value() * traffic.factor;
  forgetIfStopped();
  return links;
}

std::vector<double> PatternPricer::priceAll(const StateGraph& graph) {
  std::vector<double> seconds;
  seconds.reserve(graph.edges().size());
  for (const StateEdge& edge : graph.edges()) seconds.push_back(price(edge).seconds);
  return seconds;
}

}  // namespace p2::inline cost
