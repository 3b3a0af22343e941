// SPDX-License-Identifier: GPL-3.0-or-later
// For readers and generators of workloads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workload/import/rank_mesh.h"
#include "workload/sources.h"

namespace p2::inline workload {

/// Adds up equal rows of a list: a layer's collectives come once for every layer.
class EntryTally {
 public:
  struct Row {
    std::string name;
    std::string group;  ///< as the list calls it; of addGroup()
    CommunicationKind kind = CommunicationKind::AllReduce;
    std::int64_t bytes = 0;
    CommunicationOverlap::Extent overlap = CommunicationOverlap::Extent::None;
    friend auto operator<=>(const Row&, const Row&) = default;
  };

  void add(const Row& row, std::int64_t times = 1);
  /// Different rows, in the order of their first occurrence, and their counts.
  [[nodiscard]] const std::vector<std::pair<Row, std::int64_t>>& rows() const { return m_rows; }
  /// Bytes of all rows.
  [[nodiscard]] double bytes() const;

 private:
  std::map<Row, std::size_t> m_index;
  std::vector<std::pair<Row, std::int64_t>> m_rows;
};

/// Groups of ranks by the names that a list gives them.
struct NamedGroups {
  std::int64_t world = 1;
  std::map<std::string, std::vector<RankBlock>> groups;
  /// Name of the group's axis; the group's own name where it is not in here.
  std::map<std::string, std::string> axisNames;
};

/// Rows on the axes of the mesh that their groups form, counted per step, into `source`. Rows of groups of one rank are
/// left out, and those whose group is no part of the mesh; the note names both. Errors: nothing is left.
[[nodiscard]] Result<void> addEntries(const EntryTally& tally, const NamedGroups& groups, std::int64_t steps,
                                      WorkloadSource& source);

}  // namespace p2::inline workload
