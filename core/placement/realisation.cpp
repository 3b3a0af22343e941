// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/realisation.h"

#include <algorithm>
#include <numeric>

#include "base/lists.h"
#include "placement/framework_axes.h"
#include "placement/framework_degrees.h"
#include "system/neighbours.h"

namespace p2::inline placement {
namespace {

/// Whether the axis is cut by a level from `from` on.
bool goesOn(const ParallelismMatrix& matrix, std::size_t axis, std::size_t from) {
  for (std::size_t level = from; level < matrix.columns(); ++level) {
    if (matrix.at(axis, level) > 1) return true;
  }
  return false;
}

/// The axes that split a level, in the order that lets the axis of the level above continue first and the axis of the
/// level below come last; empty if there is none. Other axes keep the listed order.
std::optional<AxisOrder> orderInside(const ParallelismMatrix& matrix, std::size_t level, const AxisOrder& before) {
  AxisOrder cut;
  std::vector<std::size_t> leaving;
  for (std::size_t axis = 0; axis < matrix.rows(); ++axis) {
    if (matrix.at(axis, level) == 1) continue;
    const bool comes = std::find(before.begin(), before.end(), axis) != before.end();
    if (comes && before.back() != axis) return std::nullopt;
    if (goesOn(matrix, axis, level + 1)) leaving.push_back(axis);
    cut.insert(comes ? cut.begin() : cut.end(), axis);
  }
  if (leaving.size() > 1) return std::nullopt;
  if (leaving.empty()) return cut;
  const auto last = std::find(cut.begin(), cut.end(), leaving[0]);
  const bool comesAndGoes = !before.empty() && before.back() == leaving[0];
  if (comesAndGoes && cut.size() > 1) return std::nullopt;
  std::rotate(last, last + 1, cut.end());
  return cut;
}

std::vector<std::int64_t> productsOf(const ParallelismMatrix& matrix, std::size_t from, std::size_t to) {
  std::vector<std::int64_t> products(matrix.rows(), 1);
  for (std::size_t axis = 0; axis < matrix.rows(); ++axis) {
    for (std::size_t level = from; level < to; ++level) products[axis] *= matrix.at(axis, level);
  }
  return products;
}

/// Whether the levels [from, to) are filled by counting through the axes' shares in this order; else the first axis
/// that is not where it should be.
std::optional<std::size_t> strayAxis(const System& system, const ParallelismMatrix& matrix, const AxisOrder& order,
                                     std::size_t from, std::size_t to) {
  System part;
  part.levels.assign(system.levels.begin() + static_cast<std::ptrdiff_t>(from),
                     system.levels.begin() + static_cast<std::ptrdiff_t>(to));
  const std::vector<std::int64_t> shares = productsOf(matrix, from, to);
  std::vector<Axis> axes;
  for (const std::size_t axis : order) axes.push_back({{}, shares[axis]});
  const ParallelismMatrix counted = rowMajorMatrix(part, axes);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t level = from; level < to; ++level) {
      if (counted.empty() || counted.at(i, level - from) != matrix.at(order[i], level)) return order[i];
    }
  }
  return std::nullopt;
}

/// Whether the axes that a level cuts are listed in this order.
bool listsAsOrdered(const AxisOrder& order, const ParallelismMatrix& matrix, std::size_t level) {
  std::size_t listed = 0;
  for (const std::size_t axis : order) {
    if (matrix.at(axis, level) == 1) continue;
    if (axis < listed) return false;
    listed = axis;
  }
  return true;
}

/// Whether every axis of size 2 or more has a framework's name; otherwise only an order of ranks can express the
/// placement.
bool areNamed(const std::vector<Axis>& axes) {
  return std::all_of(axes.begin(), axes.end(), [](const Axis& axis) {
    return axis.size == 1 || rolesOf(axis.name) || frameworkAxisOf(axis.name);
  });
}

/// In which Megatron counts ranks, slowest first.
std::optional<AxisOrder> megatronOrder(const System& system, const std::vector<Axis>& axes,
                                       const ParallelismMatrix& matrix) {
  if (needsRankfile(system, axes, matrix)) return std::nullopt;
  if (!areNamed(axes)) return contiguousOrder(axes, matrix);
  const auto degrees = megatronDegrees(system, axes, matrix);
  if (!degrees.ok()) return std::nullopt;
  return degrees->ranks;
}

bool hasMaxtextDegrees(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  if (areNamed(axes)) return maxtextDegrees(system, axes, matrix).ok();
  const AxisOrder order = maxtextOrder(axes);
  return nodeSplit(system, axes, matrix, order).ok() && keepsNeighbours(system, order, matrix);
}

