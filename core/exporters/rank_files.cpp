// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/counted.h"
#include "base/names.h"
#include "exporters/detail/python_text.h"
#include "exporters/detail/formats.h"
#include "placement/realisation.h"
#include "text/host_list.h"

namespace p2::inline exporters {
namespace {

/// Where every rank of a framework runs.
struct RankTable {
  std::vector<std::string> hosts;
  std::vector<Device> devices;  // by rank
  std::int64_t perNode = 1;
  AxisOrder order;

  [[nodiscard]] const std::string& hostOf(std::size_t rank) const {
    return hosts[static_cast<std::size_t>(devices[rank].value() / perNode)];
  }
  [[nodiscard]] std::int64_t slotOf(std::size_t rank) const { return devices[rank].value() % perNode; }
};

Result<std::vector<std::string>> hostsFor(std::int64_t nodes, const std::vector<std::string>& given) {
  if (!given.empty() && static_cast<std::int64_t>(given.size()) != nodes) {
    return Error{countedText(given.size(), "host") + " for " + countedText(nodes, "node") +
                     "; name every node once, in the order of the devices",
                 "hosts"};
  }
  P2_TRY(checkHosts(given));
  std::vector<std::string> hosts = given;
  for (std::int64_t node = 0; given.empty() && node < nodes; ++node) hosts.push_back("node" + std::to_string(node));
  return hosts;
}

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
  table.perNode = devicesPerNode(workspace.system);
  P2_TRY_ASSIGN(table.hosts, hostsFor(plan.deviceCount() / table.perNode, options.hosts));
  P2_TRY_ASSIGN(table.order, orderFrom(workspace.axes, options.order));
  table.devices = devicesByRank({workspace.axes, workspace.matrix}, table.order);
  return table;
}

/// The device of each local rank, these being counted in the order of the ranks: the same on every node, since what
/// coordinates a node has inside does not depend on the node.
std::vector<std::int64_t> localDevices(const RankTable& table) {
  std::vector<std::int64_t> devices;
  for (std::size_t rank = 0; rank < table.devices.size(); ++rank) {
    if (table.devices[rank].value() < table.perNode) devices.push_back(table.slotOf(rank));
  }
  return devices;
}

std::string rankComment(const Plan& plan, const RankTable& table) {
  return placementComment(plan) + "# Ranks count through the axes in the order " +
         pythonString(orderText(plan.workspace().axes, table.order)) + ", the last fastest.\n";
}

std::string listedDevices(const std::vector<std::int64_t>& devices) {
  std::string text;
  for (const std::int64_t device : devices) text += (text.empty() ? "" : ",") + std::to_string(device);
  return text;
}

/// Nodes that must be in one block of the network: the nodes of the innermost level above the nodes, when there are
/// several of it. 0 when any nodes do.
std::int64_t segmentOf(const System& system) {
  const std::size_t depth = nodeDepth(system);
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
  const std::vector<std::int64_t> local = localDevices(table);
  if (!std::is_sorted(local.begin(), local.end())) {
    text += "# GPUs by local rank: CUDA_VISIBLE_DEVICES=" + listedDevices(local) + " on every node.\n";
  }
  for (std::size_t rank = 0; rank < table.devices.size(); ++rank) {
    text += "rank " + std::to_string(rank) + "=" + table.hostOf(rank) + " slot=" + std::to_string(table.slotOf(rank)) +
            "\n";
  }
  return text;
}

Result<std::string> planToSlurm(const Plan& plan, const ExportOptions& options) {
  P2_TRY_ASSIGN(const auto table, rankTable(plan, options));
  const std::int64_t segment = segmentOf(plan.workspace().system);
  // Newer releases refuse --nodes with it: the file has the hosts.
  std::string text = rankComment(plan, table) + "# SLURM_HOSTFILE=<this file> srun --distribution=arbitrary --ntasks=" +
                     std::to_string(table.devices.size());
  const std::vector<std::int64_t> local = localDevices(table);
  if (!std::is_sorted(local.begin(), local.end())) text += " --gpu-bind=map_gpu:" + listedDevices(local);
  text += "\n";
  if (segment > 0) {
    text += "# The allocation: sbatch --segment=" + std::to_string(segment) +
            " (topology/block), with hosts named block by block.\n";
  }
  for (std::size_t rank = 0; rank < table.devices.size(); ++rank) text += table.hostOf(rank) + "\n";
  return text;
}

}  // namespace p2::inline exporters
