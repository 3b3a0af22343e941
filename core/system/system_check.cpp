// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/system_check.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/lists.h"
#include "base/numbers.h"
#include "base/utf8.h"
#include "system/detail/system_shape.h"

namespace p2::inline system {
namespace {

/// Words with single blanks between them, none of them a number: "NIC 0 of node 2" then names one thing only.
bool isTitle(std::string_view name) {
  if (name.size() > 64) return false;
  std::size_t from = 0;
  while (from <= name.size()) {
    const std::size_t to = std::min(name.find(' ', from), name.size());
    const std::string_view word = name.substr(from, to - from);
    if (!isWord(word) || std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); })) {
      return false;
    }
    from = to + 1;
  }
  return true;
}

class NetworkCheck {
 public:
  explicit NetworkCheck(const System& system) : m_system(system) {
    for (std::size_t i = 0; i < system.levels.size(); ++i) m_levels[system.levels[i].name] = i;
  }

  Result<void> run() {
    const std::vector<Network>& networks = m_system.networks;
    for (std::size_t i = 0; i < networks.size(); ++i) P2_TRY(checkName(i).about(partOf(i)));
    for (std::size_t i = 0; i < networks.size(); ++i) P2_TRY(checkPlace(networks[i]).about(partOf(i)));
    const SystemShape shape(m_system);
    for (std::size_t i = 0; i < networks.size(); ++i) P2_TRY(checkMembers(shape, i).about(partOf(i)));
    std::vector<std::size_t> path;
    for (std::size_t i = 0; i < networks.size(); ++i) P2_TRY(checkCycle(i, path));
    return {};
  }

 private:
  static std::string partOf(std::size_t index) { return "/networks/" + std::to_string(index); }
  static std::string placeOf(const Network& network) { return "network " + network.interconnect.name; }

  Result<void> checkName(std::size_t index) {
    const std::string& name = m_system.networks[index].interconnect.name;
    const std::string where = "network " + std::to_string(index + 1);
    if (!isTitle(name)) {
      return Error{"\"" + name +
                       "\" is not a network's name; use words of letters, digits, '-', '_' or '.', none of "
                       "them a number, as in PCIe switch",
                   where}
          .about("/name");
    }
    if (name == kRootName || m_levels.contains(name) || !m_networks.emplace(name, index).second) {
      return Error{"the name \"" + name + "\" is used twice; give every level and network its own", where}.about(
          "/name");
    }
    return {};
  }

  Result<void> checkPlace(const Network& network) const {
    const std::string where = placeOf(network);
    if (!network.within.empty() && !m_levels.contains(network.within)) {
      return Error{"there is no level \"" + network.within + "\" to place it in; use " + levelNames() +
                       ", or nothing for the system itself",
                   where}
          .about("/within");
    }
    const std::size_t depth = depthWithin(m_system, network.within);
    if (depth == m_system.levels.size()) {
      return Error{"it stands within " + network.within + ", which is a single device; use a level above it", where}
          .about("/within");
    }
    if (network.interconnect.kind == InterconnectKind::None) {
      return Error{"a network of kind none joins nothing; use switch, ring, mesh or bus", where}.about(
          "/interconnect/kind");
    }
    if (network.instances < 1) {
      return Error{"it has " + countedText(network.instances, "instance") + "; it needs 1 or more", where}.about(
          "/instances");
    }
    std::int64_t devices = 1;
    for (std::size_t level = depth; level < m_system.levels.size(); ++level) devices *= m_system.levels[level].count;
    if (network.instances > devices) {
      return Error{"it has " + countedText(network.instances, "instance") + " for the " +
                       countedText(devices, "device") + " of " + enclosureName(network) + "; each needs a member",
                   where}
          .about("/instances");
    }
    if (network.members.empty()) return Error{"it has no members; name a level or a network", where}.about("/members");
    return {};
  }

  [[nodiscard]] std::string levelNames() const { return joined(m_system.levels, ", ", &Level::name); }

  static std::string enclosureName(const Network& network) {
    return network.within.empty() ? "the system" : "one " + network.within;
  }

  Result<void> checkMembers(const SystemShape& shape, std::size_t index) const {
    const Network& network = m_system.networks[index];
    std::map<std::string_view, std::map<std::int64_t, std::int64_t>> taken;  // by name: first → last + 1
    for (const Member& member : network.members) {
      P2_TRY(checkMember(shape, index, member));
      auto& ranges = taken[member.of];
      const auto [own, added] = ranges.emplace(member.first, member.first + shape.count(index, member));
      const bool meetsPrevious = own != ranges.begin() && std::prev(own)->second > own->first;
      const bool meetsNext = std::next(own) != ranges.end() && std::next(own)->first < own->second;
      if (!added || meetsPrevious || meetsNext) {
        return Error{member.of + " " + std::to_string(meetsNext && added ? std::next(own)->first : member.first) +
                         " is its member twice; name each once",
                     placeOf(network)}
            .about("/members");
      }
    }
    return {};
  }

  Result<void> checkMember(const SystemShape& shape, std::size_t index, const Member& member) const {
    const Network& network = m_system.networks[index];
    const std::string where = placeOf(network);
    const auto place = shape.find(member.of);
    if (!place)
      return Error{"its member \"" + member.of + "\" is neither a level nor a network", where}.about("/members");
    const std::int64_t there = shape.available(shape.depthOf(index), *place);
    if (there == 0)
      return Error{"its member " + member.of + " is not within " + enclosureName(network), where}.about("/members");
    if (member.first < 0 || member.count < 0 || member.first >= there || member.count > there - member.first) {
      return Error{"it has members from " + member.of + " " + std::to_string(member.first) + " on, " +
                       (member.count == 0 ? "all" : std::to_string(member.count)) + " of them, but " +
                       enclosureName(network) + " has " + std::to_string(there),
                   where}
          .about("/members");
    }
    const std::int64_t count = shape.count(index, member);
    if (count % network.instances != 0) {
      return Error{std::to_string(count) + " " + member.of + " cannot be assigned to " +
                       countedText(network.instances, "instance") + " in equal shares; use a number that divides them",
                   where}
          .about("/instances");
    }
    return {};
  }

  Result<void> checkCycle(std::size_t index, std::vector<std::size_t>& path) {
    if (m_acyclic.contains(index)) return {};
    const Network& network = m_system.networks[index];
    if (std::find(path.begin(), path.end(), index) != path.end()) {
      return Error{"it contains itself through its members; leave one of them out", placeOf(network)}.about(
          partOf(index) + "/members");
    }
    path.push_back(index);
    for (const Member& member : network.members) {
      const auto inner = m_networks.find(member.of);
      if (inner == m_networks.end()) continue;
      P2_TRY(checkCycle(inner->second, path));
    }
    path.pop_back();
    m_acyclic.insert(index);
    return {};
  }

  const System& m_system;
  std::map<std::string_view, std::size_t> m_levels;
  std::map<std::string_view, std::size_t> m_networks;
  std::set<std::size_t> m_acyclic;
};

}  // namespace

bool isWord(std::string_view name) {
  if (!isUtf8(name)) return false;  // no file could hold it
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c >= 0x80;
  });
}

Result<void> checkNetworks(const System& system) { return NetworkCheck(system).run(); }

}  // namespace p2::inline system
