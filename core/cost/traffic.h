// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "cost/cost_options.h"
#include "system/link_graph.h"

namespace p2 {

/// What one link carries.
struct LinkLoad {
  LinkId link;
  double bytes = 0;      ///< over it and over whatever shares its bandwidth
  double bandwidth = 0;  ///< bytes/s

  [[nodiscard]] double seconds() const { return bytes > 0 ? bytes / bandwidth : 0; }
  /// Whether it is busy for longer than the other. Sums in another order differ in their last bits; times that differ
  /// by no more are equal.
  [[nodiscard]] bool isBusierThan(const LinkLoad& other) const { return seconds() > other.seconds() * (1 + 1e-12); }
};

/// Messages that wait for one another.
struct Hops {
  double count = 0;
  double latency = 0;  ///< of the slowest of them, in seconds

  [[nodiscard]] double seconds() const { return count * latency; }
};

/// What one run of a step asks of a system under one algorithm: all that a cost model sees of it. The engines that make
/// it (UniformLoad, DrawnLoad, trafficOf()) know nothing of seconds, the models nothing of groups and routes.
struct Traffic {
  Collective collective{};
  Algorithm algorithm = Algorithm::Ring;
  /// The busiest link of each interconnect that carries something, the lowest number among equals; in the order of
  /// their numbers, so that the first of equals is the lowest of all. In multiples of a flow, see `factor`.
  std::vector<LinkLoad> loads;
  /// Bytes on a flow of weight 1, per byte of the working vector: a link carries bytes · factor · LinkLoad::bytes.
  double factor = 1;
  Hops hops;                 ///< of the slowest group
  std::int64_t members = 0;  ///< devices of each group; a library's communicator
  std::int64_t nodes = 0;    ///< instances of the level above the devices that such a group spans
};

}  // namespace p2
