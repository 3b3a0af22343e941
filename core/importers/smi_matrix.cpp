// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>

#include "base/counted.h"
#include "base/numbers.h"
#include "importers/machine.h"
#include "importers/words.h"

namespace p2 {
namespace {

/// How far a way over PCIe leads, the shortest first.
enum class Reach { Bridge, Bridges, HostBridge, Node, System };

struct ReachName {
  std::string_view text;
  Reach reach;
};
constexpr std::array<ReachName, 7> kReaches{{{"PIX", Reach::Bridge},
                                             {"PXB", Reach::Bridges},
                                             {"PHB", Reach::HostBridge},
                                             {"NODE", Reach::Node},
                                             {"SYS", Reach::System},
                                             {"SOC", Reach::System},
                                             {"PSB", Reach::Bridge}}};

/// One cell: a way over PCIe, or that many NVLinks.
struct Cell {
  std::optional<Reach> reach;
  int links = 0;
};

/// What people paste above the matrix often names the GPUs.
struct GpuName {
  std::string_view name;
  double bandwidth;  // of one NVLink
};
constexpr std::array<GpuName, 11> kGpuNames{{{"GB200", 50e9},
                                             {"GB300", 50e9},
                                             {"B200", 50e9},
                                             {"B300", 50e9},
                                             {"RTX A6000", 14.0625e9},
                                             {"RTX A5000", 14.0625e9},
                                             {"RTX A5500", 14.0625e9},
                                             {"RTX A4500", 14.0625e9},
                                             {"NVIDIA A40", 14.0625e9},
                                             {"RTX 3090", 14.0625e9},
                                             {"P100", 20e9}}};

Result<Cell> cellOf(std::string_view word) {
  for (const ReachName& known : kReaches) {
    if (word == known.text) return Cell{known.reach, 0};
  }
  const auto links = word.starts_with("NV") ? parseInteger(word.substr(2)) : std::nullopt;
  if (links && *links >= 1 && *links <= kMostNvLinks) return Cell{{}, static_cast<int>(*links)};
  return Error{"\"" + std::string(word.substr(0, 64)) +
               "\" is not a connection; use X, NV1 to NV18, PIX, PXB, PHB, NODE or SYS"};
}

/// GPUs with one to three NVLinks to another are those before PCIe 4.0 (Pascal and Volta).
double defaultPciBandwidth(const GpuLinks& links) {
  int most = 0;
  for (const std::vector<int>& row : links.between) most = std::max(most, *std::max_element(row.begin(), row.end()));
  return most >= 1 && most <= 3 ? kPci3Bandwidth : kPciBandwidth;
}

class SmiReader {
 public:
  explicit SmiReader(std::string_view text) : m_text(text), m_rows(wordRowsOf(text)) {}

  Result<Described> read() {
    P2_TRY(readHeader());
    P2_TRY(readCells());
    Described described;
    Imported& notes = described.notes;
    notes.format = "nvidia-smi topo -m";
    notes.understood.push_back(countedText(m_gpus, "GPU"));
    if (m_cards > 0) notes.understood.push_back(countedText(m_cards, "network card"));
    Machine& machine = described.machine;
    machine.devices = m_gpus;
    machine.nics.resize(m_cards);
    machine.links = links();
    const double pci = defaultPciBandwidth(machine.links);
    machine.groupings = {grouping("cpu", Reach::Node, "CPU link", SpeedKind::Socket, kCpuBandwidth),
                         grouping("hostbridge", Reach::HostBridge, "CPU", SpeedKind::Pcie, pci),
                         grouping("bridge", Reach::Bridges, "PCIe", SpeedKind::Pcie, pci),
                         grouping("bridge2", Reach::Bridge, "PCIe", SpeedKind::Pcie, pci)};
    machine.defaultPortBandwidth = pci;
    return described;
  }

 private:
  /// Finds the line that names the columns, up to "CPU Affinity".
  Result<void> readHeader() {
    const auto header = std::find_if(m_rows.begin(), m_rows.end(), [](const WordRow& row) {
      return isGpuName(row.words[0]) && std::find(row.words.begin(), row.words.end(), "X") == row.words.end();
    });
    if (header == m_rows.end()) {
      const bool headless =
          std::any_of(m_rows.begin(), m_rows.end(), [](const WordRow& row) { return isGpuName(row.words[0]); });
      if (headless) {
        return Error{"the matrix has no line that names its columns; copy the one above it too, GPU0 GPU1 …"};
      }
      return Error{"the matrix has no GPU; run nvidia-smi topo -m on a machine with GPUs"};
    }
    for (const std::string_view word : header->words) {
      if (word == "CPU" || word == "NUMA") break;
      m_columns.push_back(word);
    }
    if (m_columns.size() > kMostGpus) return Error{"the matrix has over 1024 columns; one machine has fewer"};
    m_gpus = static_cast<std::size_t>(std::count_if(m_columns.begin(), m_columns.end(), isGpuName));
    m_cards = m_columns.size() - m_gpus;
    m_rows.erase(m_rows.begin(), header + 1);
    return {};
  }

