// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/prediction_ranges.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include "base/near.h"
#include "cost/nccl/detail/nccl_constants_file.h"
#include "system/system.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline cost {
namespace {

constexpr std::size_t kFewest = 4;
constexpr std::size_t kEnoughForTwoEnds = 9;
constexpr double kInside = 0.8;
/// Quantile of the normal distribution: the deviation that 10 % exceed.
constexpr double kTenth = 1.2816;

struct Weighted {
  double value;
  double weight;
};

/// The smallest value that at least this share of the weight does not exceed.
double quantileOf(const std::vector<Weighted>& sorted, double share) {
  double all = 0;
  for (const Weighted& one : sorted) all += one.weight;
  double sum = 0;
  for (const Weighted& one : sorted) {
    sum += one.weight;
    if (!definitelyLess(sum, share * all)) return one.value;
  }
  return sorted.back().value;
}

std::vector<Weighted> sortedBy(std::span<const HeldOutTime> times, double (*valueOf)(double)) {
  std::vector<Weighted> values;
  for (const HeldOutTime& time : times) values.push_back({valueOf(std::log(time.ratio)), time.weight});
  std::sort(values.begin(), values.end(), [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  return values;
}

ErrorRange rangeOf(std::span<const HeldOutTime> times) {
  if (times.size() < kFewest) return {};
  const double more = 1 + 1 / static_cast<double>(times.size());
  double up = 0;
  double down = 0;
  if (times.size() < kEnoughForTwoEnds) {
    up = down =
        quantileOf(sortedBy(times, [](double value) { return std::abs(value); }), std::min(1.0, kInside * more));
  } else {
    const double share = std::min(1.0, (1 + kInside) / 2 * more);
    up = std::max(0.0, quantileOf(sortedBy(times, [](double value) { return value; }), share));
    down = std::max(0.0, quantileOf(sortedBy(times, [](double value) { return -value; }), share));
  }
  double squares = 0;
  for (const HeldOutTime& time : times) squares += time.spread * time.spread;
  const double left = kTenth * std::sqrt(squares / static_cast<double>(times.size()));
  return {std::exp(-std::hypot(down, left)), std::exp(std::hypot(up, left)), static_cast<std::int64_t>(times.size())};
}

std::vector<RangeCell> everyCell() {
  std::vector<RangeCell> cells;
  for (std::size_t kind = 0; kind < kStepKinds; ++kind) {
    for (const bool across : {false, true}) {
      for (std::size_t band = 0; band < kSizeBands; ++band) cells.push_back({kind, across, band});
    }
  }
  return cells;
}

constexpr std::array<std::string_view, kNetworkKindCount> kNetworkNames{"other",     "InfiniBand", "RoCE",
                                                                        "Slingshot", "EFA",        "TCP"};

std::vector<RangePower> powersFrom(const JsonValue& list) {
  std::vector<RangePower> powers;
  for (const JsonValue& row : list.items({})) {
    const std::string name = row.at("network", {}).text({});
    const auto found = std::find(kNetworkNames.begin(), kNetworkNames.end(), name);
    if (found == kNetworkNames.end()) row.fail("\"" + name + "\" is not a kind of network");
    const std::string sizes = row.at("sizes", {}).text({});
    const auto band = std::find(kPowerSizeNames.begin(), kPowerSizeNames.end(), sizes);
    if (band == kPowerSizeNames.end()) row.fail("\"" + sizes + "\" is not a band of sizes");
    powers.push_back(
        {static_cast<NetworkKind>(found - kNetworkNames.begin()), row.at("up_to_nodes", {}).whole(1, kMostDevices, {}),
         static_cast<std::size_t>(band - kPowerSizeNames.begin()), row.at("power", {}).number(0, 100, {})});
  }
  return powers;
}

PredictionRanges shipped() {
  PredictionRanges ranges;
  const auto json = parseJson(ncclRangesFile());
  assert(json.ok());
  std::optional<Error> problem;
  const JsonValue in(*json, problem);
  ranges.setMostNodes(in.at("most_nodes", {}).whole(1, kMostDevices, {}));
  ranges.setMostLargeNodes(in.at("most_large_nodes", {}).whole(0, kMostDevices, {}));
  const std::vector<JsonValue> items = in.at("ranges", {}).items({});
  assert(items.size() == rangeCells().size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    ranges.of(rangeCells()[i]) = {items[i].at("low", {}).number(0, 1, {}), items[i].at("high", {}).number(1, 1e9, {}),
                                  items[i].at("measurements", {}).whole(0, 1'000'000, {})};
  }
  ranges.setPowers(powersFrom(in.at("powers", {})));
  assert(!problem);
  return ranges;
}

double widening(std::int64_t nodes, std::int64_t mostNodes, double power) {
  if (mostNodes == 0 || nodes <= mostNodes) return 1;
  return std::pow(static_cast<double>(nodes) / static_cast<double>(mostNodes), power);
}

/// How far out a time is in its range: 0 at the prediction, 1 at the end on its side.
double depthOf(const HeldOutTime& time, const ErrorRange& range) {
  const double end = std::log(time.ratio < 1 ? range.low : range.high);
  const double off = std::log(time.ratio);
  if (off == 0) return 0;
  constexpr double kNarrow = 1e-6;
  return std::abs(off) / std::max(std::abs(end), kNarrow);
}

}  // namespace

double GroupReach::nodeSize() const {
  constexpr double kMeasuredSize = 8;
  if (nodes < 1 || members <= nodes) return 1;
  return std::max(1.0, static_cast<double>(members) / static_cast<double>(nodes) / kMeasuredSize);
}

std::int64_t GroupReach::equalNodes() const { return std::llround(std::ceil(static_cast<double>(nodes) * nodeSize())); }

std::string_view nameOf(NetworkKind network) { return kNetworkNames[static_cast<std::size_t>(network)]; }

double PredictionRanges::powerFor(NetworkKind network, std::int64_t nodes, std::size_t sizes) const {
  double power = 1;
  for (const RangePower& each : m_powers) {
    if (each.network != network || each.sizes != sizes) continue;
    power = each.power;
    if (nodes <= each.upToNodes) break;
  }
  return power;
}

ErrorRange PredictionRanges::ofFittedSite(ErrorRange range, const ErrorRange& others, std::int64_t nodes) const {
  const bool beyond = m_mostNodes > 0 && nodes > m_mostNodes;
  if (!beyond) return range;
  // Two nodes say nothing of what grows with the nodes.
  const double measured = std::log(std::max(2.0, static_cast<double>(m_mostNodes)) / 2);
  const double asked = std::log(static_cast<double>(nodes) / 2);
  const double further = std::log(widening(nodes, m_mostNodes, m_further));
  const auto grown = [&](double own) { return (measured > 0 ? own * asked / measured : own) + further; };
  const double low = -std::log(range.low);
  const double high = std::log(range.high);
  if (!others.isKnown()) return {std::exp(-grown(low)), std::exp(grown(high)), range.measurements};
  const auto end = [&](double own, double other) {
    return measured > 0 ? std::min(grown(own), own + other) : own + other;
  };
  return {std::exp(-end(low, -std::log(others.low))), std::exp(end(high, std::log(others.high))), range.measurements};
}

ErrorRange PredictionRanges::at(const RangeCell& cell, NetworkKind network, const GroupReach& reach,
                                Bytes bytes) const {
  const ErrorRange others = m_others ? m_others->at(cell, network, reach, bytes) : ErrorRange{};
  ErrorRange range = of(cell);
  if (!range.isKnown()) return others;
  const std::int64_t nodes = reach.equalNodes();
  const double power =
      cell.acrossNodes ? powerFor(network, nodes, powerSize(bytes)) : powerFor(NetworkKind::Other, 1, powerSize(bytes));
  range.low = std::pow(range.low, power);
  range.high = std::pow(range.high, power);
  if (!cell.acrossNodes) return range;
  // The site itself was measured on nodes of this size.
  if (m_others) return ofFittedSite(range, others, reach.nodes);
  const double ofLarge = reach.nodeSize() > 1 ? widening(reach.nodes, m_mostLargeNodes, m_further) : 1;
  const double further =
      std::max(widening(nodes, m_mostNodes, m_further), ofLarge) * std::pow(reach.nodeSize(), m_further);
  return {range.low / further, range.high * further, range.measurements};
}

double powerOf(std::span<const HeldOutTime> times, const PredictionRanges& ranges, double share) {
  std::vector<Weighted> depths;
  for (const HeldOutTime& time : times) {
    const ErrorRange& range = ranges.of(time.cell);
    if (range.isKnown()) depths.push_back({depthOf(time, range), time.weight});
  }
  if (depths.empty()) return 1;
  std::sort(depths.begin(), depths.end(), [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  return quantileOf(depths, share);
}

std::size_t sizeBand(Bytes bytes) {
  if (definitelyLess(bytes.value(), 65536)) return 0;
  return definitelyLess(4194304, bytes.value()) ? 2 : 1;
}

std::size_t powerSize(Bytes bytes) {
  constexpr double kLarge = 268435456;
  const std::size_t band = sizeBand(bytes);
  return band < kSizeBands - 1 || definitelyLess(bytes.value(), kLarge) ? band : band + 1;
}

std::optional<std::size_t> stepKind(Collective collective) {
  switch (collective) {
    case Collective::AllReduce:
      return 0;
    case Collective::ReduceScatter:
    case Collective::AllGather:
      return 1;
    case Collective::Reduce:
    case Collective::Broadcast:
      return 2;
    case Collective::AllToAll:
      return 3;
    case Collective::Scatter:
      break;
  }
  return std::nullopt;
}

RangeCell cellOf(const System& system, const LoweredStep& step, Bytes bytes) {
  const std::int64_t nodeDevices = system.deviceCount() / nodeCount(system);
  RangeCell cell{stepKind(step.collective).value_or(kStepKinds), false, 0};
  double most = 0;
  for (const LoweredGroup& group : step.groups) {
    most = std::max(most, workingShare(step.collective, group));
    for (const Device device : group.devices) {
      cell.acrossNodes = cell.acrossNodes || device.value() / nodeDevices != group.devices[0].value() / nodeDevices;
    }
  }
  cell.band = sizeBand(bytes * most);
  return cell;
}

std::span<const RangeCell> rangeCells() {
  static const std::vector<RangeCell> kCells = everyCell();
  return kCells;
}

PredictionRanges rangesOf(std::span<const HeldOutTime> times) {
  std::map<RangeCell, std::vector<HeldOutTime>> byCell;
  for (const HeldOutTime& time : times) {
    if (time.cell.kind < kStepKinds) byCell[time.cell].push_back(time);
  }
  PredictionRanges ranges;
  for (const HeldOutTime& time : times) {
    ranges.setMostNodes(std::max(ranges.mostNodes(), time.reach.equalNodes()));
    // One node, however large, says nothing of several.
    if (time.reach.nodeSize() > 1 && time.reach.nodes > 1)
      ranges.setMostLargeNodes(std::max(ranges.mostLargeNodes(), time.reach.nodes));
  }
  for (const auto& [cell, some] : byCell) ranges.of(cell) = rangeOf(some);
  return ranges;
}

const PredictionRanges& ncclRanges() {
  static const PredictionRanges kRanges = shipped();
  return kRanges;
}

}  // namespace p2::inline cost
