// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/detail/library_samples.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "cost/flows/channel_flows.h"
#include "cost/simulator.h"

namespace p2::inline cost {
namespace {

/// How far a latency is moved to see what depends on it, in seconds.
constexpr double kPathLatencyStep = 1e-6;

/// What tells one program on some devices, under some algorithm, from another.
std::string keyOf(const MeasuredTime& measurement) {
  std::string key = measurement.matrix.text() + '|' + measurement.program + '|' +
                    std::to_string(measurement.outermost) + '/' + std::to_string(measurement.innermost);
  for (const Axis& axis : measurement.axes) key += '|' + std::to_string(axis.size) + (axis.reduce ? "r" : "");
  key += '|' + (measurement.step.isNone() ? std::string() : std::to_string(measurement.step.value()));
  return key + '|' + std::string(nameOf(measurement.forced.value_or(Algorithm::Auto)));
}

/// Path of the group with the longest one.
ChannelPath pathOf(const LoweredStep& step, const LibraryView& machine, const Topology& topology) {
  ChannelPath longest;
  for (const LoweredGroup& group : step.groups) {
    const ChannelPath path = channelPath(group.devices, machine, topology);
    if (path.seconds() >= longest.seconds()) longest = path;
  }
  return longest;
}

ChannelPath difference(const ChannelPath& a, const ChannelPath& b, double per) {
  return {(a.inside - b.inside) / per, (a.across - b.across) / per, (a.node - b.node) / per,
          (a.slowest - b.slowest) / per};
}

void add(ChannelPath& path, const ChannelPath& per, double seconds) {
  path.inside = std::max(0.0, path.inside + per.inside * seconds);
  path.across = std::max(0.0, path.across + per.across * seconds);
  path.node = std::max(0.0, path.node + per.node * seconds);
  path.slowest = std::max(0.0, path.slowest + per.slowest * seconds);
}

/// The traffic of every algorithm that can run; of Ring where none of the wanted can.
std::vector<Traffic> waysOf(const Topology& topology, const LoweredStep& step, Algorithm wanted) {
  const NcclModel model;
  std::vector<Traffic> ways;
  for (const Algorithm algorithm : model.candidates(step.collective, wanted)) {
    Traffic traffic = trafficOf(topology, step, model, algorithm);
    if (std::isfinite(model.price(traffic, Bytes(1)).seconds)) ways.push_back(std::move(traffic));
  }
  if (ways.empty()) ways.push_back(trafficOf(topology, step, model, Algorithm::Ring));
  return ways;
}

}  // namespace

Result<LibrarySamples> LibrarySamples::prepared(const System& system, const std::vector<MeasuredTime>& measurements,
                                                const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto rows, CalibrationRows::prepared(system, measurements, stop));
  LibrarySamples samples;
  samples.m_nominal = rows.nominal();
  samples.m_across = libraryViewOf(rows.topology(0, rows.nominal())).across;
  std::map<std::string, std::size_t> known;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (stop.stop_requested()) return cancelledError();
    const MeasuredTime& measurement = measurements[row];
    const auto [found, isNew] = known.try_emplace(keyOf(measurement), samples.m_works.size());
    if (isNew) samples.m_works.push_back(samples.workOf(rows, row, measurement.forced.value_or(Algorithm::Auto)));
    Sample sample{found->second,
                  rows.cost(row).bytes,
                  rows.cost(row).repeat,
                  measurement.protocol,
                  measurement.backToBack,
                  rows.measured(row),
                  {}};
    for (const LoweredStep& step : rows.steps(row)) sample.cells.push_back(cellOf(system, step, sample.bytes));
    samples.m_samples.push_back(std::move(sample));
  }
  return samples;
}

std::vector<double> LibrarySamples::weights(const List& samples, double most) const {
  std::map<std::size_t, double> rows;
  for (const std::size_t sample : samples) ++rows[table(sample)];
  std::vector<double> weights;
  for (const std::size_t sample : samples) weights.push_back(std::min(1.0, most / rows[table(sample)]));
  return weights;
}

