// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/torus_loads.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace p2::inline cost {
namespace {

/// Pairs of smaller groups are counted one by one.
constexpr std::size_t kFewMembers = 8;

/// Sums over up to `most` places after a place of a ring, without the place itself.
class RingSums {
 public:
  explicit RingSums(std::span<const std::int32_t> values) : m_size(values.size()), m_sums(2 * values.size() + 1) {
    for (std::size_t i = 0; i < 2 * m_size; ++i) m_sums[i + 1] = m_sums[i] + values[i % m_size];
  }
  [[nodiscard]] std::int32_t after(std::size_t place, std::size_t most) const {
    return m_sums[place + 1 + most] - m_sums[place + 1];
  }
  [[nodiscard]] std::int32_t before(std::size_t place, std::size_t most) const {
    return m_sums[place + m_size] - m_sums[place + m_size - most];
  }
  /// As before(), but only the places from which the way goes round the end of the ring.
  [[nodiscard]] std::int32_t beforeRound(std::size_t place, std::size_t most) const {
    return most <= place ? 0 : m_sums[m_size] - m_sums[place + m_size - most];
  }

 private:
  std::size_t m_size;
  std::vector<std::int32_t> m_sums;
};

/// Adds the changes along one direction: flows from each place to up to `most` places after it.
void addShorter(std::span<std::int32_t> changes, std::span<const std::int32_t> senders,
                std::span<const std::int32_t> receivers, std::size_t most) {
  const RingSums sent(senders);
  const RingSums received(receivers);
  for (std::size_t place = 0; place < changes.size(); ++place) {
    if (senders[place] > 0) changes[place] += senders[place] * received.after(place, most);
    if (place == 0 || receivers[place] == 0) continue;
    changes[place] -= receivers[place] * sent.before(place, most);
    changes[0] += receivers[place] * sent.beforeRound(place, most);
  }
}

std::vector<std::int32_t> reversed(std::span<const std::int32_t> values) { return {values.rbegin(), values.rend()}; }

/// How many members stand at a place of a ring, by ascending place.
using Stands = std::map<std::int32_t, std::int32_t>;

std::vector<std::int32_t> byPlace(const Stands& stands, std::int32_t size) {
  std::vector<std::int32_t> counts(static_cast<std::size_t>(size));
  for (const auto& [place, count] : stands) counts[static_cast<std::size_t>(place)] = count;
  return counts;
}

/// Members that have the places of a device in some networks.
struct Ends {
  Device device;
  Stands stands;  ///< by their places in one more network
};

/// Members by their places in the networks first … last−1.
std::map<std::int64_t, Ends> endsOf(const TorusRoutes& torus, const DeviceGroup& group, std::size_t network,
                                    std::size_t first, std::size_t last) {
  std::map<std::int64_t, Ends> ends;
  for (const Device device : group) {
    std::int64_t key = 0;
    for (std::size_t i = first; i < last; ++i) key = key * torus.sizes()[i] + torus.placeOf(device, i);
    Ends& own = ends.try_emplace(key, Ends{device, {}}).first->second;
    ++own.stands[torus.placeOf(device, network)];
  }
  return ends;
}

}  // namespace

std::vector<std::int32_t>& TorusLoads::changesOf(double bytes) {
  // Flows of one group after the other are equal.
  if (m_last.second != nullptr && m_last.first == bytes) return *m_last.second;
  std::vector<std::int32_t>& changes = m_changes[bytes];
  if (changes.empty()) changes.resize(m_torus.slotCount());
  m_last = {bytes, &changes};
  return changes;
}

void TorusLoads::addRun(std::vector<std::int32_t>& changes, const TorusRoutes::Run& run, std::int32_t flows) const {
  const auto at = [&](std::int32_t place) -> std::int32_t& {
    return changes[run.ring + static_cast<std::size_t>(place)];
  };
  const std::int32_t end = run.first + run.count;
  at(run.first) += flows;
  if (end < run.size) at(end) -= flows;
  if (end <= run.size) return;
  at(0) += flows;
  at(end - run.size) -= flows;
}

void TorusLoads::add(Device from, Device to, double bytes) {
  std::vector<std::int32_t>& changes = changesOf(bytes);
  m_torus.eachRun(from, to, [&](const TorusRoutes::Run& run) { addRun(changes, run, 1); });
}

