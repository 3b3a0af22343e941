// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers: what the formats that describe one machine have in common.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "importers/importers.h"

namespace p2 {

/// Bandwidths for what a format is silent about, in bytes/s and direction. Every use is told in Imported::assumed.
inline constexpr double kNvLinkBandwidth = 25e9;  ///< one link of NVLink 2 to 4
inline constexpr double kPciBandwidth = 32e9;     ///< PCIe 4.0, 16 lanes
inline constexpr double kPci3Bandwidth = 16e9;    ///< PCIe 3.0, 16 lanes
inline constexpr double kCpuBandwidth = 20e9;     ///< between sockets
inline constexpr double kOnChipBandwidth = 64e9;  ///< between the parts of a socket
inline constexpr double kNicBandwidth = 12.5e9;   ///< a network card of 100 Gbit/s

/// Devices that lie together: a socket, a PCIe switch.
struct Grouping {
  std::string name;           ///< the level's: "cpu"
  Interconnect interconnect;  ///< joins the groups; bandwidth 0 when the format does not say
  double usualBandwidth = 0;  ///< taken then
  std::vector<int> groupOf;   ///< by device; −1 for one that lies in no such group
};

/// Links that join GPUs directly.
struct GpuLinks {
  std::vector<std::vector<int>> between;  ///< how many between each two GPUs, symmetric; empty without any
  std::vector<int> toSwitch;              ///< how many from each GPU into switches; empty without any
  double bandwidth = kNvLinkBandwidth;    ///< of one link
};

struct Nic {
  double bandwidth = 0;  ///< 0 when the format does not say
  double latency = 0;
};

/// One machine, before it is made a system.
struct Machine {
  std::string device = "gpu";
  std::size_t devices = 0;
  std::vector<Grouping> groupings;  ///< outermost first where they have equally many groups
  Interconnect devicePort{InterconnectKind::Switch, 0, 0, "PCIe"};  ///< joins devices that lie together
  double usualPortBandwidth = kPciBandwidth;
  GpuLinks links;
  std::vector<Nic> nics;
};

/// "1 GPU", "8 GPUs".
[[nodiscard]] std::string countedNoun(std::size_t count, const std::string& noun);

/// Makes the machine a validated system and writes into `notes` what was made of it. GPU links that join all devices
/// alike (switch, mesh) make the one level; other links become networks beside the hierarchy of the groupings. Needs at
/// least one device.
[[nodiscard]] Result<Imported> systemOf(const Machine& machine, const ImportOptions& options, Imported notes);

// One function per format; importTopology() chooses.
[[nodiscard]] Result<Imported> importXml(std::string_view text, const ImportOptions& options);
[[nodiscard]] Result<Imported> importHwlocXml(std::string_view text, const ImportOptions& options);
[[nodiscard]] Result<Imported> importNcclXml(const pugi::xml_node& system, const ImportOptions& options);
[[nodiscard]] Result<Imported> importSmiMatrix(std::string_view text, const ImportOptions& options);
[[nodiscard]] Result<Imported> importAstraYaml(std::string_view text);

}  // namespace p2
