// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "step/dispatch.h"
#include "step/shift.h"
#include "support/filled.h"
#include "tests/core/step/workloads.h"

using namespace p2;
using namespace p2::test;

/// Messages to neighbours and tokens to experts.
class TestDirectEntries : public QObject {
  Q_OBJECT

  static bool isNear(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }
  static WorkloadEntry shiftOf(std::vector<std::string> axes, std::int64_t bytes, bool closed) {
    WorkloadEntry entry = entryOf("shift", std::move(axes), CommunicationKind::Shift, bytes, 1);
    entry.closed = closed;
    return entry;
  }
  /// That k drawn of `all` are none of `theirs`.
  static double chosenNone(double all, double theirs, int k) {
    double none = 1;
    for (int i = 0; i < k; ++i) none *= (all - theirs - i) / (all - i);
    return none;
  }
  static const EntryCost& only(const StepRanking& ranking, const char* matrix) {
    return ranking.cost(ranking.placements[*ranking.find(valueOf(parseMatrix(matrix)))], 0);
  }

 private slots:
  // DeepSeek-V3: eight of 256 experts, on eight nodes, on four at most.
  void distinctNodes() {
    QVERIFY(std::abs(expectedNodes({256, 8, 0}, 8) - 5.295) < 0.0005);
    QVERIFY(std::abs(expectedNodes({256, 8, 4}, 8) - 3.629) < 0.0005);
    QCOMPARE(expectedNodes({256, 8, 8}, 8), expectedNodes({256, 8, 0}, 8));
    QCOMPARE(expectedNodes({64, 1, 0}, 8), 1.0);
    QCOMPARE(expectedNodes({8, 8, 0}, 8), 8.0);
    QCOMPARE(expectedNodes({256, 8, 1}, 8), 1.0);
    const auto crossing = [](double bytes, std::int64_t most) {
      return deduplicatedBytes(bytes, {256, 8, most}, 8) * 7 / 8 / 1e6;
    };
    QVERIFY(std::abs(crossing(242'221'056, 0) - 140.3) < 0.05);
    QVERIFY(std::abs(crossing(469'762'048, 0) - 272.0) < 0.1);
    QVERIFY(std::abs(crossing(242'221'056, 4) - 96.1) < 0.05);
    QVERIFY(std::abs(crossing(469'762'048, 4) - 186.5) < 0.1);
  }

  // A limit of groups is one of nodes where a group lies on each. Over twice as many nodes a group has two.
  void groupsOfExperts() {
    QCOMPARE(expectedNodes({256, 8, 4, 8}, 8), expectedNodes({256, 8, 4}, 8));
    QVERIFY(std::abs(expectedNodes({256, 8, 4, 8}, 64) - 32 * (1 - chosenNone(128, 4, 8))) < 1e-9);
    QVERIFY(std::abs(expectedNodes({256, 8, 1, 8}, 16) - 2 * (1 - chosenNone(32, 16, 8))) < 1e-9);
    QCOMPARE(expectedNodes({256, 8, 4, 8}, 1), 1.0);
    QCOMPARE(expectedNodes({256, 8, 0, 8}, 16), expectedNodes({256, 8, 0}, 16));
  }

  // Nodes that have several groups, a part of one, or parts of two: as tokens have it that choose at random.
  void groupsByDrawing_data() {
    QTest::addColumn<qint64>("groups");
    QTest::addColumn<qint64>("most");
    QTest::addColumn<qint64>("nodes");
    QTest::newRow("a group a node") << qint64(8) << qint64(3) << qint64(8);
    QTest::newRow("two groups a node") << qint64(8) << qint64(3) << qint64(4);
    QTest::newRow("half a group a node") << qint64(8) << qint64(3) << qint64(16);
    QTest::newRow("parts of two") << qint64(8) << qint64(3) << qint64(6);
    QTest::newRow("a whole and parts") << qint64(12) << qint64(5) << qint64(8);
    QTest::newRow("less than a group, across") << qint64(6) << qint64(2) << qint64(8);
  }
  void groupsByDrawing() {
    QFETCH(qint64, groups);
    QFETCH(qint64, most);
    QFETCH(qint64, nodes);
    constexpr int kExperts = 48;
    constexpr int kTokens = 40'000;
    std::mt19937 random(5);
    std::vector<int> order(std::size_t(groups), 0);
    std::iota(order.begin(), order.end(), 0);
    double reached = 0;
    for (int token = 0; token < kTokens; ++token) {
      std::shuffle(order.begin(), order.end(), random);
      std::vector<int> experts;
      for (int expert = 0; expert < kExperts; ++expert) {
        const auto group = int(expert * groups / kExperts);
        if (std::find(order.begin(), order.begin() + most, group) != order.begin() + most) experts.push_back(expert);
      }
      std::shuffle(experts.begin(), experts.end(), random);
      std::set<qint64> distinct;
      for (std::size_t i = 0; i < 4; ++i) distinct.insert(experts[i] * nodes / kExperts);
      reached += double(distinct.size());
    }
    QVERIFY(std::abs(reached / kTokens - expectedNodes({kExperts, 4, most, groups}, nodes)) < 0.02);
  }

