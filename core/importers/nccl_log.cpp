// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/pasted_text.h"
#include "base/units.h"
#include "importers/detail/formats.h"
#include "importers/detail/words.h"

namespace p2::inline importers {
namespace {

constexpr double kGigabytes = 1e9;
constexpr std::string_view kInfo = "NCCL INFO ";

/// A line of a system: "+ PCI[24.0] - GPU/0-7000 (3)" at its depth.
struct TreeLine {
  std::size_t depth = 0;
  std::string_view link;  ///< "PCI"; empty for a CPU
  double bandwidth = 0;   ///< bytes/s
  std::string_view kind;  ///< "GPU"
  std::string_view name;  ///< "0-7000"
};

/// "24.0" of "PCI[24.0]".
double bracketed24(std::string_view word) {
  const std::size_t open = word.find('[');
  const std::size_t close = word.find(']');
  double value = 0;
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return 0;
  return readNumber(word.substr(open + 1, close - open - 1), value) && value > 0 && value < 1e6 ? value * kGigabytes
                                                                                                : 0;
}

std::optional<TreeLine> treeLineIn(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> words = wordsOfLine(text);
  TreeLine line;
  line.depth = begin;
  std::string_view target = words[0];
  if (words[0] == "+") {
    if (words.size() < 4 || words[2] != "-") return std::nullopt;
    line.link = words[1].substr(0, words[1].find('['));
    line.bandwidth = bracketed24(words[1]);
    target = words[3];
    ++line.depth;
  }
  const std::size_t slash = target.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  line.kind = target.substr(0, slash);
  line.name = target.substr(slash + 1);
  return line;
}

/// "Pattern 4, crossNic 0, nChannels 16, bw 30.000000/30.000000, type NVL/PIX, sameChannels 0".
struct Graph {
  std::int64_t pattern = 0;
  std::int64_t channels = 0;
  double bandwidth = 0;
  std::string types;
};

std::optional<Graph> graphIn(std::string_view text) {
  if (text.find("Pattern ") == std::string_view::npos) return std::nullopt;
  Graph graph;
  const std::vector<std::string_view> words = wordsOfLine(text);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view value = words[i + 1].substr(0, words[i + 1].find(','));
    if (words[i] == "Pattern") graph.pattern = parseInteger(value).value_or(0);
    if (words[i] == "nChannels") graph.channels = parseInteger(value).value_or(0);
    if (words[i] == "bw" || words[i] == "speed") (void)readNumber(value.substr(0, value.find('/')), graph.bandwidth);
    if (words[i] == "type") graph.types = std::string(value);
  }
  const bool sensible = graph.channels > 0 && graph.channels < 1024 && graph.bandwidth > 0 && graph.bandwidth < 1e6;
  return sensible ? std::optional(graph) : std::nullopt;
}

std::string_view nameOfPattern(std::int64_t pattern) {
  constexpr std::array<std::string_view, 7> kNames{"",     "balanced tree", "split tree", "tree",
                                                   "ring", "NVLS",          "CollNet"};
  return pattern > 0 && pattern < 7 ? kNames[static_cast<std::size_t>(pattern)] : "another pattern";
}

struct LoggedGpu {
  std::string name;
  int cpu = 0;
  double port = 0;
  BridgePath bridges;
  double toSwitch = 0;
  std::map<std::string, double> toGpu;
};

/// The system of the first rank that prints one, and the graphs that it searched.
class LogReader {
 public:
  explicit LogReader(std::string_view text) : m_text(text) {}

