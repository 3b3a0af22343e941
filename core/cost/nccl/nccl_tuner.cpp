// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/nccl/detail/nccl_tuner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "cost/nccl/detail/nccl_constants_file.h"
#include "cost/nccl/detail/nccl_kinds.h"
#include "cost/nccl/nccl_versions.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline cost {
namespace {

using Triple = std::array<double, 3>;  // by protocol, or on one, two and more nodes
constexpr std::size_t kCorrections = 24;

struct TunerLatencies {
  int since = 0;
  Triple tree{}, ring{}, nvlinkTree{}, nvlinkRing{}, pcieTree{}, pcieRing{}, networkTree{}, networkRing{};
  double multicast = 0;
  double multicastTree = 0;
};

struct TunerChannels {
  int since = 0;
  double ringLL128 = 0;
  Triple tree{};
  Triple treeLL128{};
};

struct TunerFigures {
  std::vector<TunerLatencies> latencies;                              // the newest version first
  std::array<std::vector<TunerChannels>, kGenerationCount> channels;  // newest version first
  std::array<std::array<double, kCorrections>, 3> correction{};
  std::array<std::vector<double>, kGenerationCount> speeds;
};

Triple tripleAt(const JsonValue& row, const char* key) {
  Triple triple{};
  const auto items = row.at(key, {}).items({});
  for (std::size_t i = 0; i < std::min(items.size(), triple.size()); ++i) triple[i] = items[i].number(0, 1e6, {});
  return triple;
}

template <class Use>
void forEachGeneration(const JsonValue& row, const Use& use) {
  for (const JsonValue& item : row.at("on", {}).items({})) use(static_cast<std::size_t>(generationFrom(item.text({}))));
}

TunerFigures loadTuner() {
  TunerFigures figures;
  const auto json = parseJson(ncclTunerFile());
  assert(json.ok());
  std::optional<Error> problem;
  const JsonValue in(*json, problem);
  for (const JsonValue& row : in.at("latencies", {}).items({})) {
    const auto of = [&](const char* key) { return tripleAt(row, key); };
    figures.latencies.insert(
        figures.latencies.begin(),
        {libraryVersion(row.at("since", {}).text({})), of("tree"), of("ring"), of("NVLink tree"), of("NVLink ring"),
         of("PCIe tree"), of("PCIe ring"), of("network tree"), of("network ring"),
         row.at("multicast", {}).number(0, 1e6, {}), row.at("multicast tree", {}).number(0, 1e6, {})});
  }
  for (const JsonValue& row : in.at("channels", {}).items({})) {
    const TunerChannels channels{
        libraryVersion(row.at("since", {}).text({})), row.at("ring, LL128", {}).number(0, 1e6, {}),
        tripleAt(row, "tree, one, two, more nodes"), tripleAt(row, "tree, LL128, one, two, more nodes")};
    forEachGeneration(row, [&](std::size_t generation) {
      figures.channels[generation].insert(figures.channels[generation].begin(), channels);
    });
  }
  const auto corrections = in.at("tree correction by size", {}).items({});
  for (std::size_t protocol = 0; protocol < std::min<std::size_t>(3, corrections.size()); ++protocol) {
    const auto items = corrections[protocol].items({});
    for (std::size_t i = 0; i < std::min(items.size(), kCorrections); ++i)
      figures.correction[protocol][i] = items[i].number(0, 1, {});
  }
  for (const JsonValue& row : in.at("link speeds", {}).items({})) {
    std::vector<double> speeds;
    for (const JsonValue& speed : row.at("GB/s", {}).items({})) speeds.push_back(speed.number(0, 1e6, {}));
    forEachGeneration(row, [&](std::size_t generation) { figures.speeds[generation] = speeds; });
  }
  assert(!problem);
  return figures;
}

const TunerFigures& tunerFigures() {
  static const TunerFigures kFigures = loadTuner();
  return kFigures;
}

/// The row of a version; the oldest one for older versions, the newest for an unknown one.
template <class Row>
const Row& tunerRow(const std::vector<Row>& newestFirst, int version) {
  for (const Row& row : newestFirst) {
    if (version == 0 || version >= row.since) return row;
  }
  return newestFirst.back();
}

double nodeGigabytes(const LibraryView& machine) {
  if (machine.hostLinked) return 24;
  switch (machine.generation) {
    case Generation::Ampere:
      return 240;
    case Generation::Hopper:
      return machine.insideBandwidth > 300e9 ? 360 : 160;
    case Generation::Blackwell:
      return 720;
    default:
      return 120;
  }
}

}  // namespace

