// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers: facts about a function from its PCI identifiers.
#pragma once

#include <cstdint>
#include <string_view>

namespace p2::inline importers {

/// The identifiers of a PCI function; 0 where a description does not give them.
struct PciId {
  std::uint32_t type = 0;    ///< class and subclass: 0x0302
  std::uint32_t vendor = 0;  ///< 0x10de
  std::uint32_t device = 0;
};

/// Whether it computes: 3D controllers and accelerators of the makers of GPUs, graphics cards that can do more than
/// show a server's console. FPGAs and management controllers do not.
[[nodiscard]] bool isGpu(const PciId& id);

/// Ethernet, InfiniBand and other fabrics.
[[nodiscard]] bool isNetworkCard(const PciId& id);

/// Whether the identifier belongs to a card's virtual function, as virtual machines get them.
[[nodiscard]] bool isVirtualFunction(const PciId& id);

/// Bandwidth of a network card of the kind in each direction, bytes/s; 0 for unknown kinds.
[[nodiscard]] double nicBandwidth(const PciId& id);

/// One NVLink of a GPU, bytes/s and direction: by its compute capability ("sm", 0 when unknown), else its identifier.
[[nodiscard]] double nvLinkBandwidth(int sm, const PciId& id);

/// One xGMI link of a GPU, bytes/s and direction: by its architecture ("gfx942", may be empty), else its identifier.
[[nodiscard]] double xgmiBandwidth(std::string_view architecture, const PciId& id);

/// "16.0 GT/s PCIe" and 16 lanes as bytes/s each way, after line coding; 0 when they say nothing.
[[nodiscard]] double pciBandwidth(std::string_view speed, int lanes);

/// Whether an interface of that name is made by software: "cali6d5ecd219c5", "br-702d9f064725", "docker0".
[[nodiscard]] bool isVirtualInterface(std::string_view name);

}  // namespace p2::inline importers
