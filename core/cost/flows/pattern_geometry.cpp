// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/detail/pattern_geometry.h"

#include <algorithm>

namespace p2::inline cost {
namespace {

/// Adds every value of a digit to every position.
std::vector<std::int64_t> extended(const std::vector<std::int64_t>& positions, const LevelGeometry::PlaceDigit& digit) {
  std::vector<std::int64_t> result;
  result.reserve(positions.size() * static_cast<std::size_t>(digit.size));
  for (const std::int64_t position : positions) {
    for (std::int64_t value = 0; value < digit.size; ++value) result.push_back(position + value * digit.stride);
  }
  return result;
}

/// Splits every kind of base by whether the synthesis level made of these digits is at its first child.
void fixLevel(LevelGeometry& geometry, const std::vector<LevelGeometry::PlaceDigit>& digits, LevelSet level,
              bool ring) {
  std::int64_t children = 1;
  std::int64_t lowest = 0;
  std::vector<std::int64_t> offsets{0};
  for (const auto& digit : digits) {
    children *= digit.size;
    lowest = lowest == 0 ? digit.stride : std::min(lowest, digit.stride);
    if (ring) offsets = extended(offsets, digit);
  }
  std::vector<LevelGeometry::Bases> split;
  for (const LevelGeometry::Bases& bases : geometry.bases) {
    split.push_back(bases);
    LevelGeometry::Bases others{
        static_cast<LevelSet>(bases.nonFirst | level), bases.count * (children - 1), bases.lowest + lowest, {}};
    for (const std::int64_t position : bases.positions) {
      for (const std::int64_t offset : offsets) {
        if (offset != 0) others.positions.push_back(position + offset);
      }
    }
    split.push_back(std::move(others));
  }
  geometry.bases = std::move(split);
}

void finish(PatternGeometry& geometry) {
  std::int64_t run = 1;
  for (std::size_t level = geometry.size(); level-- > 0;) {
    geometry[level].run = run;
    run *= geometry[level].visits;
  }
  bool crossed = false;
  for (LevelGeometry& level : geometry) {
    crossed = crossed || level.visits > 1;
    level.crossed = crossed;
  }
}

}  // namespace

std::int64_t LevelGeometry::visited(std::int64_t i) const {
  std::int64_t position = 0;
  for (auto digit = visiting.rbegin(); digit != visiting.rend(); ++digit) {
    position += i % digit->size * digit->stride;
    i /= digit->size;
  }
  return position;
}

PatternGeometry geometryOf(const Topology& topology, const SynthesisHierarchy& hierarchy, const GroupPattern& pattern) {
  PatternGeometry geometry(topology.levels().size());
  for (LevelGeometry& level : geometry) level.bases = {{0, 1, 0, {0}}};
  const auto isRing = [&](std::size_t level) { return topology.levels()[level].kind == InterconnectKind::Ring; };
  const auto placeDigit = [&](const Digit& digit) {
    return LevelGeometry::PlaceDigit{digit.size, digit.stride / topology.levels()[digit.level].devicesBelow};
  };
  for (int level = 0; level < hierarchy.levelCount(); ++level) {
    std::vector<LevelGeometry::PlaceDigit> digits;
    for (const Digit& digit : hierarchy.levels()[static_cast<std::size_t>(level)].digits) {
      digits.push_back(placeDigit(digit));
    }
    const std::size_t hardware = hierarchy.levels()[static_cast<std::size_t>(level)].digits[0].level;
    LevelGeometry& place = geometry[hardware];
    if (pattern.varies(level + 1)) {
      place.visiting.insert(place.visiting.end(), digits.begin(), digits.end());
      for (const auto& digit : digits) place.visits *= digit.size;
    } else if (!pattern.master || level < pattern.inner) {
      fixLevel(place, digits, static_cast<LevelSet>(1u << level), isRing(hardware));
    }
  }
  for (const Digit& digit : hierarchy.outsideDigits()) {
    for (LevelGeometry::Bases& bases : geometry[digit.level].bases) {
      bases.count *= digit.size;
      if (isRing(digit.level)) bases.positions = extended(bases.positions, placeDigit(digit));
    }
  }
  finish(geometry);
  return geometry;
}

}  // namespace p2::inline cost
