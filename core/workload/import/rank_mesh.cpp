// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/rank_mesh.h"

#include <algorithm>
#include <set>

#include "base/numbers.h"

namespace p2::inline workload {
namespace {

/// How many of `ranks`, ascending, stand at the front one stride apart.
std::int64_t runLength(std::span<const std::int64_t> ranks, std::int64_t stride) {
  std::int64_t length = 1;
  for (std::int64_t next = ranks[0] + stride; std::binary_search(ranks.begin(), ranks.end(), next); next += stride) {
    ++length;
  }
  return length;
}

/// The first of every run; none if the ranks are not all in runs of that length.
std::optional<std::vector<std::int64_t>> headsOf(std::span<const std::int64_t> ranks, RankBlock block) {
  std::vector<std::int64_t> heads;
  std::set<std::int64_t> left(ranks.begin(), ranks.end());
  while (!left.empty()) {
    const std::int64_t head = *left.begin();
    for (std::int64_t i = 0; i < block.size; ++i) {
      if (left.erase(head + i * block.stride) == 0) return std::nullopt;
    }
    heads.push_back(head);
  }
  return heads;
}

bool isMeshBlock(std::int64_t first, RankBlock block) { return first / block.stride % block.size == 0; }

}  // namespace

std::optional<std::vector<RankBlock>> blocksOf(std::span<const std::int64_t> ranks) {
  std::vector<std::int64_t> left(ranks.begin(), ranks.end());
  std::sort(left.begin(), left.end());
  constexpr std::int64_t kMostRanks = std::int64_t{1} << 31;
  if (left.empty() || left.front() < 0 || left.back() >= kMostRanks) return std::nullopt;
  if (std::adjacent_find(left.begin(), left.end()) != left.end()) return std::nullopt;
  std::vector<RankBlock> blocks;
  while (left.size() > 1) {
    RankBlock block{left[1] - left[0], 1};
    block.size = runLength(left, block.stride);
    auto heads = headsOf(left, block);
    if (!heads || !isMeshBlock(left[0], block)) return std::nullopt;
    if (!blocks.empty() && block.stride % (blocks.back().stride * blocks.back().size) != 0) return std::nullopt;
    blocks.push_back(block);
    left = std::move(*heads);
  }
  return blocks;
}

bool RankMesh::add(const std::string& name, const std::vector<RankBlock>& blocks) {
  std::vector<std::int64_t> cuts = m_cuts;
  for (const RankBlock& block : blocks) {
    const auto end = checkedProduct(block.stride, block.size);
    if (!end || *end > m_cuts.back()) return false;
    cuts.push_back(block.stride);
    cuts.push_back(*end);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    if (cuts[i] % cuts[i - 1] != 0) return false;
  }
  m_cuts = std::move(cuts);
  m_groups.emplace_back(name, blocks);
  return true;
}

std::vector<std::string> RankMesh::names() const {
  const std::size_t gaps = m_cuts.size() - 1;
  std::vector<std::string> names(gaps);
  const auto covered = [&](const std::vector<RankBlock>& blocks) {
    std::vector<std::size_t> own;
    for (std::size_t gap = 0; gap < gaps; ++gap) {
      const bool inside = std::any_of(blocks.begin(), blocks.end(), [&](const RankBlock& block) {
        return block.stride <= m_cuts[gap] && m_cuts[gap + 1] <= block.stride * block.size;
      });
      if (inside && names[gap].empty()) own.push_back(gap);
    }
    return own;
  };
  std::set<std::string> taken;
  const auto give = [&](std::size_t gap, const std::string& wanted) {
    std::string name = wanted;
    for (int i = 2; !taken.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
    names[gap] = name;
  };
  // Groups that are one axis name it; then the rest of a larger group gets the group's name.
  for (std::size_t most = 1; most <= gaps; ++most) {
    for (const auto& [name, blocks] : m_groups) {
      const auto own = covered(blocks);
      if (own.empty() || own.size() > most || name.empty()) continue;
      for (std::size_t i = 0; i < own.size(); ++i) give(own[i], own.size() == 1 ? name : name + std::to_string(i));
    }
  }
  for (std::size_t gap = 0; gap < gaps; ++gap) {
    if (names[gap].empty()) give(gap, "axis" + std::to_string(gap));
  }
  return names;
}

std::vector<Axis> RankMesh::axes() const {
  std::vector<Axis> axes;
  const auto named = names();
  for (std::size_t gap = named.size(); gap-- > 0;) {
    const std::int64_t size = m_cuts[gap + 1] / m_cuts[gap];
    if (size > 1) axes.push_back({named[gap], size, false});
  }
  return axes;
}

std::vector<std::string> RankMesh::axesOf(const std::vector<RankBlock>& blocks) const {
  std::vector<std::string> own;
  const auto named = names();
  for (std::size_t gap = named.size(); gap-- > 0;) {
    for (const RankBlock& block : blocks) {
      if (block.stride <= m_cuts[gap] && m_cuts[gap + 1] <= block.stride * block.size) own.push_back(named[gap]);
    }
  }
  return own;
}

}  // namespace p2::inline workload