LibrarySamples::Work LibrarySamples::workOf(const CalibrationRows& rows, std::size_t row, Algorithm wanted) const {
  const Topology here = rows.topology(row, m_nominal);
  const LibraryView machine = libraryViewOf(here);
  Work work;
  for (const LoweredStep& step : rows.steps(row)) work.push_back({waysOf(here, step, wanted), {}});
  for (std::size_t link = 0; link < m_nominal.latency.size(); ++link) {
    Figures moved = m_nominal;
    moved.latency[link] += kPathLatencyStep;
    const Topology there = rows.topology(row, moved);
    for (std::size_t i = 0; i < work.size(); ++i) {
      const LoweredStep& step = rows.steps(row)[i];
      work[i].perLatency.push_back(
          difference(pathOf(step, machine, there), pathOf(step, machine, here), kPathLatencyStep));
    }
  }
  return work;
}

LibrarySamples::Work LibrarySamples::scaled(const Work& work, const Figures& figures) const {
  Work scaled = work;
  for (Step& step : scaled) {
    ChannelPath path = step.ways[0].path;
    for (std::size_t link = 0; link < figures.latency.size(); ++link) {
      add(path, step.perLatency[link], figures.latency[link] - m_nominal.latency[link]);
    }
    for (Traffic& traffic : step.ways) {
      traffic.path = path;
      for (LinkLoad& load : traffic.loads) load.bandwidth /= figures.slowness[load.interconnect];
    }
  }
  return scaled;
}

template <class Price>
std::vector<double> LibrarySamples::priced(const NcclConstants& constants, const Figures& figures, const List& samples,
                                           const Price& price) const {
  const NcclModel waiting(constants, NcclModel::Repeats::AfterEveryMember);
  const NcclModel backToBack(constants, NcclModel::Repeats::BackToBack);
  std::vector<Work> works(m_works.size());
  std::vector<double> seconds;
  seconds.reserve(samples.size());
  for (const std::size_t number : samples) {
    const Sample& sample = m_samples[number];
    Work& work = works[sample.work];
    if (work.empty()) work = scaled(m_works[sample.work], figures);
    double sum = 0;
    for (const Step& step : work) sum += price(sample.backToBack ? backToBack : waiting, step, sample);
    seconds.push_back(sum * sample.repeat);
  }
  return seconds;
}

std::vector<double> LibrarySamples::predicted(const NcclConstants& constants, const Figures& figures,
                                              const List& samples) const {
  return priced(constants, figures, samples, [](const NcclModel& model, const Step& step, const Sample& sample) {
    RunChoice forced;
    for (const Traffic& traffic : step.ways) forced.consider(model.price(traffic, sample.bytes, sample.only));
    // A protocol that none of the algorithms can be forced to is not what ran.
    if (const double seconds = forced.chosen().seconds; std::isfinite(seconds)) return seconds;
    RunChoice runs;
    for (const Traffic& traffic : step.ways) runs.consider(model.price(traffic, sample.bytes));
    return runs.chosen().seconds;
  });
}

std::vector<double> LibrarySamples::ofAllWays(const NcclConstants& constants, const Figures& figures,
                                              const List& samples) const {
  return priced(constants, figures, samples, [](const NcclModel& model, const Step& step, const Sample& sample) {
    double sum = 0;
    for (const Traffic& traffic : step.ways) {
      for (const Protocol protocol : {Protocol::LL, Protocol::LL128, Protocol::Simple}) {
        if (sample.only != Protocol::None && protocol != sample.only) continue;
        const double seconds = model.price(traffic, sample.bytes, protocol).seconds;
        if (std::isfinite(seconds)) sum += seconds;
      }
    }
    return sum;
  });
}

}  // namespace p2::inline cost
