// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>
#include <optional>

#include "base/counted.h"
#include "base/numbers.h"
#include "importers/detail/formats.h"
#include "importers/detail/smi_words.h"
#include "importers/detail/words.h"

namespace p2::inline importers {
namespace {

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
    if (!m_mismatch.empty()) notes.assumed.push_back(m_mismatch);
    if (matrices() > 1) {
      notes.assumed.push_back("the first of " + countedText(matrices(), "matrix", "matrices") +
                              "; to import another, leave out those before it");
    }
    Machine& machine = described.machine;
    machine.devices = m_gpus;
    machine.nics.resize(m_cards);
    machine.links = links();
    machine.part = gpuPartIn(firstMatrix());
    machine.linksHidden =
        m_text.find("topo -mp") != std::string_view::npos || m_text.find("topo -p -m") != std::string_view::npos;
    if (machine.linksHidden) machine.hiddenBecause = "topo -mp leaves NVLink out";
    machine.rackTray = isTray();
    machine.nearCards = m_nearCards;
    const double pci = defaultPciBandwidth(machine.links);
    machine.groupings = {grouping("cpu", Reach::Node, "CPU link", SpeedKind::Socket, kCpuBandwidth),
                         grouping("hostbridge", Reach::HostBridge, "CPU", SpeedKind::Pcie, pci),
                         grouping("bridge", Reach::Bridges, "PCIe", SpeedKind::Pcie, pci),
                         grouping("bridge2", Reach::Bridge, "PCIe", SpeedKind::Pcie, pci)};
    machine.defaultPortBandwidth = pci;
    return described;
  }

 private:
  static bool beginsMatrix(const WordRow& row) {
    return row.words.size() > 1 && row.words[0] == "GPU0" && row.words[1] == "X";
  }
  [[nodiscard]] std::size_t matrices() const {
    return static_cast<std::size_t>(std::count_if(m_rows.begin(), m_rows.end(), beginsMatrix));
  }
  /// The text up to the last GPU of the first matrix, where there are two: names behind it belong to another machine.
  [[nodiscard]] std::string_view firstMatrix() const {
    const auto first = std::find_if(m_rows.begin(), m_rows.end(), beginsMatrix);
    if (first == m_rows.end()) return m_text;
    const auto second = std::find_if(first + 1, m_rows.end(), beginsMatrix);
    if (second == m_rows.end()) return m_text;
    // A title stands before its matrix, so the first one ends behind its last GPU.
    const auto isRowOfGpu = [](const WordRow& row) {
      return row.words.size() > 1 && row.words[0].starts_with("GPU") && cellLength(row.words[1]) == row.words[1].size();
    };
    auto end = second;
    while (end - 1 != first && !isRowOfGpu(*(end - 1))) --end;
    return m_text.substr(0, static_cast<std::size_t>(end->words[0].data() - m_text.data()));
  }

  /// Finds the line that names the columns, up to "CPU Affinity".
  Result<void> readHeader() {
    const auto isHeader = [](const WordRow& row) {
      return nameLength(row.words[0]) > 0 && row.words[0].starts_with("GPU") &&
             std::none_of(row.words.begin() + 1, row.words.end(), [](std::string_view w) { return cellLength(w) > 0; });
    };
    const auto header = std::find_if(m_rows.begin(), m_rows.end(), isHeader);
    if (header == m_rows.end()) return readCollapsed();
    std::vector<Token> names;
    for (const std::string_view word : header->words) appendParts(names, {word, header->line}, nameLength);
    // A narrow terminal breaks the line in the middle.
    auto next = header + 1;
    const auto ended = [&] {
      return std::any_of(names.begin(), names.end(),
                         [](const Token& t) { return t.text == "CPU" || t.text == "NUMA"; });
    };
    while (next != m_rows.end() && !ended() && isContinued(*next)) {
      for (const std::string_view word : next->words) appendParts(names, {word, next->line}, nameLength);
      ++next;
    }
    P2_TRY(useNames(names));
    for (auto row = next; row != m_rows.end(); ++row) {
      for (const std::string_view word : row->words) appendParts(m_tokens, {word, row->line}, cellLength);
    }
    return {};
  }

