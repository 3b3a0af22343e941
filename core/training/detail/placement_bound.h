// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: what communication takes at least, wherever its groups are placed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "step/dispatch.h"
#include "training/detail/communication.h"

namespace p2::inline training {

/// The nodes of a system, for bounds of communication.
struct NodeLinks {
  std::int64_t devices = 1;  ///< in a node
  double outside = 0;        ///< bytes/s that a device can send out of its node; 0 for unknown
};
[[nodiscard]] NodeLinks nodeLinksOf(const System& system);

/// expectedNodes(), each found once: a search asks for the same numbers of nodes again and again.
class ReachedNodes {
 public:
  [[nodiscard]] double of(const ExpertRouting& routing, std::int64_t nodes);
  /// deduplicatedBytes()
  [[nodiscard]] double deduplicated(double bytes, const ExpertRouting& routing, std::int64_t nodes);

 private:
  std::map<std::pair<ExpertRouting, std::int64_t>, double> m_known;
};

/// Seconds that the bytes of a collective which must leave a node take at least, for a group with `inside` members in
/// each of `across` nodes: every device of a node is in a group of that sort. A gather brings (across − 1) / across of
/// the bytes into every node, once for all members there; reductions send as much out of it. A dispatch sends what
/// libraries send once to every node, or more. 0 for other collectives.
[[nodiscard]] double outsideSecondsAtLeast(CommunicationKind kind, double bytes, std::int64_t across,
                                           std::int64_t inside, double outside,
                                           const std::optional<ExpertRouting>& routing, ReachedNodes& reached);

/// Lower bounds of the prices of every placement. The members of a group inside a node divide both the group and the
/// node: there are at most gcd(group, node) of them, and outsideSecondsAtLeast() falls with their number.
class LeastOnAnyPlacement : public CommunicationPrices {
 public:
  /// `reached` outlives it; null for its own.
  LeastOnAnyPlacement(const NodeLinks& nodes, const TrainingPlan& plan, std::optional<ExpertRouting> routing,
                      ReachedNodes* reached = nullptr)
      : m_nodes(nodes), m_plan(plan), m_routing(std::move(routing)), m_reached(reached ? *reached : m_own) {}
  LeastOnAnyPlacement(const LeastOnAnyPlacement&) = delete;
  LeastOnAnyPlacement& operator=(const LeastOnAnyPlacement&) = delete;
  [[nodiscard]] double seconds(TrainingGroup group, CommunicationKind kind, double bytes) const override;

 private:
  const NodeLinks& m_nodes;
  const TrainingPlan& m_plan;
  std::optional<ExpertRouting> m_routing;
  ReachedNodes m_own;
  ReachedNodes& m_reached;
};

/// The routing of a mixture's tokens that go to a node once; none where each expert gets a copy, and of dense models.
[[nodiscard]] std::optional<ExpertRouting> routingOf(const ModelShape& model, ExpertDispatch dispatch);

}  // namespace p2::inline training
