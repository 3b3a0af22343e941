// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers: common parts of the formats that describe one machine.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "importers/gpu_parts.h"
#include "importers/importers.h"

namespace p2::inline importers {

/// Bandwidths for links whose speed a format leaves out, in bytes/s and direction. Every use is noted in
/// Imported::assumed.
inline constexpr double kNvLinkBandwidth = 25e9;  ///< one link of NVLink 2 to 4
inline constexpr double kPciBandwidth = 32e9;     ///< PCIe 4.0, 16 lanes
inline constexpr double kPci3Bandwidth = 16e9;    ///< PCIe 3.0, 16 lanes
inline constexpr double kCpuBandwidth = 20e9;     ///< between sockets
inline constexpr double kOnChipBandwidth = 64e9;  ///< between the parts of a socket
inline constexpr double kNicBandwidth = 12.5e9;   ///< a network card of 100 Gbit/s

/// GPUs of one machine whose links are looked at pair by pair.
inline constexpr std::size_t kMostGpus = 1024;
/// GPUs hang below a few bridges; every one more is a level.
inline constexpr std::size_t kMostBridges = 8;
/// Largest number of links of an NVIDIA GPU: Hopper's and Blackwell's.
inline constexpr int kMostNvLinks = 18;

/// Devices that belong together: a socket, a PCIe switch.
struct Grouping {
  std::string name;           ///< the level's: "cpu"
  Interconnect interconnect;  ///< joins the groups; bandwidth 0 when the format does not say
  SpeedKind speed = SpeedKind::Pcie;
  double defaultBandwidth = 0;  ///< taken then
  std::vector<int> groupOf;     ///< by device; −1 for a device in no such group
};

/// The PCIe switches above a GPU, outermost first: their numbers and bandwidths upwards, 0 where unknown.
using BridgePath = std::vector<std::pair<int, double>>;
/// GPUs by PCIe switch, a grouping for each depth up to kMostBridges, with the lowest known bandwidth.
[[nodiscard]] std::vector<Grouping> bridgeGroupings(const std::vector<BridgePath>& paths);

/// Links that join GPUs directly.
struct GpuLinks {
  std::string name = "NVLink";            ///< or xGMI
  std::vector<std::vector<int>> between;  ///< how many between each two GPUs, symmetric; empty without any
  std::vector<int> toSwitch;              ///< how many from each GPU into switches; empty without any
  std::vector<int> switchOf;              ///< which switch by GPU, where there are several apart; may be empty
  double bandwidth = kNvLinkBandwidth;    ///< of one link
  bool known = false;                     ///< whether the description gives the bandwidth itself

  /// "NVLink", "xGMI link".
  [[nodiscard]] std::string noun() const { return name == "NVLink" ? name : name + " link"; }
  /// No links between `gpus`.
  static GpuLinks none(std::size_t gpus);
};

/// GPUs with more links to others than any GPU has are joined by a switch, which descriptions show pair by pair. Says
/// so in `notes`. O(devices²).
void tellSwitches(GpuLinks& links, Imported& notes);

struct Nic {
  double bandwidth = 0;  ///< 0 when the format does not say
  double latency = 0;
};

/// One machine, before it is made a system.
struct Machine {
  std::string device = "gpu";
  std::size_t devices = 0;
  std::vector<Grouping> groupings;  ///< outermost first where they have equally many groups
  Interconnect devicePort{InterconnectKind::Switch, 0, 0, "PCIe"};  ///< joins neighbouring devices
  SpeedKind portSpeed = SpeedKind::Pcie;
  double defaultPortBandwidth = kPciBandwidth;
  GpuLinks links;
  std::vector<Nic> nics;
  /// The cards behind the same PCIe switch (PIX, PXB), by device; empty if the description does not say.
  std::vector<std::vector<std::size_t>> nearCards = {};
  const GpuPart* part = nullptr;   ///< data sheet of the GPUs, where the description names them
  bool linksHidden = false;        ///< whether such a description never shows direct links
  std::string hiddenBecause = {};  ///< why, for a note
  bool rackTray = false;           ///< whether it looks like a tray of a rack of Grace and Blackwell
  double rackBandwidth = 0;        ///< from a machine into its rack's NVLink switches; 0 for none
};

/// "GPU" for the level gpu; other levels are their own nouns.
[[nodiscard]] std::string nounOf(const std::string& level);

/// The speed of a link that the description leaves out: the user's, else the default, which is noted as assumed.
double assumedSpeed(SpeedKind kind, double fallback, const std::string& text, const ImportOptions& options,
                    Imported& notes);

/// Makes the machine a validated system and writes its decisions into `notes`. GPU links that join all devices
/// equally (switch, mesh) make the one level; other links become networks in addition to the hierarchy of the
/// groupings. Needs at least one device.
[[nodiscard]] Result<Imported> systemOf(const Machine& machine, const ImportOptions& options, Imported notes);

/// Compares the links of a description with the data sheet of its GPU, or of the one that the options name: completes
/// hidden ones, reduces impossible ones, and notes every difference. Errors: a GPU without a data sheet.
[[nodiscard]] Result<void> holdAgainstPart(Machine& machine, const ImportOptions& options, Imported& notes);

/// Speed of a network card that the description leaves out. Where every GPU has a card, the makers' own machines with
/// such GPUs give it.
struct CardSpeed {
  double bandwidth = kNicBandwidth;
  std::string_view because = {};  ///< continues "12.5 GB/s for every network card"
};
[[nodiscard]] CardSpeed assumedCardOf(const Machine& machine);
/// Total bandwidth of the machine's network cards, and their latency; a card without a speed has the assumed one.
[[nodiscard]] Interconnect portOf(const std::vector<Nic>& nics, const CardSpeed& assumed, const ImportOptions& options,
                                  Imported& notes);

/// Adds the level of nodes with NICs, rails and a spine if every GPU has cards behind its own PCIe switch. False, and
/// nothing added, if not.
[[nodiscard]] bool addRails(const Machine& machine, const ImportOptions& options, Imported& notes);
/// Names the accelerator by its number of NVLinks where no name is known.
void tellGpuByLinks(const Machine& machine, Imported& notes);

/// The parts of importTopology() before a machine is made a system; descriptions of whole clusters are already one.
struct Described {
  Machine machine;
  Imported notes;
};
/// The machine of a text after plainText().
[[nodiscard]] Result<Described> describedMachine(std::string_view text);

/// One of several different machines.
struct NodeDescription {
  std::string name;  ///< its file's
  Described described;
};
/// Errors: as importMachines().
[[nodiscard]] Result<Imported> systemOfNodes(const std::vector<NodeDescription>& nodes, const ImportOptions& options);

// The formats of XML, for readXml().
[[nodiscard]] Result<Described> readHwloc(const pugi::xml_node& topology, const std::string& format);
[[nodiscard]] Result<Described> readNcclXml(const pugi::xml_node& system);

}  // namespace p2::inline importers
