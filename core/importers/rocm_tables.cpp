// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/counted.h"
#include "base/numbers.h"
#include "importers/detail/formats.h"
#include "importers/detail/pci.h"
#include "importers/detail/words.h"

namespace p2::inline importers {
namespace {

/// The weight of a way over PCIe that stays within a socket, as the driver gives it.
constexpr std::int64_t kWeightInSocket = 40;

/// "GPU[3]" as 3.
std::optional<std::int64_t> bracketed(std::string_view word) {
  if (!word.starts_with("GPU[") || word.find(']') == std::string_view::npos) return std::nullopt;
  return parseInteger(word.substr(4, word.find(']') - 4));
}

/// Titles of amd-smi's tables, as the first words of rocm-smi's.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kAmdTitles{
    {{"LINK", "Link"}, {"HOPS", "Hops"}, {"WEIGHT", "Weight"}, {"NUMA", "Bandwidth"}}};

/// "GPU0", or "0000:0d:00.0" as amd-smi calls it.
bool isDevice(std::string_view word) {
  if (isGpuName(word)) return true;
  return word.size() >= 7 && std::count(word.begin(), word.end(), ':') >= 1 && word[word.size() - 2] == '.' &&
         word.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

/// "50000-64000" MB/s, the least and the most between two GPUs, as bytes/s; 0 for none.
double numaBandwidth(std::string_view word) {
  const std::size_t dash = word.find('-');
  const auto most = dash == std::string_view::npos ? std::nullopt : parseInteger(word.substr(dash + 1));
  return most && *most > 0 && *most < 10'000'000 ? static_cast<double>(*most) * 1e6 : 0;
}

bool isNuma(const WordRow& row, std::string_view what) {
  return row.words.size() >= 6 && row.words[3] == "Numa" && row.words[4] == what;
}

class RocmReader {
 public:
  explicit RocmReader(std::string_view text) : m_text(text), m_rows(wordRowsOf(text)) {}

  Result<Described> read() {
    P2_TRY(readTables());
    const auto types = m_tables.find("Link");
    if (types == m_tables.end()) {
      return Error{"there is no table of link types in it; write it with amd-smi topology or rocm-smi --showtopo"};
    }
    m_types = types->second;
    m_gpus = m_types.size();
    readSockets();
    Described described;
    described.notes.format = m_amdSmi ? "amd-smi topology" : "rocm-smi --showtopo";
    described.notes.understood.push_back(countedText(m_gpus, "GPU"));
    Machine& machine = described.machine;
    machine.devices = m_gpus;
    machine.part = gpuPartIn(m_text);
    machine.links = links(described.notes);
    machine.groupings = {
        {"numanode", {InterconnectKind::Switch, 0, 0, "CPU link"}, SpeedKind::Socket, kCpuBandwidth, m_sockets}};
    return described;
  }

 private:
  using Table = std::vector<std::vector<std::string_view>>;

  /// "==== Weight between two GPUs ====" begins a table; its header names the GPUs.
  Result<void> readTables() {
    std::string_view title;
    std::size_t columns = 0;
    for (const WordRow& row : m_rows) {
      if (row.words[0].starts_with("==") && row.words.size() > 1) {
        title = row.words[1];
        columns = 0;
      } else if (row.words.size() > 1 && row.words.back() == "TABLE:") {
        // "LINK TYPE TABLE:" of amd-smi.
        const auto known = std::find_if(kAmdTitles.begin(), kAmdTitles.end(),
                                        [&](const auto& each) { return each.first == row.words[0]; });
        title = known == kAmdTitles.end() ? row.words[0] : known->second;
        columns = 0;
        m_amdSmi = true;
      } else if (isDevice(row.words[0]) && row.words.size() > 1 && isDevice(row.words[1])) {
        columns = row.words.size();
      } else if (isDevice(row.words[0]) && row.words.size() == 1 && columns == 0) {
        columns = 1;
      } else if (isDevice(row.words[0]) && columns > 0) {
        if (row.words.size() != columns + 1) {
          return Error{"the row of " + std::string(row.words[0]) + " has " +
                           countedText(row.words.size() - 1, "value") + " under " + countedText(columns, "GPU") +
                           "; print it again",
                       "line " + std::to_string(row.line)};
        }
        m_tables[title].emplace_back(row.words.begin() + 1, row.words.end());
        if (m_tables[title].size() > kMostGpus) return Error{"it has over 1024 GPUs; one machine has fewer"};
      } else {
        readNuma(row);
      }
    }
    for (const auto& [name, table] : m_tables) {
      const auto other =
          std::find_if(table.begin(), table.end(), [n = table.size()](const auto& row) { return row.size() != n; });
      if (other == table.end()) continue;
      return Error{"the table \"" + std::string(name) + " between two GPUs\" has " + countedText(table.size(), "row") +
                   " for " + countedText(other->size(), "GPU") + "; print it again"};
    }
    return {};
  }

  void readNuma(const WordRow& row) {
    const auto gpu = bracketed(row.words[0]);
    if (!gpu || *gpu < 0 || !isNuma(row, "Node:")) return;
    if (const auto node = parseInteger(row.words[5])) m_nodes[static_cast<std::size_t>(*gpu)] = static_cast<int>(*node);
  }

  /// By memory node where the file says; else by the weight of the ways between them.
  void readSockets() {
    m_sockets.assign(m_gpus, 0);
    const bool all = m_nodes.size() >= m_gpus;
    for (std::size_t gpu = 0; gpu < m_gpus; ++gpu) m_sockets[gpu] = all && m_nodes.contains(gpu) ? m_nodes[gpu] : 0;
    const auto weights = m_tables.find("Weight");
    if (all || weights == m_tables.end() || weights->second.size() != m_gpus) return;
    for (std::size_t a = 0; a < m_gpus; ++a) {
      m_sockets[a] = static_cast<int>(a);
      for (std::size_t b = 0; b < a; ++b) {
        const auto weight = parseInteger(weights->second[a][b]);
        if (weight && *weight <= kWeightInSocket) {
          m_sockets[a] = m_sockets[b];
          break;
        }
      }
    }
  }

  /// The least bandwidth between neighbours in amd-smi's table; 0 where that has none.
  [[nodiscard]] double leastBandwidth(const GpuLinks& links) const {
    const auto table = m_tables.find("Bandwidth");
    double least = 0;
    if (table == m_tables.end() || table->second.size() != m_gpus) return 0;
    for (std::size_t a = 0; a < m_gpus; ++a) {
      for (std::size_t b = 0; b < m_gpus; ++b) {
        if (links.between[a][b] == 0) continue;
        const double reported = numaBandwidth(table->second[a][b]);
        if (reported <= 0) return 0;
        least = least > 0 ? std::min(least, reported) : reported;
      }
    }
    return least;
  }

  [[nodiscard]] GpuLinks links(Imported& notes) const {
    GpuLinks links = GpuLinks::none(m_gpus);
    links.name = "xGMI";
    links.bandwidth = xgmiBandwidth({}, {});
    const auto hops = m_tables.find("Hops");
    bool far = false;
    for (std::size_t a = 0; a < m_gpus; ++a) {
      for (std::size_t b = 0; b < m_gpus; ++b) {
        if (a == b || m_types[a][b] != "XGMI") continue;
        const bool near = hops == m_tables.end() || hops->second.size() != m_gpus || hops->second[a][b] == "1";
        if (near) links.between[a][b] = links.between[b][a] = 1;
        far = far || !near;
      }
    }
    if (const double reported = leastBandwidth(links); reported > 0) {
      links.bandwidth = reported;
      links.known = true;
    }
    if (far) notes.ignored.push_back("xGMI paths of more than one hop");
    return links;
  }

  std::string_view m_text;
  bool m_amdSmi = false;
  std::vector<WordRow> m_rows;
  std::map<std::string_view, Table> m_tables;  // by the first word of their titles
  std::map<std::size_t, int> m_nodes;
  Table m_types;
  std::size_t m_gpus = 0;
  std::vector<int> m_sockets;
};

}  // namespace

Result<Described> readRocmTables(std::string_view text) { return RocmReader(text).read(); }

}  // namespace p2::inline importers
