// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/detail/stage_placement.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "workload/axis_names.h"

namespace p2::inline pipeline {

std::vector<StageFactors> stageFactorsOf(const System& system, std::int64_t stages) {
  std::vector<StageFactors> all;
  const std::int64_t devices = system.deviceCount();
  if (stages < 1 || devices % stages != 0) return all;
  MatrixEnumerator enumerator({stages, devices / stages}, system.counts());
  while (enumerator.next()) {
    StageFactors& factors = all.emplace_back();
    for (std::size_t level = 0; level < system.levels.size(); ++level) {
      factors.push_back(enumerator.matrix().at(0, level));
    }
  }
  std::sort(all.rbegin(), all.rend());
  return all;
}

std::int64_t stageCount(const StageFactors& factors) {
  return std::accumulate(factors.begin(), factors.end(), std::int64_t{1}, std::multiplies<>());
}

System stageSystem(const System& system, const StageFactors& factors) {
  System part = system;
  for (std::size_t level = 0; level < factors.size(); ++level) part.levels[level].count /= factors[level];
  return part;
}

Placement stagedPlacement(const StageFactors& factors, const Mesh& mesh, MeshAxes reduced, bool alongStages) {
  std::vector<Axis> axes = mesh.axes(reduced);
  axes.insert(axes.begin(), Axis{std::string(kPipelineAxis), stageCount(factors), alongStages});
  ParallelismMatrix matrix(axes.size(), factors.size());
  for (std::size_t level = 0; level < factors.size(); ++level) {
    matrix.set(0, level, factors[level]);
    for (std::size_t row = 0; row < mesh.matrix.rows(); ++row) matrix.set(row + 1, level, mesh.matrix.at(row, level));
  }
  return {axes, matrix};
}

Mesh wholeStage(const System& system, const StageFactors& factors) {
  Mesh rest{{1}, ParallelismMatrix(1, factors.size())};
  for (std::size_t level = 0; level < factors.size(); ++level) {
    rest.matrix.set(0, level, system.levels[level].count / factors[level]);
    rest.sizes[0] *= rest.matrix.at(0, level);
  }
  return rest;
}

std::int64_t stageOf(const System& system, const StageFactors& factors, Device device) {
  return stagedPlacement(factors, wholeStage(system, factors), 0, true).coordinates(device).front();
}

std::string stageFactorsText(const System& system, const StageFactors& factors) {
  std::string text;
  for (std::size_t level = 0; level < factors.size(); ++level) {
    if (factors[level] == 1) continue;
    text += (text.empty() ? "" : " × ") + std::to_string(factors[level]) + " along " + system.levels[level].name;
  }
  return text.empty() ? "all devices" : text;
}

}  // namespace p2::inline pipeline
