// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>

#include "support/fixtures.h"
#include "synthesis/execution.h"

using namespace p2;

namespace {

/// What one device holds: by chunk, and where contributions lie side by side also by source, a number. Unsigned, so
/// that sums wrap round.
using Buffer = std::map<std::pair<int, int>, std::uint64_t>;
using Buffers = std::vector<Buffer>;
constexpr int kSum = -1;  // the source of numbers that are summed

/// As good as random: a contribution that is missing, doubled or in another's place changes the sum.
std::uint64_t numberOf(int device, int chunk) {
  std::uint64_t z = (std::uint64_t(device) * 1000 + std::uint64_t(chunk) + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t sumOf(int devices, int chunk) {
  std::uint64_t sum = 0;
  for (int device = 0; device < devices; ++device) sum += numberOf(device, chunk);
  return sum;
}

Buffers initial(const Goal& goal, int devices) {
  Buffers buffers;
  buffers.resize(std::size_t(devices));
  const bool apart = goal == kAllToAllGoal;
  for (int device = 0; device < devices; ++device) {
    if (goal.before.holders == Distribution::Holders::Root && device > 0) continue;
    for (int chunk = 0; chunk < devices; ++chunk) {
      if (goal.before.chunks == Distribution::Chunks::OneEach && chunk != device) continue;
      const bool own = goal.before.contributions == Distribution::Contributions::Own;
      buffers[std::size_t(device)][{chunk, apart ? device : kSum}] =
          own ? numberOf(device, chunk) : sumOf(devices, chunk);
    }
  }
  return buffers;
}

/// Everything the members hold, numbers for the same chunk and source added up.
Buffer together(const Buffers& members) {
  Buffer all;
  for (const Buffer& member : members) {
    for (const auto& [block, number] : member) all[block] += number;
  }
  return all;
}

/// The chunks in order, cut into as many equal parts as there are members.
Buffers scattered(const Buffer& all, std::size_t members) {
  std::map<int, Buffer> byChunk;
  for (const auto& [block, number] : all) byChunk[block.first][block] = number;
  Buffers parts(members);
  std::size_t place = 0;
  for (const auto& [chunk, blocks] : byChunk)
    parts[place++ * members / byChunk.size()].insert(blocks.begin(), blocks.end());
  return parts;
}

Buffers performed(Collective collective, const Buffers& members) {
  switch (collective) {
    case Collective::AllReduce:
    case Collective::AllGather:
      return Buffers(members.size(), together(members));
    case Collective::ReduceScatter:
    case Collective::AllToAll:
      return scattered(together(members), members.size());
    case Collective::Reduce: {
      Buffers after(members.size());
      after[0] = together(members);
      return after;
    }
    case Collective::Broadcast:
      return Buffers(members.size(), members[0]);
    case Collective::Scatter:
      return scattered(members[0], members.size());
  }
  return {};
}

/// Whether the numbers are what the goal promises, without asking how they came about.
bool isDone(const Goal& goal, const Buffers& buffers) {
  const auto devices = int(buffers.size());
  std::map<int, int> holders;
  for (int device = 0; device < devices; ++device) {
    const Buffer& held = buffers[std::size_t(device)];
    if (goal.after.holders == Distribution::Holders::AtLeastRoot && device > 0) continue;
    if (goal.after.holders == Distribution::Holders::Root && device > 0) {
      if (!held.empty()) return false;
      continue;
    }
    for (const auto& [block, number] : held) {
      const auto [chunk, source] = block;
      if (number != (source == kSum ? sumOf(devices, chunk) : numberOf(source, chunk))) return false;
    }
    const bool oneEach = goal.after.chunks == Distribution::Chunks::OneEach;
    const std::size_t blocks = goal == kAllToAllGoal ? buffers.size() : oneEach ? 1 : buffers.size();
    if (held.size() != blocks) return false;
    if (oneEach && held.begin()->first.first != held.rbegin()->first.first) return false;
    if (oneEach && ++holders[held.begin()->first.first] > 1) return false;
  }
  return true;
}

}  // namespace

// Programs for every goal, carried out on integers: no bit matrices, no rules, only what collectives do to numbers.
class TestGoalIntegers : public QObject {
  Q_OBJECT
 private slots:
  void everyProgramBringsTheNumbersWhereTheyBelong_data() {
    QTest::addColumn<Goal>("goal");
    for (const Goal& goal : goals()) QTest::newRow(std::string(goal.name).c_str()) << goal;
  }
  void everyProgramBringsTheNumbersWhereTheyBelong() {
    QFETCH(Goal, goal);
    int programs = 0;
    for (const auto& sizes : test::hierarchiesUpTo(8, 3)) {
      const System system = test::systemOf(sizes);
      const Placement placement = test::wholeReduction(system);
      const SynthesisHierarchy hierarchy(system, placement);
      for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
        for (const Program& program : test::valueOf(enumerateExplicitly(placement, hierarchy, rules, 4, goal))) {
          Buffers buffers = initial(goal, int(hierarchy.deviceCount()));
          for (const Instruction& step : program) {
            QVERIFY(!isDone(goal, buffers));
            for (const MemberGroup& group : hierarchy.memberGroups(step.pattern)) {
              Buffers members;
              for (const MemberId member : group) members.push_back(buffers[member.index()]);
              members = performed(step.collective, members);
              for (std::size_t i = 0; i < group.size(); ++i) buffers[group[i].index()] = members[i];
            }
          }
          QVERIFY2(isDone(goal, buffers), programText(hierarchy, program).c_str());
          ++programs;
        }
      }
    }
    QVERIFY(programs >= 30);
  }
};

QTEST_APPLESS_MAIN(TestGoalIntegers)
#include "tst_goal_integers.moc"
