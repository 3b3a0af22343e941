// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/sweep.h"

#include <cmath>

#include "explore/detail/priced_placements.h"
#include "explore/detail/sweep_systems.h"

namespace p2::inline explore {
namespace {

class Sweeper {
 public:
  Sweeper(const Workspace& workspace, const SweepRange& range, bool onlyMatrix, std::stop_token stop)
      : m_onlyMatrix(onlyMatrix), m_stop(std::move(stop)), m_result(std::make_shared<Sweep>()) {
    m_result->workspace = workspace;
    m_result->workspace.options.cost.repeat = 1;
    m_result->range = range;
    m_result->largest = workspace.system;
  }

  Result<std::shared_ptr<const Sweep>> run(const Progress& progress) {
    P2_TRY_ASSIGN(const auto values, valuesOf(m_result->workspace, m_result->range));
    if (m_onlyMatrix && m_result->range.over == SweepOver::Nodes) {
      return Error{"one matrix does not fit several numbers of nodes; leave it out"};
    }
    constexpr double kPointsShare = 0.7;  // share of the work; the rest are crossovers
    for (const double value : values) {
      P2_TRY_ASSIGN(auto point, at(value));
      addAlgorithms(point.best.steps, m_result->algorithms);
      addAlgorithms(point.single.steps, m_result->algorithms);
      m_result->points.push_back(std::move(point));
      if (progress)
        progress(kPointsShare * static_cast<double>(m_result->points.size()) / static_cast<double>(values.size()));
    }
    for (std::size_t i = 1; i < m_result->points.size(); ++i) {
      P2_TRY(findCrossovers(m_result->points[i - 1], m_result->points[i]));
      if (progress) {
        progress(kPointsShare + (1 - kPointsShare) * static_cast<double>(i) / static_cast<double>(values.size()));
      }
    }
    return std::shared_ptr<const Sweep>(m_result);
  }

 private:
  Result<SweepPoint> at(double value) {
    if (m_result->range.over == SweepOver::Bytes) {
      if (!m_placements) {
        P2_TRY_ASSIGN(auto made, PricedPlacements::of(m_result->workspace, m_syntheses, m_onlyMatrix, m_stop));
        m_placements.emplace(std::move(made));
      }
      return m_placements->bestAt(value, Bytes(value), m_stop);
    }
    P2_TRY_ASSIGN(const auto workspace, workspaceAt(m_result->workspace, m_result->range, value));
    if (nodeCount(workspace.system) > nodeCount(m_result->largest)) m_result->largest = workspace.system;
    P2_TRY_ASSIGN(auto made, PricedPlacements::of(workspace, m_syntheses, m_onlyMatrix, m_stop));
    return made.bestAt(value, workspace.options.cost.bytes, m_stop);
  }

  [[nodiscard]] bool isSame(const SweepChoice& a, const SweepChoice& b) const {
    // Other numbers of nodes have other matrices and levels.
    if (m_result->range.over == SweepOver::Nodes) return programTitle(a.program) == programTitle(b.program);
    return a.program == b.program && a.matrix == b.matrix;
  }

  /// Halves the distance until there is one change within 0.1 %, or between two numbers of nodes with none between
  /// them; others between two points of the same best are not seen.
  Result<void> findCrossovers(const SweepPoint& low, const SweepPoint& high) {
    constexpr double kNear = 1.001;
    if (isSame(low.best, high.best)) return {};
    const bool overNodes = m_result->range.over == SweepOver::Nodes;
    const double mean = std::sqrt(low.value * high.value);
    const auto between = overNodes                         ? nodesBetween(m_result->workspace, low.value, high.value)
                         : high.value <= low.value * kNear ? std::nullopt
                                                           : std::optional(mean);
    if (!between) {
      m_result->crossovers.push_back({overNodes ? high.value : mean, low.best, high.best});
      return {};
    }
    P2_TRY_ASSIGN(const auto middle, at(*between));
    P2_TRY(findCrossovers(low, middle));
    return findCrossovers(middle, high);
  }

  bool m_onlyMatrix;
  std::stop_token m_stop;
  std::shared_ptr<Sweep> m_result;
  Syntheses m_syntheses;
  std::optional<PricedPlacements> m_placements;
};

}  // namespace

double SweepChoice::latencySeconds() const {
  double sum = 0;
  for (const StepCost& step : steps) sum += step.latencySeconds;
  return sum;
}

Result<std::shared_ptr<const Sweep>> sweep(const Workspace& workspace, const SweepRange& range, bool onlyMatrix,
                                           std::stop_token stop, const Progress& progress) {
  P2_TRY(checkWorkspace(workspace));
  return Sweeper(workspace, range, onlyMatrix, std::move(stop)).run(progress);
}

}  // namespace p2::inline explore