  /// Whether a line goes on with the names of the columns.
  static bool isContinued(const WordRow& row) {
    const bool names = nameLength(row.words[0]) > 0 || row.words[0] == "CPU" || row.words[0] == "NUMA";
    return names &&
           std::none_of(row.words.begin(), row.words.end(), [](std::string_view w) { return cellLength(w) > 0; });
  }

  Result<void> useNames(const std::vector<Token>& names) {
    for (const Token& name : names) {
      if (name.text == "CPU" || name.text == "NUMA") break;
      m_columns.push_back(name.text);
    }
    if (m_columns.size() > kMostGpus) return Error{"the matrix has over 1024 columns; one machine has fewer"};
    m_gpus = static_cast<std::size_t>(std::count_if(m_columns.begin(), m_columns.end(), isGpuName));
    m_cards = m_columns.size() - m_gpus;
    if (m_gpus == 0) return Error{"the matrix has no GPU; run nvidia-smi topo -m on a machine with GPUs"};
    return {};
  }

  /// A browser puts all of a table into one line, or every cell into one of its own.
  Result<void> readCollapsed() {
    std::vector<Token> words;
    for (const WordRow& row : m_rows) {
      for (const std::string_view word : row.words) words.push_back({word, row.line});
    }
    const auto first = std::find_if(words.begin(), words.end(), [](const Token& t) { return isGpuName(t.text); });
    std::vector<Token> names;
    auto word = first;
    for (; word != words.end() && word->text != "CPU" && word->text != "NUMA"; ++word) {
      if (nameLength(word->text) != word->text.size()) break;
      const bool again = std::any_of(names.begin(), names.end(), [&](const Token& t) { return t.text == word->text; });
      if (again) break;
      names.push_back(*word);
    }
    if (first == words.end()) return Error{"the matrix has no GPU; run nvidia-smi topo -m on a machine with GPUs"};
    if (names.size() < 2) {
      return Error{"the matrix has no line that names its columns; copy the one above it too, GPU0 GPU1 …"};
    }
    P2_TRY(useNames(names));
    for (; word != words.end(); ++word) appendParts(m_tokens, *word, cellLength);
    return {};
  }

  Result<void> readCells() {
    m_cells.assign(m_gpus, std::vector<Cell>(m_gpus));
    std::vector<std::size_t> counts;
    for (std::size_t gpu = 0; gpu < m_gpus; ++gpu) {
      const std::size_t at = rowOf(m_columns[gpu]);
      if (at == m_tokens.size()) {
        return Error{"the row of " + std::string(m_columns[gpu]) + " is missing; the matrix needs one for every GPU"};
      }
      if (auto read = readRow(at, gpu); !read.ok()) {
        return read.error().within("line " + std::to_string(m_tokens[at].line));
      }
      counts.push_back(connections(at));
    }
    compareCounts(counts);
    return checkSymmetry();
  }