  Result<Described> read() {
    for (const std::string_view line : filledLines(m_text)) take(line);
    if (m_gpus.empty()) {
      return Error{
          "its system has no GPU; give the lines from \"=== System\" on, as NCCL_DEBUG=INFO with "
          "NCCL_DEBUG_SUBSYS=GRAPH writes them"};
    }
    if (m_gpus.size() > kMostGpus) return Error{"the log has over 1024 GPUs; one machine has fewer"};
    m_notes.format = "NCCL log";
    m_notes.understood = {countedText(m_gpus.size(), "GPU")};
    if (!m_machine.nics.empty()) m_notes.understood.push_back(countedText(m_machine.nics.size(), "network card"));
    m_machine.devices = m_gpus.size();
    makeLinks();
    makeGroupings();
    tellGraphs();
    m_machine.part = gpuPartIn(m_text);
    return Described{std::move(m_machine), std::move(m_notes)};
  }

 private:
  void take(std::string_view line) {
    const std::size_t at = line.find(kInfo);
    if (at == std::string_view::npos) return;
    // "host:pid:tid [device]", behind marks of launchers.
    const std::vector<std::string_view> marks = wordsOfLine(line.substr(0, at));
    const std::size_t own = marks.size() - std::min<std::size_t>(marks.size(), 2);
    const std::string_view prefix = marks.empty()
                                        ? std::string_view()
                                        : line.substr(static_cast<std::size_t>(marks[own].data() - line.data()),
                                                      at - static_cast<std::size_t>(marks[own].data() - line.data()));
    const std::string_view text = line.substr(at + kInfo.size());
    if (text.find("=== System") != std::string_view::npos) {
      if (!m_began) m_prefix = prefix;
      m_began = true;
      if (m_prefix == prefix) m_inside = m_gpus.empty();
      return;
    }
    if (prefix != m_prefix) return;
    if (text.find("=====") != std::string_view::npos) {
      m_inside = false;
      return;
    }
    if (const auto graph = graphIn(text)) return m_graphs.push_back(*graph);
    const auto tree = m_inside ? treeLineIn(text) : std::nullopt;
    if (tree) place(*tree);
  }

  /// Lines above at a smaller depth hold this one.
  void place(const TreeLine& line) {
    while (!m_above.empty() && m_above.back().depth >= line.depth) m_above.pop_back();
    if (line.kind == "CPU" && line.link.empty()) {
      m_cpu = m_cpus++;
      m_above.clear();
    } else if (line.kind == "CPU" && line.link == "SYS" && line.bandwidth > 0) {
      m_socket = m_socket > 0 ? std::min(m_socket, line.bandwidth) : line.bandwidth;
    } else if (line.kind == "GPU" && line.link == "PCI") {
      addGpu(line);
    } else if (line.kind == "NVS" && !m_gpus.empty() && inGpu()) {
      m_gpus.back().toSwitch += line.bandwidth;
    } else if (line.kind == "GPU" && (line.link == "NVL" || line.link == "XGMI") && !m_gpus.empty() && inGpu()) {
      m_gpus.back().toGpu[std::string(line.name)] += line.bandwidth;
      m_xgmi = m_xgmi || line.link == "XGMI";
    } else if (line.kind == "NET" && m_machine.nics.size() < kMostGpus) {
      m_machine.nics.push_back({line.bandwidth, 0});
    }
    m_above.push_back(line);
    if (line.kind == "PCI") m_numbers[std::string(line.name) + "/" + std::to_string(m_cpu)] = m_bridges++;
  }

  [[nodiscard]] bool inGpu() const {
    return std::any_of(m_above.begin(), m_above.end(), [](const TreeLine& line) { return line.kind == "GPU"; });
  }

  void addGpu(const TreeLine& line) {
    LoggedGpu gpu{std::string(line.name), m_cpu, line.bandwidth, {}, 0, {}};
    for (const TreeLine& above : m_above) {
      if (above.kind != "PCI") continue;
      gpu.bridges.emplace_back(m_numbers[std::string(above.name) + "/" + std::to_string(m_cpu)], above.bandwidth);
    }
    m_gpus.push_back(std::move(gpu));
  }

