// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <set>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/pasted_text.h"
#include "base/units.h"
#include "importers/detail/cabling.h"
#include "importers/detail/formats.h"
#include "importers/detail/words.h"

namespace p2::inline importers {
namespace {

constexpr std::int64_t kMostLinkedNodes = 65536;

/// "400Gbps", "0.0005ms": a number and its unit.
std::optional<double> withUnit(std::string_view word, std::span<const std::pair<std::string_view, double>> units) {
  const std::size_t end = std::min(word.find_first_not_of("0123456789.eE+-"), word.size());
  double value = 0;
  if (!readNumber(word.substr(0, end), value) || value < 0 || value > 1e12) return std::nullopt;
  const auto unit =
      std::find_if(units.begin(), units.end(), [&](const auto& each) { return each.first == word.substr(end); });
  if (unit == units.end()) return std::nullopt;
  return value * unit->second;
}

constexpr std::array<std::pair<std::string_view, double>, 6> kRates{
    {{"Gbps", 1e9 / 8}, {"Mbps", 1e6 / 8}, {"Kbps", 1e3 / 8}, {"bps", 1.0 / 8}, {"GBps", 1e9}, {"Tbps", 1e12 / 8}}};
constexpr std::array<std::pair<std::string_view, double>, 4> kDelays{
    {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};

/// Heads of the two dialects: nodes, switches, links; and nodes, GPUs of a server, NVSwitches, switches, links, GPU.
struct LinkHead {
  std::int64_t nodes = 0;
  std::int64_t each = 1;
  std::int64_t nvSwitches = 0;
  std::int64_t switches = 0;
  std::int64_t links = 0;
  std::string gpu;
};

std::optional<LinkHead> linkHeadOf(const WordRow& row) {
  std::vector<std::int64_t> numbers;
  for (const std::string_view word : row.words) {
    const auto number = parseInteger(word);
    if (!number) break;
    numbers.push_back(*number);
  }
  LinkHead head;
  if (numbers.size() == 3 && row.words.size() == 3) {
    head = {numbers[0], 1, 0, numbers[1], numbers[2], {}};
  } else if (numbers.size() == 5 && row.words.size() <= 6) {
    head = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], {}};
    if (row.words.size() == 6) head.gpu = std::string(row.words[5]);
  } else {
    return std::nullopt;
  }
  const bool sensible = head.nodes > 1 && head.nodes <= kMostLinkedNodes && head.each > 0 && head.nvSwitches >= 0 &&
                        head.switches >= 0 && head.nvSwitches + head.switches < head.nodes && head.links > 0;
  return sensible ? std::optional(head) : std::nullopt;
}

/// Reads the links of ns-3, HTSim and SimAI: nodes below the switches' numbers are devices.
class LinkReader {
 public:
  Result<Imported> read(std::string_view text) {
    const std::vector<WordRow> rows = wordRowsOf(text);
    const auto head = rows.empty() ? std::nullopt : linkHeadOf(rows[0]);
    if (!head) return Error{"its first line needs the numbers of nodes, switches and links", "line 1"};
    m_head = *head;
    P2_TRY(readSwitches(rows));
    for (std::size_t i = m_firstLink; i < rows.size(); ++i) P2_TRY(readLink(rows[i]));
    const auto found = static_cast<std::int64_t>(rows.size() - m_firstLink);
    if (found != m_head.links) {
      m_notes.assumed.push_back("the file has " + countedText(found, "link") + ", although its first line says " +
                                std::to_string(m_head.links));
    }
    return write();
  }

 private:
  [[nodiscard]] std::int64_t devices() const { return m_head.nodes - m_head.nvSwitches - m_head.switches; }
  [[nodiscard]] bool isNvSwitch(std::int64_t node) const { return m_nvSwitches.count(node) > 0; }

  /// The line of the switches' numbers, NVSwitches first; none where there are no switches.
  Result<void> readSwitches(const std::vector<WordRow>& rows) {
    const std::int64_t all = m_head.nvSwitches + m_head.switches;
    m_firstLink = all > 0 ? 2 : 1;
    if (all == 0) return {};
    if (rows.size() < 2 || static_cast<std::int64_t>(rows[1].words.size()) != all) {
      return Error{"the second line needs the number of every switch, " + std::to_string(all) + " in all", "line 2"};
    }
    for (const std::string_view word : rows[1].words) {
      const auto node = parseInteger(word);
      if (!node || *node < 0 || *node >= m_head.nodes) {
        return Error{"\"" + std::string(word) + "\" is not a node; use 0 to " + std::to_string(m_head.nodes - 1),
                     "line 2"};
      }
      auto& set = static_cast<std::int64_t>(m_nvSwitches.size()) < m_head.nvSwitches ? m_nvSwitches : m_switches;
      set.insert(*node);
    }
    return {};
  }

