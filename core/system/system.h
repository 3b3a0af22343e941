// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2 {

/// How the children of one instance of a level are joined.
enum class InterconnectKind {
  Switch,  ///< every child has a port of its own, the core does not block
  Ring,    ///< links between neighbours, both directions
};

[[nodiscard]] std::string_view nameOf(InterconnectKind kind);
[[nodiscard]] Result<InterconnectKind> interconnectKindFrom(std::string_view name);

struct Interconnect {
  InterconnectKind kind = InterconnectKind::Switch;
  double bandwidth = 0;  ///< bytes/s, per port or ring link and per direction
  double latency = 0;    ///< seconds to cross it once
  std::string name;      ///< what people call it: "NVSwitch", "data-centre network"
  friend bool operator==(const Interconnect&, const Interconnect&) = default;
};

/// One level of the hardware hierarchy: `count` children in every instance of the level above, joined by
/// `interconnect`.
struct Level {
  std::string name;
  std::int64_t count = 1;
  Interconnect interconnect;
  friend bool operator==(const Level&, const Level&) = default;
};

/// A hierarchical system, root level first (paper §2.1). Devices are numbered 0 … deviceCount−1, the root-most
/// digit most significant.
struct System {
  std::string name;
  std::vector<Level> levels;

  [[nodiscard]] std::vector<std::int64_t> counts() const;
  /// ∏ counts. Only for validated systems, whose product fits.
  [[nodiscard]] std::int64_t deviceCount() const;
  friend bool operator==(const System&, const System&) = default;
};

inline constexpr std::int64_t kMostDevices = std::int64_t{1} << 24;
inline constexpr std::size_t kMostLevels = 12;
inline constexpr std::string_view kRootName = "root";

/// The interconnect a level gets when nobody names one: the paper's figures by rank. The innermost level gets an
/// NVSwitch (270 GB/s), sockets and CPUs a PCIe switch (32 GB/s), everything else a network (8 GB/s).
[[nodiscard]] Interconnect defaultInterconnect(std::string_view levelName, bool innermost);

/// The system itself when it can be worked with: 1 … kMostLevels levels with distinct names, counts ≥ 1,
/// at most kMostDevices devices, positive finite bandwidths, finite latencies ≥ 0. Otherwise what is wrong.
[[nodiscard]] Result<System> validated(System system);

/// "node:4 gpu:16", the shape without the interconnects.
[[nodiscard]] std::string shapeOf(const System& system);
/// "4 nodes × 16 GPUs", for people.
[[nodiscard]] std::string describe(const System& system);

}  // namespace p2
