// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/replay.h"

#include <algorithm>

#include "cost/pattern_pricer.h"
#include "cost/simulator.h"
#include "views/common/text.h"
#include "views/stage/choreographer.h"

namespace p2::views {
namespace {

QString summedText(std::int64_t least, std::int64_t most, std::int64_t members) {
  if (least == most) return QString("each summed over %1 of %2 devices").arg(least).arg(members);
  return QString("summed over %1 to %2 of %3 devices").arg(least).arg(most).arg(members);
}

/// Makes a replay step by step; a job's private workshop.
class ReplayMaker {
 public:
  ReplayMaker(const Exploration& exploration, const PlacementResult& placement, const Program& program,
              ProgramTrace trace, std::optional<Algorithm> algorithm)
      : m_exploration(exploration),
        m_result(placement),
        m_replay{exploration.workspace.system,
                 Placement(exploration.workspace.axes, placement.matrix),
                 placement.hierarchy,
                 exploration.workspace.options.cost,
                 program,
                 placement.hierarchy->deviceCount(),
                 std::move(trace),
                 {},
                 {},
                 false,
                 {},
                 exploration.topology,
                 {}} {
    if (algorithm) m_replay.cost.algorithm = *algorithm;
    const ProgramTrace& ran = m_replay.trace;
    if (ran.failure()) {
      m_replay.failure = ran.failure()->premise;
      if (!m_replay.failure) m_replay.refusal = qs(ran.failure()->sentence);
    }
    m_replay.complete = ran.complete();
  }

  Result<std::shared_ptr<const Replay>> make(std::stop_token stop) {
    if (stop.stop_requested()) return cancelledError();
    collectFacts();
    P2_TRY(price(stop));
    for (const StepId step : IdRange<StepId>(m_replay.playedSteps())) {
      m_replay.motions.push_back(choreographed(m_replay, step, stop));
      if (stop.stop_requested()) return cancelledError();
    }
    return std::shared_ptr<const Replay>(std::make_shared<Replay>(std::move(m_replay)));
  }

 private:
  void collectFacts() {
    const SynthesisHierarchy& hierarchy = *m_replay.hierarchy;
    const std::size_t valid = std::size_t(m_replay.validSteps());
    for (std::size_t step = 0; step < std::min(valid + 1, m_replay.program.size()); ++step) {
      const GroupPattern& pattern = m_replay.program[step].pattern;
      StepFacts facts;
      facts.groupSize = hierarchy.groupSize(pattern);
      facts.groupCount = m_replay.placement.deviceCount() / m_replay.members * groupsPerReduction(pattern);
      if (step < valid) addBytes(facts, StepId(std::int64_t(step)));
      m_replay.facts.push_back(facts);
    }
  }

  std::int64_t groupsPerReduction(const GroupPattern& pattern) const {
    std::int64_t count = 1;
    for (int level = 0; level < m_replay.hierarchy->levelCount(); ++level) {
      const bool fixed = !pattern.varies(level + 1) && (level < pattern.inner || !pattern.master);
      if (fixed) count *= m_replay.hierarchy->levels()[std::size_t(level)].size;
    }
    return count;
  }

  void addBytes(StepFacts& facts, StepId step) const {
    std::vector<double> shares;
    if (const auto edge = edgeAt(step)) {
      const std::vector<std::int64_t> sizes = m_replay.hierarchy->sizes();
      for (const GroupShare& share : edge->shares) shares.push_back(1 / double(productOver(share.split, sizes)));
    } else {
      const LoweredStep lowered = loweredStep(m_replay.trace, step, m_replay.placement.devices());
      for (const LoweredGroup& group : lowered.groups) shares.push_back(workingShare(lowered.collective, group));
    }
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    facts.leastBytes = *least * m_replay.cost.bytes;
    facts.mostBytes = *most * m_replay.cost.bytes;
  }

  /// The step by classes of devices, for any number of them; only between compact states.
  std::optional<StateEdge> edgeAt(StepId step) const {
    const std::vector<CompactState>& states = m_replay.trace.compactStates();
    if (step.index() + 1 >= states.size()) return std::nullopt;
    const Instruction& instruction = m_replay.program[step.index()];
    return StateEdge{instruction, 0, groupShares(states[step.index()], states[step.index() + 1], instruction)};
  }

