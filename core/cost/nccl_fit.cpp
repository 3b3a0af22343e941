// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/nccl_fit.h"

#include <algorithm>
#include <cmath>

#include "cost/bounded_least_squares.h"

namespace p2 {
namespace {

constexpr double kNetworkSpread = 0.5;
constexpr double kCauchy = 0.2;
constexpr double kMostSpreads = 3;
constexpr double kDifference = 1e-3;
/// How strongly a value is held: as much as this many samples of weight 1 that are off by 10 %.
constexpr double kPull = 0.02;

/// The logarithms of constants and networks, one after the other.
using Logarithms = std::vector<double>;

class Fitter {
 public:
  Fitter(std::vector<NcclSample> samples, std::size_t networks, const NcclConstants& start)
      : m_samples(std::move(samples)) {
    for (std::size_t i = 0; i < kNcclConstants; ++i) {
      m_start.push_back(std::log(start.values[i]));
      m_spread.push_back(ncclConstantTable()[i].spread);
    }
    m_start.resize(kNcclConstants + networks, 0);
    m_spread.resize(kNcclConstants + networks, kNetworkSpread);
    for (const NcclSample& sample : m_samples) {
      std::vector<ChannelPath> paths;
      for (const Traffic& traffic : sample.traffic) paths.push_back(traffic.path);
      m_paths.push_back(std::move(paths));
    }
  }

  NcclFit fit(int steps, const std::stop_token& stop, const Progress& progress) {
    Logarithms at = m_start;
    std::vector<double> off = residuals(at);
    double cost = costOf(off, at);
    for (int step = 0; step < steps && !stop.stop_requested(); ++step) {
      if (progress) progress(static_cast<double>(step) / steps);
      const Logarithms towards = gaussNewton(at, off);
      bool better = false;
      for (double share = 1; share > 0.05 && !better; share /= 2) {
        Logarithms next = at;
        for (std::size_t i = 0; i < next.size(); ++i) next[i] += share * (towards[i] - at[i]);
        const std::vector<double> nextOff = residuals(next);
        const double nextCost = costOf(nextOff, next);
        if (nextCost >= cost * (1 - 1e-5)) continue;
        better = true;
        at = next;
        off = nextOff;
        cost = nextCost;
      }
      if (!better && !searched(at, off, cost)) break;
    }
    return result(at);
  }

 private:
  [[nodiscard]] static NcclConstants constantsAt(const Logarithms& at) {
    NcclConstants constants;
    for (std::size_t i = 0; i < kNcclConstants; ++i) constants.values[i] = std::exp(at[i]);
    return constants;
  }

  [[nodiscard]] std::vector<double> residuals(const Logarithms& at) {
    const NcclModel model(constantsAt(at), NcclModel::Repeats::BackToBack);
    std::vector<double> off(m_samples.size(), 0);
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

  [[nodiscard]] double costOf(const std::vector<double>& off, const Logarithms& at) const {
    double sum = 0;
    for (std::size_t i = 0; i < off.size(); ++i) {
      const double size = off[i] / kCauchy;
      sum += m_samples[i].weight * std::log1p(size * size) * kCauchy * kCauchy;
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double moved = (at[i] - m_start[i]) / m_spread[i];
      sum += kPull * moved * moved;
    }
    return sum;
  }

  [[nodiscard]] Logarithms gaussNewton(const Logarithms& at, const std::vector<double>& off) {
    std::vector<std::vector<double>> rows(m_samples.size(), std::vector<double>(at.size(), 0));
    for (std::size_t j = 0; j < at.size(); ++j) {
      Logarithms moved = at;
      moved[j] += kDifference;
      const std::vector<double> there = residuals(moved);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i][j] = (there[i] - off[i]) / kDifference;
    }
    BoundedLeastSquares squares(at.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double target = -off[i];
      for (std::size_t j = 0; j < at.size(); ++j) target += rows[i][j] * at[j];
      const double size = off[i] / kCauchy;
      const double weight = m_samples[i].weight / (1 + size * size);
      squares.addRow(rows[i], target, weight);
    }
    Logarithms least = m_start;
    Logarithms most = m_start;
    m_held.assign(at.size(), 0);
    for (std::size_t j = 0; j < at.size(); ++j) {
      const double strength = kPull / (m_spread[j] * m_spread[j]);
      squares.pull(j, m_start[j], strength);
      least[j] -= kMostSpreads * m_spread[j];
      most[j] += kMostSpreads * m_spread[j];
      double told = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) told += m_samples[i].weight * rows[i][j] * rows[i][j];
      m_held[j] = std::sqrt(strength / (strength + told));
    }
    return squares.minimum(at, least, most);
  }

  // Which algorithm and protocol is cheapest changes the slopes, so Gauss–Newton can stop where single values still
  // help.
  bool searched(Logarithms& at, std::vector<double>& off, double& cost) {
    const double before = cost;
    for (std::size_t i = 0; i < at.size(); ++i) {
      for (const double share : {0.5, -0.5, 0.1, -0.1}) {
        Logarithms next = at;
        next[i] = std::clamp(next[i] + share * m_spread[i], m_start[i] - kMostSpreads * m_spread[i],
                             m_start[i] + kMostSpreads * m_spread[i]);
        std::vector<double> nextOff = residuals(next);
        const double nextCost = costOf(nextOff, next);
        if (nextCost >= cost) continue;
        at = std::move(next);
        off = std::move(nextOff);
        cost = nextCost;
      }
    }
    return cost < before * (1 - 1e-4);
  }

  [[nodiscard]] NcclFit result(const Logarithms& at) const {
    NcclFit fit;
    fit.constants = constantsAt(at);
    for (std::size_t i = kNcclConstants; i < at.size(); ++i) fit.networks.push_back(std::exp(at[i]));
    for (std::size_t i = 0; i < kNcclConstants; ++i) fit.open[i] = m_held.empty() ? 1 : m_held[i];
    return fit;
  }

  std::vector<NcclSample> m_samples;
  std::vector<std::vector<ChannelPath>> m_paths;  // nominal, by sample and traffic
  Logarithms m_start;
  std::vector<double> m_spread;
  std::vector<double> m_held;
};

}  // namespace

StepCost predicted(const NcclModel& model, const NcclSample& sample) {
  if (sample.exchange) return model.priceExchange(sample.traffic[0], sample.bytes);
  StepCost best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (const Traffic& traffic : sample.traffic) {
    const StepCost cost = model.price(traffic, sample.bytes, sample.only);
    if (cost.seconds < best.seconds) best = cost;
  }
  return best;
}

NcclFit fitNccl(std::vector<NcclSample> samples, std::size_t networks, const NcclConstants& start, int steps,
                std::stop_token stop, const Progress& progress) {
  return Fitter(std::move(samples), networks, start).fit(steps, stop, progress);
}

}  // namespace p2