TunerGraph tunerGraph(const LibraryView& machine, std::int64_t nodes, std::int64_t local) {
  const double total = nodeGigabytes(machine);
  const bool isNew = machine.generation == Generation::Hopper || machine.generation == Generation::Blackwell;
  if (nodes == 1) {
    if (machine.hostLinked) return {2, 6, 6};
    const double channels = machine.generation == Generation::Blackwell ? 16
                            : machine.generation == Generation::Hopper  ? (total > 200 ? 12 : 8)
                            : machine.generation == Generation::Ampere  ? 12
                                                                        : 6;
    return {channels, total / channels, total / channels};
  }
  TunerGraph graph;
  graph.channels = static_cast<double>(std::clamp<std::int64_t>(machine.nics, 1, std::max<std::int64_t>(1, local)));
  const double nic = std::min(machine.nicBandwidth / 1e9, isNew ? 64.0 : 24.0);
  const auto& speeds = tunerFigures().speeds[static_cast<std::size_t>(machine.generation)];
  const auto fits = [&](double speed) { return speed <= nic * 1.001 && speed * graph.channels <= total; };
  const auto found = std::find_if(speeds.begin(), speeds.end(), fits);
  graph.each = found == speeds.end() ? speeds.back() : *found;
  const bool isLarge = graph.each >= 25 && !(isNew && graph.each < 50 && graph.channels > 4);
  if (isLarge || graph.channels == 1) {
    graph.channels *= 2;
    graph.each /= 2;
  }
  graph.treeEach = std::min(total / graph.channels, 1.99 * graph.each);
  return graph;
}

namespace {

/// A communicator as the tuner sees it.
struct Tuned {
  const Traffic& traffic;
  const LibraryView& machine;
  double bytes;
  std::size_t protocol;  // 0 for LL
  TunerGraph graph;
  const TunerLatencies& latencies;
  const TunerChannels& channels;

  [[nodiscard]] double nodes() const { return static_cast<double>(traffic.nodes); }
  [[nodiscard]] double members() const { return static_cast<double>(traffic.members); }
  [[nodiscard]] double local() const { return std::max(1.0, members() / nodes()); }
  [[nodiscard]] std::size_t tier() const { return traffic.nodes == 1 ? 0 : traffic.nodes == 2 ? 1 : 2; }
  [[nodiscard]] double doublings() const {
    return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(traffic.nodes)) - 1);
  }
  [[nodiscard]] bool isSince(int version) const { return machine.version == 0 || machine.version >= version; }
};

/// µs for these bytes at GB/s.
double microseconds(double bytes, double gigabytes) { return bytes / (1000 * gigabytes); }

double correctionOf(const Tuned& tuned) {
  const double doublings = tuned.bytes < 64 ? 0 : std::floor(std::log2(tuned.bytes / 64));
  return doublings < static_cast<double>(kCorrections)
             ? tunerFigures().correction[tuned.protocol][static_cast<std::size_t>(doublings)]
             : 1;
}

