// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/replay.h"

#include <algorithm>

#include "cost/pattern_pricer.h"
#include "cost/simulator.h"

namespace p2::views {
namespace {

double productOver(LevelSet levels, const std::vector<std::int64_t>& sizes) {
  double product = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if ((levels >> i & 1) != 0) product *= double(sizes[i]);
  }
  return product;
}

/// Levels in which the member is not the first child.
LevelSet classNumber(Device member, const std::vector<std::int64_t>& sizes) {
  LevelSet result = 0;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (member % sizes[i] != 0) result |= LevelSet(1 << i);
    member /= sizes[i];
  }
  return result;
}

QString summedText(int least, int most, Device members) {
  if (least == most) return QString("each summed over %1 of %2 devices").arg(least).arg(members);
  return QString("summed over %1 to %2 of %3 devices").arg(least).arg(most).arg(members);
}

/// Makes a replay step by step; a job's private workshop.
class ReplayMaker {
 public:
  ReplayMaker(const Exploration& exploration, const PlacementResult& placement, const Program& program)
      : m_exploration(exploration),
        m_result(placement),
        m_replay{exploration.workspace.system,
                 Placement(exploration.workspace.axes, placement.matrix),
                 placement.hierarchy,
                 exploration.workspace.options.cost,
                 program,
                 placement.hierarchy->deviceCount(),
                 {},
                 {},
                 {},
                 {},
                 false,
                 {}} {}

  Result<std::shared_ptr<const Replay>> make(std::stop_token stop) {
    const bool explicitly = m_replay.members <= kMostExplicitMembers;
    if (auto ran = explicitly ? runExplicitly() : runCompactly(); !ran.ok()) return ran.error();
    if (stop.stop_requested()) return cancelledError();
    collectFacts();
    if (auto priced = price(std::move(stop)); !priced.ok()) return priced.error();
    return std::shared_ptr<const Replay>(std::make_shared<Replay>(std::move(m_replay)));
  }

 private:
  Result<void> runExplicitly() {
    auto execution =
        execute(m_replay.placement, *m_replay.hierarchy, m_replay.program, m_exploration.workspace.options.rules);
    if (!execution.ok()) return execution.error();
    m_replay.states = std::move(execution.value().states);
    m_replay.failure = execution->failure;
    if (execution->refusal) m_replay.refusal = QString::fromStdString(*execution->refusal);
    m_replay.complete = execution->complete;
    return {};
  }

  Result<void> runCompactly() {
    auto execution = executeCompactly(*m_replay.hierarchy, m_replay.program, m_exploration.workspace.options.rules);
    if (!execution.ok()) return execution.error();
    m_replay.classes = std::move(execution.value().states);
    if (execution->refusal) m_replay.refusal = QString::fromStdString(*execution->refusal);
    m_replay.complete = execution->complete;
    return {};
  }

  void collectFacts() {
    const SynthesisHierarchy& hierarchy = *m_replay.hierarchy;
    const std::size_t valid = std::size_t(m_replay.validSteps());
    for (std::size_t step = 0; step < std::min(valid + 1, m_replay.program.size()); ++step) {
      const GroupPattern& pattern = m_replay.program[step].pattern;
      StepFacts facts;
      facts.groupSize = hierarchy.groupSize(pattern);
      facts.groupCount = m_replay.placement.deviceCount() / m_replay.members * groupsPerReduction(pattern);
      if (step < valid) addBytes(facts, step);
      m_replay.facts.push_back(facts);
    }
  }

  std::int64_t groupsPerReduction(const GroupPattern& pattern) const {
    std::int64_t count = 1;
    for (int level = 0; level < m_replay.hierarchy->levelCount(); ++level) {
      const bool fixed = level < pattern.outer || (level >= pattern.inner && !pattern.master);
      if (fixed) count *= m_replay.hierarchy->levels()[std::size_t(level)].size;
    }
    return count;
  }

  void addBytes(StepFacts& facts, std::size_t step) const {
    const Instruction& instruction = m_replay.program[step];
    std::vector<double> shares;
    if (m_replay.isExplicit()) {
      const auto& states = m_replay.states[traitsOf(instruction.collective).worksOnResult ? step + 1 : step];
      for (const DeviceGroup& group : m_replay.hierarchy->memberGroups(instruction.pattern)) {
        shares.push_back(double(states[std::size_t(group.front())].rowCount()) / double(m_replay.members));
      }
    } else {
      const std::vector<std::int64_t> sizes = m_replay.hierarchy->sizes();
      for (const GroupShare& share : edgeAt(step).shares) shares.push_back(1 / productOver(share.split, sizes));
    }
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    facts.leastBytes = *least * m_replay.cost.bytes;
    facts.mostBytes = *most * m_replay.cost.bytes;
  }

