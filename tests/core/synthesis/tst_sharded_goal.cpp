// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>

#include "support/filled.h"
#include "support/sharded_cases.h"
#include "synthesis/detail/explicit_engine.h"
#include "synthesis/program_count.h"
#include "synthesis/program_hint.h"
#include "synthesis/program_notation.h"
#include "synthesis/shard_order.h"
#include "synthesis/wrong_step.h"

using namespace p2;

namespace {

QString shapeText(const test::ShardedCase& on) {
  QString text;
  for (const SynthesisLevel& level : on.hierarchy.levels()) {
    text += QString("%1 %2 ").arg(QString::fromStdString(level.name)).arg(level.size);
  }
  return text + QString("replicated %1").arg(on.hierarchy.replicatedLevels(), 0, 2);
}

/// Programs of at most 1 … `limit` steps by search over bit matrices to the very end, every state told from every
/// other.
std::vector<Count> searchedCounts(const test::ShardedCase& on, RuleSet rules, int limit) {
  ExplicitEngine engine(on.placement, on.hierarchy, rules, kReduceScatterGoal);
  std::map<ExplicitEngine::States, std::size_t> numbers{{engine.initial(), 0}};
  std::vector<const ExplicitEngine::States*> states{&numbers.begin()->first};
  std::vector<std::vector<std::size_t>> targets;
  std::vector<Count> exactly;  // programs of so many steps from each state: first of none
  for (std::size_t node = 0; node < states.size(); ++node) {
    targets.emplace_back();
    exactly.emplace_back(engine.isGoal(*states[node]) ? 1 : 0);
    if (exactly.back() == Count(1)) continue;
    for (const GroupPattern& pattern : groupPatterns(on.hierarchy)) {
      for (const Collective collective : kCollectives) {
        auto outcome = engine.apply(*states[node], {pattern, collective});
        auto* after = std::get_if<ExplicitEngine::States>(&outcome);
        if (after == nullptr) continue;
        const auto [found, isNew] = numbers.try_emplace(std::move(*after), states.size());
        if (isNew) states.push_back(&found->first);
        targets.back().push_back(found->second);
      }
    }
  }
  std::vector<Count> totals;
  Count total = exactly[0];
  for (int size = 1; size <= limit; ++size) {
    std::vector<Count> longer(states.size(), 0);
    for (std::size_t node = 0; node < states.size(); ++node) {
      for (const std::size_t target : targets[node]) longer[node] += exactly[target];
    }
    exactly = std::move(longer);
    totals.push_back(total += exactly[0]);
  }
  return totals;
}

/// What a device holds, numbers by chunk; unsigned, so that sums wrap round.
using Numbers = std::map<std::int64_t, std::uint64_t>;

std::uint64_t numberFor(std::size_t device, std::int64_t chunk) {
  std::uint64_t z = (device * 1000 + std::uint64_t(chunk) + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  return z ^ (z >> 31);
}

/// Carries one step out: no rules, only what collectives do to numbers.
void perform(Collective collective, std::vector<Numbers*> members) {
  Numbers sum;
  for (const Numbers* member : members) {
    for (const auto& [chunk, number] : *member) sum[chunk] += number;
  }
  const Numbers root = *members[0];
  std::size_t place = 0;
  for (Numbers* member : members) {
    const std::size_t share = sum.size() / members.size();
    const auto from = std::next(sum.begin(), std::ptrdiff_t(place * share));
    if (collective == Collective::ReduceScatter) {
      *member = Numbers(from, std::next(from, std::ptrdiff_t(share)));
    } else if (collective == Collective::Reduce) {
      *member = place == 0 ? sum : Numbers{};
    } else {
      *member = collective == Collective::Broadcast ? root : sum;
    }
    ++place;
  }
}

std::vector<Numbers> carriedOut(const test::ShardedCase& on, const Program& program) {
  std::vector<Numbers> held(std::size_t(on.placement.deviceCount()));
  for (std::size_t device = 0; device < held.size(); ++device) {
    for (std::int64_t chunk = 0; chunk < std::ssize(held); ++chunk) held[device][chunk] = numberFor(device, chunk);
  }
  for (const Instruction& step : program) {
    for (const DeviceGroup& group : on.hierarchy.groups(step.pattern)) {
      std::vector<Numbers*> members;
      for (const Device device : group) members.push_back(&held[device.index()]);
      perform(step.collective, std::move(members));
    }
  }
  return held;
}

/// Whether devices equal on the axis that is not replicated hold the same share of the sums, and others another one.
bool isSharded(const test::ShardedCase& on, const std::vector<Numbers>& held) {
  const std::size_t shard = on.placement.axes()[0].replicate ? 1 : 0;
  const auto shards = std::size_t(on.placement.axes()[shard].size);
  std::map<std::int64_t, Numbers> byShard;
  std::map<std::int64_t, int> holders;
  for (const Device device : on.placement.devices()) {
    const Numbers& own = held[device.index()];
    if (own.size() != held.size() / shards) return false;
    const auto [known, isNew] = byShard.try_emplace(on.placement.coordinates(device)[shard], own);
    if (known->second != own) return false;
    for (const auto& [chunk, number] : own) {
      std::uint64_t sum = 0;
      for (std::size_t other = 0; other < held.size(); ++other) sum += numberFor(other, chunk);
      if (number != sum || (isNew && ++holders[chunk] > 1)) return false;
    }
  }
  return byShard.size() == shards;
}

}  // namespace

// A sum that is scattered over one axis and replicated along another: the gradients of hybrid sharding (HSDP).
class TestShardedGoal : public QObject {
  Q_OBJECT

