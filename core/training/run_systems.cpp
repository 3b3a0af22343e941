// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/run_systems.h"

#include <algorithm>
#include <cmath>

#include "training/detail/nccl_prices.h"
#include "training/detail/placement_bound.h"
#include "workspace/machine_parts.h"

namespace p2::inline training {

Result<System> systemOfRun(const TrainingRun& run) {
  if (generationOf(run.device).empty()) return Error{"the parts of \"" + run.device + "\" are not known"};
  const std::int64_t devices = run.configuration.plan.devices;
  MachineParts parts;
  parts.gpu = run.device;
  const bool rack = run.device.starts_with("GB");
  parts.gpusPerNode = rack ? std::min<std::int64_t>(4, devices) : std::min(run.accelerator.domain, devices);
  if (parts.gpusPerNode < 1 || devices % parts.gpusPerNode != 0)
    return Error{"the number of devices is not a multiple of the devices of a node"};
  parts.nodes = devices / parts.gpusPerNode;
  const bool volta = run.device.starts_with("V100");
  const bool pcie = run.accelerator.link <= 32e9;
  parts.nvlink = rack                           ? "MNNVL"
                 : pcie                         ? ""
                 : run.device.starts_with("MI") ? "Infinity Fabric"
                 : volta                        ? "cube mesh"
                                                : "NVSwitch";
  // As many cards as have the bandwidth of their kind: 8 of 25 GB/s, or a single one.
  const double node = run.accelerator.nic * static_cast<double>(parts.gpusPerNode);
  const double card = run.accelerator.nic >= 25e9 ? run.accelerator.nic : std::min(node, 12.5e9);
  parts.nics = std::max<std::int64_t>(1, std::llround(node / card));
  while (parts.gpusPerNode % parts.nics != 0) --parts.nics;
  parts.nicBandwidth = node / static_cast<double>(parts.nics);
  parts.fabric = "IB";
  return systemOf(parts);
}

Result<std::shared_ptr<const Topology>> RunTopologies::of(const TrainingRun& run) {
  const std::string key = run.device + " " + std::to_string(run.configuration.plan.devices) + " " +
                          std::to_string(run.accelerator.domain) + " " + std::to_string(run.accelerator.nic) + " " +
                          std::to_string(run.accelerator.link);
  auto& known = m_known[key];
  if (known) return known;
  P2_TRY_ASSIGN(const System system, systemOfRun(run));
  P2_TRY_ASSIGN(auto checked, validated(system));
  known = std::make_shared<const Topology>(std::move(checked));
  return known;
}

Result<std::unique_ptr<CommunicationPrices>> drawnPricesOf(const TrainingRun& run, RunTopologies& topologies) {
  P2_TRY_ASSIGN(auto topology, topologies.of(run));
  P2_TRY_ASSIGN(const TrainingMesh mesh, trainingMesh(run.model, run.configuration.plan));
  std::unique_ptr<CommunicationPrices> prices;
  // On one device there is nothing to place.
  if (mesh.axes.empty()) return std::unique_ptr<CommunicationPrices>(std::make_unique<NoCommunication>());
  P2_TRY_ASSIGN(const ParallelismMatrix matrix, defaultPlacement(*topology->system(), mesh));
  prices = std::make_unique<NcclPrices>(topology, mesh, matrix, routingOf(run.model, run.configuration.dispatch));
  return prices;
}

}  // namespace p2::inline training
