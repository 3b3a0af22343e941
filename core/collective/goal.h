// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "collective/collective.h"
#include "collective/device_state.h"

namespace p2::inline collective {

/// One of equal parts of a vector: the `number`-th of `count`.
struct Shard {
  std::int64_t number = 0;
  std::int64_t count = 1;
};

/// Distribution of a vector of k chunks over the k members of a reduction group, the first being the root.
struct Distribution {
  enum class Holders {
    EveryMember,
    Root,        ///< only the root
    AtLeastRoot  ///< the root; other members may hold anything
  };
  enum class Chunks { All, OneEach };          ///< every chunk, or each holder another one
  enum class Contributions { Own, Everyone };  ///< summed into each chunk held: the holder's own data, or all members'

  Holders holders = Holders::EveryMember;
  Chunks chunks = Chunks::All;
  Contributions contributions = Contributions::Everyone;
  /// Levels of a hierarchy along which chunks are not scattered (a LevelSet; see goalOn()): holders that differ only
  /// there hold the same k / ∏ (sizes of the other levels) chunks. For Chunks::OneEach.
  std::uint16_t replicated = 0;

  /// The data of a member. For scattered chunks, its shard's chunks in order; empty if the member may hold
  /// anything.
  [[nodiscard]] DeviceState stateOf(int k, int member, const Shard& shard) const;
  /// As above, where every member has a shard of its own.
  [[nodiscard]] DeviceState stateOf(int k, int member) const { return stateOf(k, member, {member, k}); }
  /// Whether a member may hold `state` instead of `wanted`, which is its stateOf(): the same, or the same number of
  /// other, equal chunks.
  [[nodiscard]] bool allows(const DeviceState& state, const DeviceState& wanted) const;
  friend bool operator==(const Distribution&, const Distribution&) = default;
};

/// The collectives of goals that end with sums.
inline constexpr CollectiveSet kSumming{Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather,
                                        Collective::Reduce, Collective::Broadcast};

/// The task of a program, as data: the distributions before and after, and the allowed
/// collectives. Chunks may end up scattered in any order: their names are interchangeable,
/// and the cheapest order is not always the order of the members (shardOrder() returns it).
/// The contributions to a chunk are a sum, or are kept as separate blocks: the chunk is then
/// that many times larger, and chunk and contribution are destination and source of a block.
/// All collectives of a goal treat contributions the same way
/// (CollectiveTraits::keepsApart).
struct Goal {
  std::string_view name;
  std::string_view achieved;  ///< the final state: "every device holds the whole sum"
  Distribution before;
  Distribution after;
  Collective single{};        ///< the collective that gets there in one step over the whole group
  CollectiveSet collectives;  ///< those that programs are made of, `single` among them
  friend bool operator==(const Goal&, const Goal&) = default;
};

inline constexpr Distribution kOwnData{Distribution::Holders::EveryMember, Distribution::Chunks::All,
                                       Distribution::Contributions::Own};
inline constexpr Distribution kSumScattered{Distribution::Holders::EveryMember, Distribution::Chunks::OneEach,
                                            Distribution::Contributions::Everyone};
inline constexpr Distribution kSumEverywhere{Distribution::Holders::EveryMember, Distribution::Chunks::All,
                                             Distribution::Contributions::Everyone};
inline constexpr Distribution kSumAtRoot{Distribution::Holders::Root, Distribution::Chunks::All,
                                         Distribution::Contributions::Everyone};
inline constexpr Distribution kSumAtLeastAtRoot{Distribution::Holders::AtLeastRoot, Distribution::Chunks::All,
                                                Distribution::Contributions::Everyone};

/// Every device begins with data of its own and ends with the sum of all (paper §3.2).
inline constexpr Goal kAllReduceGoal{
    "AllReduce", "every device holds the whole sum", kOwnData, kSumEverywhere, Collective::AllReduce, kSumming};
/// Every device begins with data of its own and ends with a different part of the sum.
inline constexpr Goal kReduceScatterGoal{"ReduceScatter",
                                         "every device holds a different part of the sum",
                                         kOwnData,
                                         kSumScattered,
                                         Collective::ReduceScatter,
                                         kSumming};
/// Its result if the sum is not scattered over all axes (Axis::replicate): the gradients of hybrid sharding, HSDP, for
/// which frameworks use a ReduceScatter over the shards and an AllReduce over the replicas.
inline constexpr std::string_view kShardsAchieved = "every device holds its shard of the sum, replicas the same one";
/// Every device begins with data of its own, and only the root ends with the sum.
inline constexpr Goal kReduceGoal{
    "Reduce", "the root alone holds the whole sum", kOwnData, kSumAtRoot, Collective::Reduce, kSumming};
/// The root ends with the sum, the others with any partial results, as in libraries. Allows more programs than Reduce,
/// and faster ones where a node has several NICs: an AllReduce in parts uses all of them.
inline constexpr Goal kLooseReduceGoal{
    "ReduceLoose", "the root holds the whole sum", kOwnData, kSumAtLeastAtRoot, Collective::Reduce, kSumming};
/// Every device begins with a different part and ends with all of them.
inline constexpr Goal kAllGatherGoal{"AllGather",    "every device holds every part", kSumScattered,
                                     kSumEverywhere, Collective::AllGather,           kSumming};
/// The root begins with everything and every device ends with it. Includes Scatter, so that Scatter and AllGather are
/// among the programs (van de Geijn), which move the least of a long vector; without it the rule set `paper`, which
/// never broadcasts among masters, would have only the single Broadcast.
inline constexpr Goal kBroadcastGoal{"Broadcast",
                                     "every device holds the root's data",
                                     kSumAtRoot,
                                     kSumEverywhere,
                                     Collective::Broadcast,
                                     {Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather,
                                      Collective::Reduce, Collective::Broadcast, Collective::Scatter}};
/// The root begins with everything and every device ends with a different part.
inline constexpr Goal kScatterGoal{"Scatter",           "every device holds a different part of the root's data",
                                   kSumAtRoot,          kSumScattered,
                                   Collective::Scatter, {Collective::Scatter}};
/// Every device begins with a block for each and ends with one from each. Chunk d of a device is its block for device
/// d: the distributions of ReduceScatter, with blocks kept apart.
inline constexpr Goal kAllToAllGoal{"AllToAll",
                                    "every device holds a block from each",
                                    kOwnData,
                                    kSumScattered,
                                    Collective::AllToAll,
                                    {Collective::AllToAll}};

/// Every goal that is offered, AllReduce first.
[[nodiscard]] std::span<const Goal> goals();
/// "AllReduce, …": their names.
[[nodiscard]] std::string knownGoals();
/// The goal of a name or of the short name of its collective, in any case; the error lists the names.
[[nodiscard]] Result<Goal> goalFrom(std::string_view name);

}  // namespace p2::inline collective
