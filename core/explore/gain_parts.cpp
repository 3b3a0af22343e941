// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/gain_parts.h"

#include <algorithm>
#include <cmath>

#include "explore/port_bytes.h"
#include "placement/placement.h"
#include "synthesis/program_trace.h"

namespace p2::inline explore {
namespace {

constexpr double kExplained = 0.1;  // how far a ratio of bytes may be from the factor that it explains

const PlacementResult& bestOf(const Exploration& exploration) {
  return exploration.placements[static_cast<std::size_t>(exploration.bestPlacement)];
}

const PlacementResult& referenceOf(const Exploration& exploration) {
  if (exploration.defaultPlacement < 0) return bestOf(exploration);
  return exploration.placements[static_cast<std::size_t>(exploration.defaultPlacement)];
}

std::int64_t nodesOfAGroup(const Workspace& workspace, const ParallelismMatrix& matrix) {
  std::int64_t nodes = 1;
  const std::size_t depth = nodeDepth(workspace.system);
  for (std::size_t axis = 0; axis < workspace.axes.size(); ++axis) {
    for (std::size_t level = 0; workspace.axes[axis].reduce && level < depth; ++level) nodes *= matrix.at(axis, level);
  }
  return nodes;
}

double latencyOf(std::span<const StepCost> steps) {
  double seconds = 0;
  for (const StepCost& step : steps) seconds += step.latencySeconds;
  return seconds;
}

/// Bytes of a program through the busiest port of an interconnect; 0 if it does not use it.
Result<double> bytesThrough(const Exploration& exploration, const PlacementResult& result, const Program& program,
                            std::size_t interconnect, const std::stop_token& stop) {
  const Workspace& workspace = exploration.workspace;
  const Placement placement(workspace.axes, result.matrix);
  P2_TRY_ASSIGN(const ProgramTrace trace, ProgramTrace::run(placement, *result.hierarchy, program,
                                                            workspace.options.rules, workspace.options.goal));
  P2_TRY_ASSIGN(const auto ports, portBytes(*exploration.topology, trace, workspace.options.cost, stop));
  const auto port = std::find_if(ports.begin(), ports.end(),
                                 [&](const PortBytes& each) { return each.interconnect == interconnect; });
  return port == ports.end() ? 0 : port->total();
}

bool explains(double bytesBefore, double bytesAfter, double factor) {
  if (!(bytesBefore > 0) || !(bytesAfter > 0)) return false;
  const double ratio = bytesBefore / bytesAfter;
  // A small factor is near 1 as well, which is no reason: the bytes make at least half of it.
  return std::abs(ratio / factor - 1) <= kExplained && ratio - 1 >= (factor - 1) / 2;
}

}  // namespace

bool GainParts::bytesExplainPlacement() const { return port && explains(port->reference, port->single, placementGain); }

bool GainParts::bytesExplainProgram() const { return port && explains(port->single, port->best, programGain); }

bool GainParts::latencyExplainsProgram() const {
  const double saved = bestSeconds * (programGain - 1);
  return saved > 0 && singleLatency - bestLatency >= saved / 2;
}

GainParts gainParts(const Exploration& exploration) {
  const PlacementResult& best = bestOf(exploration);
  const PlacementResult& reference = referenceOf(exploration);
  GainParts parts;
  parts.referenceSeconds = reference.singleSeconds;
  parts.bestSeconds = best.rankedBestSeconds();
  parts.placementGain = reference.singleSeconds / best.singleSeconds;
  parts.programGain = best.singleSeconds / best.rankedBestSeconds();
  parts.referenceNodes = nodesOfAGroup(exploration.workspace, reference.matrix);
  parts.bestNodes = nodesOfAGroup(exploration.workspace, best.matrix);
  parts.singleLatency = latencyOf(best.singleSteps);
  if (!best.programs.empty()) parts.bestLatency = latencyOf(best.programs.front().steps);
  return parts;
}

Result<GainParts> gainPartsWithBytes(const Exploration& exploration, std::stop_token stop) {
  GainParts parts = gainParts(exploration);
  const PlacementResult& best = bestOf(exploration);
  const PlacementResult& reference = referenceOf(exploration);
  if (best.programs.empty() || reference.singleSteps.empty()) return parts;
  if (exploration.topology->deviceCount() > kMostListedDevices) return parts;
  const auto slowest = std::max_element(reference.singleSteps.begin(), reference.singleSteps.end(),
                                        [](const StepCost& a, const StepCost& b) { return a.seconds < b.seconds; });
  const std::size_t interconnect = exploration.topology->interconnectOf(slowest->link);
  const Goal& goal = exploration.workspace.options.goal;
  const auto single = [&](const PlacementResult& placement) {
    return bytesThrough(exploration, placement, singleProgram(*placement.hierarchy, goal), interconnect, stop);
  };
  PortShares port{ownerText(exploration.workspace.system, interconnect)};
  P2_TRY_ASSIGN(port.reference, single(reference));
  P2_TRY_ASSIGN(port.single, single(best));
  P2_TRY_ASSIGN(port.best, bytesThrough(exploration, best, best.programs.front().program, interconnect, stop));
  parts.port = std::move(port);
  return parts;
}

}  // namespace p2::inline explore
