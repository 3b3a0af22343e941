// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <random>

#include "explore/explore.h"
#include "step/step_pricer.h"
#include "support/filled.h"
#include "tests/core/step/workloads.h"

using namespace p2;
using namespace p2::test;

class TestStepPricer : public QObject {
  Q_OBJECT

  struct Case {
    const char* system;
    const char* axes;
    const char* model;
  };
  static constexpr std::array kCases{
      Case{"pod:2@20GB/s,9us node:4@50GB/s,5us gpu:4@300GB/s,1us", "a=4,b=4,c=2", "paper"},
      Case{"pod:2@20GB/s,9us node:4@50GB/s,5us,ring gpu:4@300GB/s,1us", "a=2,b=4,c=4", "paper"},
      Case{"dgx-h100:4", "a=4,b=2,c=4", "nccl"},
      Case{"gcp-v100:2", "a=4,b=2,c=2", "paper"},
      Case{"gcp-a100:2", "a=4,b=4,c=2", "nccl"},
  };

  static std::vector<WorkloadEntry> randomEntries(std::mt19937& random, std::size_t count) {
    const auto upTo = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
    const std::array<std::string, 3> names{"a", "b", "c"};
    std::vector<WorkloadEntry> entries;
    for (std::size_t i = 0; i < count; ++i) {
      WorkloadEntry entry = entryOf("entry", {}, kCommunicationKinds[std::size_t(upTo(kCommunicationKinds.size() - 1))],
                                    1 + upTo(1'000'000'000), 1 + upTo(50));
      for (std::size_t axis = 0; axis < names.size(); ++axis) {
        if (upTo(1) == 1 || (axis == 2 && entry.axes.empty())) entry.axes.push_back(names[axis]);
      }
      entry.overlap.extent = CommunicationOverlap::Extent(upTo(3));
      entry.overlap.value = double(upTo(1000)) / 1000;
      entry.closed = upTo(1) == 1;
      const bool replicates = entry.kind == CommunicationKind::ReduceScatter && entry.axes.size() > 1 && upTo(3) > 0;
      if (replicates) entry.scatter = {entry.axes[std::size_t(upTo(1))]};
      if (entry.kind == CommunicationKind::Dispatch) entry.routing = ExpertRouting{64, 1 + upTo(7), upTo(3)};
      entries.push_back(entry);
    }
    return entries;
  }
  static StepQuestion randomQuestion(std::mt19937& random, unsigned seed) {
    const Case& each = kCases[seed % kCases.size()];
    return questionOf(each.system, each.axes, randomEntries(random, 1 + seed % 6), each.model,
                      std::string(each.model) == "nccl" ? Algorithm::Auto : Algorithm::Ring);
  }
  static bool isNear(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }
  static void seeds() {
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 15; ++seed) QTest::addRow("%u", seed) << seed;
  }

 private slots:
  // The price of a class of placements is that of every one of them, on the full placement.
  void pricesAreThoseOfFullPlacements_data() { seeds(); }
  void pricesAreThoseOfFullPlacements() {
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    StepQuestion question = randomQuestion(random, seed);
    std::erase_if(question.workload.collectives, [](const WorkloadEntry& entry) {
      return entry.kind == CommunicationKind::Shift || entry.kind == CommunicationKind::Dispatch;
    });
    if (question.workload.collectives.empty()) return;
    const auto ranking = ranked(question);
    for (std::size_t i = 0; i < ranking->entries().size(); ++i) {
      const WorkloadEntry& entry = ranking->entries()[i];
      Workspace workspace;
      workspace.system = question.system;
      workspace.axes = question.workload.axes;
      for (Axis& axis : workspace.axes) {
        axis.reduce = std::find(entry.axes.begin(), entry.axes.end(), axis.name) != entry.axes.end();
        const auto& scattered = entry.scatter.empty() ? entry.axes : entry.scatter;
        axis.replicate = axis.reduce && std::find(scattered.begin(), scattered.end(), axis.name) == scattered.end();
      }
      workspace.options = question.options;
      workspace.options.goal = valueOf(goalFrom(nameOf(entry.kind)));
      workspace.options.cost.bytes = Bytes(double(entry.bytes));
      workspace.options.cost.repeat = 1;
      const auto explored = valueOf(exploreWorkspace(workspace, {}));
      QCOMPARE(explored->placements.size(), ranking->placements.size());
      for (const PlacementStep& placement : ranking->placements) {
        const PlacementResult& full = explored->placements[placement.number];
        QCOMPARE(full.matrix, placement.matrix);
        QVERIFY(isNear(ranking->cost(placement, i).seconds, full.bestSeconds));
        QVERIFY(isNear(ranking->cost(placement, i).singleSeconds, full.singleSeconds));
      }
    }
  }

  // The gradients of hybrid sharding as one entry: never dearer than the two collectives that frameworks make of them,
  // and cheaper where replicas lie in a node.
  void gradientsOfHybridShardingAreOneEntry() {
    using enum CommunicationKind;
    WorkloadEntry gradients = entryOf("gradients", {"replica", "shard"}, ReduceScatter, 1 << 30, 1);
    gradients.scatter = {"shard"};
    const auto ranking = ranked(questionOf("dgx-h100:4", "replica=4,shard=8",
                                           {gradients, entryOf("shards", {"shard"}, ReduceScatter, 1 << 30, 1),
                                            entryOf("replicas", {"replica"}, AllReduce, (1 << 30) / 8, 1)},
                                           "nccl", Algorithm::Auto));
    int cheaper = 0;
    for (const PlacementStep& placement : ranking->placements) {
      const double both = ranking->cost(placement, 1).seconds + ranking->cost(placement, 2).seconds;
      QVERIFY(ranking->cost(placement, 0).seconds <= both * (1 + 1e-9));
      QVERIFY(ranking->cost(placement, 0).seconds <= ranking->cost(placement, 0).singleSeconds * (1 + 1e-9));
      cheaper += ranking->cost(placement, 0).seconds < 0.9 * both ? 1 : 0;
    }
    QVERIFY(cheaper > 0);
  }

  void sumsParetoFrontAndOrderAreRight_data() { seeds(); }
  void sumsParetoFrontAndOrderAreRight() {
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    StepQuestion question = randomQuestion(random, seed);
    if (seed % 3 == 0) question.step.computeSeconds = 0.2;
    question.step.usableShare = seed % 2 == 0 ? 1 : 0.6;
    const auto ranking = ranked(question);
    const std::vector<PlacementStep>& all = ranking->placements;
    for (const PlacementStep& placement : all) {
      double exposed = 0;
      double overlappable = 0;
      double shares = 0;
      for (std::size_t i = 0; i < ranking->entries().size(); ++i) {
        const double seconds = ranking->cost(placement, i).seconds * double(ranking->entries()[i].count);
        const CommunicationOverlap& overlap = ranking->entries()[i].overlap;
        double hidden = 0;
        if (overlap.extent == CommunicationOverlap::Extent::Compute) hidden = seconds;
        if (overlap.extent == CommunicationOverlap::Extent::Fraction) hidden = overlap.value * seconds;
        if (overlap.extent == CommunicationOverlap::Extent::Window) hidden = std::min(overlap.value, seconds);
        overlappable += hidden;
        exposed += seconds - hidden;
        shares += ranking->share(placement, i);
        QVERIFY(ranking->cost(placement, i).seconds <=
                ranking->cost(placement, placement.worstEntry).seconds * (1 + 1e-12));
      }
      QVERIFY(isNear(placement.exposedSeconds + 1, exposed + 1));
      QVERIFY(isNear(placement.overlappableSeconds + 1, overlappable + 1));
      QVERIFY(std::abs(shares - 1) <= 1e-9);
      const double compute = question.step.computeSeconds.value_or(0);
      const double step =
          question.step.computeSeconds
              ? compute + exposed + std::max(0.0, 1.13 * overlappable - *question.step.usableShare * compute)
              : exposed + overlappable;
      QVERIFY(isNear(placement.stepSeconds, step));
      // Whoever is on the front is beaten by nobody, whoever is not by somebody.
      const bool beaten = std::any_of(all.begin(), all.end(), [&](const PlacementStep& other) {
        const double kLess = 1 - 1e-9;
        const bool less = other.exposedSeconds < placement.exposedSeconds * kLess ||
                          other.overlappableSeconds < placement.overlappableSeconds * kLess;
        const double kMore = 1 + 1e-9;
        return less && other.exposedSeconds <= placement.exposedSeconds * kMore &&
               other.overlappableSeconds <= placement.overlappableSeconds * kMore;
      });
      QCOMPARE(placement.front, !beaten);
    }
    for (std::size_t i = 1; i < all.size(); ++i) QVERIFY(all[i - 1].stepSeconds <= all[i].stepSeconds * (1 + 1e-9));
  }

  // What is kept from one question to the next changes no answer.
  void keptPricesAreNewOnes_data() { seeds(); }
  void keptPricesAreNewOnes() {
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    StepPricer pricer;
    StepQuestion question = randomQuestion(random, seed);
    for (int change = 0; change < 4; ++change) {
      const auto kept = valueOf(pricer.rank(question));
      const auto fresh = ranked(question);
      QCOMPARE(kept->placements.size(), fresh->placements.size());
      for (std::size_t i = 0; i < kept->placements.size(); ++i) {
        QCOMPARE(kept->placements[i].matrix, fresh->placements[i].matrix);
        QCOMPARE(kept->placements[i].stepSeconds, fresh->placements[i].stepSeconds);
        QCOMPARE(kept->placements[i].linkBytes, fresh->placements[i].linkBytes);
        for (std::size_t entry = 0; entry < kept->entries().size(); ++entry) {
          QCOMPARE(kept->cost(kept->placements[i], entry).program, fresh->cost(fresh->placements[i], entry).program);
        }
      }
      WorkloadEntry& entry = question.workload.collectives[std::size_t(change) % question.workload.collectives.size()];
      if (change == 0) entry.bytes *= 3;
      if (change == 1) entry.count += 2;
      if (change == 2) question.options.sizeLimit = 2;
    }
  }

  void orderOfEntriesDoesNotMatter() {
    std::mt19937 random(5);
    StepQuestion question = questionOf(kCases[0].system, kCases[0].axes, randomEntries(random, 9));
    const auto before = ranked(question);
    std::shuffle(question.workload.collectives.begin(), question.workload.collectives.end(), random);
    const auto after = ranked(question);
    for (std::size_t i = 0; i < before->placements.size(); ++i) {
      QCOMPARE(before->placements[i].matrix, after->placements[i].matrix);
      QVERIFY(isNear(before->placements[i].stepSeconds, after->placements[i].stepSeconds));
      QCOMPARE(before->placements[i].front, after->placements[i].front);
    }
  }

  // At once is no slower than one after the other, and no faster than either part or than any link.
  void concurrentStepsAreBetweenTheirBounds() {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      std::mt19937 random(seed);
      StepQuestion question = randomQuestion(random, seed);
      const auto apart = ranked(question);
      question.step.concurrent = true;
      const auto together = ranked(question);
      for (const PlacementStep& placement : test::filled(together->placements)) {
        const PlacementStep& alone = apart->placements[*apart->find(placement.matrix)];
        QVERIFY(placement.stepSeconds <= alone.stepSeconds * (1 + 1e-9));
        QVERIFY(placement.stepSeconds >= placement.exposedSeconds * (1 - 1e-9));
        QVERIFY(placement.stepSeconds >= placement.overlappableSeconds * (1 - 1e-9));
        for (const BusiestLink& link : test::filled(busiestLinks(*together, placement))) {
          QVERIFY(placement.stepSeconds >= link.seconds * (1 - 1e-9));
        }
      }
    }
  }

