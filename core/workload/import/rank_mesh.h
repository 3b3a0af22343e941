// SPDX-License-Identifier: GPL-3.0-or-later
// For readers and generators of workloads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "placement/axis.h"

namespace p2::inline workload {

/// `size` ranks, each `stride` behind the one before.
struct RankBlock {
  std::int64_t stride = 1;
  std::int64_t size = 1;
  friend auto operator<=>(const RankBlock&, const RankBlock&) = default;
};

/// The ranks of a group as the product of blocks, innermost first: {0, 1, 8, 9} is 2 ranks one behind the other, twice,
/// 8 apart. Of one rank: no blocks. None if they are not such a product, do not begin where such a group of a mesh
/// begins, come twice, or are 2^31 and more. O(ranks · log ranks).
[[nodiscard]] std::optional<std::vector<RankBlock>> blocksOf(std::span<const std::int64_t> ranks);

/// The mesh that numbered ranks form, found from the groups that talk to each other: the coarsest axes such that every
/// group is a product of them. Meshes that number the same ranks in two ways, as dense and expert layers do, come out
/// as one mesh of finer axes. Axes are called after the groups that they are; such as are only a part of groups after
/// those and a number; an axis that no group spans, "axis" and a number.
class RankMesh {
 public:
  /// A mesh of ranks 0 … world − 1.
  explicit RankMesh(std::int64_t world) : m_cuts{1, world} {}

  /// Takes a group of this name in. False, and nothing is changed, if it has no common refinement with those before,
  /// or goes beyond the world.
  [[nodiscard]] bool add(const std::string& name, const std::vector<RankBlock>& blocks);
  /// Outermost first, as meshes are written. Without axes of size 1; the product of their sizes is the world.
  [[nodiscard]] std::vector<Axis> axes() const;
  /// Names of the axes that a group is made of, outermost first. It must have been added.
  [[nodiscard]] std::vector<std::string> axesOf(const std::vector<RankBlock>& blocks) const;

 private:
  [[nodiscard]] std::vector<std::string> names() const;  // innermost first, of every gap between cuts

  std::vector<std::int64_t> m_cuts;  // every one divides the next
  std::vector<std::pair<std::string, std::vector<RankBlock>>> m_groups;
};

}  // namespace p2::inline workload