std::string fastestFirst(const std::vector<Axis>& axes, const AxisOrder& order) {
  std::string text;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    if (axes[*axis].size == 1) continue;
    text += text.empty() ? axes[*axis].name + " fastest" : ", then " + axes[*axis].name;
  }
  return text;
}

}  // namespace

AxisOrder listedOrder(const std::vector<Axis>& axes) {
  AxisOrder order(axes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::optional<AxisOrder> contiguousOrder(const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  AxisOrder order;
  for (std::size_t level = 0; level < matrix.columns(); ++level) {
    const auto inside = orderInside(matrix, level, order);
    if (!inside) return std::nullopt;
    for (const std::size_t axis : *inside) {
      if (order.empty() || order.back() != axis) order.push_back(axis);
    }
  }
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].size == 1) order.push_back(axis);
  }
  return order;
}

bool keepsDevices(const AxisOrder& order, const ParallelismMatrix& matrix) {
  for (std::size_t level = 0; level < matrix.columns(); ++level) {
    if (!listsAsOrdered(order, matrix, level)) return false;
  }
  return true;
}

bool keepsNeighbours(const System& system, const AxisOrder& order, const ParallelismMatrix& matrix) {
  for (std::size_t level = 0; level < matrix.columns(); ++level) {
    if (!hasNeighbours(system, level)) continue;
    if (!listsAsOrdered(order, matrix, level)) return false;
  }
  return true;
}

std::string orderText(const std::vector<Axis>& axes, const AxisOrder& order) {
  return joined(order, "-", [&](const std::size_t axis) { return axes[axis].name; });
}

Result<NodeSplit> nodeSplit(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix,
                            const AxisOrder& order) {
  const std::size_t depth = nodeDepth(system);
  for (const bool inside : {false, true}) {
    const auto stray = strayAxis(system, matrix, order, inside ? depth : 0, inside ? matrix.columns() : depth);
    if (!stray) continue;
    return Error{"one degree " + std::string(inside ? "inside a node" : "across nodes") + " does not say how " +
                 matrix.text() + " lays \"" + axes[*stray].name + "\" over the levels " +
                 (inside ? "inside it" : "above them") + ", as the axes are counted through in the order " +
                 orderText(axes, order) + "; use jax, which lists the devices"};
  }
  return NodeSplit{productsOf(matrix, 0, depth), productsOf(matrix, depth, matrix.columns())};
}

std::vector<Device> devicesByRank(const Placement& placement, const AxisOrder& order) {
  std::vector<Device> devices;
  devices.reserve(static_cast<std::size_t>(placement.deviceCount()));
  std::vector<std::int64_t> at(placement.axes().size(), 0);
  for (std::int64_t rank = 0; rank < placement.deviceCount(); ++rank) {
    std::int64_t rest = rank;
    for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
      at[*axis] = rest % placement.axes()[*axis].size;
      rest /= placement.axes()[*axis].size;
    }
    devices.push_back(placement.deviceAt(at));
  }
  return devices;
}

bool needsRankfile(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  const auto order = contiguousOrder(axes, matrix);
  return !order || !keepsNeighbours(system, *order, matrix);
}

std::vector<Realisation> realisableBy(const System& system, const std::vector<Axis>& axes,
                                      const ParallelismMatrix& matrix) {
  std::vector<Realisation> ways;
  if (rowMajorMatrix(system, axes) == matrix) {
    ways.push_back(
        {"plain reshape", "frameworks that reshape ranks by " + orderText(axes, listedOrder(axes)) + " do so unasked"});
  }
  const bool starts = needsRankfile(system, axes, matrix);
  if (const auto order = megatronOrder(system, axes, matrix)) {
    ways.push_back({"megatron order", "ranks as torchrun numbers them, " + fastestFirst(axes, *order)});
  }
  if (torchtitanDegrees(system, axes, matrix).ok()) {
    ways.push_back({"torchtitan", "its degrees, with ranks as torchrun numbers them"});
  }
  if (hasMaxtextDegrees(system, axes, matrix)) {
    ways.push_back({"maxtext", "a degree of every axis across nodes (dcn) and one inside (ici)"});
  }
  if (nodeSplit(system, axes, matrix, listedOrder(axes)).ok()) {
    ways.push_back({"axlearn", "HybridMeshShape: a mesh across nodes and one inside"});
  }
  ways.push_back({"jax", "a mesh over a list of devices"});
  ways.push_back({"torch", "a DeviceMesh over a list of ranks"});
  ways.push_back({"rankfile", starts ? "no order of axes gives this placement: Open MPI starts every rank on its node"
                                     : "Open MPI starts every rank on its node"});
  ways.push_back({"slurm", starts ? "no order of axes gives this placement: srun starts every rank on its node"
                                  : "srun starts every rank on its node"});
  return ways;
}

}  // namespace p2::inline placement
