// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "cost/nccl/detail/nccl_model.h"

namespace p2::inline cost {

/// A measured operation of one communicator, and its traffic on the system.
struct NcclSample {
  std::vector<Traffic> traffic;    ///< by algorithm that may have run; for an AllToAll one, of FlowShape::RailExchange
  bool exchange = false;           ///< an AllToAll
  Protocol only = Protocol::None;  ///< the protocol that was forced
  Bytes bytes;                     ///< as Traffic::factor takes it
  double seconds = 0;              ///< measured
  double weight = 1;               ///< in a fit
  int network = -1;                ///< which of the networks to be fitted joins its nodes; −1 for none
};

/// Which communicator ran how, the one of its candidates that the library chooses. Seconds are infinite if none can
/// run.
[[nodiscard]] StepCost predicted(const NcclModel& model, const NcclSample& sample);

/// The constants whose logarithms come first in a list.
[[nodiscard]] NcclConstants constantsAt(const std::vector<double>& logarithms);

}  // namespace p2::inline cost
