// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/pasted_text.h"
#include "base/units.h"
#include "importers/detail/machine.h"

namespace p2::inline importers {
namespace {

constexpr std::size_t kMostEnds = 65536;

/// "4xHDR" as bytes/s and direction, after line coding; 0 for none.
double infiniBandSpeed(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, double>, 9> kLanes{{{"SDR", 2},
                                                                       {"DDR", 4},
                                                                       {"QDR", 8},
                                                                       {"FDR10", 10},
                                                                       {"FDR", 13.64},
                                                                       {"EDR", 25},
                                                                       {"HDR", 50},
                                                                       {"NDR", 100},
                                                                       {"XDR", 200}}};
  const std::size_t cross = word.find('x');
  const auto width = cross == std::string_view::npos ? std::nullopt : parseInteger(word.substr(0, cross));
  if (!width || *width < 1 || *width > 12) return 0;
  const auto lane = std::find_if(kLanes.begin(), kLanes.end(),
                                 [&](const auto& each) { return word.substr(cross + 1) == each.first; });
  return lane == kLanes.end() ? 0 : static_cast<double>(*width) * lane->second * 1e9 / 8;
}

/// The text between the first two quotation marks from `at` on.
std::string_view quotedText(std::string_view line, std::size_t at = 0) {
  const std::size_t open = line.find('"', at);
  const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
  return close == std::string_view::npos ? std::string_view() : line.substr(open + 1, close - open - 1);
}

struct Cable {
  std::string to;
  double bandwidth = 0;
};

struct End {
  std::string host;  ///< first word of an adapter's description
  bool isSwitch = false;
  std::vector<Cable> cables;
};

class CablingReader {
 public:
  Result<Imported> read(std::string_view text) {
    for (const std::string_view line : filledLines(text)) take(line);
    if (m_ends.size() > kMostEnds) return Error{"it has over 65536 switches and adapters"};
    P2_TRY(collect());
    write();
    P2_TRY(checkParts(m_imported.system));
    return std::move(m_imported);
  }

 private:
  void take(std::string_view line) {
    const std::vector<std::string_view> words = wordsOfLine(line);
    if (words[0] == "Switch" || words[0] == "Ca") {
      const std::size_t comment = line.find('#');
      m_current = std::string(quotedText(line));
      End& end = m_ends[m_current];
      end.isSwitch = words[0] == "Switch";
      const std::string_view name = comment == std::string_view::npos ? m_current : quotedText(line, comment);
      end.host = std::string(name.substr(0, name.find(' ')));
    } else if (words[0].starts_with('[') && !m_current.empty()) {
      const double bandwidth = infiniBandSpeed(words.back());
      if (bandwidth > 0) m_ends[m_current].cables.push_back({std::string(quotedText(line)), bandwidth});
    }
  }

  /// The switches of every host, and how much leads up from those.
  Result<void> collect() {
    for (const auto& [id, end] : m_ends) {
      if (end.isSwitch) continue;
      for (const Cable& cable : end.cables) {
        const auto found = m_ends.find(cable.to);
        if (found == m_ends.end() || !found->second.isSwitch) continue;
        m_leavesOf[end.host].insert(cable.to);
        m_portOf[end.host] += cable.bandwidth;
        m_hostsOf[cable.to].insert(end.host);
      }
    }
    if (m_leavesOf.size() < 2) {
      return Error{
          "it has fewer than two hosts on switches; give all that ibnetdiscover prints, run where it may see the "
          "fabric"};
    }
    for (const auto& [leaf, hosts] : m_hostsOf) {
      double up = 0;
      for (const Cable& cable : m_ends.at(leaf).cables) {
        const auto found = m_ends.find(cable.to);
        if (found != m_ends.end() && found->second.isSwitch) up += cable.bandwidth;
      }
      m_up = m_up > 0 ? std::min(m_up, up) : up;
    }
    return {};
  }

  /// Whether every host is on one switch, and all switches have as many hosts.
  [[nodiscard]] bool isTree() const {
    const std::size_t each = m_hostsOf.begin()->second.size();
    return m_hostsOf.size() > 1 && m_up > 0 &&
           std::all_of(m_leavesOf.begin(), m_leavesOf.end(), [](const auto& row) { return row.second.size() == 1; }) &&
           std::all_of(m_hostsOf.begin(), m_hostsOf.end(), [&](const auto& row) { return row.second.size() == each; });
  }

  void write() {
    double port = 0;
    double most = 0;
    for (const auto& [host, bandwidth] : m_portOf) {
      port = port > 0 ? std::min(port, bandwidth) : bandwidth;
      most = std::max(most, bandwidth);
    }
    const std::size_t hosts = m_leavesOf.size();
    const auto switches = static_cast<std::size_t>(
        std::count_if(m_ends.begin(), m_ends.end(), [](const auto& row) { return row.second.isSwitch; }));
    m_imported.format = "ibnetdiscover";
    m_imported.understood = {countedText(hosts, "host"), countedText(switches, "switch", "switches"),
                             countedText(m_hostsOf.size(), "switch", "switches") + " with hosts",
                             formatBandwidth(port) + " from a host"};
    if (most > port) m_imported.assumed.push_back("the slowest host's ports for all");
    m_imported.assumed.push_back(
        "a host is one device: the file does not show its GPUs; import one node, with "
        "--nodes " +
        std::to_string(hosts) + " and these figures");
    const Interconnect host{InterconnectKind::Switch, port, 0, "leaf"};
    System& system = m_imported.system;
    if (isTree()) {
      const std::size_t each = m_hostsOf.begin()->second.size();
      system.levels = {
          {"leaf", static_cast<std::int64_t>(m_hostsOf.size()), {InterconnectKind::Switch, m_up, 0, "spine"}},
          {"host", static_cast<std::int64_t>(each), host}};
      const double down = static_cast<double>(each) * port;
      m_imported.understood.push_back(formatBandwidth(m_up) + " up from a leaf, " + formatPercent(m_up / down) +
                                      " of its hosts' ports");
    } else {
      system.levels = {{"host", static_cast<std::int64_t>(hosts), host}};
      const bool rails =
          std::all_of(m_leavesOf.begin(), m_leavesOf.end(), [](const auto& row) { return row.second.size() > 1; });
      m_imported.assumed.push_back(
          rails ? "the switches carry as much as the hosts' ports: hosts are on several switches, as on rails"
                : "the switches carry as much as the hosts' ports: they are no equal leaves");
    }
    system.name = shapeOf(system);
  }

  std::map<std::string, End> m_ends;
  std::string m_current;
  std::map<std::string, std::set<std::string>> m_leavesOf;  // by host
  std::map<std::string, std::set<std::string>> m_hostsOf;   // by switch
  std::map<std::string, double> m_portOf;
  double m_up = 0;
  Imported m_imported;
};

}  // namespace

Result<Imported> importIbCabling(std::string_view text) { return CablingReader().read(text); }

}  // namespace p2::inline importers
