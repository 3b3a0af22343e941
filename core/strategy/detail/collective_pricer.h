// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace p2::inline strategy {

/// An all-reduce over some of the axes that devices are arranged in, wanted for every value of the other axes at once.
struct AllReduceDemand {
  std::vector<bool> axes;  ///< per axis whether it is reduced over
  Bytes bytes;             ///< on each device
  double times = 1;        ///< that it happens
  friend bool operator==(const AllReduceDemand&, const AllReduceDemand&) = default;
};

/// Prices the collectives of a strategy. Two exist: FlatPricer, which sees one bandwidth, and
/// HierarchicalPrices (graphs), which places the axes on a system and simulates programs. May cache answers: not
/// to be shared between threads.
class CollectivePricer {
 public:
  virtual ~CollectivePricer() = default;
  /// Seconds for all demands one after the other, on devices arranged in axes of the given sizes: the demands of one
  /// operator share one placement.
  [[nodiscard]] virtual Result<double> seconds(const std::vector<std::int64_t>& axes,
                                               const std::vector<AllReduceDemand>& demands) = 0;
};

/// Every device sends and receives at one bandwidth, wherever its partners are: 2·(q−1)/q·bytes / bandwidth for an
/// all-reduce over q devices (PaSE).
class FlatPricer : public CollectivePricer {
 public:
  explicit FlatPricer(double bytesPerSecond) : m_bytesPerSecond(bytesPerSecond) {}
  [[nodiscard]] Result<double> seconds(const std::vector<std::int64_t>& axes,
                                       const std::vector<AllReduceDemand>& demands) override;

 private:
  double m_bytesPerSecond;
};

}  // namespace p2::inline strategy
