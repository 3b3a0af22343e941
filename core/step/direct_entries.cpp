// SPDX-License-Identifier: GPL-3.0-or-later
// Entries that no program of collectives describes: messages to neighbours, and tokens on their way to experts.
#include <algorithm>

#include "step/detail/entry_pricer.h"
#include "step/dispatch.h"
#include "step/shift.h"

namespace p2::inline step {
namespace {

void addAll(std::vector<double>& sums, const std::vector<double>& values) {
  sums.resize(std::max(sums.size(), values.size()), 0);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i];
}

}  // namespace

EntryPricer::Cost EntryPricer::priceShift(const Class& entryClass, const WorkloadEntry& entry) const {
  const CostModel& model = modelOf(m_options.cost);
  const Traffic traffic = shiftTraffic(*m_topology, *entryClass.hierarchy, entry.closed, model);
  const auto bytes = Bytes(static_cast<double>(entry.bytes));
  const StepCost price = model.price(traffic, bytes);
  EntryCost cost;
  cost.seconds = price.seconds;
  cost.singleSeconds = price.seconds;
  cost.span = spanText(*entryClass.hierarchy);
  cost.title = "Shift";
  cost.program = entry.closed ? "each rank to the next, the last to the first" : "each rank to the next";
  cost.linkBytes.assign(traffic.machine->across.size(), 0);
  cost.linkSeconds.assign(traffic.machine->across.size(), 0);
  for (const LinkLoad& load : traffic.loads) cost.linkBytes[load.interconnect] = load.bytes * bytes.value();
  model.addBusy(traffic, bytes, price, cost.linkSeconds);
  cost.algorithms = {price.algorithm};
  return std::make_shared<const EntryCost>(std::move(cost));
}

/// The cheapest of: an AllToAll with a copy for every expert, by its best program; a copy for every node, over the rail
/// of its sender, and from there to the experts; an AllGather after which each rank keeps only its own tokens.
Result<EntryPricer::Cost> EntryPricer::priceDispatch(Class& entryClass, const WorkloadEntry& entry,
                                                     const EntryAxes& axes, const std::stop_token& stop) {
  const auto bytes = static_cast<double>(entry.bytes);
  P2_TRY_ASSIGN(Cost best, priceBest(entryClass, kAllToAllGoal, Bytes(bytes), axes, stop));
  if (!entry.routing) return best;
  const SynthesisHierarchy& hierarchy = *entryClass.hierarchy;
  const double singleSeconds = best->singleSeconds;
  const double gathered =
      bytes / static_cast<double>(entry.routing->expertsPerToken) * static_cast<double>(hierarchy.deviceCount());
  P2_TRY_ASSIGN(const Cost gather, priceBest(entryClass, kAllGatherGoal, Bytes(gathered), axes, stop));
  if (gather->seconds < best->seconds) {
    EntryCost cost = *gather;
    cost.program += ", then each rank keeps its own tokens";
    best = std::make_shared<const EntryCost>(std::move(cost));
  }
  if (const auto exchanges = dispatchExchanges(*m_topology, hierarchy)) {
    EntryCost cost = onceForEveryNode(entryClass, *entry.routing, bytes, *exchanges);
    if (cost.seconds < best->seconds) best = std::make_shared<const EntryCost>(std::move(cost));
  }
  EntryCost cost = *best;
  cost.singleSeconds = singleSeconds;
  return std::make_shared<const EntryCost>(std::move(cost));
}

EntryCost EntryPricer::onceForEveryNode(Class& entryClass, const ExpertRouting& routing, double bytes,
                                        const DispatchExchanges& exchanges) {
  const SynthesisHierarchy& hierarchy = *entryClass.hierarchy;
  EntryCost both;
  const auto add = [&](const GroupPattern& pattern, double moved) {
    const StateEdge step{{pattern, Collective::AllToAll}, 0, {GroupShare{}}};
    entryClass.pricer->setBytes(Bytes(moved));
    const EntryCost one = costOf(entryClass, kAllToAllGoal, {&step}, Bytes(moved));
    both.seconds += entryClass.pricer->price(step).seconds;
    addAll(both.linkBytes, one.linkBytes);
    addAll(both.linkSeconds, one.linkSeconds);
    both.algorithms.insert(one.algorithms.begin(), one.algorithms.end());
    both.program += (both.program.empty() ? "" : "; ") + one.program;
    both.title += (both.title.empty() ? "" : "·") + one.title;
  };
  add(exchanges.rails, deduplicatedBytes(bytes, routing, hierarchy.groupSize(exchanges.rails)));
  if (exchanges.inside) add(*exchanges.inside, bytes);
  both.program += ", across once for every node";
  both.span = spanText(hierarchy);
  return both;
}

}  // namespace p2::inline step