  static QList<int> numbers(const std::vector<Count>& counts) {
    QList<int> result;
    for (const Count& count : counts) result.append(int(count.clamped64()));
    return result;
  }

  static std::vector<Count> counts(const SynthesisHierarchy& hierarchy, RuleSet rules, int limit) {
    return test::valueOf(countPrograms(hierarchy.sizes(), rules, limit, {}, goalOn(hierarchy, kReduceScatterGoal)));
  }

 private slots:
  // Bit matrices know of shards by coordinates alone, compact states by levels alone.
  void countsAsASearchOverBitMatricesDoes_data() {
    QTest::addColumn<RuleSet>("rules");
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("levels");
    QTest::addColumn<int>("cases");
    QTest::newRow("paper") << RuleSet::Paper << 16 << 4 << 60;
    QTest::newRow("all") << RuleSet::All << 16 << 3 << 40;
  }
  void countsAsASearchOverBitMatricesDoes() {
    QFETCH(RuleSet, rules);
    QFETCH(int, devices);
    QFETCH(int, levels);
    QFETCH(int, cases);
    const auto all = test::shardedCases(devices, 3, levels);
    QVERIFY2(std::ssize(all) >= cases, qPrintable(QString::number(all.size())));
    for (const test::ShardedCase& on : all) {
      QVERIFY2(counts(on.hierarchy, rules, 10) == searchedCounts(on, rules, 10), qPrintable(shapeText(on)));
      const auto graph = test::valueOf(
          StateGraph::build(on.hierarchy.sizes(), rules, kNoLimit, {}, goalOn(on.hierarchy, kReduceScatterGoal)));
      QCOMPARE(graph->countsUpTo(10), counts(on.hierarchy, rules, 10));
    }
  }

  void everyProgramBringsTheNumbersWhereTheyBelong() {
    int programs = 0;
    for (const test::ShardedCase& on : test::shardedCases(12, 3, 4)) {
      for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
        const int limit = on.hierarchy.levelCount() > 3 ? 3 : 4;
        const auto listed =
            test::valueOf(enumerateExplicitly(on.placement, on.hierarchy, rules, limit, kReduceScatterGoal));
        for (const Program& program : listed) {
          QVERIFY(isSharded(on, carriedOut(on, program)));
          const Program shorter(program.begin(), program.end() - 1);
          QVERIFY(!isSharded(on, carriedOut(on, shorter)));
          QVERIFY(test::valueOf(executeCompactly(on.hierarchy, program, rules, kReduceScatterGoal)).complete);
          ++programs;
        }
        QCOMPARE(counts(on.hierarchy, rules, limit).back(), Count(listed.size()));
      }
    }
    QVERIFY2(programs > 2000, qPrintable(QString::number(programs)));
  }

