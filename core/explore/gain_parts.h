// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "explore/explore.h"

namespace p2::inline explore {

/// Bytes through the busiest port of one kind of interconnect, in one run.
struct PortShares {
  std::string owner;     ///< "a node", see ownerText()
  double reference = 0;  ///< bytes of the reference: its single collective
  double single = 0;     ///< bytes of the single collective on the best placement
  double best = 0;       ///< bytes of the best program
};

/// Why the best program is faster than a reference, in two factors whose product is the whole gain: the placement
/// (a single collective there instead of here) and the program (it instead of the single collective).
///
/// The reference is the single collective on the default placement of the frameworks or, where the exploration does not
/// contain that placement, on the best placement; `placementGain` is then 1.
struct GainParts {
  double referenceSeconds = 0;
  double bestSeconds = 0;
  double placementGain = 1;         ///< seconds of the single collective: reference over best placement
  double programGain = 1;           ///< seconds on the best placement: single collective over best program
  std::int64_t referenceNodes = 1;  ///< nodes that a reduction group of the reference touches
  std::int64_t bestNodes = 1;       ///< nodes that a reduction group of the best placement touches
  /// Bytes at the interconnect that decides the reference's time; absent if portBytes() is empty.
  std::optional<PortShares> port;
  double singleLatency = 0;  ///< seconds of latency in the single collective on the best placement, all repeats
  double bestLatency = 0;    ///< seconds of latency in the best program, all repeats

  [[nodiscard]] double gain() const { return placementGain * programGain; }
  /// Whether the bytes through the port account for a factor: their ratio is within 10 % of it, and makes at least half
  /// of its excess over 1.
  [[nodiscard]] bool bytesExplainPlacement() const;
  [[nodiscard]] bool bytesExplainProgram() const;
  /// Whether the program saves at least half of its time in latencies.
  [[nodiscard]] bool latencyExplainsProgram() const;
};

/// The factors from the prices of an exploration, without `port`. Needs at least one placement. O(levels · axes).
[[nodiscard]] GainParts gainParts(const Exploration& exploration);
/// gainParts() with `port`. Errors as for ProgramTrace::run() and portBytes(); cancelled. Cost: three calls of
/// portBytes().
[[nodiscard]] Result<GainParts> gainPartsWithBytes(const Exploration& exploration, std::stop_token stop = {});

}  // namespace p2::inline explore
