// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <set>

#include "base/numbers.h"
#include "importers/machine.h"

namespace p2 {
namespace {

/// No GPU has more NVLinks than Hopper's and Blackwell's 18. When every pair seems to have so many that a GPU would
/// need more, they are its links into a switch, which nvidia-smi prints for every pair.
constexpr int kMostNvLinks = 18;
constexpr std::size_t kMostRows = 1024;

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

struct Row {
  std::vector<std::string> words;
  std::size_t line = 0;
};

/// Words of every line, terminal attributes (nvidia-smi underlines its header) left out.
std::vector<Row> rowsOf(std::string_view text) {
  std::vector<Row> rows(1);
  rows[0].line = 1;
  std::string word;
  bool attribute = false;
  const auto endWord = [&] {
    if (!word.empty()) rows.back().words.push_back(std::move(word));
    word.clear();
  };
  for (const char c : text) {
    if (attribute) {
      attribute = c != 'm';
    } else if (c == '\x1b') {
      attribute = true;
    } else if (c == '\n') {
      endWord();
      rows.push_back({{}, rows.back().line + 1});
    } else if (c == ' ' || c == '\t' || c == '\r') {
      endWord();
    } else {
      word += c;
    }
  }
  endWord();
  return rows;
}

bool isGpu(std::string_view word) { return word.starts_with("GPU") && parseInteger(word.substr(3)).has_value(); }

Result<Cell> cellOf(const std::string& word) {
  for (const ReachName& known : kReaches) {
    if (word == known.text) return Cell{known.reach, 0};
  }
  const auto links = word.starts_with("NV") ? parseInteger(std::string_view(word).substr(2)) : std::nullopt;
  if (links && *links >= 1 && *links <= kMostNvLinks) return Cell{{}, static_cast<int>(*links)};
  return Error{"\"" + word + "\" is not a connection; use X, NV1 to NV18, PIX, PXB, PHB, NODE or SYS"};
}

/// GPUs with one to three NVLinks to another are those before PCIe 4.0 (Pascal and Volta).
double usualPciBandwidth(const GpuLinks& links) {
  int most = 0;
  for (const std::vector<int>& row : links.between) most = std::max(most, *std::max_element(row.begin(), row.end()));
  return most >= 1 && most <= 3 ? kPci3Bandwidth : kPciBandwidth;
}

class SmiReader {
 public:
  explicit SmiReader(std::string_view text) : m_rows(rowsOf(text)) {}

  Result<Imported> read(const ImportOptions& options) {
    if (auto header = readHeader(); !header.ok()) return header.error();
    if (auto cells = readCells(); !cells.ok()) return cells.error();
    Imported notes;
    notes.format = "nvidia-smi topo -m";
    notes.understood.push_back(countedNoun(m_gpus, "GPU"));
    if (m_cards > 0) notes.understood.push_back(countedNoun(m_cards, "network card"));
    Machine machine;
    machine.devices = m_gpus;
    machine.nics.resize(m_cards);
    machine.links = links(notes);
    const double pci = usualPciBandwidth(machine.links);
    machine.groupings = {
        grouping("cpu", Reach::Node, "CPU link", kCpuBandwidth), grouping("hostbridge", Reach::HostBridge, "CPU", pci),
        grouping("bridge", Reach::Bridges, "PCIe", pci), grouping("bridge2", Reach::Bridge, "PCIe", pci)};
    machine.usualPortBandwidth = pci;
    return systemOf(machine, options, std::move(notes));
  }

 private:
  /// Finds the line that names the columns, up to "CPU Affinity".
  Result<void> readHeader() {
    const auto header = std::find_if(m_rows.begin(), m_rows.end(), [](const Row& row) {
      return !row.words.empty() && isGpu(row.words[0]) &&
             std::find(row.words.begin(), row.words.end(), "X") == row.words.end();
    });
    if (header == m_rows.end()) {
      return Error{"the matrix has no GPU; run nvidia-smi topo -m on a machine with GPUs"};
    }
    for (const std::string& word : header->words) {
      if (word == "CPU" || word == "NUMA") break;
      m_columns.push_back(word);
    }
    m_gpus = static_cast<std::size_t>(std::count_if(m_columns.begin(), m_columns.end(), isGpu));
    m_cards = m_columns.size() - m_gpus;
    if (m_columns.size() > kMostRows) return Error{"the matrix has over 1024 columns; one machine has fewer"};
    m_rows.erase(m_rows.begin(), header + 1);
    return {};
  }

