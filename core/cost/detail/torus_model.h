// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/detail/paper_model.h"

namespace p2::inline cost {

/// As the paper's model, but collectives use all rings of a torus at once, in both directions, as compilers for TPUs
/// have them (TorusRings). A group that is no product of evenly spaced places, and any group off a torus, takes the
/// paper's ring. Broadcast and Reduce stay chains.
class TorusModel : public PaperModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "torus"; }
  /// Rings alone: compilers have no trees.
  [[nodiscard]] std::span<const Algorithm> candidates(Collective collective, Algorithm wanted) const override;
  [[nodiscard]] FlowShape shape(Collective collective, Algorithm algorithm) const override;
  /// None: rings share nothing but links.
  [[nodiscard]] std::span<const double> caps(const LibraryView& machine, Algorithm algorithm) const override;
  /// Of TPUs.
  [[nodiscard]] bool isDefaultOf(const System& system) const override;
  [[nodiscard]] Result<Calibration> calibrated(const System& system, const std::vector<MeasuredTime>& measurements,
                                               HoldOut holdOut, int folds, std::stop_token stop,
                                               const Progress& progress) const override;
  [[nodiscard]] bool isPapers() const override { return false; }
  [[nodiscard]] std::string_view rankingCaveat() const override { return {}; }
  [[nodiscard]] std::string_view unmodelledEffects() const override {
    return "unknown latencies; start-up costs; pipelining";
  }
};

}  // namespace p2::inline cost