void TorusLoads::addRing(std::vector<std::int32_t>& changes, Device device, std::size_t network,
                         const std::map<std::int32_t, std::int32_t>& senders,
                         const std::map<std::int32_t, std::int32_t>& receivers) const {
  const auto addPair = [&](std::int32_t from, std::int32_t to, std::int32_t flows) {
    addRun(changes, m_torus.runTo(m_torus.along(device, network, from), network, to), flows);
  };
  const std::int32_t size = m_torus.sizes()[network];
  if (senders.size() * receivers.size() <= static_cast<std::size_t>(size)) {
    for (const auto& [from, sent] : senders) {
      for (const auto& [to, received] : receivers) {
        if (from != to) addPair(from, to, sent * received);
      }
    }
    return;
  }
  const std::vector<std::int32_t> sent = byPlace(senders, size);
  const std::vector<std::int32_t> received = byPlace(receivers, size);
  const auto shorter = static_cast<std::size_t>((size - 1) / 2);
  const auto slots = [&](bool forward) {
    return std::span(changes).subspan(m_torus.ringOf(device, network, forward).begin, sent.size());
  };
  addShorter(slots(true), sent, received, shorter);
  addShorter(slots(false), reversed(sent), reversed(received), shorter);
  if (size % 2 != 0) return;
  for (const auto& [from, count] : senders) {
    const std::int32_t to = (from + size / 2) % size;
    const std::int32_t flows = count * received[static_cast<std::size_t>(to)];
    if (flows > 0) addPair(from, to, flows);
  }
}

// A route goes along one network after the other. On a ring of one of them it has its receiver's places in the networks
// before and its sender's places in the networks after. So each sender with the ring's later places sends along it to
// each receiver with the ring's earlier places.
void TorusLoads::addExchange(const DeviceGroup& group, double bytes) {
  if (group.size() < kFewMembers) {
    for (const Device from : group) {
      for (const Device to : group) {
        if (from != to) add(from, to, bytes);
      }
    }
    return;
  }
  std::vector<std::int32_t>& changes = changesOf(bytes);
  const std::size_t networks = m_torus.sizes().size();
  for (std::size_t network = 0; network < networks; ++network) {
    const auto senders = endsOf(m_torus, group, network, network + 1, networks);
    const auto receivers = endsOf(m_torus, group, network, 0, network);
    for (const auto& [later, sending] : senders) {
      for (const auto& [earlier, receiving] : receivers) {
        Device onRing = sending.device;
        for (std::size_t i = 0; i < network; ++i)
          onRing = m_torus.along(onRing, i, m_torus.placeOf(receiving.device, i));
        addRing(changes, onRing, network, sending.stands, receiving.stands);
      }
    }
  }
}

void TorusLoads::addLine(std::vector<std::int32_t>& changes, Device device, const TorusRings::Line& line) const {
  const std::int32_t size = m_torus.sizes()[line.network];
  const std::int32_t count = line.closed ? size : line.stride * (line.members - 1);
  const std::int32_t first = line.closed ? 0 : line.first;
  const std::int32_t back = line.closed ? 0 : size - 1 - (line.first + count);
  addRun(changes, {m_torus.ringOf(device, line.network, true).begin, size, first, count, 0}, 1);
  addRun(changes, {m_torus.ringOf(device, line.network, false).begin, size, back, count, 0}, 1);
}

// All links of the rings are busy until the end. The groups in between share them.
std::optional<TorusRings> TorusLoads::addRings(const Topology& topology, const DeviceGroup& group, double bytes) {
  auto rings = torusRings(topology, m_torus, group);
  if (!rings) return std::nullopt;
  // A single ring carries (n − 1)/n of the gathered vector.
  const double gathered = bytes / flowFactor(Collective::AllGather, FlowShape::Ring, std::int64_t(group.size()));
  const double link = topology.bandwidth(m_torus.linkAt(0));
  for (const TorusRings::Line& line : rings->lines) {
    std::vector<std::int32_t>& changes = changesOf(gathered * rings->gatherSeconds * link / line.stride);
    for (const Device device : group) {
      if (m_torus.placeOf(device, line.network) == line.first) addLine(changes, device, line);
    }
  }
  return rings;
}

/// Bytes by link.
std::vector<double> TorusLoads::sums() const {
  const std::vector<TorusRoutes::Ring>& rings = m_torus.rings();
  std::vector<double> sums(m_torus.slotCount());
  for (const auto& [bytes, changes] : m_changes) {
    for (const TorusRoutes::Ring& ring : rings) {
      std::int32_t flows = 0;
      for (std::size_t slot = ring.begin; slot < ring.end; ++slot) {
        flows += changes[slot];
        sums[m_torus.linkAt(slot).index()] += bytes * flows;
      }
    }
  }
  return sums;
}

void TorusLoads::addTo(LinkLoads& loads) const {
  const std::vector<double> bytes = sums();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] > 0) loads.add(LinkId(static_cast<std::int64_t>(i)), bytes[i]);
  }
}

