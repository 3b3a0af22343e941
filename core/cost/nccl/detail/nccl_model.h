// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/cost_model.h"
#include "cost/nccl/nccl_constants.h"

namespace p2::inline cost {

/// A collective library's treatment of a communicator: rings and trees over channels that leave a node at every device
/// in turn, the protocols LL, LL128 and Simple, switches and networks that add up. A step takes
///
///   (waiting^p + moving^p)^(1/p) + ramp · waiting^a · moving^b · (waiting + moving)^(1−a−b)
///
/// where moving is the busiest link, waiting are the hops of the longest group and a constant, long operations hide
/// part of their waiting (p > 1), and the second term is what pipelines lose from one step to the next. All of a
/// ring's members send from the first step on, so that a longer one loses no more: its hops count there as
/// the hops of a ring over sqrt(2N) of its N nodes. Between nodes, and for exchanges, b = 1; in a node, where a longer
/// vector has more channels, it is less. The cheapest of the protocols and, under Auto, algorithms counts that NCCL
/// chooses. The constants were fitted to public measurements (core/atlas). Between more than 2 nodes bandwidth falls by
/// a power of their number, as on the average of such networks; a hop of a tree also waits for a chunk. NCCL's own
/// estimates choose the algorithm and the protocol (nccl_tuner.h), and their choice is priced. Not in the model:
/// congestion between groups beyond shared links, stragglers, and the switch of protocols inside a network's own
/// software, but for Slingshot's. Of PAT and CollNet nothing public is measured: they are priced by their hops and what
/// carries them, with the constants of rings and of multicast; kernels of registered buffers by NCCL's own figures. A
/// calibrated system has constants of its own (LibraryView::tuned), and every price an interval (withRange()).
class NcclModel : public CostModel {
 public:
  /// In a program the next step waits for the last member. Benchmarks issue an operation again and again, so that
  /// Reduce and Broadcast, after which ranks do not wait for all others, overlap with themselves.
  enum class Repeats { AfterEveryMember, BackToBack };
  explicit NcclModel(const NcclConstants& constants = ncclConstants(), Repeats repeats = Repeats::AfterEveryMember)
      : m_constants(constants), m_repeats(repeats) {}

  [[nodiscard]] std::string_view name() const override { return "nccl"; }
  /// Where the generation of the GPUs is known.
  [[nodiscard]] bool isDefaultOf(const System& system) const override;
  [[nodiscard]] bool hasProtocols() const override { return true; }
  [[nodiscard]] const PredictionRanges& publicRanges() const override;
  [[nodiscard]] Result<Calibration> calibrated(const System& system, const std::vector<MeasuredTime>& measurements,
                                               HoldOut holdOut, int folds, std::stop_token stop,
                                               const Progress& progress) const override;
  [[nodiscard]] std::span<const Algorithm> candidates(Collective collective, Algorithm wanted) const override;
  [[nodiscard]] FlowShape shape(Collective collective, Algorithm algorithm) const override;
  [[nodiscard]] double factor(Collective collective, Algorithm algorithm, std::int64_t members) const override;
  [[nodiscard]] StepCost price(const Traffic& traffic, Bytes bytes) const override {
    return price(traffic, bytes, Protocol::None);
  }
  /// With that protocol only, unless None, where the algorithm has several.
  [[nodiscard]] StepCost price(const Traffic& traffic, Bytes bytes, Protocol only) const;
  void addBusy(const Traffic& traffic, Bytes bytes, const StepCost& price, std::vector<double>& busy) const override;
  [[nodiscard]] std::string_view unmodelledEffects() const override {
    return "congestion beyond shared links and what networks of the kind lose on average; stragglers; unless the "
           "system is calibrated, its constants are fitted to published measurements";
  }
  /// PAT and CollNet are in no public table.
  [[nodiscard]] bool isMeasured(Algorithm algorithm) const override {
    return algorithm != Algorithm::Pat && algorithm != Algorithm::CollNet;
  }
  [[nodiscard]] std::int64_t measuredNodes() const override;
  /// Time of an AllReduce, AllGather or ReduceScatter of buffers in symmetric windows (registered_kernels.h), over
  /// traffic under Algorithm::Direct. Infinite seconds where the library has no kernel for it.
  [[nodiscard]] StepCost priceRegistered(const Traffic& traffic, Bytes bytes) const;
  /// Time of a group of sends and receives: an AllToAll of `bytes` a device, its own part included, or a
  /// Scatter of `bytes`, over traffic of a shape that isDirect(). A device starts a message for every other, so
  /// between two ways with equal bytes the one with fewer peers a step is faster.
  [[nodiscard]] StepCost priceDirect(const Traffic& traffic, Bytes bytes) const;

 private:
  /// With the constants as they are.
  [[nodiscard]] StepCost cheapest(const Traffic& traffic, Bytes bytes, Protocol only) const;
  void keepBusy(const Traffic& traffic, Bytes bytes, const StepCost& price, std::vector<double>& busy) const;
  struct Moving;
  struct Waiting;
  struct Shares;
  [[nodiscard]] Moving moving(const Traffic& traffic, Bytes bytes) const;
  [[nodiscard]] bool canRun(const Traffic& traffic) const;
  [[nodiscard]] double ringShare(const LibraryView& machine) const;
  [[nodiscard]] double acrossShare(const LibraryView& machine) const;
  [[nodiscard]] double multicastShare(const LibraryView& machine) const;
  [[nodiscard]] Shares shares(const Traffic& traffic, double nic, Protocol protocol) const;
  [[nodiscard]] double exchangeShare(const Traffic& traffic) const;
  [[nodiscard]] Shares directShares(const Traffic& traffic) const;
  [[nodiscard]] double hostBothWays(const Traffic& traffic) const;
  [[nodiscard]] double movingSeconds(const Traffic& traffic, const Moving& moving, Protocol protocol) const;
  [[nodiscard]] Bytes workingBytes(const Traffic& traffic, Bytes bytes) const;
  [[nodiscard]] double acrossSeconds(const Traffic& traffic, double latency, Bytes bytes) const;
  [[nodiscard]] static std::span<const Protocol> protocolsOf(const Traffic& traffic, Protocol only,
                                                             std::span<Protocol> room);
  [[nodiscard]] double congestion(const Traffic& traffic) const;
  [[nodiscard]] double ringHop(const LibraryView& machine, Protocol protocol) const;
  [[nodiscard]] double fill(const Traffic& traffic, const Moving& moving) const;
  [[nodiscard]] Waiting waiting(const Traffic& traffic, Bytes bytes, const Moving& moving, Protocol protocol) const;
  [[nodiscard]] double ramp(const Traffic& traffic, Protocol protocol) const;

  [[nodiscard]] double together(double waiting, double moving, double ramped, double ramp, double movingExponent) const;

  NcclConstants m_constants;
  Repeats m_repeats;
};

}  // namespace p2::inline cost
