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
  Shards,      ///< over which parameters are sharded: data / replicas, with context
  Replicas,    ///< copies of those shards
  Data,        ///< that hold the same parameters, before sharding: data with context
  Expert,      ///< that share the experts of a layer
  ExpertData,  ///< that hold the same experts
  Pipeline,    ///< neighbouring stages
  Ends,        ///< first and last stage
};
inline constexpr std::size_t kTrainingGroups = 9;

/// Devices of a group.
[[nodiscard]] std::int64_t membersOf(TrainingGroup group, const TrainingPlan& plan);

/// What the collectives of one configuration take on one placement.
class CommunicationPrices {
 public:
  virtual ~CommunicationPrices() = default;
  /// Seconds of a collective in all groups of that sort at once; `bytes` are those of the full (gathered, unreduced)
  /// tensor, of Shift what a device sends. 0 for groups of one device.
  [[nodiscard]] virtual double seconds(TrainingGroup group, CommunicationKind kind, double bytes) const = 0;
  /// Name of a link that is busiest in such a collective: "NIC 0 of node 2 ↑". Empty where no links are known.
  [[nodiscard]] virtual std::string busiestLink(TrainingGroup, CommunicationKind) const { return {}; }
};

/// Prices of a single device.
class NoCommunication : public CommunicationPrices {
 public:
  [[nodiscard]] double seconds(TrainingGroup, CommunicationKind, double) const override { return 0; }
};

}  // namespace p2::inline training
