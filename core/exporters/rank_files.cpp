// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/names.h"
#include "exporters/detail/formats.h"
#include "exporters/detail/python_text.h"
#include "placement/rank_places.h"
#include "system/level_names.h"
#include "text/host_list.h"

namespace p2::inline exporters {
namespace {

/// Where every rank of a framework runs.
struct RankTable {
  std::vector<std::string> hosts;
  RankPlaces places;
  AxisOrder order;

  [[nodiscard]] const std::string& hostOf(std::size_t rank) const {
    return hosts[static_cast<std::size_t>(places.hosts[rank])];
  }
};

Result<AxisOrder> orderFrom(const std::vector<Axis>& axes, const std::vector<std::string>& names) {
  if (names.empty()) return listedOrder(axes);
  AxisOrder order;
  for (const std::string& name : names) {
    const auto axis = std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return sameName(a.name, name); });
    const auto index = static_cast<std::size_t>(axis - axes.begin());
    if (axis == axes.end() || std::find(order.begin(), order.end(), index) != order.end()) {
      return Error{"\"" + name + "\" " + (axis == axes.end() ? "is not an axis" : "is named twice") +
                       "; the axes are " + orderText(axes, listedOrder(axes)),
                   "order"};
    }
    order.push_back(index);
  }
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (std::find(order.begin(), order.end(), axis) != order.end()) continue;
    if (axes[axis].size > 1) return Error{"the order leaves out \"" + axes[axis].name + "\"; name every axis", "order"};
    order.push_back(axis);
  }
  return order;
}

Result<RankTable> rankTable(const Plan& plan, const ExportOptions& options) {
  const Workspace& workspace = plan.workspace();
  RankTable table;
  P2_TRY_ASSIGN(table.hosts, hostNames(workspace.system, options.hosts));
  P2_TRY(checkHosts(table.hosts));
  P2_TRY_ASSIGN(table.order, orderFrom(workspace.axes, options.order));
  table.places = rankPlaces(workspace.system, {workspace.axes, workspace.matrix}, table.order);
  return table;
}

std::string rankComment(const Plan& plan, const RankTable& table) {
  return placementComment(plan) + "# Ranks count through the axes in the order " +
         pythonString(orderText(plan.workspace().axes, table.order)) + ", the last fastest.\n";
}

/// Hosts that must be in one block of the network: the hosts of a node with several hosts, else the nodes of the
/// innermost level above the nodes, when that level has several instances. 0 when any hosts do.
std::int64_t segmentOf(const System& system) {
  const std::size_t depth = nodeDepth(system);
  const std::int64_t hosts = devicesPerNode(system) / devicesPerHost(system);
  if (hosts > 1) return nodeCount(system) > 1 ? hosts : 0;
  std::int64_t above = 1;
  for (std::size_t level = 0; level + 1 < depth; ++level) above *= system.levels[level].count;
  return above > 1 ? system.levels[depth - 1].count : 0;
}

}  // namespace

Result<std::string> planToRankfile(const Plan& plan, const ExportOptions& options) {
  P2_TRY_ASSIGN(const auto table, rankTable(plan, options));
  std::string text =
      rankComment(plan, table) +
      "# mpirun --rankfile FILE, from Open MPI 5 on mpirun --map-by rankfile:file=FILE (5.0.7 takes no FILE "
      "with a hyphen in its path); the slot is the core to bind to.\n";
  text += table.places.visibleDevices(table.hosts);
  for (std::size_t rank = 0; rank < table.places.hosts.size(); ++rank) {
    text += "rank " + std::to_string(rank) + "=" + table.hostOf(rank) +
            " slot=" + std::to_string(table.places.slots[rank]) + "\n";
  }
  return text;
}

Result<std::string> planToSlurm(const Plan& plan, const ExportOptions& options) {
  P2_TRY_ASSIGN(const auto table, rankTable(plan, options));
  const std::int64_t segment = segmentOf(plan.workspace().system);
  const RankPlaces& places = table.places;
  // Newer releases refuse --nodes with it: the file has the hosts.
  std::string text = rankComment(plan, table) + "# SLURM_HOSTFILE=<this file> srun --distribution=arbitrary --ntasks=" +
                     std::to_string(places.hosts.size()) + places.slurmBinding() + "\n";
  if (!places.commonLocals()) text += places.visibleDevices(table.hosts);
  if (segment > 0) {
    text += "# The allocation: sbatch --segment=" + std::to_string(segment) +
            " (topology/block), with hosts named block by block.\n";
  }
  for (std::size_t rank = 0; rank < places.hosts.size(); ++rank) text += table.hostOf(rank) + "\n";
  return text;
}

}  // namespace p2::inline exporters