/// From 2.32 on, by how much Blackwell's rings of several steps wait longer in one NVLink domain: less where every rank
/// has more than 256 KiB a channel.
double plateauInside(const Tuned& tuned, double steps) {
  constexpr double kMore = 0.4;
  constexpr double kLess = 0.1;
  constexpr double kLong = 262144;
  const double share = tuned.bytes / (2 * tuned.graph.channels * tuned.members());
  if (share < 64) return 1;
  const double less = kLess * std::clamp((share - kLong) / kLong, 0.0, 1.0);
  return 1 + (1 - std::pow(kLess / kMore, std::max(0.0, steps - 1))) * (kMore - less);
}

double ringMicroseconds(const Tuned& tuned) {
  const Traffic& traffic = tuned.traffic;
  const std::size_t p = tuned.protocol;
  const bool isSum = traffic.collective == Collective::AllReduce;
  const bool isOneSided = isOneWay(traffic.collective);
  const double total = tuned.graph.channels * tuned.graph.each;
  const double most = mostLL(tuned.machine, traffic.nodes) / 1e9;
  const double narrow = traffic.nodes == 1 && isOneSided ? 1.0 / 3 : 0.25;
  double bus = total;
  if (p == 0) bus = std::min(most, total * (tuned.isSince(221) ? 0.5 : narrow));
  if (p == 1) bus = std::min(0.92 * total, tuned.graph.channels * tuned.channels.ringLL128);
  if (p == 1 && tuned.local() < 2 && !tuned.isSince(223)) bus *= 0.7;
  const double steps = isSum ? 2 * (tuned.members() - 1) : isOneSided ? tuned.members() - 1 : tuned.members();
  double across = traffic.nodes == 1 ? 0 : isSum ? 2 * (tuned.nodes() - 1) : tuned.nodes() - 1;
  if (across > 0 && isSum && tuned.isSince(212) && !tuned.isSince(223)) across = 2 * tuned.nodes();
  const double inside = (tuned.machine.hostLinked ? tuned.latencies.pcieRing : tuned.latencies.nvlinkRing)[p];
  const double posting = traffic.nodes == 1 ? 0 : p == 2 ? 3 : 1;
  const bool isSingle = traffic.members == traffic.nodes && tuned.isSince(223);
  const double hop = (isSingle ? tuned.latencies.networkTree : tuned.latencies.networkRing)[p];
  double latency = tuned.latencies.ring[p] + (steps - across) * std::max(inside, posting) + across * hop;
  if (isSum && p == 2 && traffic.nodes > 1 && tuned.bytes >= 128 * tuned.graph.channels * tuned.members())
    latency *= 1.4;
  const bool isNewest = tuned.machine.generation == Generation::Blackwell && tuned.isSince(232);
  if (isNewest && p == 2 && traffic.nodes == 1 && !tuned.machine.hostLinked && (isSum || isOneSided))
    latency *= plateauInside(tuned, steps);
  return latency + microseconds(tuned.bytes, bus * tuned.members() / steps);
}

double treeMicroseconds(const Tuned& tuned) {
  const std::size_t p = tuned.protocol;
  const double each = tuned.traffic.nodes > 2 ? tuned.graph.each : tuned.graph.treeEach;
  const double most =
      std::min(0.92 * tuned.graph.channels * each, tuned.graph.channels * tuned.channels.tree[tuned.tier()]);
  double bus = most;
  if (p == 0) bus = std::min(most / 3.8, mostLL(tuned.machine, tuned.traffic.nodes) / 1e9);
  if (p == 1) {
    bus = std::min(most * (tuned.traffic.nodes == 1 ? 7.0 / 9 : 120.0 / 128),
                   tuned.graph.channels * tuned.channels.treeLL128[tuned.tier()]);
  }
  if (tuned.local() < 2) bus *= 0.85;
  const double inside = (tuned.machine.hostLinked ? tuned.latencies.pcieTree : tuned.latencies.nvlinkTree)[p];
  const double latency =
      tuned.latencies.tree[p] + 2 * ((tuned.local() - 1) * inside + tuned.doublings() * tuned.latencies.networkTree[p]);
  return latency + microseconds(tuned.bytes, bus / 2 * correctionOf(tuned));
}

