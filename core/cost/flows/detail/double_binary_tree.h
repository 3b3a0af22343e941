// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace p2::inline cost {

/// Two ranks that send to each other.
struct TreeEdge {
  std::int64_t child;
  std::int64_t parent;
};

/// The edges of both trees over ranks 0 … n−1 (Sanders et al. 2009, in NCCL's shape): in each, leaves and inner nodes
/// alternate, and the second is the first mirrored (n even) or shifted by one (n odd), so that the leaves of one are
/// inner nodes of the other. 2(n−1) edges.
[[nodiscard]] std::vector<TreeEdge> doubleBinaryTree(std::int64_t n);

/// Edges of both trees that join an aligned block of `blockSize` consecutive ranks to the rest.
struct TreeCut {
  std::int64_t edges = 0;  ///< edges of the block with most of them
  std::int64_t block = 0;  ///< the first such block
};

/// `blockSize` divides n. O(n).
[[nodiscard]] TreeCut largestCut(std::int64_t n, std::int64_t blockSize);

}  // namespace p2::inline cost
