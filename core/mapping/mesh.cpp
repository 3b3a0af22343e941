// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/mesh.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/numbers.h"
#include "system/neighbours.h"

namespace p2::inline mapping {
namespace {

constexpr std::array<const char*, kMostMeshAxes> kAxisNames{"x", "y", "z", "w"};

/// Every way to write a number as a product of that many ascending factors from `least` on.
void addSizes(std::int64_t number, std::size_t factors, std::int64_t least, std::vector<std::int64_t>& chosen,
              std::vector<std::vector<std::int64_t>>& all) {
  if (factors == 1) {
    if (number < least) return;
    chosen.push_back(number);
    all.push_back(chosen);
    chosen.pop_back();
    return;
  }
  for (const std::int64_t factor : divisorsOf(number)) {
    if (factor < least) continue;
    chosen.push_back(factor);
    addSizes(number / factor, factors - 1, factor, chosen, all);
    chosen.pop_back();
  }
}

/// A mesh's factors by level, axis by axis.
using Rows = std::vector<std::vector<std::int64_t>>;

/// From the outermost axis on.
Rows descendingRows(const ParallelismMatrix& matrix) {
  Rows rows(matrix.rows());
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    for (std::size_t level = 0; level < matrix.columns(); ++level) rows[row].push_back(matrix.at(row, level));
  }
  std::sort(rows.rbegin(), rows.rend());
  return rows;
}

Mesh meshOf(const Rows& rows) {
  Mesh mesh{{}, ParallelismMatrix(rows.size(), rows.front().size())};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::int64_t size = 1;
    for (std::size_t level = 0; level < rows[row].size(); ++level) {
      size *= rows[row][level];
      mesh.matrix.set(row, level, rows[row][level]);
    }
    mesh.sizes.push_back(size);
  }
  return mesh;
}

std::vector<std::size_t> levelsWithNeighbours(const System& system) {
  std::vector<std::size_t> levels;
  for (std::size_t level = 0; level < system.levels.size(); ++level) {
    if (hasNeighbours(system, level)) levels.push_back(level);
  }
  return levels;
}

/// The axes that cut each of these levels, in their order: what tells meshes of the same rows from each other.
std::vector<Rows> ordersInside(const Rows& rows, const std::vector<std::size_t>& levels) {
  std::vector<Rows> orders;
  for (const std::size_t level : levels) {
    Rows& order = orders.emplace_back();
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(order), [&](const auto& row) { return row[level] > 1; });
  }
  return orders;
}

bool isOfOneLevel(const std::vector<std::int64_t>& row, std::size_t level) {
  for (std::size_t each = 0; each < row.size(); ++each) {
    if (each != level && row[each] > 1) return false;
  }
  return true;
}

}  // namespace

std::int64_t Mesh::sizeOf(MeshAxes axes) const {
  std::int64_t size = 1;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if ((axes >> axis & 1) != 0) size *= sizes[axis];
  }
  return size;
}

MeshShares sharesOf(const Mesh& mesh) {
  MeshShares shares{mesh.sizes.size()};
  for (unsigned axes = 0; axes <= mesh.all(); ++axes) {
    shares.of[axes] = static_cast<double>(mesh.sizeOf(static_cast<MeshAxes>(axes)));
  }
  return shares;
}

std::vector<Axis> Mesh::axes(MeshAxes reduced) const {
  std::vector<Axis> named;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    named.push_back({meshAxisName(axis), sizes[axis], (reduced >> axis & 1) != 0});
  }
  return named;
}

std::string meshAxisName(std::size_t axis) { return kAxisNames[axis]; }

std::string meshText(const Mesh& mesh) {
  std::string text;
  for (std::size_t axis = 0; axis < mesh.sizes.size(); ++axis) {
    text += (axis == 0 ? "" : " · ") + meshAxisName(axis) + " " + std::to_string(mesh.sizes[axis]);
  }
  return text;
}

std::string meshAxesText(MeshAxes axes) {
  std::string text;
  for (std::size_t axis = 0; axis < kMostMeshAxes; ++axis) {
    if ((axes >> axis & 1) != 0) text += meshAxisName(axis);
  }
  return text;
}

std::vector<Mesh> meshesOf(const System& system) { return meshesOf(system, system); }

std::vector<Mesh> meshesOf(const System& part, const System& whole) {
  const std::vector<std::int64_t> counts = part.counts();
  const std::int64_t devices = part.deviceCount();
  std::vector<std::vector<std::int64_t>> sizes;
  std::vector<std::int64_t> chosen;
  for (std::size_t axes = 1; axes <= kMostSplitAxes; ++axes) addSizes(devices, axes, axes == 1 ? 1 : 2, chosen, sizes);
  const std::vector<std::size_t> levels = levelsWithNeighbours(whole);
  std::vector<Mesh> meshes;
  std::set<Rows> seen;
  for (const std::vector<std::int64_t>& each : sizes) {
    MatrixEnumerator enumerator(each, counts);
    while (enumerator.next()) {
      Rows rows = descendingRows(enumerator.matrix());
      if (!seen.insert(rows).second) continue;
      std::set<std::vector<Rows>> orders;
      do {
        if (orders.insert(ordersInside(rows, levels)).second) meshes.push_back(meshOf(rows));
      } while (std::prev_permutation(rows.begin(), rows.end()));
    }
  }
  return meshes;
}

std::vector<Mesh> meshesWithCopies(const System& system) {
  if (!levelsWithNeighbours(system).empty()) return {};
  const std::vector<std::int64_t> counts = system.counts();
  const auto split = std::find_if(counts.begin(), counts.end(), [](std::int64_t count) { return count > 1; });
  const auto outermost = static_cast<std::size_t>(split - counts.begin());
  std::vector<std::vector<std::int64_t>> sizes;
  std::vector<std::int64_t> chosen;
  addSizes(system.deviceCount(), kMostMeshAxes, 2, chosen, sizes);
  std::vector<Mesh> meshes;
  std::set<Rows> seen;
  for (const std::vector<std::int64_t>& each : sizes) {
    MatrixEnumerator enumerator(each, system.counts());
    while (enumerator.next()) {
      const Rows rows = descendingRows(enumerator.matrix());
      if (!seen.insert(rows).second) continue;
      for (std::size_t axis = 0; axis < rows.size(); ++axis) {
        // Equal rows are equal copies.
        if (axis > 0 && rows[axis] == rows[axis - 1]) continue;
        if (!isOfOneLevel(rows[axis], outermost)) continue;
        meshes.push_back(meshOf(rows));
        meshes.back().copies = static_cast<MeshAxes>(1u << axis);
      }
    }
  }
  return meshes;
}

}  // namespace p2::inline mapping
