// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "placement/placement.h"
#include "system/system.h"

namespace p2::inline mapping {

/// Largest number of axes of a mesh: as many as one operator's layout can distinguish.
inline constexpr std::size_t kMostSplitAxes = 3;
/// Largest number of axes of a mesh, with an axis of copies.
inline constexpr std::size_t kMostMeshAxes = kMostSplitAxes + 1;

/// A set of axes of a mesh; bit a stands for axis a.
using MeshAxes = std::uint8_t;

/// The devices of a system arranged along a few axes, which all operators of a strategy share: sizes that multiply to
/// the number of devices, and the parallelism matrix that places them. The axes are listed from the outermost on: their
/// rows descend lexicographically, so that parts of an outer axis are farther apart; but inside a level
/// that hasNeighbours() the order decides which devices are neighbours, and others are meshes of their own.
struct Mesh {
  std::vector<std::int64_t> sizes;
  ParallelismMatrix matrix;
  MeshAxes copies = 0;  ///< axes along which all operators repeat their work

  /// ∏ sizes of some of the axes.
  [[nodiscard]] std::int64_t sizeOf(MeshAxes axes) const;
  [[nodiscard]] MeshAxes all() const { return static_cast<MeshAxes>((1u << sizes.size()) - 1); }
  /// The axes with their names, "x", "y", "z"; axes in the set are marked to be reduced over.
  [[nodiscard]] std::vector<Axis> axes(MeshAxes reduced = 0) const;
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

/// Mesh::sizeOf() of every set of axes.
struct MeshShares {
  std::size_t axes = 0;
  std::array<double, std::size_t{1} << kMostMeshAxes> of{};
};
[[nodiscard]] MeshShares sharesOf(const Mesh& mesh);

/// "x", "y", "z".
[[nodiscard]] std::string meshAxisName(std::size_t axis);
/// "x 128 · y 8".
[[nodiscard]] std::string meshText(const Mesh& mesh);
/// "xz": the names of some axes; empty for none.
[[nodiscard]] std::string meshAxesText(MeshAxes axes);

/// Every mesh of one to three axes, each once; fewer axes first, and among permutations the one
/// whose rows descend.
[[nodiscard]] std::vector<Mesh> meshesOf(const System& system);
/// Every mesh of three axes of size 2 or more on a part of the system's nodes, or of its outermost children, and an
/// axis along which the other parts do the same. So a strategy of some nodes is one of every multiple of them. Empty
/// for systems with neighbours, where the parts of a level differ.
[[nodiscard]] std::vector<Mesh> meshesWithCopies(const System& system);
/// Meshes of a part of a system that has fewer children in each level, next to their neighbours there.
[[nodiscard]] std::vector<Mesh> meshesOf(const System& part, const System& whole);

}  // namespace p2::inline mapping