  Result<void> readCells() {
    std::map<std::string_view, const WordRow*> named;
    for (const WordRow& row : m_rows) named.try_emplace(row.words[0], &row);
    m_cells.assign(m_gpus, std::vector<Cell>(m_gpus));
    for (std::size_t gpu = 0; gpu < m_gpus; ++gpu) {
      const auto row = named.find(m_columns[gpu]);
      if (row == named.end()) {
        return Error{"the row of " + std::string(m_columns[gpu]) + " is missing; the matrix needs one for every GPU"};
      }
      if (auto read = readRow(*row->second, gpu); !read.ok()) {
        return read.error().within("line " + std::to_string(row->second->line));
      }
    }
    return checkSymmetry();
  }

  Result<void> readRow(const WordRow& row, std::size_t gpu) {
    const std::string own(m_columns[gpu]);
    if (row.words.size() < 1 + m_gpus) {
      return Error{"the row of " + own + " ends too early; it needs " + countedText(m_columns.size(), "connection")};
    }
    const bool hasAffinity = row.words.size() > 1 + m_columns.size() && row.words[1 + m_columns.size()] != "N/A";
    m_affinities.push_back(hasAffinity ? row.words[1 + m_columns.size()] : "");
    for (std::size_t other = 0; other < m_gpus; ++other) {
      const std::string_view word = row.words[1 + other];
      if ((word == "X") != (gpu == other)) {
        return Error{"\"" + std::string(word.substr(0, 64)) + "\" stands between " + own + " and " +
                     std::string(m_columns[other]) + "; X belongs on the diagonal alone"};
      }
      if (gpu == other) continue;
      P2_TRY_ASSIGN(const auto cell, cellOf(word));
      m_cells[gpu][other] = cell;
    }
    return {};
  }

  [[nodiscard]] Result<void> checkSymmetry() const {
    for (std::size_t a = 0; a < m_gpus; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (m_cells[a][b].reach == m_cells[b][a].reach && m_cells[a][b].links == m_cells[b][a].links) continue;
        return Error{"the matrix says different things between " + std::string(m_columns[b]) + " and " +
                     std::string(m_columns[a]) + " in their two rows; print it again"};
      }
    }
    return {};
  }

  [[nodiscard]] GpuLinks links() const {
    GpuLinks links = GpuLinks::none(m_gpus);
    for (std::size_t a = 0; a < m_gpus; ++a) {
      for (std::size_t b = 0; b < m_gpus; ++b) links.between[a][b] = m_cells[a][b].links;
    }
    for (const GpuName& gpu : kGpuNames) {
      if (m_text.find(gpu.name) == std::string_view::npos) continue;
      links.bandwidth = gpu.bandwidth;
      break;
    }
    return links;
  }

  /// GPUs that reach each other within `most`. NVLink hides how PCIe joins two GPUs; of those it is still known
  /// whether they are near the same cores.
  [[nodiscard]] Grouping grouping(const char* name, Reach most, const char* link, SpeedKind speed, double usual) const {
    Grouping result{name, {InterconnectKind::Switch, 0, 0, link}, speed, usual, std::vector<int>(m_gpus)};
    std::vector<int>& parent = result.groupOf;
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int gpu) {
      while (parent[static_cast<std::size_t>(gpu)] != gpu) gpu = parent[static_cast<std::size_t>(gpu)];
      return gpu;
    };
    for (std::size_t a = 0; a < m_gpus; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const std::optional<Reach>& reach = m_cells[a][b].reach;
        const bool near = most == Reach::Node && !m_affinities[a].empty() && m_affinities[a] == m_affinities[b];
        if (!near && (!reach || *reach > most)) continue;
        const std::pair<int, int> roots{root(static_cast<int>(a)), root(static_cast<int>(b))};
        const auto [low, high] = std::minmax(roots.first, roots.second);
        parent[static_cast<std::size_t>(high)] = low;
        parent[a] = low;
      }
    }
    for (std::size_t gpu = 0; gpu < m_gpus; ++gpu) parent[gpu] = root(static_cast<int>(gpu));
    return result;
  }

  std::string_view m_text;
  std::vector<WordRow> m_rows;
  std::vector<std::string_view> m_columns;
  std::vector<std::vector<Cell>> m_cells;
  std::vector<std::string_view> m_affinities;  ///< the cores each GPU is near; empty when the matrix does not say
  std::size_t m_gpus = 0;
  std::size_t m_cards = 0;
};

}  // namespace

Result<Described> readSmiMatrix(std::string_view text) { return SmiReader(text).read(); }

}  // namespace p2
