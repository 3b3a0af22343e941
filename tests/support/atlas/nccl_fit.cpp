// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/atlas/nccl_fit.h"

#include <algorithm>
#include <cmath>

#include "cost/calibration/detail/log_fit.h"

namespace p2 {
namespace {

/// Latencies of networks are the systems' own figures, which what few machines measured hardly moves.
constexpr double kNetworkSpread = 0.1;
/// kAtlasNoise² is how strongly a value is held: as much as one sample of weight 1 that is off by 16 %.
constexpr double kAtlasNoise = 0.16;

/// Samples under constants and latencies that are tried out; by logarithms, constants and networks one after the other.
class TriedSamples {
 public:
  explicit TriedSamples(std::vector<NcclSample> samples) : m_samples(std::move(samples)) {
    for (const NcclSample& sample : m_samples) {
      std::vector<ChannelPath> paths;
      for (const Traffic& traffic : sample.traffic) paths.push_back(traffic.path);
      m_paths.push_back(std::move(paths));
    }
  }

  [[nodiscard]] LogProblem::Values residuals(const LogProblem::Values& at) {
    const NcclModel model(constantsAt(at), NcclModel::Repeats::BackToBack);
    LogProblem::Values off(m_samples.size(), 0);
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
      NcclSample& sample = m_samples[i];
      const double scale =
          sample.network < 0 ? 1 : std::exp(at[kNcclConstants + static_cast<std::size_t>(sample.network)]);
      for (std::size_t j = 0; j < sample.traffic.size(); ++j) {
        sample.traffic[j].path.across = m_paths[i][j].across * scale;
        sample.traffic[j].path.slowest = m_paths[i][j].slowest * scale;
      }
      off[i] = std::log(predicted(model, sample).seconds / sample.seconds);
    }
    return off;
  }

 private:
  std::vector<NcclSample> m_samples;
  std::vector<std::vector<ChannelPath>> m_paths;  // nominal, by sample and traffic
};

/// By unknown: what its slopes alone leave of its spread.
std::vector<double> openOf(const LogProblem& problem, const LogFit& fit) {
  std::vector<double> open(fit.at.size(), 1);
  for (std::size_t j = 0; j < open.size() && !fit.slopes.empty(); ++j) {
    const double strength = problem.noise * problem.noise / (problem.spread[j] * problem.spread[j]);
    double reported = 0;
    for (std::size_t i = 0; i < fit.slopes.size(); ++i) {
      reported += problem.weights[i] * fit.slopes[i][j] * fit.slopes[i][j];
    }
    open[j] = std::sqrt(strength / (strength + reported));
  }
  return open;
}

}  // namespace

struct NcclRefit::Parts {
  explicit Parts(std::vector<NcclSample> samples) : tried(std::move(samples)) {}
  TriedSamples tried;
  LogProblem problem;
  LogFit fit;

  [[nodiscard]] NcclFit fitOf(const LogProblem& of, const LogFit& fitted) const {
    NcclFit result;
    result.constants = constantsAt(fitted.at);
    for (std::size_t i = kNcclConstants; i < fitted.at.size(); ++i) result.networks.push_back(std::exp(fitted.at[i]));
    const std::vector<double> open = openOf(of, fitted);
    std::copy_n(open.begin(), kNcclConstants, result.open.begin());
    return result;
  }
};

NcclRefit::NcclRefit(std::vector<NcclSample> samples, std::size_t networks, const NcclConstants& start, int steps,
                     std::stop_token stop, const Progress& progress) {
  LogProblem problem;
  for (std::size_t i = 0; i < kNcclConstants; ++i) {
    problem.start.push_back(std::log(start.values[i]));
    problem.spread.push_back(ncclConstantTable()[i].spread);
  }
  problem.start.resize(kNcclConstants + networks, 0);
  problem.spread.resize(kNcclConstants + networks, kNetworkSpread);
  for (const NcclSample& sample : samples) problem.weights.push_back(sample.weight);
  problem.noise = kAtlasNoise;
  m_parts = std::make_unique<Parts>(std::move(samples));
  problem.residuals = [&tried = m_parts->tried](const LogProblem::Values& at) { return tried.residuals(at); };
  m_parts->fit = fitLogarithms(problem, steps, stop, progress);
  m_parts->problem = std::move(problem);
  m_all = m_parts->fitOf(m_parts->problem, m_parts->fit);
}

NcclRefit::~NcclRefit() = default;

NcclFit NcclRefit::without(const std::vector<bool>& leftOut) const {
  constexpr int kSteps = 2;
  LogProblem problem = m_parts->problem;
  for (std::size_t i = 0; i < leftOut.size(); ++i) {
    if (leftOut[i]) problem.weights[i] = 0;
  }
  return m_parts->fitOf(problem, refitted(problem, m_parts->fit, kSteps));
}

NcclFit fitNccl(std::vector<NcclSample> samples, std::size_t networks, const NcclConstants& start, int steps,
                std::stop_token stop, const Progress& progress) {
  return NcclRefit(std::move(samples), networks, start, steps, std::move(stop), progress).all();
}

}  // namespace p2
