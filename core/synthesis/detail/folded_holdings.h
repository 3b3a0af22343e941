// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/synthesis.
#pragma once

#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "synthesis/chunk_set.h"

namespace p2::inline synthesis {

/// Chunks that a device holds summed over the same contributors: numbers of two sets of FoldedHoldings.
struct FoldedBlock {
  int rows = 0;
  int columns = 0;
  friend auto operator<=>(const FoldedBlock&, const FoldedBlock&) = default;
};

/// Data of one device: blocks with disjoint rows and different columns.
struct FoldedHolding {
  std::vector<FoldedBlock> blocks;
  int rows = 0;  ///< all of the blocks' rows as one set
};

/// Numbers sets of chunks (or contributors) and holdings of devices so that equal ones share a number: a bit matrix is
/// one number, compared in O(1). Number 0 is the empty set, and the empty holding.
class FoldedHoldings {
 public:
  FoldedHoldings();

  [[nodiscard]] int numberOf(ChunkSet set);
  [[nodiscard]] const ChunkSet& set(int number) const { return m_sets[static_cast<std::size_t>(number)]; }
  [[nodiscard]] std::int64_t count(int number) const { return m_counts[static_cast<std::size_t>(number)]; }
  /// The number of the union of some sets.
  [[nodiscard]] int unionOf(const std::vector<int>& sets);
  /// Whether no two of the sets have an element in common.
  [[nodiscard]] bool areDisjoint(const std::vector<int>& sets) const;
  /// The lowest i such that set i has an element of those before it, or −1.
  [[nodiscard]] int firstOverlapping(const std::vector<int>& sets) const;

  /// The number of what consists of these blocks, whose rows are disjoint.
  [[nodiscard]] int holdingOf(const std::vector<FoldedBlock>& blocks);
  [[nodiscard]] const FoldedHolding& holding(int number) const { return m_holdings[static_cast<std::size_t>(number)]; }
  /// Ranges stored so far: the measure of the memory in use.
  [[nodiscard]] std::size_t rangeCount() const { return m_ranges; }

 private:
  std::deque<ChunkSet> m_sets;
  std::vector<std::int64_t> m_counts;
  std::unordered_multimap<std::size_t, int> m_setNumbers;  // by hash
  std::deque<FoldedHolding> m_holdings;
  std::map<std::vector<FoldedBlock>, int> m_holdingNumbers;
  std::size_t m_ranges = 0;
};

}  // namespace p2::inline synthesis
