// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "system/system.h"

namespace p2::inline importers {

/// Kinds of links whose speed descriptions of machines often leave out.
enum class SpeedKind {
  GpuLink,  ///< one NVLink or xGMI link
  Pcie,     ///< a PCIe slot or the way up from a PCIe switch
  Socket,   ///< between the sockets
  Nic,      ///< one network card
  OnChip,   ///< between the parts of a socket
};
inline constexpr std::size_t kSpeedKinds = 5;

/// Bytes/s in each direction, by SpeedKind; 0 where it is unknown.
struct Speeds {
  std::array<double, kSpeedKinds> by{};
  [[nodiscard]] double& operator[](SpeedKind kind) { return by[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] double operator[](SpeedKind kind) const { return by[static_cast<std::size_t>(kind)]; }
  friend bool operator==(const Speeds&, const Speeds&) = default;
};

/// A system read from another program's description of a machine, and how far the description was followed. The three
/// lists are for people, one item each: "8 GPUs", "25 GB/s for every NVLink", "3 block devices".
struct Imported {
  System system;       ///< validated
  std::string format;  ///< "nvidia-smi topo -m"
  std::vector<std::string> understood;
  std::vector<std::string> assumed;  ///< figures the description does not give
  std::vector<std::string> ignored;
  Speeds assumedSpeeds;           ///< the figures among `assumed`; ImportOptions::speeds takes others in their place
  std::int64_t assumedCards = 0;  ///< network cards of a machine, where the description has none; 0 where it has
};

/// Import options given by the user.
struct ImportOptions {
  /// Number of such machines: with 2 or more a level "node" is put above them, joined through all their network cards
  /// together. Descriptions of a whole cluster (ASTRA-sim) do not take it.
  std::int64_t nodes = 1;
  Speeds speeds = {};  ///< in place of the description's or the default speeds
  /// Network cards of every machine in place of those described, up to kMostCards; 0 for those, or for one card where
  /// none is described. Cards beyond the described ones are as fast as a card without a description.
  std::int64_t cards = 0;
  /// Name of the GPU's data sheet (gpuParts()), with links in addition to those described: links into a switch, speeds,
  /// trays of one rack. Empty for the GPU that the description names, if any.
  std::string gpu = {};
  friend bool operator==(const ImportOptions&, const ImportOptions&) = default;
};

/// Limits of an import: cards of one machine, and bytes of a description.
inline constexpr std::int64_t kMostCards = 64;
inline constexpr std::size_t kMostImportBytes = std::size_t{16} << 20;

struct Described;

/// A format that another program describes a machine or a cluster in. The command's help, its list of formats, the
/// dialog's and the tests' come from importFormats().
struct ImportFormat {
  std::string_view name;       ///< the command or program that writes it: "lstopo --of xml"
  std::string_view help;       ///< "hwloc's XML, of versions 1 to 3"
  std::string_view extension;  ///< extension of its files, without a dot: "xml"
  /// Recognises a format by content: the whole text in UTF-8, and its first character that is no blank.
  bool (*recognises)(std::string_view text, char first);
  /// Reads one machine; null for formats of clusters.
  Result<Described> (*readMachine)(std::string_view text);
  /// Reads a whole cluster; null for formats of machines.
  Result<Imported> (*readCluster)(std::string_view text);
};

/// All formats, in the order in which they are tried.
[[nodiscard]] std::span<const ImportFormat> importFormats();
/// "lstopo --of xml, NCCL_TOPO_DUMP_FILE, … and ASTRA-sim": their names, for sentences.
[[nodiscard]] std::string importFormatNames();

/// Whether importTopology() knows the format; its content may still be wrong.
[[nodiscard]] bool isImportable(std::string_view text);

/// Reads a text of any of importFormats(), recognised by its content, in UTF-8 or UTF-16. Devices are the GPUs where
/// there are any, else cores. A hierarchy that is not uniform loses its unequal groups, never a device. No text of the
/// answer holds control codes. Links are held against the data sheet of the GPU, and differences are in `assumed`.
/// Marks of launchers, quotation and broken lines of pasted text are undone. Errors: too large, not a known format,
/// broken (with its place), no devices. O(text), and O(devices²) for links between GPUs.
[[nodiscard]] Result<Imported> importTopology(std::string_view text, const ImportOptions& options = {});

/// The file with the links of an ASTRA-sim network whose topology is Custom, as the network names it: next to the
/// network's own file unless it is absolute. Empty for all other texts.
[[nodiscard]] std::string linksFileOf(std::string_view text);

/// The description of one machine of a system.
struct NamedText {
  std::string name;  ///< for errors: the file's
  std::string text;
};

/// One system of different machines, each with its own description: a level "node" where they are equal, else networks
/// of their own for each. LLDP listings of several machines are one cabling. `options.nodes` must be 1. Errors: as
/// importTopology() with the name in front, cores mixed with GPUs, too many networks.
[[nodiscard]] Result<Imported> importMachines(std::span<const NamedText> texts, const ImportOptions& options = {});

/// A machine in the notation of hwloc, "pack:2 core:4 pu:2". Errors: not that notation, over 65536 units, or more than
/// hwloc can lay out in five seconds; cancelled.
[[nodiscard]] Result<Imported> importSynthetic(std::string_view description, const ImportOptions& options = {},
                                               const std::stop_token& stop = {});

/// The machine this runs on, as hwloc sees it.
[[nodiscard]] Result<Imported> importThisMachine(const ImportOptions& options = {}, const std::stop_token& stop = {});

}  // namespace p2::inline importers