std::vector<std::int64_t> TorusLoads::multiples() const {
  constexpr double kMost = 1024;
  std::vector<std::int64_t> multiples;
  for (const auto& [bytes, changes] : m_changes) {
    const double multiple = bytes / m_changes.begin()->first;
    if (!(multiple <= kMost) || std::round(multiple) != multiple) return {};
    multiples.push_back(static_cast<std::int64_t>(multiple));
  }
  return multiples;
}

/// Where all flows are multiples of the smallest, as halves and wholes are: without summing bytes up for every link.
std::vector<LinkLoad> TorusLoads::busiestOf(const Topology& topology, std::span<const std::int64_t> multiples) const {
  const std::size_t levels = topology.system()->levels.size();
  const double bandwidth = topology.bandwidth(m_torus.linkAt(0));
  std::vector<const std::vector<std::int32_t>*> changes;
  for (const auto& [bytes, own] : m_changes) changes.push_back(&own);
  std::vector<std::pair<std::int64_t, LinkId>> most(topology.system()->networks.size());
  for (const TorusRoutes::Ring& ring : m_torus.rings()) {
    auto& [busiest, link] = most[m_torus.networkOf(m_torus.linkAt(ring.begin))];
    std::int64_t flows = 0;
    for (std::size_t slot = ring.begin; slot < ring.end; ++slot) {
      for (std::size_t i = 0; i < changes.size(); ++i) flows += multiples[i] * (*changes[i])[slot];
      if (flows == 0 || flows < busiest) continue;
      if (flows > busiest || m_torus.linkAt(slot) < link) link = m_torus.linkAt(slot);
      busiest = flows;
    }
  }
  std::vector<LinkLoad> loads;
  for (std::size_t network = 0; network < most.size(); ++network) {
    const auto& [flows, link] = most[network];
    if (flows == 0) continue;
    loads.push_back({link, m_changes.begin()->first * static_cast<double>(flows), bandwidth, levels + network});
  }
  std::sort(loads.begin(), loads.end(), [](const LinkLoad& a, const LinkLoad& b) { return a.link < b.link; });
  return loads;
}

std::vector<LinkLoad> TorusLoads::busiestLinks(const Topology& topology) const {
  if (const auto multiples = this->multiples(); !multiples.empty()) return busiestOf(topology, multiples);
  const std::vector<double> bytes = sums();
  const std::size_t levels = topology.system()->levels.size();
  std::vector<LinkLoad> busiest(topology.system()->networks.size());
  const double bandwidth = topology.bandwidth(m_torus.linkAt(0));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] <= 0) continue;
    const LinkId link(static_cast<std::int64_t>(i));
    const std::size_t network = m_torus.networkOf(link);
    const LinkLoad load{link, bytes[i], bandwidth, levels + network};
    if (load.isBusierThan(busiest[network])) busiest[network] = load;
  }
  std::erase_if(busiest, [](const LinkLoad& load) { return load.link.isNone(); });
  std::sort(busiest.begin(), busiest.end(), [](const LinkLoad& a, const LinkLoad& b) { return a.link < b.link; });
  return busiest;
}

namespace {

/// The farthest of some places of a ring from each other, in links.
std::int32_t farthest(const std::vector<bool>& places) {
  const std::size_t size = places.size();
  for (std::size_t apart = size / 2; apart > 0; --apart) {
    for (std::size_t place = 0; place < size; ++place) {
      if (places[place] && places[(place + apart) % size]) return static_cast<std::int32_t>(apart);
    }
  }
  return 0;
}

}  // namespace

double slowestExchange(const TorusRoutes& torus, const DeviceGroup& group) {
  double ofBlock = 0;
  std::size_t block = 1;
  for (std::size_t network = 0; network < torus.sizes().size(); ++network) {
    std::vector<bool> places(static_cast<std::size_t>(torus.sizes()[network]));
    for (const Device device : group) places[static_cast<std::size_t>(torus.placeOf(device, network))] = true;
    block *= static_cast<std::size_t>(std::count(places.begin(), places.end(), true));
    ofBlock += farthest(places) * torus.latencies()[network];
  }
  if (block == group.size()) return ofBlock;
  double slowest = 0;
  for (const Device from : group) {
    for (const Device to : group) slowest = std::max(slowest, torus.routeLatency(from, to));
  }
  return slowest;
}

Hops ringHops(Collective collective, const TorusRoutes& torus, const TorusRings& rings) {
  Hops hops;
  for (const TorusRings::Line& line : rings.lines) {
    hops.count += traitsOf(collective).rounds * (line.members - 1);
    hops.latency = std::max(hops.latency, line.stride * torus.latencies()[line.network]);
  }
  return hops;
}

}  // namespace p2::inline cost
