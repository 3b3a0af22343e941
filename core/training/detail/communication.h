// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "training/detail/configuration.h"
#include "workload/communication_kind.h"

namespace p2::inline training {

/// The groups of devices that communicate in a step.
enum class TrainingGroup {
  Tensor,
  Context,
  Shards,        ///< over which parameters are sharded: data / replicas, with context
  Replicas,      ///< copies of those shards
  Data,          ///< that hold the same parameters, before sharding: data with context
  Expert,        ///< that share the experts of a layer
  ExpertTensor,  ///< that split every expert among them
  ExpertData,    ///< that hold the same experts
  Pipeline,      ///< neighbouring stages
  Ends,          ///< first and last stage
};
inline constexpr std::size_t kTrainingGroups = 10;

/// Devices of a group.
[[nodiscard]] std::int64_t membersOf(TrainingGroup group, const TrainingPlan& plan);

/// Times of the collectives of one configuration on one placement.
class CommunicationPrices {
 public:
  virtual ~CommunicationPrices() = default;
  /// Seconds of a collective in all groups of that sort at once; `bytes` are for the full (gathered, unreduced)
  /// tensor; for Shift, a device's message. 0 for groups of one device.
  [[nodiscard]] virtual double seconds(TrainingGroup group, CommunicationKind kind, double bytes) const = 0;
  /// A lower bound of seconds() that costs little: the bytes that must leave a node, over its links to others.
  [[nodiscard]] virtual double secondsAtLeast(TrainingGroup, CommunicationKind, double) const { return 0; }
  /// Whether all groups of that sort are inside instances of the innermost level, where nothing is faster.
  [[nodiscard]] virtual bool isInnermost(TrainingGroup) const { return false; }
  /// Name of a link that is busiest in a collective of that kind and size: "NIC 0 of node 2 ↑". Empty where no links
  /// are known.
  [[nodiscard]] virtual std::string busiestLink(TrainingGroup, CommunicationKind, double /*bytes*/) const { return {}; }
};

/// Prices of a single device.
class NoCommunication : public CommunicationPrices {
 public:
  [[nodiscard]] double seconds(TrainingGroup, CommunicationKind, double) const override { return 0; }
};
[[nodiscard]] const CommunicationPrices& noCommunication();

/// The lower bounds of other prices.
class LeastCommunication : public CommunicationPrices {
 public:
  explicit LeastCommunication(const CommunicationPrices& prices) : m_prices(prices) {}
  [[nodiscard]] double seconds(TrainingGroup group, CommunicationKind kind, double bytes) const override {
    return bytes > 0 ? m_prices.secondsAtLeast(group, kind, bytes) : 0;
  }

 private:
  const CommunicationPrices& m_prices;
};

/// Prices of a placement of those groups that no placement makes faster; the others are free. A lower bound of all
/// placements.
class InnermostCommunication : public CommunicationPrices {
 public:
  explicit InnermostCommunication(const CommunicationPrices& prices) : m_prices(prices) {}
  [[nodiscard]] double seconds(TrainingGroup group, CommunicationKind kind, double bytes) const override {
    return m_prices.isInnermost(group) ? m_prices.seconds(group, kind, bytes) : 0;
  }

 private:
  const CommunicationPrices& m_prices;
};

}  // namespace p2::inline training
