// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/counted.h"
#include "importers/detail/machine.h"
#include "importers/gpu_parts.h"

namespace p2::inline importers {
namespace {

/// Holds the GPU links of a description against the data sheet of the GPU.
class PartCheck {
 public:
  PartCheck(Machine& machine, const GpuPart* chosen, std::int64_t nodes, Imported& notes)
      : m_machine(machine),
        m_part(chosen != nullptr ? chosen : machine.part),
        m_chosen(chosen != nullptr),
        m_nodes(nodes),
        m_notes(notes) {}

  void check() {
    if (m_machine.device != "gpu" || m_machine.devices < 1) return;
    if (m_part == nullptr) checkUnknown();
    if (m_part == nullptr) return;
    m_notes.system.accelerator.type = m_part->kind.type;
    m_notes.system.library.generation = m_part->kind.generation;
    GpuLinks& links = m_machine.links;
    if (m_part->links > 0 && (m_chosen || !links.known)) links.bandwidth = m_part->linkBandwidth;
    links.known = links.known || (m_chosen && m_part->links > 0);
    if (links.between.empty() && links.toSwitch.empty()) links = withBandwidth(GpuLinks::none(m_machine.devices));
    const int most = mostLinks();
    if (most == 0) return checkNone();
    if (most > m_part->links) return checkTooMany(most);
    if (most < m_part->links && !m_chosen) {
      m_notes.assumed.push_back(std::to_string(most) + " of the " + named() + " of the " + std::string(m_part->name) +
                                " are in use, as described");
    }
    checkRack();
  }

 private:
  [[nodiscard]] GpuLinks withBandwidth(GpuLinks links) const {
    links.name = m_part->vendor == 0x1002 ? "xGMI" : "NVLink";
    links.bandwidth = m_part->linkBandwidth;
    links.known = m_chosen;
    return links;
  }

  [[nodiscard]] std::string named() const {
    return countedText(static_cast<std::size_t>(m_part->links), std::string(m_part->linkNoun()));
  }
  [[nodiscard]] std::string option() const { return "--gpu " + std::string(m_part->name); }

  /// Links of the GPU with the most, as the file counts them: all links into a switch stand between each pair.
  [[nodiscard]] int mostLinks() const {
    int most = 0;
    for (const int ports : m_machine.links.toSwitch) most = std::max(most, ports);
    for (const std::vector<int>& row : m_machine.links.between) {
      const int sum = std::accumulate(row.begin(), row.end(), 0);
      const bool isSwitched = m_machine.links.name == "NVLink" && sum > kMostNvLinks;
      most = std::max(most, isSwitched ? *std::max_element(row.begin(), row.end()) : sum);
    }
    return most;
  }

  void checkUnknown() {
    if (m_machine.hiddenBecause.empty() || mostLinks() > 0) {
      if (m_machine.rackTray) tellTray("GB200 or GB300", "GB200", "gb200-nvl72");
      if (m_machine.links.name == "xGMI" && mostLinks() > 0) guessByMesh();
      return;
    }
    m_notes.assumed.push_back("no direct links between GPUs: " + m_machine.hiddenBecause +
                              "; if they have NVLink, name the GPU, as in --gpu H800");
  }

  /// AMD's tables do not name the GPUs. Those that are joined as these are have one link to every other.
  void guessByMesh() {
    const GpuLinks& links = m_machine.links;
    std::string others;
    for (const GpuPart& part : gpuParts()) {
      const bool isFast = !links.known || std::abs(links.bandwidth - part.linkBandwidth) < 0.01 * part.linkBandwidth;
      const bool isMeshed = isMesh() && links.between[0][1] == 1 && part.links == mostLinks();
      if (part.linkNoun() != links.noun() || part.join != GpuJoin::Mesh || !isFast || !isMeshed) continue;
      if (m_part != nullptr) others += (others.empty() ? "" : ", ") + std::string(m_part->name);
      m_part = &part;  // the oldest of them is the most common
    }
    if (m_part == nullptr) {
      m_notes.assumed.push_back(
          "GPUs of an unknown generation, so that the paper model predicts; name yours, as in --gpu MI250X");
      return;
    }
    m_notes.assumed.push_back(
        std::string(m_part->name) + ", since " + countedText(m_machine.devices, "GPU") + " form a mesh of xGMI links" +
        (others.empty() ? ""
                        : "; so do " + others + ": name yours, as in --gpu " + others.substr(0, others.find(','))));
  }

