// SPDX-License-Identifier: GPL-3.0-or-later
// Data sheets of GPUs, held against descriptions of machines.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace p2::inline importers {

/// The topology of the direct links between GPUs inside a machine.
enum class GpuJoin {
  Switch,   ///< all into switches
  Mesh,     ///< equally many to every other GPU
  Wired,    ///< as the machine's maker wired them
  Bridges,  ///< pairs, where a bridge is plugged in
  None,
};

/// PCI identifiers of GPUs of one name; 0 for fewer.
using GpuIds = std::array<std::uint32_t, 3>;

/// The accelerator of a system with these GPUs.
struct GpuKind {
  std::string_view type;  ///< Accelerator::type: "H100-SXM5-80GB"; empty for a GPU that would match another's figures
  std::string_view generation;  ///< one of kGenerations; empty for none of these
};

/// A row of the data sheet.
struct GpuPart {
  std::string_view name;  ///< "H800", as an option takes it
  std::string_view text;  ///< part of the name that tools print
  GpuKind kind;
  std::uint32_t vendor;  ///< of PCI
  GpuIds devices;
  int links;             ///< NVLinks or xGMI links of a GPU
  double linkBandwidth;  ///< of one, bytes/s and direction
  GpuJoin join;
  int domain;               ///< GPUs that the switch joins at most
  std::string_view preset;  ///< bundled system with such GPUs; empty for none
  std::string_view source;

  [[nodiscard]] std::string_view linkNoun() const { return vendor == 0x1002 ? "xGMI link" : "NVLink"; }
};

/// All, the more special names first.
[[nodiscard]] std::span<const GpuPart> gpuParts();
/// The part with that name, upper or lower case, the least special of several. Errors: none, with the names there are.
[[nodiscard]] Result<const GpuPart*> gpuPartNamed(std::string_view name);
/// The part whose printed name occurs in a text; null for none.
[[nodiscard]] const GpuPart* gpuPartIn(std::string_view text);
/// The part of a PCI function; null for none.
[[nodiscard]] const GpuPart* gpuPartOf(std::uint32_t vendor, std::uint32_t device);

}  // namespace p2::inline importers
