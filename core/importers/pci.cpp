// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/pci.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace p2::inline importers {
namespace {

constexpr std::uint32_t kNvidia = 0x10de;
constexpr std::uint32_t kAmd = 0x1002;
constexpr std::uint32_t kIntel = 0x8086;
constexpr std::uint32_t kHygon = 0x1d94;
constexpr std::uint32_t kMellanox = 0x15b3;

/// Makers of processing accelerators (class 0x1200) that train networks: AMD, NVIDIA, Habana, Huawei, Google,
/// Graphcore, Cambricon, NEC.
constexpr std::array<std::uint32_t, 8> kAccelerators{kAmd, kNvidia, 0x1da3, 0x19e5, 0x1ae0, 0x1d95, 0xcabc, 0x1bcf};

/// AMD's graphics of servers' boards, which only show a console: RV100, ES1000, Rage.
constexpr std::array<std::uint32_t, 6> kConsoles{0x515e, 0x5159, 0x5969, 0x4752, 0x4c59, 0x515f};

struct NicKind {
  std::uint32_t vendor;
  std::uint32_t device;
  double gigabits;
};

/// Per port, as pci.ids names them.
constexpr std::array<NicKind, 44> kNics{{
    {kMellanox, 0x1003, 40},  {kMellanox, 0x1007, 40},  {kMellanox, 0x1011, 56},  {kMellanox, 0x1013, 100},
    {kMellanox, 0x1015, 25},  {kMellanox, 0x1017, 100}, {kMellanox, 0x1019, 100}, {kMellanox, 0x101b, 200},
    {kMellanox, 0x101c, 200}, {kMellanox, 0x101d, 100}, {kMellanox, 0x101e, 400}, {kMellanox, 0x101f, 25},
    {kMellanox, 0x1021, 400}, {kMellanox, 0x1023, 800}, {kMellanox, 0x1014, 100}, {kMellanox, 0x1016, 25},
    {kMellanox, 0x1018, 100}, {kMellanox, 0x101a, 100}, {kMellanox, 0xa2d2, 100}, {kMellanox, 0xa2d6, 200},
    {kMellanox, 0xa2dc, 400}, {kIntel, 0x24f0, 100},    {kIntel, 0x24f1, 100},    {kIntel, 0x1521, 1},
    {kIntel, 0x1533, 1},      {kIntel, 0x10fb, 10},     {kIntel, 0x1528, 10},     {kIntel, 0x1563, 10},
    {kIntel, 0x1572, 10},     {kIntel, 0x1583, 40},     {kIntel, 0x158b, 25},     {kIntel, 0x1592, 100},
    {kIntel, 0x1593, 25},     {kIntel, 0x37d0, 10},     {kIntel, 0x37d2, 10},     {0x14e4, 0x1639, 1},
    {0x14e4, 0x165f, 1},      {0x14e4, 0x16d7, 25},     {0x14e4, 0x1750, 100},    {0x14e4, 0x1760, 400},
    {0x1d0f, 0xefa0, 100},    {0x1d0f, 0xefa1, 100},    {0x1d0f, 0xefa2, 100},    {0x17db, 0x0501, 200},
}};

bool oneOf(std::uint32_t value, std::initializer_list<std::uint32_t> list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

bool isGpu(const PciId& id) {
  const bool known = oneOf(id.vendor, {kNvidia, kAmd, kIntel, kHygon});
  // Providers leave the makers out.
  if (id.type == 0x0302) return known || id.vendor == 0;
  if (id.type == 0x0380) return known;
  if (id.type == 0x1200) return std::find(kAccelerators.begin(), kAccelerators.end(), id.vendor) != kAccelerators.end();
  const bool console = std::find(kConsoles.begin(), kConsoles.end(), id.device) != kConsoles.end();
  return id.type == 0x0300 && (id.vendor == kNvidia || (id.vendor == kAmd && !console));
}

bool isNetworkCard(const PciId& id) { return id.type >> 8 == 0x02 || id.type == 0x0c06 || id.type == 0x0c08; }

bool isVirtualFunction(const PciId& id) {
  if (id.vendor == kMellanox) {
    return oneOf(id.device, {0x1002, 0x1004, 0x1012, 0x1014, 0x1016, 0x1018, 0x101a, 0x101c, 0x101e, 0xa2d3});
  }
  if (id.vendor == kIntel) {
    return oneOf(id.device, {0x10ca, 0x10ed, 0x1515, 0x1520, 0x152d, 0x152f, 0x154c, 0x1565, 0x15a8, 0x15c5, 0x1571,
                             0x1889, 0x37cd});
  }
  if (id.vendor == 0x1137) return oneOf(id.device, {0x0071, 0x00cf, 0x02b7});
  return id.vendor == 0x14e4 &&
         oneOf(id.device, {0x16a9, 0x16af, 0x16dc, 0x16e1, 0x16e5, 0x1606, 0x1607, 0x1806, 0x1807, 0x1819});
}

double nicBandwidth(const PciId& id) {
  const auto known = std::find_if(kNics.begin(), kNics.end(), [&](const NicKind& kind) {
    return kind.vendor == id.vendor && kind.device == id.device;
  });
  return known == kNics.end() ? 0 : known->gigabits * 1e9 / 8;
}

double nvLinkBandwidth(int sm, const PciId& id) {
  const auto within = [&](std::uint32_t first, std::uint32_t last) { return id.device >= first && id.device <= last; };
  if (sm == 0 && id.vendor == kNvidia) {
    sm = within(0x15f0, 0x15ff) ? 60 : within(0x2200, 0x2299) ? 86 : within(0x2900, 0x2fff) ? 100 : sm;
    if (within(0x3180, 0x31ff)) sm = 103;
  }
  if (sm >= 100) return 50e9;
  // NVLink 3 of the graphics chips has half the lanes, and slower ones.
  if (sm == 86) return 14.0625e9;
  return sm > 0 && sm < 70 ? 20e9 : 25e9;
}

double xgmiBandwidth(std::string_view architecture, const PciId& id) {
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return architecture == name || (architecture.starts_with("gfx") && architecture.substr(3) == name);
    });
  };
  if (is({"950"}) || id.device == 0x75a0 || id.device == 0x75a3) return 76.8e9;
  const bool mi300 = id.device >= 0x74a0 && id.device <= 0x74bf;
  if (is({"940", "941", "942"}) || mi300) return 64e9;
  if (is({"90a"}) || id.device == 0x7408 || id.device == 0x740c || id.device == 0x740f) return 50e9;
  return 46e9;
}

double pciBandwidth(std::string_view speed, int lanes) {
  double transfers = 0;
  const auto [end, status] = std::from_chars(speed.data(), speed.data() + speed.size(), transfers);
  if (status != std::errc{} || !(transfers > 0 && transfers < 1000) || lanes <= 0 || lanes > 64) return 0;
  const double coding = transfers < 8 ? 8.0 / 10 : transfers < 64 ? 128.0 / 130 : 242.0 / 256;
  return transfers * 1e9 * lanes * coding / 8;
}

bool isVirtualInterface(std::string_view name) {
  for (const std::string_view prefix :
       {"cali",  "br-",    "br_",   "docker", "veth",  "virbr", "vnet",    "tunl", "tun",          "tap",     "flannel",
        "cni",   "cilium", "lxc",   "lxd",    "vxlan", "wg",    "dummy",   "kube", "nodelocaldns", "nerdctl", "podman",
        "weave", "ovs",    "genev", "gre",    "sit",   "vmnet", "macvlan", "ipvl", "tailscale",    "zt"}) {
    if (name.starts_with(prefix)) return true;
  }
  return name == "lo";
}

}  // namespace p2::inline importers
