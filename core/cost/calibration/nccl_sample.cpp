// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/nccl_sample.h"

#include <cmath>

namespace p2::inline cost {

StepCost predicted(const NcclModel& model, const NcclSample& sample) {
  if (sample.exchange) return model.priceDirect(sample.traffic[0], sample.bytes);
  RunChoice runs;
  for (const Traffic& traffic : sample.traffic) runs.consider(model.price(traffic, sample.bytes, sample.only));
  return runs.chosen();
}

NcclConstants constantsAt(const std::vector<double>& logarithms) {
  NcclConstants constants;
  for (std::size_t i = 0; i < kNcclConstants; ++i) constants.values[i] = std::exp(logarithms[i]);
  return constants;
}

}  // namespace p2::inline cost
