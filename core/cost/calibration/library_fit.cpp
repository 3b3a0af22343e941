// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/detail/library_fit.h"

#include <cmath>
#include <numeric>

#include "cost/calibration/nccl_sample.h"
#include "cost/nccl/site_defaults.h"
#include "system/interconnects.h"

namespace p2::inline cost {
namespace {

constexpr double kBandwidthSpread = 0.3;
constexpr double kLatencySpread = 0.5;
/// Default latencies inside nodes and between them.
constexpr double kUnsaidSpread = 1;
constexpr double kCommonInside = 0.5e-6;
constexpr double kCommonAcross = 3e-6;
/// The model's error once a machine has a factor of its own is 10 % (README, "How good a model can be"). It differs
/// between numbers of nodes, and measurements on few are to predict many: half as much again.
constexpr double kNoise = 0.15;
/// Sizes of one table are wrong together: at most one measurement for each band of sizes, and fewer where a table is to
/// predict other numbers of nodes, which differ among themselves.
constexpr double kMostOfTable = kSizeBands;
constexpr double kMostOfOneOfSeveral = 2;

Figures figuresAt(const LogProblem::Values& at, std::size_t links) {
  Figures figures;
  for (std::size_t i = 0; i < links; ++i) {
    figures.slowness.push_back(std::exp(-at[kNcclConstants + i]));
    figures.latency.push_back(std::exp(at[kNcclConstants + links + i]));
  }
  return figures;
}

}  // namespace

LibraryFit::LibraryFit(const LibrarySamples& samples, const System& system, const NcclConstants& start,
                       MeasuredNodes nodes, std::stop_token stop)
    : m_samples(samples), m_links(interconnects(system).size()), m_nodes(nodes), m_stop(std::move(stop)) {
  for (std::size_t i = 0; i < kNcclConstants; ++i) addUnknown(std::log(start.values[i]), spreadOverSites(i, nodes));
  // One number of nodes says no more of a NIC's bandwidth than of its share.
  const bool isOne = nodes == MeasuredNodes::OneNumber;
  const double across = isOne ? siteDefaultsOf(networkKindOf(system)).share.spread() : kBandwidthSpread;
  for (std::size_t i = 0; i < m_links; ++i) addUnknown(0, samples.across()[i] ? across : kBandwidthSpread);
  for (std::size_t i = 0; i < m_links; ++i) {
    const double latency = samples.nominal().latency[i];
    const double common = samples.across()[i] ? kCommonAcross : kCommonInside;
    addUnknown(std::log(latency > 0 ? latency : common), latency > 0 ? kLatencySpread : kUnsaidSpread);
  }
  fixWhatChangesNothing();
}

LogProblem LibraryFit::problemOf(const List& used) const {
  LogProblem problem = m_all;
  problem.weights = m_samples.weights(used, m_nodes == MeasuredNodes::Several ? kMostOfOneOfSeveral : kMostOfTable);
  problem.residuals = [this, used](const Values& at) {
    if (m_stop.stop_requested()) return Values(used.size(), 0);  // the result is dropped from here on
    Values off = secondsAt(at, used);
    for (std::size_t i = 0; i < off.size(); ++i) off[i] = std::log(off[i] / m_samples.measured(used[i]));
    return off;
  };
  return problem;
}

std::vector<double> LibraryFit::secondsAt(const Values& at, const List& list) const {
  return m_samples.predicted(constantsOf(at), figuresAt(at, m_links), list);
}

NcclConstants LibraryFit::constantsOf(const Values& at) const {
  NcclConstants constants = constantsAt(at);
  for (const SiteDefaults& site : siteDefaults()) {
    const std::size_t i = congestionOf(site);
    constants.values[i] = congestionAt(site, std::exp(m_all.start[i]), (at[i] - m_all.start[i]) / m_all.spread[i]);
  }
  return constants;
}

void LibraryFit::addUnknown(double start, double spread) {
  m_all.start.push_back(start);
  m_all.spread.push_back(spread);
  m_all.noise = kNoise;
}

void LibraryFit::fixWhatChangesNothing() {
  List all(m_samples.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto ways = [&](const Values& at) { return m_samples.ofAllWays(constantsOf(at), figuresAt(at, m_links), all); };
  const std::vector<double> here = ways(m_all.start);
  for (std::size_t i = 0; i < m_all.start.size(); ++i) {
    bool changes = false;
    for (const double share : {-1.0, 1.0}) {
      if (m_stop.stop_requested()) break;
      Values moved = m_all.start;
      moved[i] += share * m_all.spread[i];
      changes = changes || ways(moved) != here;
    }
    m_all.fixed.push_back(!changes);
  }
}

}  // namespace p2::inline cost
