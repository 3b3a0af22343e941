// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/gpu_parts.h"

#include <algorithm>
#include <array>

namespace p2::inline importers {
namespace {

using enum GpuJoin;

constexpr std::uint32_t kNvidiaParts = 0x10de;
constexpr std::uint32_t kAmdParts = 0x1002;

constexpr GpuPart part(std::string_view name, std::string_view text, GpuKind kind, std::uint32_t vendor, GpuIds devices,
                       int links, double linkBandwidth, GpuJoin join, int domain, std::string_view preset,
                       std::string_view source) {
  return {name, text, kind, vendor, devices, links, linkBandwidth, join, domain, preset, source};
}

constexpr std::array kParts{
    part("GB300", "GB300", {"GB300", "blackwell"}, kNvidiaParts, {0x31c2, 0x31c3, 0}, 18, 50e9, Switch, 72,
         "gb300-nvl72", "nvidia.com/en-us/data-center/gb300-nvl72: 1.8 TB/s of NVLink a GPU"),
    part("GB200", "GB200", {"GB200", "blackwell"}, kNvidiaParts, {0x2941, 0x2940, 0}, 18, 50e9, Switch, 72,
         "gb200-nvl72", "nvidia.com/en-us/data-center/gb200-nvl72: 1.8 TB/s of NVLink a GPU"),
    part("B300", "B300", {"B300", "blackwell"}, kNvidiaParts, {0x3182, 0, 0}, 18, 50e9, Switch, 8, "dgx-b200",
         "nvidia.com/en-us/data-center/dgx-b300: 14.4 TB/s of NVLink for 8 GPUs"),
    part("B200", "B200", {"B200", "blackwell"}, kNvidiaParts, {0x2901, 0, 0}, 18, 50e9, Switch, 8, "dgx-b200",
         "nvidia.com/en-us/data-center/dgx-b200: 14.4 TB/s of NVLink for 8 GPUs"),
    part("GH200", "GH200", {"GH200", "hopper"}, kNvidiaParts, {0x2342, 0x2348, 0}, 18, 25e9, Wired, 4, "alps-gh200",
         "NVIDIA Grace Hopper architecture whitepaper: 900 GB/s of NVLink a GPU"),
    part("H100-PCIe", "H100 PCIe", {"H100-PCIe", "hopper"}, kNvidiaParts, {0x2331, 0, 0}, 12, 25e9, Bridges, 2, "",
         "NVIDIA H100 PCIe product brief: three bridges, 600 GB/s between two"),
    part("H100-NVL", "H100 NVL", {"", "hopper"}, kNvidiaParts, {0x2321, 0, 0}, 12, 25e9, Bridges, 2, "",
         "NVIDIA H100 NVL product brief: three bridges, 600 GB/s between two"),
    part("H800", "H800", {"H800", "hopper"}, kNvidiaParts, {0x2324, 0, 0}, 8, 25e9, Switch, 8, "",
         "NVIDIA H800 SXM5: 400 GB/s of NVLink, both directions"),
    part("H200-NVL", "H200 NVL", {"H200-NVL", "hopper"}, kNvidiaParts, {0x233b, 0, 0}, 18, 25e9, Bridges, 4, "",
         "NVIDIA H200 datasheet: bridges of 900 GB/s between 2 or 4"),
    part("H200", "H200", {"H200", "hopper"}, kNvidiaParts, {0x2335, 0, 0}, 18, 25e9, Switch, 8, "gcp-a3ultra",
         "NVIDIA H200 datasheet: 900 GB/s of NVLink"),
    part("H20", "H20", {"H20", "hopper"}, kNvidiaParts, {0x2329, 0, 0}, 18, 25e9, Switch, 8, "",
         "NVIDIA H20: 900 GB/s of NVLink"),
    part("H100", "H100 80GB HBM3", {"H100-SXM5-80GB", "hopper"}, kNvidiaParts, {0x2330, 0x2336, 0x2339}, 18, 25e9,
         Switch, 8, "dgx-h100", "NVIDIA H100 datasheet: 900 GB/s of NVLink"),
    part("A800", "A800-SXM", {"A800", "ampere"}, kNvidiaParts, {0x20f3, 0, 0}, 8, 25e9, Switch, 8, "",
         "NVIDIA A800 SXM4: 400 GB/s of NVLink, both directions"),
    part("A100-PCIe", "A100 80GB PCIe", {"A100-PCIE-80GB", "ampere"}, kNvidiaParts, {0x20b5, 0, 0}, 12, 25e9, Bridges,
         2, "", "NVIDIA A100 datasheet: a bridge of 600 GB/s between two"),
    part("A100-PCIe", "A100-PCIE", {"A100-PCIE", "ampere"}, kNvidiaParts, {0x20f1, 0, 0}, 12, 25e9, Bridges, 2, "",
         "NVIDIA A100 datasheet: a bridge of 600 GB/s between two"),
    part("A100", "A100-SXM4-80GB", {"A100-SXM4-80GB", "ampere"}, kNvidiaParts, {0x20b2, 0, 0}, 12, 25e9, Switch, 8,
         "dgx-a100", "NVIDIA A100 datasheet: 600 GB/s of NVLink"),
    part("A100", "A100-SXM4-40GB", {"A100-SXM4-40GB", "ampere"}, kNvidiaParts, {0x20b0, 0, 0}, 12, 25e9, Switch, 8,
         "dgx-a100", "NVIDIA A100 datasheet: 600 GB/s of NVLink"),
    part("A100", "A100-SXM", {"A100", "ampere"}, kNvidiaParts, {0, 0, 0}, 12, 25e9, Switch, 8, "dgx-a100",
         "NVIDIA A100 datasheet: 600 GB/s of NVLink"),
    part("V100", "V100-SXM3", {"V100-SXM3-32GB", "volta"}, kNvidiaParts, {0x1db8, 0, 0}, 6, 25e9, Wired, 16, "",
         "NVIDIA V100 datasheet: 300 GB/s of NVLink"),
    part("V100", "V100-SXM2-32GB", {"V100-SXM2-32GB", "volta"}, kNvidiaParts, {0x1db5, 0, 0}, 6, 25e9, Wired, 16, "",
         "NVIDIA V100 datasheet: 300 GB/s of NVLink"),
    part("V100", "V100-SXM2-16GB", {"V100-SXM2-16GB", "volta"}, kNvidiaParts, {0x1db1, 0, 0}, 6, 25e9, Wired, 16, "",
         "NVIDIA V100 datasheet: 300 GB/s of NVLink"),
    part("V100", "V100-SXM", {"V100", "volta"}, kNvidiaParts, {0, 0, 0}, 6, 25e9, Wired, 16, "",
         "NVIDIA V100 datasheet: 300 GB/s of NVLink"),
    part("P100", "P100", {"P100", ""}, kNvidiaParts, {0x15f9, 0, 0}, 4, 20e9, Wired, 8, "",
         "NVIDIA P100 datasheet: 160 GB/s"),
    part("RTX-A6000", "RTX A6000", {"RTX-A6000", "ampere"}, kNvidiaParts, {0x2230, 0, 0}, 4, 14.0625e9, Bridges, 2, "",
         "NVIDIA RTX A6000 datasheet: 112.5 GB/s"),
    part("RTX-A5000", "RTX A5000", {"RTX-A5000", "ampere"}, kNvidiaParts, {0x2231, 0, 0}, 4, 14.0625e9, Bridges, 2, "",
         "NVIDIA RTX A5000 datasheet: 112.5 GB/s"),
    part("RTX-A5500", "RTX A5500", {"RTX-A5500", "ampere"}, kNvidiaParts, {0x2233, 0, 0}, 4, 14.0625e9, Bridges, 2, "",
         "NVIDIA RTX A5500 datasheet: 112.5 GB/s"),
    part("RTX-A4500", "RTX A4500", {"RTX-A4500", "ampere"}, kNvidiaParts, {0x2232, 0, 0}, 4, 14.0625e9, Bridges, 2, "",
         "NVIDIA RTX A4500 datasheet: 112.5 GB/s"),
    part("A40", "NVIDIA A40", {"A40", "ampere"}, kNvidiaParts, {0x2235, 0, 0}, 4, 14.0625e9, Bridges, 2, "",
         "NVIDIA A40 datasheet: 112.5 GB/s"),
    part("RTX-3090", "RTX 3090", {"RTX-3090", "ampere"}, kNvidiaParts, {0x2204, 0, 0}, 4, 14.0625e9, Bridges, 2, "",
         "NVIDIA GA102 whitepaper: four links of 14.0625 GB/s"),
    part("L40S", "L40S", {"L40S", "ada"}, kNvidiaParts, {0x26b9, 0, 0}, 0, 0, None, 1, "",
         "NVIDIA L40S datasheet: no NVLink"),
    part("RTX-4090", "RTX 4090", {"RTX-4090", "ada"}, kNvidiaParts, {0x2684, 0, 0}, 0, 0, None, 1, "rtx4090-pcie",
         "NVIDIA AD102 whitepaper: no NVLink"),
    part("MI355X", "MI355X", {"MI355X", "cdna4"}, kAmdParts, {0x75a3, 0, 0}, 7, 76.8e9, Mesh, 8, "",
         "AMD Instinct MI355X datasheet: seven links of 153.6 GB/s, both directions"),
    part("MI350X", "MI350X", {"MI350X", "cdna4"}, kAmdParts, {0x75a0, 0, 0}, 7, 76.8e9, Mesh, 8, "",
         "AMD Instinct MI350X datasheet: seven links of 153.6 GB/s, both directions"),
    part("MI325X", "MI325X", {"MI325X", "cdna3"}, kAmdParts, {0x74a5, 0, 0}, 7, 64e9, Mesh, 8, "mi300x",
         "AMD Instinct MI325X datasheet: seven links of 128 GB/s, both directions"),
    part("MI300X", "MI300X", {"MI300X", "cdna3"}, kAmdParts, {0x74a1, 0x74b5, 0}, 7, 64e9, Mesh, 8, "mi300x",
         "AMD Instinct MI300X datasheet: seven links of 128 GB/s, both directions"),
    part("MI250X", "MI250X", {"MI250X", "cdna2"}, kAmdParts, {0x7408, 0x740c, 0}, 8, 50e9, Wired, 8, "",
         "AMD CDNA 2 whitepaper: eight links of 100 GB/s for a die, both directions"),
    part("MI210", "MI210", {"MI210", "cdna2"}, kAmdParts, {0x740f, 0, 0}, 3, 50e9, Bridges, 4, "",
         "AMD Instinct MI210 datasheet: three links of 100 GB/s, both directions"),
    part("MI100", "MI100", {"MI100", ""}, kAmdParts, {0x738c, 0, 0}, 3, 46e9, Bridges, 4, "",
         "AMD Instinct MI100 datasheet: three links of 92 GB/s, both directions"),
    part("MI60", "MI60", {"MI60", ""}, kAmdParts, {0x66a1, 0x66a0, 0}, 2, 50e9, Bridges, 4, "",
         "AMD Radeon Instinct MI60 datasheet: two links of 100 GB/s, both directions"),
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The letters and digits of a name: "NVIDIA H100 PCIe" is "h100pcie".
std::string plainName(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != ' ' && c != '-' && c != '_') plain += lower(c);
  }
  for (const std::string_view maker : {"nvidia", "amd", "instinct"}) {
    if (plain.starts_with(maker)) plain.erase(0, maker.size());
  }
  return plain;
}

}  // namespace