  Result<void> readCells() {
    m_cells.assign(m_gpus, std::vector<Cell>(m_gpus));
    for (std::size_t gpu = 0; gpu < m_gpus; ++gpu) {
      const auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& each) {
        return !each.words.empty() && each.words[0] == m_columns[gpu];
      });
      if (row == m_rows.end()) {
        return Error{"the row of " + m_columns[gpu] + " is missing; the matrix needs one for every GPU"};
      }
      if (auto read = readRow(*row, gpu); !read.ok()) return read.error().within("line " + std::to_string(row->line));
    }
    return checkSymmetry();
  }

  Result<void> readRow(const Row& row, std::size_t gpu) {
    if (row.words.size() < 1 + m_gpus) {
      return Error{"the row of " + m_columns[gpu] + " ends too early; it needs " + std::to_string(m_columns.size()) +
                   " connections"};
    }
    const bool hasAffinity = row.words.size() > 1 + m_columns.size() && row.words[1 + m_columns.size()] != "N/A";
    m_affinities.push_back(hasAffinity ? row.words[1 + m_columns.size()] : "");
    for (std::size_t other = 0; other < m_gpus; ++other) {
      const std::string& word = row.words[1 + other];
      if ((word == "X") != (gpu == other)) {
        return Error{"\"" + word + "\" stands between " + m_columns[gpu] + " and " + m_columns[other] +
                     "; X belongs on the diagonal alone"};
      }
      if (gpu == other) continue;
      const auto cell = cellOf(word);
      if (!cell.ok()) return cell.error();
      m_cells[gpu][other] = *cell;
    }
    return {};
  }

  [[nodiscard]] Result<void> checkSymmetry() const {
    for (std::size_t a = 0; a < m_gpus; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (m_cells[a][b].reach == m_cells[b][a].reach && m_cells[a][b].links == m_cells[b][a].links) continue;
        return Error{"the matrix says different things between " + m_columns[b] + " and " + m_columns[a] +
                     " in their two rows; print it anew"};
      }
    }
    return {};
  }

  [[nodiscard]] GpuLinks links(Imported& notes) const {
    GpuLinks links;
    links.between.assign(m_gpus, std::vector<int>(m_gpus, 0));
    std::set<int> counts;
    for (std::size_t a = 0; a < m_gpus; ++a) {
      for (std::size_t b = 0; b < m_gpus; ++b) {
        if (a == b) continue;
        links.between[a][b] = m_cells[a][b].links;
        counts.insert(m_cells[a][b].links);
      }
    }
    const int each = counts.size() == 1 ? *counts.begin() : 0;
    if (each * (static_cast<int>(m_gpus) - 1) > kMostNvLinks) {
      links.toSwitch.assign(m_gpus, each);
      notes.assumed.push_back("an NVSwitch, since no GPU has " + countedNoun(m_gpus - 1, "time") + " NV" +
                              std::to_string(each));
    }
    return links;
  }

  /// GPUs that reach each other within `most`. NVLink hides how PCIe joins two GPUs; of those it is still known
  /// whether they are near the same cores.
  [[nodiscard]] Grouping grouping(const char* name, Reach most, const char* link, double usual) const {
    Grouping result{name, {InterconnectKind::Switch, 0, 0, link}, usual, std::vector<int>(m_gpus)};
    std::iota(result.groupOf.begin(), result.groupOf.end(), 0);
    for (std::size_t a = 0; a < m_gpus; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const std::optional<Reach>& reach = m_cells[a][b].reach;
        const bool near = most == Reach::Node && !m_affinities[a].empty() && m_affinities[a] == m_affinities[b];
        if (!near && (!reach || *reach > most)) continue;
        const int from = result.groupOf[a];
        std::replace(result.groupOf.begin(), result.groupOf.end(), from, result.groupOf[b]);
      }
    }
    return result;
  }

  std::vector<Row> m_rows;
  std::vector<std::string> m_columns;
  std::vector<std::vector<Cell>> m_cells;
  std::vector<std::string> m_affinities;  ///< the cores each GPU is near; empty when the matrix does not say
  std::size_t m_gpus = 0;
  std::size_t m_cards = 0;
};

}  // namespace

Result<Imported> importSmiMatrix(std::string_view text, const ImportOptions& options) {
  return SmiReader(text).read(options);
}

}  // namespace p2
