// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/level_names.h"

#include <algorithm>
#include <array>

#include "base/names.h"

namespace p2::inline system {
namespace {

struct LevelName {
  std::string_view name;
  LevelSort sort;
};
constexpr std::array kNames{
    LevelName{"node", LevelSort::Machine},
    LevelName{"server", LevelSort::Machine},
    LevelName{"host", LevelSort::Machine},
    LevelName{"machine", LevelSort::Machine},
    LevelName{"cpu", LevelSort::Socket},
    LevelName{"socket", LevelSort::Socket},
    LevelName{"numa", LevelSort::Socket},
    LevelName{"numanode", LevelSort::Socket},
    LevelName{"package", LevelSort::Socket},
    LevelName{"pcie", LevelSort::Socket},
    LevelName{"bridge", LevelSort::Socket},
    LevelName{"hostbridge", LevelSort::Socket},
    LevelName{"l3", LevelSort::Socket},
    LevelName{"gpu", LevelSort::Accelerator},
    LevelName{"tpu", LevelSort::Accelerator},
    LevelName{"device", LevelSort::Accelerator},
    LevelName{"accelerator", LevelSort::Accelerator},
};

LevelSort sortOfExactly(std::string_view name) {
  for (const LevelName& known : kNames) {
    if (sameName(name, known.name)) return known.sort;
  }
  return LevelSort::Other;
}

constexpr std::int64_t kGpusPerTray = 4;

/// Racks with one NVLink, whose compute trays are hosts of four GPUs (NVIDIA GB200 and GB300 NVL72 datasheets).
bool hasTrays(std::string_view accelerator) {
  return accelerator.starts_with("GB200") || accelerator.starts_with("GB300");
}

bool namesHost(const Level& level) {
  return levelSortOf(level.name) == LevelSort::Machine || sameName(level.name, "tray");
}

}  // namespace

LevelSort levelSortOf(std::string_view name) {
  const std::string_view unnumbered = name.substr(0, name.find_last_not_of("0123456789") + 1);
  for (std::string_view tried : {name, unnumbered}) {
    if (const LevelSort sort = sortOfExactly(tried); sort != LevelSort::Other) return sort;
    if (tried.ends_with('s') || tried.ends_with('S')) tried.remove_suffix(1);
    if (const LevelSort sort = sortOfExactly(tried); sort != LevelSort::Other) return sort;
  }
  return LevelSort::Other;
}

std::string nounOf(const Level& level) {
  std::string noun = level.name;
  if (noun == "gpu" || noun == "cpu") std::transform(noun.begin(), noun.end(), noun.begin(), ::toupper);
  return noun;
}

std::string nodeLevelByName(const System& system) {
  if (system.levels.size() < 2) return {};
  const std::size_t devices = system.levels.size() - 1;
  const auto innermost = [&](auto isNode) {
    std::size_t above = devices;
    while (above > 0 && !isNode(levelSortOf(system.levels[above - 1].name))) --above;
    return above;
  };
  std::size_t above = innermost([](LevelSort sort) { return sort == LevelSort::Machine; });
  if (above == 0)
    above = innermost([](LevelSort sort) { return sort != LevelSort::Socket && sort != LevelSort::Accelerator; });
  if (above == devices) return {};
  return std::string(above == 0 ? kRootName : system.levels[above - 1].name);
}

std::int64_t devicesPerHost(const System& system) {
  std::int64_t inside = 1;
  for (std::size_t level = system.levels.size(); level > nodeDepth(system); --level) {
    if (inside > 1 && namesHost(system.levels[level - 1])) return inside;
    inside *= system.levels[level - 1].count;
  }
  if (!hasTrays(system.accelerator.type)) return inside;
  std::int64_t each = std::min(kGpusPerTray, inside);
  while (inside % each != 0) --each;
  return each;
}

}  // namespace p2::inline system
