// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "synthesis/detail/chunk_selection.h"

namespace p2::inline synthesis {

/// The bit matrix of one device of a large group, its runs of equal rows and equal columns folded: bit (r, c) is set
/// exactly if r is in `rows` and c in `columns`, since all chunks of a device are summed over the same devices.
struct FoldedState {
  std::int64_t size = 1;  ///< k
  ChunkSet rows;          ///< the chunks held
  ChunkSet columns;       ///< the contributors each of them is summed over; empty if none is held
  friend bool operator==(const FoldedState&, const FoldedState&) = default;
};

/// Data of the device with number `member` in a hierarchy of the given sizes. O(runs).
[[nodiscard]] FoldedState foldedState(const CompactState& state, const std::vector<std::int64_t>& sizes,
                                      MemberId member);

/// The rows of a state, and its columns.
[[nodiscard]] ChunkSet foldedRows(const CompactState& state, const std::vector<std::int64_t>& sizes, MemberId member);
[[nodiscard]] ChunkSet foldedColumns(const CompactState& state, const std::vector<std::int64_t>& sizes,
                                     MemberId member);

/// Upper bound of the runs of rows, and of columns, of a device of this class: from 1 to k/2.
[[nodiscard]] std::int64_t mostRuns(const ClassState& state, const std::vector<std::int64_t>& sizes);

}  // namespace p2::inline synthesis
