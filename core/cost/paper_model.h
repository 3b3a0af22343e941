// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/cost_model.h"

namespace p2 {

/// The paper's model (§4): max over links of load / bandwidth, plus hops × latency. With latencies of 0, as the paper
/// has them, bandwidth alone counts. Where an interconnect has caps (Interconnect::ringCap), what one group sends over
/// a link from one device to another goes no faster than that, so that one group alone does not get all of the link.
/// An AllToAll moves as much over NICs in however many phases, so that without latencies none is better than the direct
/// one here; with them its n − 1 messages wait for one another.
class PaperModel : public CostModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "paper"; }
  [[nodiscard]] std::span<const Algorithm> candidates(Collective collective, Algorithm wanted) const override;
  [[nodiscard]] FlowShape shape(Collective collective, Algorithm algorithm) const override;
  [[nodiscard]] double factor(Collective collective, Algorithm algorithm, std::int64_t members) const override;
  [[nodiscard]] std::span<const double> caps(const LibraryView& machine, Algorithm algorithm) const override;
  [[nodiscard]] StepCost price(const Traffic& traffic, Bytes bytes) const override;
  void addBusy(const Traffic& traffic, Bytes bytes, const StepCost& price, std::vector<double>& busy) const override;
  [[nodiscard]] std::string_view leavesOut() const override {
    return "all but one ring or tree per group, whatever NICs it could use; latencies that the system does not give; "
           "protocols, starting a step and the filling of pipelines";
  }
};

}  // namespace p2
