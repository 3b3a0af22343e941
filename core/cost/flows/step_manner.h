// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cost/cost_model.h"
#include "cost/flows/flows.h"

namespace p2::inline cost {

/// How the groups of a step send, as its price has it.
enum class Manner {
  Ring,    ///< each member to the next, block by block
  Chain,   ///< along the ring, from or to the root
  Tree,    ///< chains inside nodes, a double binary tree between their heads
  Pairs,   ///< straight from member to member
  Switch,  ///< switches add up and copy
  Links,   ///< any mixture of these
};

/// A message of an AllReduce over FlowShape::Tree: from one member of the group to another, by their numbers.
struct TreeMessage {
  std::size_t from = 0;
  std::size_t to = 0;
  double share = 1;  ///< share of the vector
  int tree = 0;      ///< 0 or 1: whose half of the vector it is, where the share is a half
  bool up = false;   ///< towards the sum
  int round = 0;     ///< in its direction; rounds follow each other
};

/// How the groups of a step send, by the algorithm of its price and the library's view of the machine.
class StepManner {
 public:
  StepManner(const Topology& topology, const CostOptions& options, Collective collective, Algorithm algorithm);

  [[nodiscard]] Collective collective() const { return m_collective; }
  [[nodiscard]] Algorithm algorithm() const { return m_algorithm; }
  [[nodiscard]] FlowShape shape() const { return m_shape; }
  [[nodiscard]] Manner of(const DeviceGroup& group) const;
  /// Bytes on a flow of weight 1, per byte of the working vector: Traffic::factor.
  [[nodiscard]] double factor(std::int64_t members) const;
  /// Bytes that each member of a group with Manner::Switch sends to the switch, per byte of the working vector.
  [[nodiscard]] double switchShare(std::int64_t members) const;
  /// The flows that are counted, see flowsOf().
  [[nodiscard]] std::vector<Flow> flows(const DeviceGroup& group) const;
  /// The messages of a group with Manner::Tree, up and down. O(members · log members).
  [[nodiscard]] std::vector<TreeMessage> treeMessages(const DeviceGroup& group) const;

 private:
  const CostModel& m_model;
  Collective m_collective;
  Algorithm m_algorithm;
  FlowShape m_shape;
  std::shared_ptr<const LibraryView> m_machine;
};

/// Passes of the vector through the group: 2 for an AllReduce that is not summed in a switch.
[[nodiscard]] int passesOf(const StepManner& manner, const DeviceGroup& group);
/// Rounds of one pass.
[[nodiscard]] int roundsOf(const StepManner& manner, const DeviceGroup& group);
/// "ring: each device sends to the next, 14 rounds", "ring, 510 rounds (simplified: after the first block, drawn as
/// 32)": how a step sends, where at most `mostRounds` of a pass are drawn.
[[nodiscard]] std::string mannerText(const StepManner& manner, const DeviceGroup& group, int mostRounds);

}  // namespace p2::inline cost
