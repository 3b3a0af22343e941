// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cost/flows/step_manner.h"
#include "synthesis/program_trace.h"

namespace p2::inline cost {

/// Chunks, and the members of a group whose data as before the step is summed in them: `count` of the group's devices
/// from number `first` on, the last followed by the first.
struct Cargo {
  ChunkSet rows;
  std::size_t first = 0;
  std::size_t count = 0;
  friend bool operator==(const Cargo&, const Cargo&) = default;
};

/// A message of a step, by the step's price, with its time.
struct StepMessage {
  Device of;            ///< the sender; equals `to` for a copy that comes out of the middle of the group
  Device to;            ///< none where it ends in the middle of the group
  bool summed = false;  ///< shows the sender's rows after the step, where there is no cargo
  ChunkSet rows;        ///< empty if they are too many runs to be drawn one by one
  double start = 0;     ///< as shares of the step's time
  double end = 1;
  std::int64_t tiles = 1;  ///< messages that it stands for
  /// Bytes that the step's price counts for it, in chunks of the vector. May be a fraction.
  double chunks = 0;
  std::size_t group = 0;      ///< of StepMotion::groups
  std::vector<Cargo> cargo;   ///< its contents; empty for the sender's rows
  std::vector<Cargo> landed;  ///< those rows at the receiver from its end on; empty where they show only at the end
  bool adds = false;          ///< the receiver adds it to its own rows; else it is a copy
  bool leads = false;         ///< goes alone, before the others, so that it can be followed
};

/// From about this number of messages on, pictures show several as one. A ring of 64 devices has 8,064.
inline constexpr std::size_t kMostShownMessages = 8192;

/// The messages of a step that can run, with times as shares of the step's time.
struct StepMotion {
  static constexpr double kAnnounced = 0.08;  ///< nothing is sent before
  static constexpr double kArrived = 0.84;    ///< everything has landed
  static constexpr double kMerged = 0.88;     ///< received data is part of the holdings from here on
  static constexpr double kDropped = 0.95;    ///< dropped chunks are gone
  /// Share of the step in which the highlight moves to the first group, and again back to all.
  static constexpr double kFade = 0.03;
  static constexpr double kAdded = 0.6;  ///< share of a message's time for which its sum stands after landing

  std::vector<StepMessage> messages;  ///< in the order in which they end
  std::vector<DeviceGroup> groups;    ///< of more than one device
  std::string manner;                 ///< "ring: each device sends to the next, 14 rounds"; empty without messages
  bool simplified = false;            ///< less is shown than is priced: the manner says what
  bool inSwitch = false;              ///< switches add up in the middle of each group
  double leadTo = kAnnounced;         ///< until then the first group alone sends, one message at a time
  double sumFrom = 1;                 ///< sums form in the switches until sumTo
  double sumTo = 1;
};

/// The messages of the step with number `step` of a trace in these groups. Their chunks between two members add up to
/// the bytes that the price counts there. One block, or the messages to one receiver, lead, each on its own. Above
/// `mostMessages`, neighbouring rounds of all others are one, and messages between all pairs go by way of the middle;
/// trees and single links (O(devices) and O(flows) messages) never become fewer. O(messages · log messages).
[[nodiscard]] StepMotion stepMotion(const ProgramTrace& trace, StepId step, const StepManner& manner,
                                    const std::vector<DeviceGroup>& groups, std::size_t mostMessages);

/// Adds the cargo of a step to a state: in its rows, the contributions that the named members of the group hold before
/// the step. For explicit traces.
void addCargo(DeviceState& state, const ProgramTrace& trace, StepId step, const DeviceGroup& group, const Cargo& cargo);

/// The sum in a row if the n-th contributor starts with the number n: 3 for the first two.
[[nodiscard]] std::int64_t sumOfRow(const DeviceState& state, int row);

/// A sum of two numbers, by sumOfRow().
struct Addition {
  std::int64_t held = 0;
  std::int64_t brought = 0;
};
/// The addition in the first row of a message that leads and adds; none of others, or where the first part arrives in a
/// switch. For explicit traces.
[[nodiscard]] std::optional<Addition> additionOf(const ProgramTrace& trace, StepId step, const DeviceGroup& group,
                                                 const StepMessage& message);

}  // namespace p2::inline cost
