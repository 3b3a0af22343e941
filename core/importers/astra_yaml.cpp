// SPDX-License-Identifier: GPL-3.0-or-later
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/counted.h"
#include "base/numbers.h"
#include "importers/detail/formats.h"

namespace p2::inline importers {
namespace {

/// Real files have about ten lines, and a general reader of YAML takes its time.
constexpr std::size_t kMostBytes = std::size_t{1} << 18;
constexpr std::size_t kMostKeys = 32;  // named one by one

struct TopologyName {
  std::string_view name;
  InterconnectKind kind;
};
constexpr std::array<TopologyName, 3> kTopologies{{{"Ring", InterconnectKind::Ring},
                                                   {"FullyConnected", InterconnectKind::Mesh},
                                                   {"Switch", InterconnectKind::Switch}}};

/// Names in a file: today's YAML, and the JSON of before, in which a device has several links in a dimension.
struct Keys {
  std::array<const char*, 4> lists;  // kind, size, bandwidth and latency of every dimension
  const char* links;                 // links of a device; none where the kind decides
  std::array<const char*, 4> known;  // more keys that are understood or only name things
};
constexpr Keys kToday{{"topology", "npus_count", "bandwidth", "latency"}, nullptr, {}};
constexpr Keys kBefore{{"topologies-per-dim", "units-count", "link-bandwidth", "link-latency"},
                       "links-count",
                       {"topology-name", "dimensions-count", "dimension-type", "links-count"}};

std::string lineOf(const YAML::Node& node) { return "line " + std::to_string(node.Mark().line + 1); }

/// The items of a key's list; a lone value is a list of one.
Result<std::vector<YAML::Node>> listOf(const YAML::Node& root, const char* key) {
  const YAML::Node list = root[key];
  if (!list) return Error{"the key " + std::string(key) + " is missing; it needs one value for every dimension"};
  std::vector<YAML::Node> items;
  if (list.IsScalar()) items.push_back(list);
  for (std::size_t i = 0; list.IsSequence() && i < list.size(); ++i) items.push_back(list[i]);
  for (const YAML::Node& item : items) {
    if (!item.IsScalar()) return Error{std::string(key) + " holds more than plain values", lineOf(item)};
  }
  if (items.empty()) return Error{std::string(key) + " lists nothing; give a value for every dimension", lineOf(list)};
  return items;
}

Result<double> numberOf(const YAML::Node& item, const char* key, bool positive) {
  double value = NAN;
  if (YAML::convert<double>::decode(item, value) && std::isfinite(value) && (positive ? value > 0 : value >= 0)) {
    return value;
  }
  return Error{
      std::string(key) + " is \"" + item.Scalar() + "\"; it needs a number " + (positive ? "above 0" : "of 0 or more"),
      lineOf(item)};
}

Result<InterconnectKind> kindOf(const YAML::Node& item) {
  if (item.Scalar() == "Custom") {
    return Error{"a topology is Custom: its links are in the file that topology_file names; import that file",
                 lineOf(item)};
  }
  for (const TopologyName& known : kTopologies) {
    if (item.Scalar() == known.name) return known.kind;
  }
  return Error{"a topology is \"" + item.Scalar() + "\"; use Ring, FullyConnected or Switch", lineOf(item)};
}

/// One dimension, its interconnect as every single device has it.
struct Dimension {
  Interconnect interconnect;
  std::int64_t count = 1;
};

/// In a dimension's unit, the total bandwidth of a device's links there.
double bundled(InterconnectKind kind, std::int64_t devices, double links) {
  if (kind == InterconnectKind::Ring) return std::max(links / 2, 1.0);
  return kind == InterconnectKind::Mesh
             ? std::max(links / static_cast<double>(std::max(devices - 1, std::int64_t{1})), 1.0)
             : links;
}

Result<std::vector<Dimension>> dimensionsOf(const YAML::Node& root, const Keys& keys) {
  const std::array<const char*, 4>& kKeys = keys.lists;
  std::array<std::vector<YAML::Node>, 5> lists;
  // Before keys are missed that such a network does not have.
  const YAML::Node kinds = root[kKeys[0]];
  for (std::size_t i = 0; kinds && kinds.IsSequence() && i < kinds.size(); ++i) {
    if (kinds[i].IsScalar() && kinds[i].Scalar() == "Custom") P2_TRY(kindOf(kinds[i]));
  }
  if (kinds && kinds.IsScalar() && kinds.Scalar() == "Custom") P2_TRY(kindOf(kinds));
  for (std::size_t i = 0; i < 5; ++i) {
    const char* key = i < 4 ? kKeys[i] : keys.links;
    if (key == nullptr || (i == 4 && !root[key])) break;
    P2_TRY_ASSIGN(auto list, listOf(root, key));
    lists[i] = list;
    if (lists[i].size() == lists[0].size()) continue;
    return Error{std::string(key) + " lists " + countedText(lists[i].size(), "value") + " but " + kKeys[0] + " lists " +
                     std::to_string(lists[0].size()) + "; give one for every dimension",
                 lineOf(root[key])};
  }
  std::vector<Dimension> dimensions;
  for (std::size_t i = 0; i < lists[0].size(); ++i) {
    P2_TRY_ASSIGN(const auto kind, kindOf(lists[0][i]));
    P2_TRY_ASSIGN(const auto count, numberOf(lists[1][i], kKeys[1], true));
    P2_TRY_ASSIGN(const auto bandwidth, numberOf(lists[2][i], kKeys[2], true));
    P2_TRY_ASSIGN(const auto latency, numberOf(lists[3][i], kKeys[3], false));
    if (count != std::floor(count) || count > static_cast<double>(kMostDevices)) {
      return Error{std::string(kKeys[1]) + " is \"" + lists[1][i].Scalar() + "\"; it needs a whole number of 1 to " +
                       std::to_string(kMostDevices),
                   lineOf(lists[1][i])};
    }
    // A message crosses two links of a switch and one of everything else.
    const double crossing = latency * 1e-9 * (kind == InterconnectKind::Switch ? 2 : 1);
    Dimension dimension;
    dimension.interconnect = {kind, bandwidth * 1e9, crossing, lists[0][i].Scalar()};
    dimension.count = static_cast<std::int64_t>(count);
    if (!lists[4].empty()) {
      P2_TRY_ASSIGN(const auto links, numberOf(lists[4][i], keys.links, true));
      dimension.interconnect.bandwidth *= bundled(kind, dimension.count, links);
    }
    dimensions.push_back(std::move(dimension));
  }
  return dimensions;
}

/// Every device has a port of its own in every dimension. Rings and meshes of dimension d stand once for every device
/// of the dimensions inside, which are assigned to them in turn; switches are taken for one, so that all devices are
/// joined.
Network networkOf(const Dimension& dimension, std::size_t number, std::int64_t inside, const std::string& within) {
  Network network;
  network.interconnect = dimension.interconnect;
  network.interconnect.name += "-" + std::to_string(number);
  network.within = within;
  network.instances = dimension.interconnect.kind == InterconnectKind::Switch ? 1 : inside;
  network.assignment = Network::Assignment::InTurn;
  network.members = {{"npu", 0, 0}};
  return network;
}

/// Dimension 0 is the innermost level; each further one a level above it.
System systemOfDimensions(const std::vector<Dimension>& dimensions, bool listed) {
  System system;
  std::int64_t inside = 1;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    Level level{i == 0 ? "npu" : "dim" + std::to_string(i), dimensions[i].count, dimensions[i].interconnect};
    if (i > 0 && listed) {
      const std::string within = i + 1 == dimensions.size() ? "" : "dim" + std::to_string(i + 1);
      system.networks.push_back(networkOf(dimensions[i], i, inside, within));
      level.interconnect.kind = InterconnectKind::None;
    } else {
      level.interconnect.bandwidth *= static_cast<double>(inside);
    }
    system.levels.insert(system.levels.begin(), level);
    inside *= dimensions[i].count;
  }
  system.name = shapeOf(system);
  return system;
}

Result<Imported> importNode(const YAML::Node& root) {
  if (!root.IsMap()) return Error{"it is not a table of keys; topology, npus_count, bandwidth and latency are needed"};
  const Keys& keys = root[kBefore.lists[0]] ? kBefore : kToday;
  P2_TRY_ASSIGN(const auto dimensions, dimensionsOf(root, keys));
  if (dimensions.size() > kMostLevels) {
    return Error{"it has " + countedText(dimensions.size(), "dimension") + "; at most " + std::to_string(kMostLevels) +
                 " can be worked with"};
  }
  std::optional<std::int64_t> devices = 1;
  Imported imported;
  imported.format = &keys == &kBefore ? "ASTRA-sim network JSON" : "ASTRA-sim network";
  for (const Dimension& dimension : dimensions) {
    imported.understood.push_back(dimension.interconnect.name + " of " + std::to_string(dimension.count));
    devices = devices ? checkedProduct(*devices, dimension.count) : devices;
  }
  if (!devices || *devices > kMostDevices) {
    return Error{"its dimensions multiply to more than " + std::to_string(kMostDevices) + " devices"};
  }
  const bool listed = *devices <= kMostListedDevices;
  const bool switched = std::any_of(dimensions.begin() + 1, dimensions.end(), [](const Dimension& dimension) {
    return dimension.interconnect.kind == InterconnectKind::Switch;
  });
  if (switched && listed) {
    imported.assumed.push_back("the switches of one outer dimension joined, each device with its own port");
  } else if (dimensions.size() > 1 && !listed) {
    imported.assumed.push_back("the outer links of neighbouring devices bundled, for over " +
                               std::to_string(kMostListedDevices) + " devices");
  }
  for (const auto& entry : root) {
    const std::string& key = entry.first.Scalar();
    const auto is = [&key](const char* known) { return known != nullptr && key == known; };
    const bool known =
        std::any_of(keys.lists.begin(), keys.lists.end(), is) || std::any_of(keys.known.begin(), keys.known.end(), is);
    if (!known && imported.ignored.size() < kMostKeys) imported.ignored.push_back("the key " + key);
  }
  imported.system = systemOfDimensions(dimensions, listed);
  P2_TRY(checkParts(imported.system));
  return imported;
}

}  // namespace

Result<Imported> importAstra(std::string_view text) {
  if (text.size() > kMostBytes) {
    return Error{"it has " + std::to_string(text.size() >> 10) + " KiB; networks of ASTRA-sim have at most " +
                     std::to_string(kMostBytes >> 10),
                 {},
                 ErrorKind::TooLarge};
  }
  try {
    return importNode(YAML::Load(std::string(text)));
  } catch (const YAML::Exception& error) {
    return Error{"the YAML is broken (" + error.msg + "); ASTRA-sim needs lines such as topology: [Ring, Switch]",
                 "line " + std::to_string(error.mark.line + 1)};
  }
}

}  // namespace p2::inline importers