  void checkNone() {
    if (m_part->links == 0) return;
    const std::string source = " (" + std::string(m_part->source) + ")";
    const bool takes = (m_chosen || !m_machine.hiddenBecause.empty()) && m_machine.devices > 1;
    const auto gpus = static_cast<int>(m_machine.devices);
    if (takes && m_part->join == GpuJoin::Switch) {
      m_machine.links = withBandwidth(m_machine.links);
      m_machine.links.toSwitch.assign(m_machine.devices, m_part->links);
      m_machine.links.known = true;
      m_notes.assumed.push_back(named() + " a GPU into a switch, from the data sheet of the " +
                                std::string(m_part->name) + source + ": the description has none");
      return checkRack();
    }
    if (takes && m_part->join == GpuJoin::Mesh && m_part->links % std::max(gpus - 1, 1) == 0) {
      m_machine.links = withBandwidth(m_machine.links);
      for (int a = 0; a < gpus; ++a) {
        for (int b = 0; b < gpus; ++b) {
          const int count = a == b ? 0 : m_part->links / (gpus - 1);
          m_machine.links.between[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = count;
        }
      }
      m_machine.links.known = true;
      m_notes.assumed.push_back("the " + named() + " of every " + std::string(m_part->name) +
                                " from its data sheet: the description has none" + source);
      return;
    }
    // Bridges are plugged in or not.
    if (m_part->join == GpuJoin::Bridges && !takes) return;
    const bool open = m_part->join == GpuJoin::Switch || m_part->join == GpuJoin::Mesh;
    m_notes.assumed.push_back(
        "no direct links, though the " + std::string(m_part->name) + " has " + named() +
        (open ? "; " + option() + " takes them" : ": the description does not show which are wired"));
  }

  void checkTooMany(int most) {
    std::string text = "it shows " + countedText(static_cast<std::size_t>(most), "link") + " of a GPU, and the " +
                       std::string(m_part->name) + " has " + std::to_string(m_part->links) + " (" +
                       std::string(m_part->source) + ")";
    const auto gpus = static_cast<int>(m_machine.devices);
    if (const int each = gpus > 1 ? m_part->links / (gpus - 1) : 0; each > 0 && isMesh()) {
      for (std::vector<int>& row : m_machine.links.between) {
        for (int& count : row) count = std::min(count, each);
      }
      text += ": a matrix in which all pairs are the same is a known fault of the driver; " +
              countedText(static_cast<std::size_t>(each), "link") +
              " a pair, unless --nvlink or a preset says otherwise";
    }
    m_notes.assumed.push_back(std::move(text));
  }

  [[nodiscard]] bool isMesh() const {
    const auto& between = m_machine.links.between;
    if (between.size() < 2) return false;
    for (std::size_t a = 0; a < between.size(); ++a) {
      for (std::size_t b = 0; b < between.size(); ++b) {
        if (a != b && between[a][b] != between[0][1]) return false;
      }
    }
    return true;
  }

  /// GPUs of a rack whose switches reach beyond the machine.
  void checkRack() {
    const auto gpus = static_cast<std::int64_t>(m_machine.devices);
    if (m_part->join != GpuJoin::Switch || m_part->domain <= gpus || m_part->domain <= 16) return;
    if (!m_chosen || m_nodes < 2) return tellTray(std::string(m_part->name), m_part->name, m_part->preset);
    if (m_nodes * gpus > m_part->domain) {
      m_notes.assumed.push_back("machines joined by network cards: " + std::to_string(m_nodes * gpus) +
                                " GPUs are more than the " + std::to_string(m_part->domain) + " of a rack");
      return;
    }
    m_machine.rackBandwidth = static_cast<double>(gpus * m_part->links) * m_part->linkBandwidth;
    m_notes.assumed.push_back("the machines are trays of one rack and share its NVLink switches (" +
                              std::string(m_part->source) + ")");
  }

  void tellTray(const std::string& what, std::string_view option, std::string_view preset) {
    m_notes.assumed.push_back("looks like a tray of a " + what +
                              " rack, whose trays share NVLink, which the description "
                              "cannot show: --gpu " +
                              std::string(option) + " joins up to 72 GPUs by it, as the preset " + std::string(preset) +
                              " does");
  }

  Machine& m_machine;
  const GpuPart* m_part;
  bool m_chosen;
  std::int64_t m_nodes;
  Imported& m_notes;
};

}  // namespace

Result<void> holdAgainstPart(Machine& machine, const ImportOptions& options, Imported& notes) {
  const GpuPart* chosen = nullptr;
  if (!options.gpu.empty()) {
    P2_TRY_ASSIGN(chosen, gpuPartNamed(options.gpu));
  }
  PartCheck(machine, chosen, options.nodes, notes).check();
  return {};
}

}  // namespace p2::inline importers
