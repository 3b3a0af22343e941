// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/step_manner.h"

#include <algorithm>
#include <array>

#include "base/counted.h"
#include "cost/detail/library_view.h"
#include "cost/flows/channel_flows.h"
#include "cost/flows/detail/double_binary_tree.h"

namespace p2::inline cost {
namespace {

/// By rank, the edges between it and the root of the first (0) or second (1) of the two trees.
std::vector<int> depthsOf(const std::vector<TreeEdge>& edges, std::size_t tree, std::size_t ranks) {
  std::vector<std::int64_t> parents(ranks, -1);
  for (std::size_t i = tree; i < edges.size(); i += 2) {
    parents[static_cast<std::size_t>(edges[i].child)] = edges[i].parent;
  }
  std::vector<int> depths(ranks, 0);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::int64_t at = parents[rank]; at >= 0; at = parents[static_cast<std::size_t>(at)]) ++depths[rank];
  }
  return depths;
}

}  // namespace

StepManner::StepManner(const Topology& topology, const CostOptions& options, Collective collective, Algorithm algorithm)
    : m_model(modelOf(options)),
      m_collective(collective),
      m_algorithm(algorithm),
      m_shape(m_model.shape(collective, algorithm)),
      m_machine(std::make_shared<LibraryView>(libraryViewOf(topology))) {}

Manner StepManner::of(const DeviceGroup& group) const {
  const std::int64_t nodes = nodeCountOf(group, m_machine->nodeDevices);
  const bool single = nodes == 1;
  const bool oneEach = nodes == static_cast<std::int64_t>(group.size());
  const bool rooted = traitsOf(m_collective).rooted();
  switch (m_shape) {
    case FlowShape::Ring:
    case FlowShape::TorusRings:
      // As flowsOf() has it: over a mesh all rings at once, so that every pair of a node carries the same.
      if (!m_machine->mesh || group.size() < 3 || oneEach) return Manner::Ring;
      return single ? Manner::Pairs : Manner::Links;
    case FlowShape::ChainToRoot:
    case FlowShape::ChainFromRoot:
      return Manner::Chain;
    case FlowShape::Tree:
      return Manner::Tree;
    case FlowShape::Spread:
    case FlowShape::RailSpread:
    case FlowShape::Exchange:
    case FlowShape::RailExchange:
      return Manner::Pairs;
    case FlowShape::RailRing:
      if (single && m_machine->mesh && group.size() > 2) return rooted ? Manner::Links : Manner::Pairs;
      if (!single && !oneEach) return Manner::Links;
      return rooted ? Manner::Chain : Manner::Ring;
    case FlowShape::Multicast:
      return single ? Manner::Switch : Manner::Links;
    case FlowShape::RailTree:
    case FlowShape::MulticastTree:
    case FlowShape::MulticastRing:
      break;
  }
  return Manner::Links;
}

double StepManner::factor(std::int64_t members) const { return m_model.factor(m_collective, m_algorithm, members); }

double StepManner::switchShare(std::int64_t members) const {
  return factor(members) * channelWeights(m_shape, members, 1).loop;
}

std::vector<Flow> StepManner::flows(const DeviceGroup& group) const { return flowsOf(m_shape, group, *m_machine); }

std::vector<TreeMessage> StepManner::treeMessages(const DeviceGroup& group) const {
  const std::vector<DeviceGroup> chains = nodesOfGroup(group, m_machine->nodeDevices);
  std::size_t longest = 0;
  for (const DeviceGroup& chain : chains) longest = std::max(longest, chain.size() - 1);
  std::vector<std::size_t> heads;
  std::vector<TreeMessage> up;
  std::size_t at = 0;
  for (const DeviceGroup& chain : chains) {
    heads.push_back(at);
    for (std::size_t i = 1; i < chain.size(); ++i) {
      up.push_back({at + i, at + i - 1, 1, 0, true, static_cast<int>(longest - i)});
    }
    at += chain.size();
  }
  const std::vector<TreeEdge> edges = doubleBinaryTree(static_cast<std::int64_t>(chains.size()));
  const std::array depths{depthsOf(edges, 0, chains.size()), depthsOf(edges, 1, chains.size())};
  const int deepest = std::max(*std::max_element(depths[0].begin(), depths[0].end()),
                               *std::max_element(depths[1].begin(), depths[1].end()));
  const int rounds = static_cast<int>(longest) + deepest;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto child = static_cast<std::size_t>(edges[i].child);
    const auto parent = static_cast<std::size_t>(edges[i].parent);
    const auto tree = static_cast<int>(i % 2);
    up.push_back({heads[child], heads[parent], 0.5, tree, true, rounds - depths[i % 2][child]});
  }
  std::vector<TreeMessage> all = up;
  for (const TreeMessage& each : up) {
    all.push_back({each.to, each.from, each.share, each.tree, false, rounds - 1 - each.round});
  }
  return all;
}

int passesOf(const StepManner& manner, const DeviceGroup& group) {
  if (manner.of(group) == Manner::Switch) return 2;
  const CollectiveTraits& traits = traitsOf(manner.collective());
  return traits.makes == Makes::Sum && traits.leaves == Leaves::Everywhere ? 2 : 1;
}

int roundsOf(const StepManner& manner, const DeviceGroup& group) {
  switch (manner.of(group)) {
    case Manner::Ring:
    case Manner::Chain:
      return static_cast<int>(group.size()) - 1;
    case Manner::Pairs:
      return withoutRails(manner.shape()) == FlowShape::Spread ? 1 : static_cast<int>(group.size()) - 1;
    case Manner::Tree:
    case Manner::Switch:
    case Manner::Links:
      break;
  }
  return 1;
}

std::string mannerText(const StepManner& manner, const DeviceGroup& group, int mostRounds) {
  const int rounds = roundsOf(manner, group) * passesOf(manner, group);
  const int drawn = std::min(roundsOf(manner, group), mostRounds) * passesOf(manner, group);
  switch (manner.of(group)) {
    case Manner::Ring:
      if (manner.shape() == FlowShape::TorusRings)
        return "all rings of the torus at once, both ways, drawn as one ring (simplified)";
      if (drawn == rounds) return "ring: each device sends to the next, " + countedText(rounds, "round");
      return "ring, " + countedText(rounds, "round") + " (simplified: after the first block, drawn as " +
             std::to_string(drawn) + ")";
    case Manner::Chain:
      return isChain(manner.shape()) && group.size() > 2 ? "chain along the ring, half in each direction"
                                                         : "chain along the ring";
    case Manner::Tree:
      return "tree: chains inside nodes, a double binary tree between them";
    case Manner::Pairs:
      if (manner.shape() == FlowShape::Ring)
        return "rings over all links of the mesh, drawn as direct messages (simplified)";
      return withoutRails(manner.shape()) == FlowShape::Spread ? "direct: the root sends to every device"
                                                               : "direct: every device sends to every other";
    case Manner::Switch:
      return "in the switch: it adds up and sends copies";
    case Manner::Links:
      break;
  }
  return "simplified: all that each link carries for " + std::string(nameOf(manner.algorithm())) + ", not its rounds";
}

}  // namespace p2::inline cost
