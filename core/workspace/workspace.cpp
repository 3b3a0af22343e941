// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/workspace.h"

#include <cmath>
#include <set>

#include "cost/cost_model.h"

namespace p2 {
namespace {

// Within these no prediction leaves the range of a double.
constexpr double kLeastBandwidth = 1;
constexpr double kMostBandwidth = 1e18;
constexpr double kMostLatency = 1e6;
constexpr double kMostBytes = 1e18;

Result<void> checkLinks(const System& system) {
  for (const Level& level : system.levels) {
    const Interconnect& link = level.interconnect;
    if (link.bandwidth < kLeastBandwidth || link.bandwidth > kMostBandwidth) {
      return Error{"the bandwidth of level " + level.name + " is " + exactNumber(link.bandwidth) +
                   " B/s; use 1 B/s to 1e18 B/s"};
    }
    if (link.latency > kMostLatency) {
      return Error{"the latency of level " + level.name + " is " + exactNumber(link.latency) + " s; use 0 s to 1e6 s"};
    }
  }
  return {};
}

Result<void> checkNames(const std::vector<Axis>& axes) {
  std::set<std::string_view> names;
  for (const Axis& axis : axes) {
    if (axis.name.empty()) return Error{"an axis has no name; give every axis its own, as in data"};
    if (!names.insert(axis.name).second) {
      return Error{"the axis name \"" + axis.name + "\" is used twice; give every axis its own"};
    }
  }
  return {};
}

}  // namespace

Result<void> checkOptions(const ExploreOptions& options) {
  if (options.sizeLimit < 1 || options.sizeLimit > kMostSizeLimit) {
    return Error{"the limit of " + std::to_string(options.sizeLimit) + " steps is out of range; use 1 to " +
                 std::to_string(kMostSizeLimit)};
  }
  if (!std::isfinite(options.cost.bytes) || options.cost.bytes < 1 || options.cost.bytes > kMostBytes) {
    return Error{exactNumber(options.cost.bytes) + " bytes per device are out of range; use 1 to 1e18"};
  }
  if (options.cost.repeat < 1 || options.cost.repeat > kMostRepeat) {
    return Error{std::to_string(options.cost.repeat) + " runs are out of range; use 1 to " +
                 std::to_string(kMostRepeat)};
  }
  if (auto model = costModelFrom(options.cost.model); !model.ok()) return model.error();
  return {};
}

Result<void> checkSystem(const System& system) {
  if (auto valid = validated(system); !valid.ok()) return valid.error();
  return checkLinks(system);
}

Result<void> checkWorkspace(const Workspace& workspace) {
  if (auto system = checkSystem(workspace.system); !system.ok()) return system;
  if (auto names = checkNames(workspace.axes); !names.ok()) return names;
  if (auto axes = checkAxes(workspace.system, workspace.axes); !axes.ok()) return axes;
  if (auto reduction = checkReduction(workspace.axes); !reduction.ok()) return reduction;
  if (auto options = checkOptions(workspace.options); !options.ok()) return options;
  if (workspace.matrix.empty()) return {};
  return checkMatrix(workspace.system, workspace.axes, workspace.matrix);
}

}  // namespace p2
