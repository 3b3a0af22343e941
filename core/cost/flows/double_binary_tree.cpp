// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/detail/double_binary_tree.h"

#include <algorithm>

namespace p2::inline cost {
namespace {

/// The parent of `rank` > 0 in the first tree, rooted at 0: odd ranks are leaves, a rank's height is its number of
/// trailing zeros.
std::int64_t parentOf(std::int64_t rank, std::int64_t n) {
  const std::int64_t lowest = rank & -rank;
  const std::int64_t parent = (rank ^ lowest) | (lowest << 1);
  return parent < n ? parent : rank ^ lowest;
}

std::int64_t placeInSecondTree(std::int64_t rank, std::int64_t n) { return n % 2 == 0 ? n - 1 - rank : (rank + 1) % n; }

}  // namespace

std::vector<TreeEdge> doubleBinaryTree(std::int64_t n) {
  std::vector<TreeEdge> edges;
  edges.reserve(static_cast<std::size_t>(2 * (n - 1)));
  for (std::int64_t rank = 1; rank < n; ++rank) {
    const std::int64_t parent = parentOf(rank, n);
    edges.push_back({rank, parent});
    edges.push_back({placeInSecondTree(rank, n), placeInSecondTree(parent, n)});
  }
  return edges;
}

TreeCut largestCut(std::int64_t n, std::int64_t blockSize) {
  std::vector<std::int64_t> cut(static_cast<std::size_t>(n / blockSize), 0);
  for (const TreeEdge& edge : doubleBinaryTree(n)) {
    const std::int64_t child = edge.child / blockSize;
    const std::int64_t parent = edge.parent / blockSize;
    if (child == parent) continue;
    ++cut[static_cast<std::size_t>(child)];
    ++cut[static_cast<std::size_t>(parent)];
  }
  const auto most = std::max_element(cut.begin(), cut.end());
  return {*most, most - cut.begin()};
}

}  // namespace p2::inline cost