double multicastMicroseconds(const Tuned& tuned) {
  const bool isHopper = tuned.machine.generation == Generation::Hopper;
  const double heads = tuned.local();
  const double inside = (isHopper ? 40 * 0.85 : 80 * 0.74) * (heads - 1) / heads * 2;
  double each = std::min(inside, isHopper ? 60.0 : 90.0);
  double latency = tuned.latencies.multicast;
  if (tuned.traffic.nodes > 1) {
    const bool isPair = tuned.traffic.nodes == 2;
    const double network = tuned.graph.each * tuned.graph.channels / heads * (isPair ? 2 : 1);
    const double cap = isHopper ? (isPair ? 57.7 : 45.5) : isPair ? 96 : tuned.isSince(230) ? 80 : 43.8;
    each = std::min({inside, network, cap});
    // From v2.29.2-1 to v2.30.7-1 (ncclTopoGetAlgoTime) on x86 alone.
    if (!isHopper && tuned.isSince(229) && !tuned.machine.armHost) each *= correctionOf(tuned);
    latency += 2 * tuned.doublings() * tuned.latencies.multicastTree;
  }
  if (isOneWay(tuned.traffic.collective)) {
    const double open = (heads - 1) / heads;
    return latency + microseconds(tuned.bytes, heads * std::min(inside / 2 * open, isHopper ? 60.0 : 90.0));
  }
  return latency + microseconds(tuned.bytes, heads * each * tuned.members() / (2 * (tuned.members() - 1)));
}

/// Whether LL128 has a way between nodes: not where NICs hang on the processor, before versions that allow it.
bool hasLL128Across(const Tuned& tuned) {
  if (tuned.traffic.nodes == 1 || tuned.machine.network != NetworkKind::Slingshot) return true;
  return tuned.machine.generation == Generation::Hopper && tuned.isSince(227);
}

}  // namespace

double tunerSeconds(const Traffic& traffic, Bytes bytes, Protocol protocol) {
  const LibraryView& machine = *traffic.machine;
  const TunerFigures& figures = tunerFigures();
  const Tuned tuned{traffic,
                    machine,
                    bytes.value(),
                    static_cast<std::size_t>(protocol) - 1,
                    tunerGraph(machine, traffic.nodes, traffic.members / traffic.nodes),
                    tunerRow(figures.latencies, machine.version),
                    tunerRow(figures.channels[static_cast<std::size_t>(machine.generation)], machine.version)};
  if (protocol == Protocol::LL128 && !hasLL128Across(tuned)) return std::numeric_limits<double>::infinity();
  switch (traffic.algorithm) {
    case Algorithm::Tree:
      return 1e-6 * treeMicroseconds(tuned);
    case Algorithm::Nvls:
    case Algorithm::NvlsTree:
      return 1e-6 * multicastMicroseconds(tuned);
    case Algorithm::CollNet:
      return 1e-6 * (2 * (tuned.local() - 1) * 2.8 + 30 + microseconds(tuned.bytes, nodeGigabytes(machine) / 2));
    case Algorithm::Pat:
      return 1e-6 * (8 + tuned.doublings() * 14 / 3.5 + 2.8 * tuned.members() +
                     microseconds(tuned.bytes, 0.75 * tuned.graph.channels * tuned.graph.each));
    case Algorithm::Ring:
    case Algorithm::Direct:
    case Algorithm::Auto:
      break;
  }
  return 1e-6 * ringMicroseconds(tuned);
}

double mostOfTree(const LibraryView& machine, std::int64_t local) {
  if (machine.nics < 1) return std::numeric_limits<double>::infinity();
  const auto& channels = tunerFigures().channels[static_cast<std::size_t>(machine.generation)];
  return 1e9 * tunerRow(channels, machine.version).tree[2] *
         static_cast<double>(std::clamp<std::int64_t>(machine.nics, 1, std::max<std::int64_t>(1, local)));
}

}  // namespace p2::inline cost