  void badQuestions_data() {
    QTest::addColumn<StepQuestion>("question");
    QTest::addColumn<QString>("stated");
    const StepQuestion good = fsdpAndTensor();
    const auto row = [&](const char* name, const QString& stated, const auto& spoil) {
      StepQuestion question = good;
      spoil(question);
      QTest::newRow(name) << question << stated;
    };
    row("no entries", "nothing is communicated", [](StepQuestion& q) { q.workload.collectives.clear(); });
    row("axes do not fit", "the axes are for", [](StepQuestion& q) { q.workload.axes[0].size = 16; });
    row("unknown axis", "expert", [](StepQuestion& q) { q.workload.collectives[0].axes = {"expert"}; });
    row("no bytes", "0 bytes", [](StepQuestion& q) { q.workload.collectives[1].bytes = 0; });
    row("no steps", "limit of 0", [](StepQuestion& q) { q.options.sizeLimit = 0; });
    row("no model", "model", [](StepQuestion& q) { q.options.cost.model = "mine"; });
    row("computation", "not a time", [](StepQuestion& q) { q.step.computeSeconds = -1; });
    row("share", "from 0 to 1", [](StepQuestion& q) { q.step.usableShare = 1.5; });
    row("slowdown", "1 or more", [](StepQuestion& q) { q.step.slowdown = 0.5; });
  }
  void badQuestions() {
    QFETCH(StepQuestion, question);
    QFETCH(QString, stated);
    const auto answer = rankSteps(question);
    QVERIFY(!answer.ok());
    QVERIFY2(QString::fromStdString(answer.error().text()).contains(stated), answer.error().text().c_str());
  }

