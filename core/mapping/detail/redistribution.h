// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "mapping/mesh.h"

namespace p2::inline mapping {

/// The collectives that redistribute a tensor on a mesh, in the order in which they happen.
enum class MeshCollective { ReduceScatter, AllReduce, AllToAll, AllGather };
inline constexpr std::size_t kMeshCollectives = 4;

/// "ReduceScatter", …
[[nodiscard]] std::string_view nameOf(MeshCollective collective);

/// How a tensor is spread over a mesh: the effect of every axis. In a dimension that axes of sizes p, q, … cut, in the
/// mesh's order, a device with coordinates i, j, … has the part of number i·q·… + j·… + …, parts being contiguous and
/// counted from 0: `rangeOf()`.
struct TensorLayout {
  static constexpr std::int8_t kReplicated = -1;  ///< all along the axis have the same
  static constexpr std::int8_t kPartial = -2;     ///< each along the axis has a share of the sum
  /// Per axis the tensor's dimension (its position) that is cut, or one of the above.
  std::array<std::int8_t, kMostMeshAxes> at{kReplicated, kReplicated, kReplicated, kReplicated};

  /// The axes that do that.
  [[nodiscard]] MeshAxes axesAt(std::int8_t what) const;
  friend auto operator<=>(const TensorLayout&, const TensorLayout&) = default;
};

/// First index and one past the last.
struct IndexRange {
  std::int64_t first = 0;
  std::int64_t end = 0;
  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// Part `number` of `parts` of this many elements; a remainder is spread over the parts.
[[nodiscard]] IndexRange rangeOf(std::int64_t elements, std::int64_t parts, std::int64_t number);

/// Devices among which a redistribution sends messages from all to all, at most.
inline constexpr std::int64_t kMostAllToAll = 16;
/// As kMostAllToAll, for tokens on their way to experts and back.
inline constexpr std::int64_t kMostRouted = 64;

/// Collectives that take a tensor from one layout to another: at most one collective of each kind, in the order of
/// MeshCollective, each within the devices that differ along its axes alone.
///
/// | axis                             | collective                                                                 |
/// |----------------------------------|----------------------------------------------------------------------------|
/// | partial → cuts a dimension       | ReduceScatter                                                              |
/// | partial → replicated             | AllReduce                                                                  |
/// | cuts one dimension → another     | AllToAll                                                                   |
/// | cuts a dimension → replicated    | AllGather                                                                  |
/// | replicated → cuts a dimension    | none: a device drops unneeded parts before anything moves        |
/// | any → partial                    | none: the part of a device is its share of the sum                         |
///
/// Parts nest only along the axes that a dimension's two lists begin with. A dimension whose lists both go on
/// differently is gathered as far as they agree, then cut again, and the axes that come to cut it count as →
/// replicated. So do all axes of an AllToAll among more devices than `mostAllToAll`.
struct Redistribution {
  struct Step {
    MeshAxes axes = 0;    ///< none: the step is not needed
    double elements = 0;  ///< elements of the whole vector: a device's before the step, of an AllGather after it
  };
  std::array<Step, kMeshCollectives> steps;
  double elements = 0;  ///< elements of a device's part in the end

  [[nodiscard]] const Step& step(MeshCollective collective) const {
    return steps[static_cast<std::size_t>(collective)];
  }
  [[nodiscard]] bool moves() const;
};

/// `to` has partial sums only for gradients that others are added to before they are summed up. `elements` is the whole
/// tensor. O(axes · rank).
[[nodiscard]] Redistribution redistribution(const TensorLayout& from, const TensorLayout& to, const Mesh& mesh,
                                            double elements, std::int64_t mostAllToAll = kMostAllToAll);
/// As above, for many layouts on one mesh.
[[nodiscard]] Redistribution redistribution(const TensorLayout& from, const TensorLayout& to, const MeshShares& shares,
                                            double elements, std::int64_t mostAllToAll);

}  // namespace p2::inline mapping