  /// Where the row of that name begins: where the name stands in front of a connection.
  [[nodiscard]] std::size_t rowOf(std::string_view name) const {
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
      if (m_tokens[i].text != name) continue;
      const bool first = i == 0 || m_tokens[i - 1].line != m_tokens[i].line;
      const bool cell = i + 1 < m_tokens.size() && isCell(m_tokens[i + 1].text);
      if (first || cell) return i;
    }
    return m_tokens.size();
  }

  static bool isCell(std::string_view word) { return !word.empty() && cellLength(word) == word.size(); }

  [[nodiscard]] std::size_t connections(std::size_t row) const {
    std::size_t count = 0;
    while (row + 1 + count < m_tokens.size() && isCell(m_tokens[row + 1 + count].text)) ++count;
    return count;
  }

  /// Cards that the head leaves out are in the rows.
  void compareCounts(const std::vector<std::size_t>& counts) {
    const std::size_t cells = counts.empty() ? m_columns.size() : counts[0];
    const bool equal = std::all_of(counts.begin(), counts.end(), [&](std::size_t count) { return count == cells; });
    if (equal && cells == m_columns.size()) return;
    if (equal && cells > m_columns.size()) m_cards = cells - m_gpus;
    m_mismatch = "the head names " + countedText(m_columns.size(), "column") + " and the rows have " +
                 (equal ? countedText(cells, "connection") : std::string("unequally many connections"));
    m_mismatch += equal && cells > m_columns.size() ? ": " + countedText(m_cards, "network card") + " by the rows"
                                                    : ": " + countedText(m_cards, "network card") + " by the head";
  }

  Result<void> readRow(std::size_t at, std::size_t gpu) {
    const std::string own(m_columns[gpu]);
    const std::size_t count = connections(at);
    if (count < m_gpus) {
      const std::size_t next = at + 1 + count;
      const bool sameLine = next < m_tokens.size() && m_tokens[next].line == m_tokens[at].line;
      if (sameLine) P2_TRY(cellOf(m_tokens[next].text));
      return Error{"the row of " + own + " ends too early; it needs " + countedText(m_columns.size(), "connection")};
    }
    const std::size_t behind = at + 1 + count;
    const bool hasAffinity = behind < m_tokens.size() && m_tokens[behind].text != "N/A" &&
                             m_tokens[behind].line == m_tokens[behind - 1].line;
    m_affinities.push_back(hasAffinity ? m_tokens[behind].text : "");
    readCards(at, count);
    for (std::size_t other = 0; other < m_gpus; ++other) {
      const std::string_view word = m_tokens[at + 1 + other].text;
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

  /// Cards behind the PCIe switch of the GPU, of a row whose cells the head names all.
  void readCards(std::size_t at, std::size_t count) {
    std::vector<std::size_t>& near = m_nearCards.emplace_back();
    if (count != m_columns.size()) return;
    for (std::size_t card = m_gpus; card < count; ++card) {
      const auto cell = cellOf(m_tokens[at + 1 + card].text);
      if (cell.ok() && cell->reach && *cell->reach <= Reach::Bridges) near.push_back(card - m_gpus);
    }
  }

  /// Four GPUs with 18 NVLinks each on CPUs of 72 cores: Grace with Blackwell.
  [[nodiscard]] bool isTray() const {
    if (m_gpus != 4 || m_affinities.empty()) return false;
    const bool cores = m_affinities[0] == "0-71";
    for (std::size_t a = 0; a < m_gpus; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (m_cells[a][b].links != kMostNvLinks) return false;
      }
    }
    return cores;
  }

  [[nodiscard]] Result<void> checkSymmetry() const {
    for (std::size_t a = 0; a < m_gpus; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (m_cells[a][b].reach == m_cells[b][a].reach && m_cells[a][b].links == m_cells[b][a].links) continue;
        return Error{"the rows of " + std::string(m_columns[b]) + " and " + std::string(m_columns[a]) +
                     " give different connections between them; print the matrix again"};
      }
    }
    return {};
  }

  [[nodiscard]] GpuLinks links() const {
    GpuLinks links = GpuLinks::none(m_gpus);
    for (std::size_t a = 0; a < m_gpus; ++a) {
      for (std::size_t b = 0; b < m_gpus; ++b) links.between[a][b] = m_cells[a][b].links;
    }
    const GpuPart* part = gpuPartIn(m_text);
    if (part != nullptr && part->links > 0) links.bandwidth = part->linkBandwidth;
    return links;
  }

  /// GPUs that reach each other within `most`. NVLink hides how PCIe joins two GPUs; it is still known
  /// whether they are near the same cores.
  [[nodiscard]] Grouping grouping(const char* name, Reach most, const char* link, SpeedKind speed,
                                  double defaultSpeed) const {
    Grouping result{name, {InterconnectKind::Switch, 0, 0, link}, speed, defaultSpeed, std::vector<int>(m_gpus)};
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
  std::vector<Token> m_tokens;  ///< words of the rows
  std::string m_mismatch;       ///< between the head and the rows; empty for none
  std::vector<std::string_view> m_columns;
  std::vector<std::vector<Cell>> m_cells;
  std::vector<std::vector<std::size_t>> m_nearCards;  ///< by GPU
  std::vector<std::string_view> m_affinities;  ///< the cores each GPU is near; empty when the matrix does not say
  std::size_t m_gpus = 0;
  std::size_t m_cards = 0;
};

}  // namespace

Result<Described> readSmiMatrix(std::string_view text) { return SmiReader(text).read(); }

}  // namespace p2::inline importers
