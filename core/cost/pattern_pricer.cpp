// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/pattern_pricer.h"

namespace p2 {

PatternPricer::PatternPricer(const Topology& topology, const SynthesisHierarchy& hierarchy, const CostOptions& options)
    : m_topology(topology), m_hierarchy(hierarchy), m_options(options), m_sizes(hierarchy.sizes()) {}

double PatternPricer::shareOf(LevelSet split) const {
  double share = 1;
  for (std::size_t level = 0; level < m_sizes.size(); ++level) {
    if ((split >> level & 1) != 0) share /= static_cast<double>(m_sizes[level]);
  }
  return share;
}

PatternPricer::Prices& PatternPricer::pricesOf(const GroupPattern& pattern) {
  const auto known = m_prices.find(pattern);
  if (known != m_prices.end()) return known->second;
  if (!m_topology.isUniform()) {
    return m_prices.emplace(pattern, Prices{ListedLoad(m_topology, m_hierarchy, pattern), {}, {}}).first->second;
  }
  return m_prices.emplace(pattern, Prices{UniformLoad(m_topology, m_hierarchy, pattern), {}, {}}).first->second;
}

BusiestLink PatternPricer::loadOf(Prices& prices, FlowShape shape, const std::vector<GroupShare>& shares) {
  return std::visit([&](auto& loads) { return loads.load(shape, shares); }, prices.loads);
}

const BusiestLink& PatternPricer::wholeLoad(Prices& prices, FlowShape shape) {
  std::optional<BusiestLink>& load = prices.whole[static_cast<std::size_t>(shape)];
  if (!load) load = loadOf(prices, shape, {GroupShare{}});
  return *load;
}

StepCost PatternPricer::priceShape(const StateEdge& edge, bool tree) {
  const Collective collective = edge.instruction.collective;
  const FlowShape shape = shapeOf(collective, tree);
  Prices& prices = pricesOf(edge.instruction.pattern);
  const bool even = edge.shares.size() == 1;
  const BusiestLink load = even ? wholeLoad(prices, shape) : loadOf(prices, shape, edge.shares);
  std::optional<double>& latency = prices.latency[static_cast<std::size_t>(collective)][tree ? 1 : 0];
  if (!latency) latency = std::visit([&](auto& loads) { return loads.latency(collective, shape); }, prices.loads);
  const double bytes = m_options.bytes * (even ? shareOf(edge.shares[0].split) : 1) *
                       flowFactor(collective, shape, m_hierarchy.groupSize(edge.instruction.pattern));
  return {(load.seconds * bytes + *latency) * m_options.repeat, load.link, load.bytes * bytes,
          tree ? Algorithm::Tree : Algorithm::Ring};
}

StepCost PatternPricer::price(const StateEdge& edge) {
  const bool hasTree = edge.instruction.collective == Collective::AllReduce;
  if (!hasTree || m_options.algorithm == Algorithm::Ring) return priceShape(edge, false);
  const StepCost tree = priceShape(edge, true);
  if (m_options.algorithm == Algorithm::Tree) return tree;
  const StepCost ring = priceShape(edge, false);
  return cheaper(ring, tree);
}

std::vector<double> PatternPricer::priceAll(const StateGraph& graph) {
  std::vector<double> seconds;
  seconds.reserve(graph.edges().size());
  for (const StateEdge& edge : graph.edges()) seconds.push_back(price(edge).seconds);
  return seconds;
}

}  // namespace p2
