// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "base/property.h"
#include "system/system.h"

namespace p2::inline system {

/// kind, bandwidth, latency, name, core, halfDuplex, forwards, reduces, shared, ringCap, treeCap, colour, and the
/// fitted bandwidth, latency and caps.
[[nodiscard]] std::span<const Property<Interconnect>> interconnectProperties();
/// name, count.
[[nodiscard]] std::span<const Property<Level>> levelProperties();
/// name, within, instances, deal, members, gateway.
[[nodiscard]] std::span<const Property<Network>> networkProperties();
/// generation, version, launch.
[[nodiscard]] std::span<const Property<Library>> libraryProperties();
/// type, memory, memoryBandwidth, fp32, bf16, fp8.
[[nodiscard]] std::span<const Property<Accelerator>> acceleratorProperties();

/// Whether all figures are within their ranges, and of a library that it is known. The error's part is the key.
[[nodiscard]] Result<void> checkProperties(const Interconnect& link);
[[nodiscard]] Result<void> checkProperties(const Library& library);
[[nodiscard]] Result<void> checkProperties(const Accelerator& accelerator);

/// "hopper, library 2.18, launch 18.0 µs": the known figures, for people.
[[nodiscard]] std::string figuresText(const Library& library);
/// "H100-SXM5-80GB, 80.0 GB, 3.35 TB/s, bf16 989 TFLOP/s": the known figures, for people.
[[nodiscard]] std::string figuresText(const Accelerator& accelerator);
/// "270 GB/s (fitted 250 GB/s), 2.00 µs, half duplex": all figures that differ from their defaults, for people.
[[nodiscard]] std::string figuresText(const Interconnect& link);

/// All properties of a level's interconnect that one line of text can hold, without name, colour and fitted figures:
/// "270GB/s,2us,ring,halfDuplex=yes". Defaults are omitted, except the bandwidth.
[[nodiscard]] std::string attributesOf(const Interconnect& link);
/// Reads such attributes. A bandwidth, a time with its unit and a kind need no key. Errors: an attribute that is none
/// or lacks its unit, one that is given twice.
[[nodiscard]] Result<void> readAttributes(std::string_view text, Interconnect& link);

}  // namespace p2::inline system