  StateEdge edgeAt(std::size_t step) const {
    const Instruction& instruction = m_replay.program[step];
    return {instruction, 0, groupShares(m_replay.classes[step], m_replay.classes[step + 1], instruction)};
  }

  Result<void> price(std::stop_token stop) {
    const auto costs = stepCosts(std::move(stop));
    if (!costs.ok()) return costs.error();
    for (std::size_t step = 0; step < costs->size(); ++step) {
      m_replay.facts[step].cost = (*costs)[step];
      const LinkId link = (*costs)[step].link;
      if (!link.isNone()) m_replay.facts[step].link = QString::fromStdString(m_exploration.topology->linkName(link));
    }
    return {};
  }

  Result<std::vector<StepCost>> stepCosts(std::stop_token stop) const {
    for (const ProgramResult& listed : m_result.programs) {
      if (listed.program == m_replay.program) return listed.steps;
    }
    std::vector<StepCost> costs;
    PatternPricer pricer(*m_exploration.topology, *m_replay.hierarchy, m_replay.cost);
    for (std::size_t step = 0; step < std::size_t(m_replay.validSteps()); ++step) {
      if (stop.stop_requested()) return cancelledError();
      costs.push_back(m_replay.isExplicit() ? simulateStep(*m_exploration.topology, lowered(step), m_replay.cost)
                                            : pricer.price(edgeAt(step)));
    }
    return costs;
  }

  /// A step on real devices. Unlike lower(), this also serves programs that are wrong or end too early.
  LoweredStep lowered(std::size_t step) const {
    const Instruction& instruction = m_replay.program[step];
    LoweredStep result{instruction.collective, {}};
    for (DeviceGroup& devices : m_replay.hierarchy->groups(instruction.pattern)) {
      LoweredGroup group;
      for (const Device device : devices) {
        group.before.push_back(m_replay.shareOf(device, int(step)));
        group.after.push_back(m_replay.shareOf(device, int(step) + 1));
      }
      group.devices = std::move(devices);
      result.groups.push_back(std::move(group));
    }
    return result;
  }

  const Exploration& m_exploration;
  const PlacementResult& m_result;
  Replay m_replay;
};

}  // namespace

int Replay::validSteps() const { return static_cast<int>(std::max(states.size(), classes.size())) - 1; }

const DeviceState& Replay::stateOf(Device device, int steps) const {
  return states[std::size_t(steps)][std::size_t(hierarchy->memberOf(device))];
}

const ClassState& Replay::classOf(Device device, int steps) const {
  return classes[std::size_t(steps)].classes[classNumber(hierarchy->memberOf(device), hierarchy->sizes())];
}

std::optional<FoldedState> Replay::foldedOf(Device device, int steps) const {
  const std::vector<std::int64_t> sizes = hierarchy->sizes();
  if (mostRuns(classOf(device, steps), sizes) > kMostShownRuns) return std::nullopt;
  return foldedState(classes[std::size_t(steps)], sizes, hierarchy->memberOf(device));
}

double Replay::shareOf(Device device, int steps) const {
  if (isExplicit()) return double(stateOf(device, steps).rowCount()) / double(members);
  const ClassState& state = classOf(device, steps);
  return state.present ? 1 / productOver(state.splitLevels(), hierarchy->sizes()) : 0;
}

QString Replay::holdingText(Device device, int steps) const {
  const int chunks = static_cast<int>(shareOf(device, steps) * double(members) + 0.5);
  if (chunks == 0) return "holds nothing";
  const QString held = QString("holds %1 of %2 chunks, ").arg(chunks).arg(members);
  if (!isExplicit()) {
    const int summed = static_cast<int>(productOver(classOf(device, steps).summed, hierarchy->sizes()));
    return held + summedText(summed, summed, members);
  }
  const DeviceState& state = stateOf(device, steps);
  int least = state.size();
  int most = 0;
  for (const int row : state.rows()) {
    const int columns = static_cast<int>(state.columns(row).size());
    least = std::min(least, columns);
    most = std::max(most, columns);
  }
  return held + summedText(least, most, members);
}

std::vector<Device> Replay::contributorsOf(Device device) const {
  return placement.groupMembers(placement.groupOf(device));
}

Device groupHead(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern, Device device) {
  Device head = device;
  for (int level = pattern.outer; level < hierarchy.levelCount(); ++level) {
    if (level >= pattern.inner && !pattern.master) break;
    for (const Digit& digit : hierarchy.levels()[std::size_t(level)].digits) {
      const Device part = digit.of(device) * digit.stride;
      if (level >= pattern.inner && part != 0) return -1;
      head -= part;
    }
  }
  return head;
}

Result<std::shared_ptr<const Replay>> makeReplay(const Exploration& exploration, std::size_t placementIndex,
                                                 const Program& program, std::stop_token stop) {
  return ReplayMaker(exploration, exploration.placements[placementIndex], program).make(std::move(stop));
}

}  // namespace p2::views
