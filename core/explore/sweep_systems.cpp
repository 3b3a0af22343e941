// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/detail/sweep_systems.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "explore/other_nodes.h"
#include "system/interconnects.h"
#include "system/oversubscription.h"
#include "workspace/presets.h"

namespace p2::inline explore {
namespace {

constexpr std::array<std::string_view, 4> kOver{"bytes", "nodes", "bandwidth", "latency"};

/// Without the digits that arithmetic leaves behind: a tenth of 700 ns is 70 ns.
double rounded(double value) {
  constexpr int kDigits = 12;
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, kDigits).ptr;
  (void)std::from_chars(text.data(), end, value);
  return value;
}

/// The interconnect that is meant by a name, its own or its level's; null where none that carries anything is.
Interconnect* interconnectCalled(System& system, const std::string& name) {
  const auto links = interconnects(system);
  for (const CarryingLink& link : carryingLinks(system)) {
    if (link.name == name || link.place == name) return &links[link.index].link;
  }
  return nullptr;
}

Error unknownInterconnect(const System& system, const std::string& name) {
  std::string known;
  for (const CarryingLink& link : carryingLinks(system)) known += (known.empty() ? "\"" : ", \"") + link.name + "\"";
  return Error{"\"" + name + "\" is not an interconnect of this system that carries anything; use " + known};
}

/// The axes for another number of devices: the first that is reduced over grows or shrinks; nothing when that does not
/// come out even.
std::optional<std::vector<Axis>> axesFor(std::vector<Axis> axes, std::int64_t devices) {
  std::int64_t others = 1;
  Axis* growing = nullptr;
  for (Axis& axis : axes) {
    if (axis.reduce && growing == nullptr) {
      growing = &axis;
    } else {
      others *= axis.size;
    }
  }
  if (growing == nullptr || devices % others != 0) return std::nullopt;
  growing->size = devices / others;
  if (growing->size < 2) return std::nullopt;
  return axes;
}

bool isEven(const Workspace& workspace, std::int64_t nodes) {
  const std::int64_t rest = workspace.system.deviceCount() / workspace.system.levels.front().count;
  return nodes <= kMostDevices / rest && axesFor(workspace.axes, rest * nodes).has_value();
}

Result<std::vector<double>> nodeValues(const Workspace& workspace, const SweepRange& range) {
  std::vector<double> values;
  for (int i = 0; i < range.points; ++i) {
    const double share = range.points > 1 ? static_cast<double>(i) / (range.points - 1) : 0;
    const auto wanted = static_cast<std::int64_t>(std::llround(range.from * std::pow(range.to / range.from, share)));
    for (std::int64_t off = 0; off <= wanted / 2; ++off) {
      const std::int64_t found = isEven(workspace, wanted + off) ? wanted + off : wanted - off;
      if (!isEven(workspace, found)) continue;
      const auto value = static_cast<double>(found);
      if (value >= range.from && value <= range.to) values.push_back(value);
      break;
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (!values.empty()) return values;
  return Error{"the axes do not divide evenly at any number of nodes in that range; use another range or other axes"};
}

}  // namespace

Result<System> withNodes(const System& system, std::int64_t nodes) {
  const auto colon = system.name.rfind(':');
  const std::string preset = system.name.substr(0, colon);
  const std::int64_t now = system.levels.front().count;
  if (colon != std::string::npos) {
    const auto same = presetSystem(preset, now);
    if (same.ok() && *same == system) return presetSystem(preset, nodes);
  }
  if (nodes == now) return system;
  System other = system;
  other.levels.front().count = nodes;
  other = keepingOversubscription(system, std::move(other));
  P2_TRY(checkParts(other));
  return other;
}

std::string_view nameOf(SweepOver over) { return kOver[static_cast<std::size_t>(over)]; }

Result<SweepRange> defaultRange(const System& system, SweepOver over, const std::string& interconnect) {
  SweepRange range;
  range.over = over;
  range.interconnect = interconnect;
  if (over == SweepOver::Nodes) {
    range.from = 1;
    range.to = 64;
  }
  if (over != SweepOver::Bandwidth && over != SweepOver::Latency) return range;
  System copy = system;
  const Interconnect* called = interconnectCalled(copy, interconnect);
  if (called == nullptr) return unknownInterconnect(system, interconnect);
  constexpr double kSpread = 10;
  constexpr double kDefaultLatency = 1e-6;  // where the system says none
  double now = over == SweepOver::Bandwidth ? called->bandwidth : called->latency;
  if (now <= 0) now = kDefaultLatency;
  range.from = rounded(now / kSpread);
  range.to = rounded(now * kSpread);
  return range;
}

Result<Workspace> workspaceAt(const Workspace& workspace, const SweepRange& range, double value) {
  Workspace at = workspace;
  at.options.cost.repeat = 1;
  switch (range.over) {
    case SweepOver::Bytes:
      at.options.cost.bytes = Bytes(value);
      break;
    case SweepOver::Nodes: {
      P2_TRY_ASSIGN(at.system, withNodes(workspace.system, std::llround(value)));
      const auto axes = axesFor(workspace.axes, at.system.deviceCount());
      if (!axes) return Error{"the axes do not divide evenly"};
      at.axes = *axes;
      at.matrix = {};
      break;
    }
    case SweepOver::Bandwidth:
    case SweepOver::Latency: {
      Interconnect* link = interconnectCalled(at.system, range.interconnect);
      if (link == nullptr) return unknownInterconnect(workspace.system, range.interconnect);
      if (range.over == SweepOver::Bandwidth) {
        link->bandwidth = value;
        link->fittedBandwidth = 0;
      } else {
        link->latency = value;
        link->fittedLatency = -1;
      }
      break;
    }
  }
  return at;
}

std::optional<double> nodesBetween(const Workspace& workspace, double low, double high) {
  const std::int64_t first = std::llround(low) + 1;
  const std::int64_t last = std::llround(high) - 1;
  const std::int64_t middle = first + (last - first) / 2;
  for (std::int64_t off = 0; first <= last && off <= last - middle; ++off) {
    if (isEven(workspace, middle + off)) return static_cast<double>(middle + off);
    if (middle - off >= first && isEven(workspace, middle - off)) return static_cast<double>(middle - off);
  }
  return std::nullopt;
}

Result<std::vector<double>> valuesOf(const Workspace& workspace, const SweepRange& range) {
  if (range.points < 2 || range.points > kMostSweepPoints) {
    return Error{std::to_string(range.points) + " points are out of range; use 2 to " +
                 std::to_string(kMostSweepPoints)};
  }
  if (!(range.from > 0 && range.to > range.from && std::isfinite(range.to))) {
    return Error{"a range goes from a value above 0 to a larger one"};
  }
  if (range.over == SweepOver::Nodes) return nodeValues(workspace, range);
  std::vector<double> values;
  for (int i = 0; i < range.points; ++i) {
    const double share = static_cast<double>(i) / (range.points - 1);
    values.push_back(range.from * std::pow(range.to / range.from, share));
  }
  values.back() = range.to;
  return values;
}

}  // namespace p2::inline explore