  StepCost costOf(StepId step, PatternPricer& pricer, const std::stop_token& stop) const {
    if (const auto edge = edgeAt(step)) return pricer.price(*edge);
    const LoweredStep lowered = loweredStep(m_replay.trace, step, m_replay.placement.devices());
    return simulateStep(*m_exploration.topology, lowered, m_replay.cost, stop);
  }

  Result<void> price(std::stop_token stop) {
    P2_TRY_ASSIGN(const auto costs, stepCosts(std::move(stop)));
    for (std::size_t step = 0; step < costs.size(); ++step) {
      m_replay.facts[step].cost = costs[step];
      const LinkId link = costs[step].link;
      if (!link.isNone()) m_replay.facts[step].link = qs(m_exploration.topology->linkName(link));
    }
    return {};
  }

  Result<std::vector<StepCost>> stepCosts(std::stop_token stop) const {
    const bool pricedEqually = m_replay.cost == m_exploration.workspace.options.cost;
    for (const ProgramResult& listed : m_result.programs) {
      if (pricedEqually && listed.program == m_replay.program) return listed.steps;
    }
    std::vector<StepCost> costs;
    PatternPricer pricer(*m_exploration.topology, *m_replay.hierarchy, m_replay.cost, stop);
    for (const StepId step : IdRange<StepId>(m_replay.validSteps())) {
      costs.push_back(costOf(step, pricer, stop));
      if (stop.stop_requested()) return cancelledError();
    }
    return costs;
  }

  const Exploration& m_exploration;
  const PlacementResult& m_result;
  Replay m_replay;
};

}  // namespace

std::optional<FoldedState> Replay::foldedOf(Device device, int steps) const {
  if (trace.mostRunsOf(device, steps) > kMostShownRuns) return std::nullopt;
  const std::vector<FoldedState> parts = trace.partsOf(device, steps);
  if (parts.size() > 1) return std::nullopt;
  return parts.empty() ? FoldedState{members, {}, {}} : parts[0];
}

double Replay::shareOf(Device device, int steps) const {
  return double(trace.holdingOf(device, steps).chunks) / double(trace.chunks());
}

QString Replay::holdingText(Device device, int steps) const {
  const Holding holding = trace.holdingOf(device, steps);
  if (holding.chunks == 0) return "holds nothing";
  return QString("holds %1 of %2 chunks, ").arg(holding.chunks).arg(members) +
         summedText(holding.leastSummed, holding.mostSummed, members);
}

DeviceGroup Replay::contributorsOf(Device device) const { return placement.groupMembers(placement.groupOf(device)); }

Device groupHead(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern, Device device) {
  std::int64_t head = device.value();
  for (int level = pattern.outer; level < hierarchy.levelCount(); ++level) {
    if (level >= pattern.inner && !pattern.master) break;
    if (level < pattern.inner && !pattern.varies(level + 1)) continue;
    for (const Digit& digit : hierarchy.levels()[std::size_t(level)].digits) {
      const std::int64_t part = digit.of(device) * digit.stride;
      if (level >= pattern.inner && part != 0) return {};
      head -= part;
    }
  }
  return Device(head);
}

Result<std::shared_ptr<const Replay>> makeReplay(const Exploration& exploration, std::size_t placementIndex,
                                                 const Program& program, std::stop_token stop,
                                                 std::optional<Algorithm> algorithm) {
  const PlacementResult& placement = exploration.placements[placementIndex];
  P2_TRY_ASSIGN(auto trace,
                ProgramTrace::run(Placement(exploration.workspace.axes, placement.matrix), *placement.hierarchy,
                                  program, exploration.workspace.options.rules, exploration.workspace.options.goal));
  return ReplayMaker(exploration, placement, program, std::move(trace), algorithm).make(std::move(stop));
}

std::vector<double> paceOf(const Replay& replay, PaceScale scale) {
  std::vector<double> costs;
  for (const StepFacts& facts : replay.facts) costs.push_back(facts.cost ? facts.cost->seconds : 0);
  return paceOfCosts(costs, scale);
}

}  // namespace p2::views