std::span<const GpuPart> gpuParts() { return kParts; }

Result<const GpuPart*> gpuPartNamed(std::string_view name) {
  std::string known;
  std::string_view last;
  const GpuPart* named = nullptr;
  for (const GpuPart& part : kParts) {
    if (plainName(part.name) == plainName(name)) named = &part;
    // Parts of one name differ in their memory alone.
    if (part.name == last) continue;
    last = part.name;
    known += (known.empty() ? "" : ", ") + std::string(part.name);
  }
  if (named != nullptr) return named;
  return Error{"there is no data sheet of the GPU \"" + std::string(name.substr(0, 64)) + "\"; use one of " + known};
}

const GpuPart* gpuPartIn(std::string_view text) {
  const auto found = std::find_if(kParts.begin(), kParts.end(),
                                  [&](const GpuPart& part) { return text.find(part.text) != std::string_view::npos; });
  return found == kParts.end() ? nullptr : &*found;
}

const GpuPart* gpuPartOf(std::uint32_t vendor, std::uint32_t device) {
  const auto found = std::find_if(kParts.begin(), kParts.end(), [&](const GpuPart& part) {
    return device != 0 && part.vendor == vendor && std::ranges::find(part.devices, device) != part.devices.end();
  });
  return found == kParts.end() ? nullptr : &*found;
}

}  // namespace p2::inline importers
