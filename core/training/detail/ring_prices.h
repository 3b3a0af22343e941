// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/accelerator_data.h"
#include "training/detail/communication.h"
#include "training/detail/constants.h"

namespace p2::inline training {

/// Prices of rings on a machine with known bandwidths only, ranks in the order tensor, context, data, pipeline,
/// innermost first, experts inside of data: as published runs describe their machines. On a drawn system use
/// NcclPrices.
class RingPrices : public CommunicationPrices {
 public:
  /// `expertsPerToken` of tokens that go to a node once; 0 where every expert gets a copy of its own.
  RingPrices(const TrainingAccelerator& accelerator, const TrainingPlan& plan, std::int64_t expertsPerToken,
             const StepConstants& constants);

  [[nodiscard]] double seconds(TrainingGroup group, CommunicationKind kind, double bytes) const override;

 private:
  struct Reach {
    double members = 1;
    double inside = 1;  ///< of them in one fast domain
    double domains = 1;
  };
  [[nodiscard]] Reach reachOf(TrainingGroup group) const;
  [[nodiscard]] double dispatchSeconds(const Reach& reach, double bytes) const;

  const TrainingAccelerator& m_accelerator;
  TrainingPlan m_plan;
  double m_expertsPerToken;
  StepConstants m_constants;
};

}  // namespace p2::inline training