  /// NCCL adds up the links between two ends, at its own figure for one (GB/s, of NVLink 1, 2 and 3, 4, and 5).
  static double oneLink(double together) {
    constexpr std::array<double, 4> kFigures{20.6, 40.1, 20.0, 18.0};
    for (const double figure : kFigures) {
      const double links = together / (figure * kGigabytes);
      const bool whole = std::abs(links - std::round(links)) < 0.001 * links;
      if (whole && links > 0.5 && links < kMostNvLinks + 0.5) return figure * kGigabytes;
    }
    return together;
  }

  void makeLinks() {
    GpuLinks& links = m_machine.links;
    links = GpuLinks::none(m_gpus.size());
    links.name = m_xgmi ? "xGMI" : "NVLink";
    links.known = true;
    double least = 0;
    const auto consider = [&](double bandwidth) {
      if (bandwidth > 0) least = least > 0 ? std::min(least, bandwidth) : bandwidth;
    };
    for (const LoggedGpu& gpu : m_gpus) {
      consider(gpu.toSwitch);
      for (const auto& [name, bandwidth] : gpu.toGpu) consider(bandwidth);
    }
    if (least <= 0) return;
    least = oneLink(least);
    links.bandwidth = least;
    for (std::size_t a = 0; a < m_gpus.size(); ++a) {
      links.toSwitch[a] = static_cast<int>(std::min(m_gpus[a].toSwitch / least + 0.5, 64.0));
      for (std::size_t b = 0; b < m_gpus.size(); ++b) {
        const auto found = m_gpus[a].toGpu.find(m_gpus[b].name);
        if (found == m_gpus[a].toGpu.end() || a == b) continue;
        const int count = static_cast<int>(std::min(found->second / least + 0.5, 64.0));
        links.between[a][b] = links.between[b][a] = std::max(links.between[a][b], count);
      }
    }
    m_notes.understood.push_back(formatBandwidth(least) + " for every " + links.noun() + ", as NCCL counts it");
  }

  void makeGroupings() {
    Grouping cpus{"cpu", {InterconnectKind::Switch, m_socket, 0, "CPU link"}, SpeedKind::Socket, kCpuBandwidth, {}};
    std::vector<BridgePath> paths;
    double port = m_gpus[0].port;
    for (const LoggedGpu& gpu : m_gpus) {
      cpus.groupOf.push_back(gpu.cpu);
      paths.push_back(gpu.bridges);
      port = std::min(port, gpu.port);
    }
    m_machine.devicePort.bandwidth = port;
    m_machine.groupings.push_back(std::move(cpus));
    for (Grouping& bridges : bridgeGroupings(paths)) m_machine.groupings.push_back(std::move(bridges));
  }

  /// NCCL's own choice, for comparison with the system that is made of the same lines.
  void tellGraphs() {
    std::map<std::int64_t, bool> reported;
    for (const Graph& graph : m_graphs) {
      if (!reported.emplace(graph.pattern, true).second) continue;
      m_notes.understood.push_back("NCCL chose for " + std::string(nameOfPattern(graph.pattern)) + ": " +
                                   countedText(static_cast<std::size_t>(graph.channels), "channel") + " of " +
                                   formatBandwidth(graph.bandwidth * kGigabytes) + " over " +
                                   (graph.types.empty() ? "its links" : graph.types) + ", together " +
                                   formatBandwidth(graph.bandwidth * kGigabytes * static_cast<double>(graph.channels)));
    }
  }

  std::string_view m_text;
  std::string_view m_prefix;
  bool m_began = false;
  bool m_inside = false;
  std::vector<TreeLine> m_above;
  std::map<std::string, int> m_numbers;  // of PCI switches
  int m_bridges = 0;
  int m_cpu = 0;
  int m_cpus = 0;
  double m_socket = 0;
  bool m_xgmi = false;
  std::vector<LoggedGpu> m_gpus;
  std::vector<Graph> m_graphs;
  Machine m_machine;
  Imported m_notes;
};

}  // namespace

Result<Described> readNcclLog(std::string_view text) { return LogReader(text).read(); }

}  // namespace p2::inline importers