  Result<void> readLink(const WordRow& row) {
    const std::string place = "line " + std::to_string(row.line);
    if (row.words.size() < 4) return Error{"a link needs two nodes, a bandwidth and a latency", place};
    const auto from = parseInteger(row.words[0]);
    const auto to = parseInteger(row.words[1]);
    if (!from || !to || *from < 0 || *to < 0 || *from >= m_head.nodes || *to >= m_head.nodes) {
      return Error{"a link joins two nodes of 0 to " + std::to_string(m_head.nodes - 1), place};
    }
    const auto rate = withUnit(row.words[2], kRates);
    const auto delay = withUnit(row.words[3], kDelays);
    if (!rate || *rate <= 0)
      return Error{"\"" + std::string(row.words[2]) + "\" is not a bandwidth, as in 400Gbps", place};
    if (!delay) return Error{"\"" + std::string(row.words[3]) + "\" is not a latency, as in 0.0005ms", place};
    if (isNvSwitch(*from) || isNvSwitch(*to)) {
      if (isNvSwitch(*from) && isNvSwitch(*to)) {
        ++m_betweenSwitches;
        return {};
      }
      // Both directions may be listed, and are one link.
      (isNvSwitch(*from) ? m_scaleDown[*to] : m_scaleUp[*from]) += *rate;
      m_upLatency = std::max(m_upLatency, *delay);
      return {};
    }
    m_outLatency = std::max(m_outLatency, *delay);
    m_cabling.join(end(*from), end(*to), *rate);
    return {};
  }

  /// A switch, or the server of a device.
  std::size_t end(std::int64_t node) {
    const bool isSwitch = m_switches.count(node) > 0;
    const std::size_t end =
        m_cabling.end(isSwitch ? "switch " + std::to_string(node) : "node " + std::to_string(node / m_head.each));
    if (isSwitch) m_cabling.makeSwitch(end);
    return end;
  }

  Result<Imported> write() {
    m_notes.format = "links of ns-3";
    if (devices() % m_head.each != 0) {
      return Error{countedText(devices(), "device") + " do not make whole servers of " + std::to_string(m_head.each),
                   "line 1"};
    }
    m_notes.understood.push_back(countedText(devices(), "device"));
    if (m_betweenSwitches > 0) {
      m_notes.ignored.push_back(countedText(m_betweenSwitches, "link") + " between NVSwitches");
    }
    System& system = m_notes.system;
    const std::int64_t servers = devices() / m_head.each;
    if (servers > 1) {
      P2_TRY_ASSIGN(const auto fabric, fabricOf(m_cabling));
      if (static_cast<std::int64_t>(fabric.hosts) != servers) {
        return Error{std::to_string(fabric.hosts) + " of " + countedText(servers, "node") +
                     " are on switches; join all"};
      }
      tellFabric(fabric, m_notes);
      system.levels = levelsOf(fabric, m_head.each > 1 ? "node" : "npu");
      for (Level& level : system.levels) level.interconnect.latency = 2 * m_outLatency;
    }
    if (m_head.each > 1) addServer(system);
    system.name = shapeOf(system);
    P2_TRY(checkParts(system));
    return std::move(m_notes);
  }

  void addServer(System& system) {
    double port = 0;
    for (const auto& [gpu, down] : m_scaleDown) m_scaleUp[gpu] = std::max(m_scaleUp[gpu], down);
    for (const auto& [gpu, bandwidth] : m_scaleUp) port = port > 0 ? std::min(port, bandwidth) : bandwidth;
    if (port <= 0) {
      port = kNvLinkBandwidth;
      m_notes.assumed.push_back(formatBandwidth(port) + " between the devices of a server: no link joins them");
    } else {
      m_notes.understood.push_back(formatBandwidth(port) + " into the NVSwitches");
    }
    if (!m_head.gpu.empty()) m_notes.understood.push_back("the GPU " + m_head.gpu);
    system.levels.push_back({"gpu", m_head.each, {InterconnectKind::Switch, port, 2 * m_upLatency, "NVSwitch"}});
  }

  LinkHead m_head;
  std::size_t m_firstLink = 1;
  std::set<std::int64_t> m_nvSwitches;
  std::set<std::int64_t> m_switches;
  std::map<std::int64_t, double> m_scaleUp;    // bytes/s into NVSwitches, by device
  std::map<std::int64_t, double> m_scaleDown;  // bytes/s out of them
  double m_upLatency = 0;
  double m_outLatency = 0;
  Cabling m_cabling;
  Imported m_notes;
  std::int64_t m_betweenSwitches = 0;
};

}  // namespace

bool isAstraLinks(std::string_view text) {
  std::string_view first = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  first = first.substr(0, first.find('\n'));
  const std::vector<WordRow> rows = wordRowsOf(first);
  return !rows.empty() && linkHeadOf(rows[0]).has_value() &&
         (text.find("bps") != std::string_view::npos || text.find("Bps") != std::string_view::npos);
}

Result<Imported> importAstraLinks(std::string_view text) { return LinkReader().read(text); }

}  // namespace p2::inline importers
