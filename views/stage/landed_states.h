// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "views/stage/replay.h"

namespace p2::views {

/// Holdings of devices while a step is under way, message by message: those before it and everything landed since,
/// summed where the step sums. Explicit replays alone.
class LandedStates {
 public:
  LandedStates() = default;
  /// The replay must outlive it. O(flights).
  LandedStates(const Replay& replay, StepId step);

  /// Whether the step shows what lands; else all arrives in the end.
  [[nodiscard]] bool any() const { return m_any; }
  [[nodiscard]] StepId step() const { return m_step; }
  /// Messages that have landed at a device at a moment of the step, 0 … 1.
  [[nodiscard]] std::size_t landedBy(Device device, double progress) const;
  /// Adds the cargo of the messages from number `from` to before number `to`. O(messages · rows · members).
  void land(DeviceState& state, Device device, std::size_t from, std::size_t to) const;
  /// Its holding after the first `landed` of them. O(landed · rows · members).
  [[nodiscard]] DeviceState stateOf(Device device, std::size_t landed) const;

 private:
  const Replay* m_replay = nullptr;
  StepId m_step;
  bool m_any = false;
  std::vector<std::vector<const Flight*>> m_landings;  // by device, in the order of time
};

}  // namespace p2::views