  void stops() {
    std::stop_source stop;
    stop.request_stop();
    const auto answer = rankSteps(fsdpAndTensor(), stop.get_token());
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().kind, ErrorKind::Cancelled);
  }

  // What was priced in a hurry is forgotten, and a token of a question that was answered long ago means nothing.
  void goesOnAfterAStop() {
    StepPricer pricer;
    StepQuestion question = fsdpAndTensor();
    const WorkloadEntry more = entryOf("more", {"data"}, CommunicationKind::Broadcast, 1 << 20, 3);
    std::stop_source first;
    QVERIFY(pricer.rank(question, first.get_token()).ok());
    question.workload.collectives.push_back(more);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!pricer.rank(question, stop.get_token()).ok());
    first.request_stop();
    const auto answer = test::valueOf(pricer.rank(question));
    const auto fresh = ranked(question);
    for (std::size_t i = 0; i < fresh->placements.size(); ++i) {
      QCOMPARE(answer->placements[i].matrix, fresh->placements[i].matrix);
      QCOMPARE(answer->placements[i].stepSeconds, fresh->placements[i].stepSeconds);
    }
    QVERIFY(answer->placements[0].stepSeconds > 0);
  }
};

QTEST_GUILESS_MAIN(TestStepPricer)
#include "tst_step_pricer.moc"
