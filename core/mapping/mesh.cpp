// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/mesh.h"

#include <algorithm>
#include <set>

#include "base/numbers.h"

namespace p2 {
namespace {

constexpr std::array<const char*, kMostMeshAxes> kAxisNames{"x", "y", "z"};

/// Every way to write a number as a product of so many ascending factors from `least` on.
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

/// With the rows from the outermost axis on.
Mesh ordered(const ParallelismMatrix& matrix) {
  std::vector<std::vector<std::int64_t>> rows(matrix.rows());
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    for (std::size_t level = 0; level < matrix.columns(); ++level) rows[row].push_back(matrix.at(row, level));
  }
  std::sort(rows.rbegin(), rows.rend());
  Mesh mesh{{}, ParallelismMatrix(matrix.rows(), matrix.columns())};
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

}  // namespace

std::int64_t Mesh::sizeOf(MeshAxes axes) const {
  std::int64_t size = 1;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if ((axes >> axis & 1) != 0) size *= sizes[axis];
  }
  return size;
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

std::vector<Mesh> meshesOf(const System& system) {
  const std::vector<std::int64_t> counts = system.counts();
  const std::int64_t devices = system.deviceCount();
  std::vector<std::vector<std::int64_t>> sizes;
  std::vector<std::int64_t> chosen;
  for (std::size_t axes = 1; axes <= kMostMeshAxes; ++axes) addSizes(devices, axes, axes == 1 ? 1 : 2, chosen, sizes);
  std::vector<Mesh> meshes;
  std::set<ParallelismMatrix> seen;
  for (const std::vector<std::int64_t>& each : sizes) {
    MatrixEnumerator enumerator(each, counts);
    while (enumerator.next()) {
      Mesh mesh = ordered(enumerator.matrix());
      if (seen.insert(mesh.matrix).second) meshes.push_back(std::move(mesh));
    }
  }
  return meshes;
}

}  // namespace p2
