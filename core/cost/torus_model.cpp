// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/detail/torus_model.h"

#include "cost/calibration/calibration.h"
#include "system/system.h"

namespace p2::inline cost {

std::span<const Algorithm> TorusModel::candidates(Collective collective, Algorithm /*wanted*/) const {
  return PaperModel::candidates(collective, Algorithm::Ring);
}

FlowShape TorusModel::shape(Collective collective, Algorithm /*algorithm*/) const {
  const FlowShape shape = traitsOf(collective).shape;
  return shape == FlowShape::Ring ? FlowShape::TorusRings : shape;
}

std::span<const double> TorusModel::caps(const LibraryView& /*machine*/, Algorithm /*algorithm*/) const { return {}; }

bool TorusModel::isDefaultOf(const System& system) const { return system.accelerator.type.starts_with("TPU"); }

Result<Calibration> TorusModel::calibrated(const System& /*system*/, const std::vector<MeasuredTime>& /*measurements*/,
                                           HoldOut /*holdOut*/, int /*folds*/, std::stop_token /*stop*/,
                                           const Progress& /*progress*/) const {
  return Error{"the torus model is not fitted to measurements; use --model paper", "--model"};
}

}  // namespace p2::inline cost
