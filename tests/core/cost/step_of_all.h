// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "cost/simulator.h"
#include "support/fixtures.h"

namespace p2::test {

inline LoweredStep stepOfAll(Collective collective, const Topology& topology) {
  DeviceGroup group;
  for (const Device device : IdRange<Device>(topology.deviceCount())) group.push_back(device);
  const std::vector<double> whole(group.size(), 1);
  return {collective, {{group, whole, whole}}};
}

inline StepCost costOf(const char* system, double bytes, Algorithm algorithm = Algorithm::Auto,
                       Collective collective = Collective::AllReduce) {
  const Topology topology(validFrom(system));
  return simulateStep(topology, stepOfAll(collective, topology), {algorithm, Bytes(bytes), 1, "nccl"});
}

}  // namespace p2::test