  // What frameworks run is among them: a ReduceScatter over the shards, and an AllReduce over the replicas.
  void theStepsOfHybridShardingAreFound() {
    for (const test::ShardedCase& on : test::shardedCases(16, 3, 4)) {
      const Program single = singleProgram(on.hierarchy, kReduceScatterGoal);
      QCOMPARE(programTitle(single), std::string("RS·AR"));
      QVERIFY(isSharded(on, carriedOut(on, single)));
      const std::size_t shard = on.placement.axes()[0].replicate ? 1 : 0;
      for (std::size_t step = 0; step < 2; ++step) {
        for (const DeviceGroup& group : test::filled(on.hierarchy.groups(single[step].pattern))) {
          const std::size_t own = step == 0 ? shard : 1 - shard;
          QCOMPARE(std::ssize(group), on.placement.axes()[own].size);
          for (const Device device : group) {
            QCOMPARE(on.placement.coordinates(device)[1 - own], on.placement.coordinates(group[0])[1 - own]);
          }
        }
      }
      const auto programs =
          test::valueOf(enumerateExplicitly(on.placement, on.hierarchy, RuleSet::Paper, 2, kReduceScatterGoal));
      QVERIFY2(std::find(programs.begin(), programs.end(), single) != programs.end(), qPrintable(shapeText(on)));
    }
  }

