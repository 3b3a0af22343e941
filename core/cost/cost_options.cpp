// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/cost_options.h"

#include <array>

namespace p2 {
namespace {

constexpr std::array<std::string_view, 3> kAlgorithmNames{"ring", "tree", "auto"};
constexpr std::array kRing{Algorithm::Ring};
constexpr std::array kTree{Algorithm::Tree};
constexpr std::array kAll{Algorithm::Ring, Algorithm::Tree};

}  // namespace

std::string_view nameOf(Algorithm algorithm) { return kAlgorithmNames[static_cast<std::size_t>(algorithm)]; }

Result<Algorithm> algorithmFrom(std::string_view name) {
  for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree, Algorithm::Auto}) {
    if (nameOf(algorithm) == name) return algorithm;
  }
  return Error{"\"" + std::string(name) + "\" is not an algorithm; use ring, tree or auto"};
}

std::span<const Algorithm> candidatesFor(Collective collective, Algorithm wanted) {
  if (!traitsOf(collective).treeShape) return kRing;
  switch (wanted) {
    case Algorithm::Ring:
      return kRing;
    case Algorithm::Tree:
      return kTree;
    case Algorithm::Auto:
      break;
  }
  return kAll;
}

FlowShape shapeOf(Collective collective, Algorithm algorithm) {
  const CollectiveTraits& traits = traitsOf(collective);
  return algorithm == Algorithm::Tree ? traits.treeShape.value_or(traits.shape) : traits.shape;
}

}  // namespace p2
