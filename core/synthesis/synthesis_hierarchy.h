// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "placement/placement.h"

namespace p2::inline synthesis {

/// The hierarchy that the instructions range over (paper §2.5, Table 1). ReductionAxes is the one P² uses; the others
/// are there to be compared with it.
enum class HierarchyKind {
  System,         ///< (a) the hardware levels
  ColumnBased,    ///< (b) the matrix, column by column
  RowBased,       ///< (c) the matrix, row by row
  ReductionAxes,  ///< (d) per hardware level, the product of the reduced axes' factors
};

/// "system", "column", "row", "reduction", and the kind of a name; the error lists the names.
[[nodiscard]] std::string_view nameOf(HierarchyKind kind);
[[nodiscard]] Result<HierarchyKind> hierarchyKindFrom(std::string_view name);

/// Set of levels; bit l − 1 stands for level l.
using LevelSet = std::uint16_t;

/// One level below the root: `size` ≥ 2 children, numbered by the given digits of the device number.
struct SynthesisLevel {
  std::string name;
  std::int64_t size = 1;
  std::vector<Digit> digits;  ///< most significant first
};

/// The devices that a pattern groups together if a result is scattered over some levels only.
enum class Along : std::uint8_t {
  All,
  Shards,   ///< devices that differ on scattered levels
  Replicas  ///< devices that differ on the others
};

/// The groups of an instruction: the devices that differ only in the levels (outer, inner] without those in `fixed`.
/// Levels are numbered from 1; 0 is the root. With `master`, only the devices that are first in every level below
/// `inner` take part.
struct GroupPattern {
  int outer = 0;
  int inner = 1;
  bool master = false;
  Along along = Along::All;  ///< which levels `fixed` leaves, if any are fixed
  LevelSet fixed = 0;

  /// Whether devices of a group differ in the level.
  [[nodiscard]] bool varies(int level) const {
    return level > outer && level <= inner && (fixed == 0 || (fixed >> (level - 1) & 1) == 0);
  }
  /// The levels in which they do, of the first 16.
  [[nodiscard]] LevelSet levels() const {
    return static_cast<LevelSet>(((1u << inner) - (1u << outer)) & ~unsigned{fixed});
  }
  friend auto operator<=>(const GroupPattern&, const GroupPattern&) = default;
};

/// A device of a reduction group, by its number in a hierarchy: SynthesisHierarchy::memberOf().
using MemberId = StrongId<struct MemberTag>;
using MemberGroup = std::vector<MemberId>;

/// root:1 and the levels of one kind of hierarchy for one placement; levels of size 1 are dropped, their names stay
/// usable as names of the level above.
///
/// Where some of the reduced axes are replicated (Axis::replicate) and a hardware level has factors of them and of
/// others, ReductionAxes has a level for each run of the ones and of the others, "gpu/replica" and "gpu": the last,
/// below which there is one instance of the hardware level, has its name.
class SynthesisHierarchy {
 public:
  SynthesisHierarchy(const System& system, const Placement& placement,
                     HierarchyKind kind = HierarchyKind::ReductionAxes);

  [[nodiscard]] HierarchyKind kind() const { return m_kind; }
  /// Levels below the root, outermost first; levels()[i] is level number i + 1.
  [[nodiscard]] const std::vector<SynthesisLevel>& levels() const { return m_levels; }
  [[nodiscard]] int levelCount() const { return static_cast<int>(m_levels.size()); }
  /// Sizes of levels().
  [[nodiscard]] std::vector<std::int64_t> sizes() const;
  /// The levels made of replicated axes; for the kind ReductionAxes.
  [[nodiscard]] LevelSet replicatedLevels() const { return m_replicated; }
  /// ∏ sizes: the devices one program is synthesized for.
  [[nodiscard]] std::int64_t deviceCount() const;
  /// "root" for 0, else the level's name.
  [[nodiscard]] std::string levelName(int level) const;
  /// The level of that name, a dropped level counting as the one above it; −1 if there is none.
  [[nodiscard]] int findLevel(std::string_view name) const;

  /// Number of a device within the hierarchy: its digits here, most significant first.
  [[nodiscard]] MemberId memberOf(Device device) const;
  /// Digits of the device number that belong to no level: one copy of the groups for each of their combinations.
  [[nodiscard]] const std::vector<Digit>& outsideDigits() const { return m_outside; }
  /// Members of the pattern's groups: ∏ sizes of the levels (outer, inner].
  [[nodiscard]] std::int64_t groupSize(const GroupPattern& pattern) const;
  /// The lowered groups: one for every combination of all other digits (§3.4). Members ascend, so that the ring
  /// follows the hardware; groups ascend by their first member. O(devices).
  [[nodiscard]] std::vector<DeviceGroup> groups(const GroupPattern& pattern) const;
  /// These groups by the device numbers that their members are made of, one of each: base + offset. Both ascend from
  /// 0. O(groups + members).
  struct GroupLayout {
    std::vector<std::int64_t> bases;
    std::vector<std::int64_t> offsets;
  };
  [[nodiscard]] GroupLayout layoutOf(const GroupPattern& pattern) const;
  /// As groups(), but only those within the hierarchy itself (all digits outside it zero), as member numbers.
  [[nodiscard]] std::vector<MemberGroup> memberGroups(const GroupPattern& pattern) const;

 private:
  struct NamedLevel {
    std::string name;
    int level;
  };
  HierarchyKind m_kind;
  std::vector<SynthesisLevel> m_levels;
  LevelSet m_replicated = 0;
  std::vector<NamedLevel> m_names;
  std::vector<Digit> m_outside;  // digits that belong to no level
};

}  // namespace p2::inline synthesis