  // As tokens that are scattered at random have it.
  void distinctNodesByDrawing() {
    std::mt19937 random(3);
    constexpr int kTokens = 40'000;
    std::vector<int> experts(64);
    for (int i = 0; i < 64; ++i) experts[std::size_t(i)] = i;
    double nodes = 0;
    for (int token = 0; token < kTokens; ++token) {
      std::shuffle(experts.begin(), experts.end(), random);
      std::set<int> distinct;
      for (std::size_t i = 0; i < 6; ++i) distinct.insert(experts[i] / 16);
      nodes += double(distinct.size());
    }
    QVERIFY(std::abs(nodes / kTokens - expectedNodes({64, 6, 0}, 4)) < 0.02);
  }

  // 8 nodes of 8 devices, one NIC of 50 GB/s each, 160 GB/s inside: 1.92 ms between nodes, and all copies once inside.
  void dispatchCrossesOnceForEveryNode_data() {
    QTest::addColumn<std::int64_t>("bytes");
    QTest::addColumn<double>("acrossMilliseconds");
    QTest::newRow("dispatch, 8 bits") << std::int64_t(242'221'056) << 1.92;
    QTest::newRow("combine, 16 bits") << std::int64_t(469'762'048) << 3.73;
  }
  void dispatchCrossesOnceForEveryNode() {
    QFETCH(std::int64_t, bytes);
    QFETCH(double, acrossMilliseconds);
    WorkloadEntry entry = entryOf("dispatch", {"ep"}, CommunicationKind::Dispatch, bytes, 1);
    entry.routing = ExpertRouting{256, 8, 4, 8};
    const auto ranking = ranked(questionOf("node:8@400GB/s gpu:8@160GB/s", "ep=64", {entry}));
    const EntryCost& cost = only(*ranking, "[[8,8]]");
    const double inside = double(bytes) * 7 / 8 / 160e9;
    QVERIFY(std::abs((cost.seconds - inside) * 1e3 - acrossMilliseconds) < 0.005);
    QVERIFY(cost.seconds < cost.singleSeconds);
    QVERIFY(cost.program.ends_with("across once for every node"));
    QVERIFY(isNear(cost.linkBytes[0], 8 * deduplicatedBytes(double(bytes), *entry.routing, 8) * 7 / 8));
  }

  // With as many experts per token as devices every token goes everywhere anyway.
  void manyExpertsAreGathered() {
    WorkloadEntry entry = entryOf("dispatch", {"ep"}, CommunicationKind::Dispatch, 1 << 28, 1);
    entry.routing = ExpertRouting{64, 32, 0};
    const auto ranking = ranked(questionOf("node:1 gpu:8@160GB/s", "ep=8", {entry}));
    const EntryCost& cost = only(*ranking, "[[1,8]]");
    QVERIFY(cost.program.ends_with("each rank keeps its own tokens"));
    QVERIFY(isNear(cost.seconds, 7.0 * (1 << 28) / 32 / 160e9));
    entry.routing->expertsPerToken = 2;
    const auto few = ranked(questionOf("node:1 gpu:8@160GB/s", "ep=8", {entry}));
    QCOMPARE(only(*few, "[[1,8]]").title, std::string("A2A"));
    QVERIFY(isNear(only(*few, "[[1,8]]").seconds, 7.0 / 8 * (1 << 28) / 160e9));
  }

  // Everybody sends all of the bytes once: over a NIC those of its devices whose neighbour lies in another node.
  void shiftIsOneMessageFromEverybody() {
    constexpr std::int64_t kBytes = 1'000'000'000;
    const char* system = "node:4@50GB/s,5us gpu:8@400GB/s,1us";
    const auto inside = ranked(questionOf(system, "dp=4,pp=8", {shiftOf({"pp"}, kBytes, true)}));
    const EntryCost& within = only(*inside, "[[4,1],[1,8]]");
    QVERIFY(isNear(within.seconds, kBytes / 400e9 + 1e-6));
    const EntryCost& across = only(*inside, "[[1,4],[4,2]]");
    QVERIFY(isNear(across.linkBytes[0], 4.0 * kBytes));
    QVERIFY(isNear(across.seconds, 4.0 * kBytes / 50e9 + 6e-6));
    const auto overNodes = ranked(questionOf(system, "dp=8,pp=4", {shiftOf({"pp"}, kBytes, true)}));
    const EntryCost& spread = only(*overNodes, "[[1,8],[4,1]]");
    QVERIFY(isNear(spread.seconds, 8.0 * kBytes / 50e9 + 6e-6));
  }

