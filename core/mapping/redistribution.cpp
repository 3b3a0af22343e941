// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/detail/redistribution.h"

#include <algorithm>

namespace p2::inline mapping {
namespace {

constexpr std::array<std::string_view, kMeshCollectives> kNames{"ReduceScatter", "AllReduce", "AllToAll", "AllGather"};

/// Whether both lists of axes that cut a dimension go on after their common beginning.
bool isCutAgain(unsigned before, unsigned after) {
  const unsigned differing = before ^ after;
  if (differing == 0) return false;
  const unsigned commonAxes = (differing & (~differing + 1)) - 1;  // axes before the first that one of them lacks
  return (before & ~commonAxes) != 0 && (after & ~commonAxes) != 0;
}

}  // namespace

std::string_view nameOf(MeshCollective collective) { return kNames[static_cast<std::size_t>(collective)]; }

MeshAxes TensorLayout::axesAt(std::int8_t what) const {
  unsigned axes = 0;
  for (std::size_t axis = 0; axis < kMostMeshAxes; ++axis) axes |= at[axis] == what ? 1u << axis : 0u;
  return static_cast<MeshAxes>(axes);
}

IndexRange rangeOf(std::int64_t elements, std::int64_t parts, std::int64_t number) {
  // Elements and parts below 2^40 and 2^24: the product of a remainder and a number of parts stays small.
  const auto start = [&](std::int64_t part) { return elements / parts * part + elements % parts * part / parts; };
  return {start(number), start(number + 1)};
}

bool Redistribution::moves() const {
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) { return step.axes != 0; });
}

Redistribution redistribution(const TensorLayout& from, const TensorLayout& to, const Mesh& mesh, double elements,
                              std::int64_t mostAllToAll) {
  return redistribution(from, to, sharesOf(mesh), elements, mostAllToAll);
}

Redistribution redistribution(const TensorLayout& from, const TensorLayout& to, const MeshShares& shares,
                              double elements, std::int64_t mostAllToAll) {
  using C = MeshCollective;
  std::array<unsigned, kMeshCollectives> axes{};
  unsigned held = 0;   // axes that cut the tensor before
  unsigned early = 0;  // axes that cut it after, without any move
  unsigned later = 0;  // as above, where a dimension has to be gathered first
  unsigned added = 0;  // axes along which the parts become shares of a sum, zero elsewhere
  for (std::size_t axis = 0; axis < shares.axes; ++axis) {
    const std::int8_t before = from.at[axis];
    const std::int8_t after = to.at[axis];
    const unsigned bit = 1u << axis;
    const bool cutAgain = after >= 0 && isCutAgain(from.axesAt(after), to.axesAt(after));
    if (before >= 0) held |= bit;
    if (after == TensorLayout::kPartial) {
      if (before >= 0) added |= bit;
      continue;
    }
    if (before == TensorLayout::kPartial) {
      axes[static_cast<std::size_t>(after >= 0 && !cutAgain ? C::ReduceScatter : C::AllReduce)] |= bit;
    } else if (before == TensorLayout::kReplicated) {
      if (after >= 0 && !cutAgain) early |= bit;
    } else if (before == after) {
      // The common beginning stays; all else is in the wrong place.
      const unsigned differing = unsigned{from.axesAt(before)} ^ to.axesAt(before);
      if (differing != 0 && bit > (differing & (~differing + 1))) {
        axes[static_cast<std::size_t>(C::AllGather)] |= bit;
        later |= bit;
        continue;
      }
    } else {
      axes[static_cast<std::size_t>(after >= 0 && !cutAgain ? C::AllToAll : C::AllGather)] |= bit;
    }
    if (after >= 0 && cutAgain && before != after) later |= bit;
  }
  // Beyond this number, messages between all pairs gain nothing and take long to price.
  unsigned& exchanged = axes[static_cast<std::size_t>(C::AllToAll)];
  if (shares.of[exchanged] > static_cast<double>(mostAllToAll)) {
    axes[static_cast<std::size_t>(C::AllGather)] |= exchanged;
    later |= exchanged;
    exchanged = 0;
  }
  const auto share = [&](unsigned some) { return shares.of[some]; };
  Redistribution result;
  double local = elements / share(held) / share(early);
  for (const C collective : {C::ReduceScatter, C::AllReduce, C::AllToAll, C::AllGather}) {
    const unsigned over = axes[static_cast<std::size_t>(collective)];
    if (over == 0) continue;
    if (collective == C::AllGather) local *= share(over);
    result.steps[static_cast<std::size_t>(collective)] = {static_cast<MeshAxes>(over), local};
    if (collective == C::ReduceScatter) local /= share(over);
  }
  result.elements = local / share(later) * share(added);
  return result;
}

}  // namespace p2::inline mapping