  // Scattered over all axes it is a ReduceScatter, over none an AllReduce: the very same programs.
  void withoutReplicasOrShardsItIsWhatItWas() {
    for (const auto& sizes : test::hierarchiesUpTo(16, 3)) {
      const System system = test::systemOf(sizes);
      std::vector<Axis> axes;
      ParallelismMatrix matrix(sizes.size(), sizes.size());
      for (std::size_t level = 0; level < sizes.size(); ++level) {
        axes.push_back({system.levels[level].name, sizes[level], true});
        for (std::size_t axis = 0; axis < sizes.size(); ++axis)
          matrix.set(axis, level, axis == level ? sizes[level] : 1);
      }
      for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
        for (const bool replicate : {false, true}) {
          for (Axis& axis : axes) axis.replicate = replicate;
          const Placement placement(axes, matrix);
          const SynthesisHierarchy hierarchy(system, placement);
          const Goal& same = replicate ? kAllReduceGoal : kReduceScatterGoal;
          QCOMPARE(counts(hierarchy, rules, 10), test::valueOf(countPrograms(sizes, rules, 10, {}, same)));
          QVERIFY(singleProgram(hierarchy, kReduceScatterGoal) == singleProgram(hierarchy, same));
          const int limit = sizes.size() < 3 ? 4 : 2;
          const Placement whole = test::wholeReduction(system);
          QVERIFY(test::valueOf(enumerateExplicitly(placement, hierarchy, rules, limit, kReduceScatterGoal)) ==
                  test::valueOf(enumerateExplicitly(whole, SynthesisHierarchy(system, whole), rules, limit, same)));
        }
      }
    }
  }

  void levelsOfBothAxesAreCut() {
    const System system = test::valueOf(parseSystem("node:4 gpu:8"));
    const std::vector<Axis> axes{{"replica", 4, true, true}, {"data", 8, true, false}};
    const SynthesisHierarchy hierarchy(system, Placement(axes, test::valueOf(parseMatrix("[[2,2],[2,4]]"))));
    QStringList levels;
    for (const SynthesisLevel& level : hierarchy.levels()) {
      levels.append(QString("%1 %2").arg(QString::fromStdString(level.name)).arg(level.size));
    }
    QCOMPARE(levels.join(", "), QString("node/replica 2, node 2, gpu/replica 2, gpu 4"));
    QCOMPARE(int(hierarchy.replicatedLevels()), 0b0101);
    const Program single = singleProgram(hierarchy, kReduceScatterGoal);
    QCOMPARE(programText(hierarchy, single), std::string("root:Shards:ReduceScatter; root:Replicas:AllReduce"));
    QCOMPARE(notationText(hierarchy, single), std::string("ReduceScatter·root@shards → AllReduce·root@replicas"));
    const SynthesisHierarchy apart(system, Placement(axes, test::valueOf(parseMatrix("[[4,1],[1,8]]"))));
    QCOMPARE(apart.levelName(1) + " " + apart.levelName(2), std::string("node gpu"));
    QCOMPARE(programText(apart, singleProgram(apart, kReduceScatterGoal)),
             std::string("node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce"));
  }

  void everyPatternIsReadBack() {
    for (const test::ShardedCase& on : test::shardedCases(16, 3, 4)) {
      std::set<std::vector<DeviceGroup>> groups;
      for (const GroupPattern& pattern : groupPatterns(on.hierarchy)) {
        QVERIFY(groups.insert(on.hierarchy.groups(pattern)).second);
        const Program program{{pattern, Collective::AllReduce}};
        QVERIFY(test::valueOf(parseProgram(on.hierarchy, programText(on.hierarchy, program))) == program);
        QVERIFY(test::valueOf(parseProgram(on.hierarchy, notationText(on.hierarchy, program))) == program);
      }
      // Also where they have another spelling.
      const Program single = singleProgram(on.hierarchy, kReduceScatterGoal);
      QVERIFY(test::valueOf(parseProgram(on.hierarchy, "root:Shards:RS; root:Replicas:AR")) == single);
      QVERIFY(test::valueOf(parseProgram(on.hierarchy, "RS·root@shards -> AR·root@replicas")) == single);
    }
    const System system = test::systemOf({2, 2});
    const SynthesisHierarchy whole(system, test::wholeReduction(system));
    QCOMPARE(
        parseProgram(whole, "root:Shards:RS").error().message,
        std::string("no axis that is reduced over is replicated, so there are no shards and replicas to tell apart; "
                    "use InsideGroup, Parallel(level) or Master(level)"));
  }

  // Enough of everything, but not in the right places.
  void saysWhoHoldsTheWrongShard() {
    const System system = test::systemOf({2, 2});
    const std::vector<Axis> axes{{"replica", 2, true, true}, {"shard", 2, true, false}};
    const Placement placement(axes, test::valueOf(parseMatrix("[[2,1],[1,2]]")));
    const SynthesisHierarchy hierarchy(system, placement);
    const Program program = test::valueOf(parseProgram(hierarchy, "root:Replicas:RS; root:Shards:RS; root:Shards:AG"));
    const auto trace =
        test::valueOf(ProgramTrace::run(placement, hierarchy, program, RuleSet::Paper, kReduceScatterGoal));
    QCOMPARE(trace.problem()->text(), "the program ends before " + std::string(kShardsAchieved));
    const MissingParts missing = missingParts(placement, trace, 9);
    QCOMPARE(missing.count, 2);
    QCOMPARE(missing.parts[0].sentence,
             std::string("device 1 and device 0 both hold chunk 0, and are to end with different ones"));
    QCOMPARE(missing.parts[1].sentence,
             std::string("device 2 and device 0 hold different chunks, and are replicas of one shard"));
    const auto hint = programHint(hierarchy, program, RuleSet::Paper, kReduceScatterGoal);
    QCOMPARE(hint->sentence, std::string("make step 3 AllGather across as"));
  }

  // Of replicas one stands for all; scattered from the inside, the shards lie in another order.
  void tellsInWhichOrderShardsLie() {
    const System system = test::systemOf({2, 2, 3});
    const std::vector<Axis> axes{{"replica", 2, true, true}, {"shard", 6, true, false}};
    const Placement placement(axes, test::valueOf(parseMatrix("[[2,1,1],[1,2,3]]")));
    const SynthesisHierarchy hierarchy(system, placement);
    const auto orderOf = [&](const char* text) {
      const Program program = test::valueOf(parseProgram(hierarchy, text));
      const auto trace =
          test::valueOf(ProgramTrace::run(placement, hierarchy, program, RuleSet::Paper, kReduceScatterGoal));
      return trace.complete() ? shardOrderText(*shardOrder(trace)) : std::string("incomplete");
    };
    QCOMPARE(orderOf("root:Shards:RS; root:Replicas:AR"), std::string("0,1,2,3,4,5,6,7,8,9,10,11"));
    QCOMPARE(orderOf("b:InsideGroup:RS; b:Parallel(a):RS; a:Parallel(root):AR"),
             std::string("0,1,4,5,8,9,2,3,6,7,10,11"));
    QCOMPARE(orderOf("root:InsideGroup:RS; a:Parallel(root):AG"), std::string("0,6,1,7,2,8,3,9,4,10,5,11"));
    QCOMPARE(orderOf("root:InsideGroup:RS"), std::string("incomplete"));
  }
};

QTEST_APPLESS_MAIN(TestShardedGoal)
#include "tst_sharded_goal.moc"
