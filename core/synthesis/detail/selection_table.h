// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "synthesis/detail/chunk_selection.h"

namespace p2::inline synthesis {

/// Numbers the ways in which one level's digit can select chunks. A digit's selection is the set of chunks that a
/// device with that digit may hold, for any other digits: the selections of one level divide all chunks among its
/// digits, and a device holds the intersection over all its split levels. So the chunks of one class are within
/// another's exactly if it selects in the same way on every level on which the other selects.
class SelectionTable {
 public:
  /// A table for a hierarchy with levels of these sizes.
  explicit SelectionTable(std::vector<std::int64_t> sizes) : m_sizes(std::move(sizes)) {}

  [[nodiscard]] const std::vector<std::int64_t>& sizes() const { return m_sizes; }
  /// The number of a split level's selection: the same for two classes exactly if the level's digits select the same
  /// chunks in both. O(∏ sizes) for an order of splits not met before, else a look-up.
  int numberOf(const ClassState& state, int level);
  /// Whether the chunks of a device of class `inner` are within a device's of class `outer`, given equal digits on
  /// all levels on which `outer` selects.
  bool within(const ClassState& inner, const ClassState& outer);
  /// Whether the two classes hold the same, however their chunks came to be cut.
  bool equal(const ClassState& a, const ClassState& b);

 private:
  struct Numbered {
    ClassState selection;
    int number = 0;
  };
  ChunkSet chunksAt(const ClassState& selection, int level, std::int64_t digit) const;
  bool selectSame(const ClassState& a, const ClassState& b, int level) const;

  std::vector<std::int64_t> m_sizes;
  int m_count = 0;
  std::map<ClassState, int> m_known;
  std::map<std::pair<int, ChunkSet>, std::vector<Numbered>> m_byFirstDigit;
};

}  // namespace p2::inline synthesis
