// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/collective_pricer.h"

namespace p2::inline strategy {

Result<double> FlatPricer::seconds(const std::vector<std::int64_t>& axes, const std::vector<AllReduceDemand>& demands) {
  Bytes bytes;
  for (const AllReduceDemand& demand : demands) {
    double devices = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) devices *= demand.axes[i] ? static_cast<double>(axes[i]) : 1;
    bytes += demand.times * 2 * (devices - 1) / devices * demand.bytes;
  }
  return bytes.value() / m_bytesPerSecond;
}

}  // namespace p2::inline strategy
