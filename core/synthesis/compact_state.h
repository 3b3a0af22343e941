// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "collective/device_state.h"
#include "collective/rules.h"
#include "synthesis/instruction.h"

namespace p2 {

/// Most levels (of size ≥ 2) a synthesis hierarchy can have for the compact synthesizer.
inline constexpr int kMostSynthesisLevels = 8;

/// Set of levels; bit l − 1 stands for level l.
using LevelSet = std::uint16_t;

/// What every device of one class holds, as a function of its digits: nothing, or the chunks selected by
/// its digits on the split levels, each chunk summed over all devices that agree with it outside `summed`.
struct ClassState {
  /// One level the chunks were dealt out over. The splits come in segments: a new one begins (`barrier`) when chunks
  /// are dealt out after an outer split was gathered, since its blocks are cut from what the gather left.
  struct Split {
    std::uint8_t level = 0;
    std::uint8_t gatheredAfter = 0;  ///< number of segments there were when it was gathered; 0: it still selects
    bool barrier = false;
    friend auto operator<=>(const Split&, const Split&) = default;
  };

  bool present = false;
  LevelSet summed = 0;
  std::uint8_t splitCount = 0;
  std::array<Split, kMostSynthesisLevels> splits{};

  /// The levels whose digits select the chunks held; k / ∏ of their sizes is the number of chunks.
  [[nodiscard]] LevelSet splitLevels() const;
  [[nodiscard]] std::uint8_t segmentCount() const;
  friend auto operator<=>(const ClassState&, const ClassState&) = default;
};

/// The class of the device with number `member` in a hierarchy of these sizes: the levels in which it is not first.
[[nodiscard]] std::size_t classOf(Device member, const std::vector<std::int64_t>& sizes);
/// ∏ sizes of some levels.
[[nodiscard]] std::int64_t productOver(LevelSet levels, const std::vector<std::int64_t>& sizes);

/// A state of all devices: one ClassState per class, a class being the set of levels in which a device is not first.
/// 2^levels small entries, whatever the number of devices.
struct CompactState {
  std::vector<ClassState> classes;

  [[nodiscard]] static CompactState initial(int levels);
  [[nodiscard]] static CompactState goal(int levels);
  friend auto operator<=>(const CompactState&, const CompactState&) = default;
};

class SelectionTable;

/// The state after an instruction, or nothing when a premise fails or the goal is out of reach from the result (such
/// results need not be uniform over a class). O(4^levels), except that members whose chunks were cut in another order
/// than the root's have their selections compared; that depends on the sizes of the levels and happens under the rule
/// set `all` only.
[[nodiscard]] std::optional<CompactState> applyCompact(const CompactState& state, const Instruction& instruction,
                                                       SelectionTable& selections);

/// Whether the instruction's groups leave out no device that holds something: the condition under which the `paper`
/// rule set allows Master.
[[nodiscard]] bool othersEmpty(const CompactState& state, const GroupPattern& pattern, int levels);

/// The bit matrix of one device; `sizes` are the levels' sizes, `member` the device's number in the hierarchy.
/// O(k²/64); k must be a size one wants to look at.
[[nodiscard]] DeviceState materialize(const CompactState& state, const std::vector<std::int64_t>& sizes, Device member);

}  // namespace p2