  // Below a switch nobody notices whether the last sends to the first; on a bus it is one message of four.
  void openChains() {
    constexpr std::int64_t kBytes = 1'000'000'000;
    for (const bool closed : {true, false}) {
      const auto below =
          ranked(questionOf("node:4@50GB/s gpu:2@400GB/s", "pp=4,dp=2", {shiftOf({"pp"}, kBytes, closed)}));
      QVERIFY(isNear(only(*below, "[[4,1],[1,2]]").seconds, 2.0 * kBytes / 50e9));
      const auto bus = ranked(questionOf("gpu:4@10GB/s,bus", "pp=4", {shiftOf({"pp"}, kBytes, closed)}));
      QVERIFY(isNear(bus->placements[0].stepSeconds, (closed ? 4.0 : 3.0) * kBytes / 10e9));
    }
  }

  // In closed form and flow by flow.
  void countedAndListedShiftsAgree() {
    for (const char* model : {"paper", "nccl"}) {
      const auto asked = [&](const char* system) {
        return ranked(questionOf(system, "pp=8,dp=4", {shiftOf({"pp"}, 1 << 26, true)}, model, Algorithm::Auto));
      };
      const auto counted = asked("pod:2@40GB/s,7us node:4@50GB/s,5us gpu:4@400GB/s,1us");
      StepQuestion question = counted->question;
      question.system.levels[0].interconnect.core = 1e15;
      const auto listed = ranked(question);
      QVERIFY(counted->topology->isUniform() && !listed->topology->isUniform());
      for (std::size_t i = 0; i < counted->placements.size(); ++i) {
        QVERIFY(isNear(counted->placements[i].stepSeconds, listed->placements[i].stepSeconds));
      }
    }
  }

  // Placements that lie alike share their price, which is that of every one of them.
  void everyPlacementsOwnShift_data() {
    QTest::addColumn<QString>("system");
    QTest::newRow("switches") << "pod:2@20GB/s,9us node:4@50GB/s,5us gpu:4@300GB/s,1us";
    QTest::newRow("rings") << "pod:2@20GB/s,9us node:4@50GB/s,5us,ring gpu:4@300GB/s,1us";
    QTest::newRow("listed") << "gcp-v100:4";
  }
  void everyPlacementsOwnShift() {
    QFETCH(QString, system);
    for (const bool closed : {true, false}) {
      const auto ranking = ranked(questionOf(system.toUtf8(), "a=4,b=4,c=2", {shiftOf({"a", "c"}, 1 << 26, closed)}));
      std::vector<Axis> axes = ranking->question.axes;
      axes[0].reduce = axes[2].reduce = true;
      const CostModel& model = modelOf(ranking->question.options.cost);
      for (const PlacementStep& placement : test::filled(ranking->placements)) {
        const SynthesisHierarchy own(ranking->question.system, Placement(axes, placement.matrix));
        const StepCost price = model.price(shiftTraffic(*ranking->topology, own, closed, model), Bytes(1 << 26));
        QVERIFY(isNear(placement.stepSeconds, price.seconds));
      }
    }
  }

  void allToAllTakesTheBestProgram() {
    const WorkloadEntry entry = entryOf("heads", {"cp"}, CommunicationKind::AllToAll, 1 << 20, 1);
    const auto ranking = ranked(questionOf("dgx-h100:8", "cp=64", {entry}, "nccl", Algorithm::Auto));
    const EntryCost& cost = ranking->cost(ranking->placements[0], 0);
    QVERIFY(cost.title == "A2A·A2A" && cost.seconds < cost.singleSeconds);
  }

  // Where every message takes a route of its own; elsewhere they are counted.
  void tooManyMessagesAreRefused() {
    const WorkloadEntry entry = entryOf("heads", {"all"}, CommunicationKind::AllToAll, 1 << 20, 1);
    auto question = questionOf("dgx-h100:1024", "all=8192", {entry}, "nccl", Algorithm::Auto);
    ranked(question);
    question.system.networks.back().interconnect.kind = InterconnectKind::Ring;
    const auto refused = rankSteps(question);
    QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::TooLarge);
    QCOMPARE(QString::fromStdString(refused.error().message),
             QString("an AllToAll among 8192 devices on a system of 8192 is over 16777216 messages, and where there is "
                     "more than plain switches and rings each takes a route of its own; use axes of at most 2048 "
                     "devices"));
    ranked(questionOf("node:1024@50GB/s gpu:8@450GB/s", "all=8192", {entry}, "nccl", Algorithm::Auto));
  }

  // A message to the next device has one link of a mesh for itself, not all of them.
  void shiftsOverAMeshUseOneLink() {
    const WorkloadEntry entry = entryOf("pass", {"pp"}, CommunicationKind::Shift, 1 << 28, 1);
    const auto seconds = [&](const char* system) {
      return only(*ranked(questionOf(system, "pp=4", {entry})), "[[4]]").seconds;
    };
    QVERIFY(isNear(seconds("gpu:4@10GB/s,mesh"), seconds("gpu:4@10GB/s")));
  }
};

QTEST_GUILESS_MAIN(TestDirectEntries)
#include "tst_direct_entries.moc"
