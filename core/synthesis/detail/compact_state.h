// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "collective/goal.h"
#include "synthesis/instruction.h"

namespace p2::inline synthesis {

/// Largest number of levels (of size ≥ 2) a synthesis hierarchy can have for the compact synthesizer.
inline constexpr int kMostSynthesisLevels = 8;

/// Holdings of every device of one class, as a function of its digits: nothing, or the chunks that its digits on the
/// split levels select. Each of these is the sum over all devices whose digits are the same on every level that is not
/// in `summed`.
struct ClassState {
  /// One level over which chunks were scattered, in order of the splits. Splits form segments: chunks scattered after a
  /// gather are parts of the gathered data, so each gather begins a new segment.
  struct Split {
    std::uint8_t level = 0;
    std::uint8_t gatheredAfter = 0;  ///< how many segments there were when it was gathered; 0 while it selects
    bool barrier = false;            ///< a new segment begins here
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
[[nodiscard]] std::size_t classOf(MemberId member, const std::vector<std::int64_t>& sizes);
/// ∏ sizes of some levels.
[[nodiscard]] std::int64_t productOver(LevelSet levels, const std::vector<std::int64_t>& sizes);

class SelectionTable;

/// Holdings of all devices: one ClassState per class of devices. A class is the set of levels on which a device's digit
/// is not zero, so there are 2^levels small entries, however many devices there are.
struct CompactState {
  std::vector<ClassState> classes;

  /// The vector in the distribution of a goal. Scattered chunks are split level by level, outermost first.
  [[nodiscard]] static CompactState of(const Distribution& distribution, int levels);
  /// Whether the vector is distributed so, whichever device it is that holds a chunk.
  [[nodiscard]] bool isDistributedAs(const Distribution& wanted, SelectionTable& selections) const;
  friend auto operator<=>(const CompactState&, const CompactState&) = default;
};

/// The state after an instruction. None if a premise fails, or if the members of a group
/// hold chunks that happen to fit together without being equal: such a state is not uniform
/// over its classes, and no goal can be reached from it. O(4^levels). Only members whose
/// chunks were split in another order than the root's take longer: their selections are
/// compared, which depends on the sizes of the levels and happens only under the rule set
/// `all`.
[[nodiscard]] std::optional<CompactState> applyCompact(const CompactState& state, const Instruction& instruction,
                                                       SelectionTable& selections);

/// Whether all devices that take no part in the pattern's groups are empty: only then does the rule set `paper` allow
/// Master.
[[nodiscard]] bool othersEmpty(const CompactState& state, const GroupPattern& pattern, int levels);

}  // namespace p2::inline synthesis
