// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/cost_model.h"

namespace p2::inline cost {

/// The paper's model (§4): max over links of load / bandwidth, plus hops × latency. With latencies of 0, as the paper
/// has them, bandwidth alone counts. Where an interconnect has caps (Interconnect::ringCap), messages of one group over
/// a link from one device to another go no faster than that, so that one group alone does not get all of the link.
/// Messages straight from device to device wait only for their own latency: the cost of starting many messages is
/// not in the model, so that an AllToAll in two phases gains here by the links that it avoids alone.
class PaperModel : public CostModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "paper"; }
  [[nodiscard]] std::span<const Algorithm> candidates(Collective collective, Algorithm wanted) const override;
  [[nodiscard]] FlowShape shape(Collective collective, Algorithm algorithm) const override;
  [[nodiscard]] double factor(Collective collective, Algorithm algorithm, std::int64_t members) const override;
  [[nodiscard]] std::span<const double> caps(const LibraryView& machine, Algorithm algorithm) const override;
  [[nodiscard]] StepCost price(const Traffic& traffic, Bytes bytes) const override;
  void addBusy(const Traffic& traffic, Bytes bytes, const StepCost& price, std::vector<double>& busy) const override;
  /// As in the paper.
  [[nodiscard]] Algorithm defaultAlgorithm() const override { return Algorithm::Ring; }
  [[nodiscard]] Result<Calibration> calibrated(const System& system, const std::vector<MeasuredTime>& measurements,
                                               HoldOut holdOut, int folds, std::stop_token stop,
                                               const Progress& progress) const override;
  [[nodiscard]] bool isPapers() const override { return true; }
  [[nodiscard]] std::string_view rankingCaveat() const override {
    return "rings over all NICs of a node, which is unfair to axes over nodes and several devices of each wherever a "
           "single collective is the best program";
  }
  [[nodiscard]] std::string_view unmodelledEffects() const override {
    return "several rings, trees or NICs per group; unknown latencies; protocol and start-up costs; pipelining";
  }
};

}  // namespace p2::inline cost
