// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>

#include "cost/flows/link_loads.h"
#include "explore/explore.h"
#include "support/filled.h"
#include "synthesis/program_trace.h"
#include "system/interconnects.h"
#include "system/part_states.h"
#include "tests/core/step/workloads.h"

using namespace p2;
using namespace p2::test;

class TestLinkBytes : public QObject {
  Q_OBJECT

 private slots:
  // Of two nodes one sends in a Reduce and receives in a Broadcast: no link carries both. In a chain of four those
  // between two others do.
  void bytesAreThoseOfOneLink_data() {
    QTest::addColumn<QByteArray>("system");
    QTest::addColumn<QByteArray>("axes");
    QTest::addColumn<double>("times");
    QTest::newRow("two nodes") << QByteArray("node:2@12.5GB/s") << QByteArray("data=2") << 1.0;
    QTest::newRow("four nodes") << QByteArray("node:4@12.5GB/s") << QByteArray("data=4") << 2.0;
    QTest::newRow("the same nodes twice")
        << QByteArray("node:2@12.5GB/s gpu:2@100GB/s") << QByteArray("tensor=2,data=2") << 2.0;
  }
  void bytesAreThoseOfOneLink() {
    QFETCH(QByteArray, system);
    QFETCH(QByteArray, axes);
    QFETCH(double, times);
    constexpr std::int64_t kBytes = 1 << 20;
    const auto ranking = ranked(questionOf(system.constData(), axes.constData(),
                                           {entryOf("down", {"data"}, CommunicationKind::Broadcast, kBytes, 3),
                                            entryOf("up", {"data"}, CommunicationKind::Reduce, kBytes, 3)}));
    const bool hasTensor = axes.contains("tensor");
    const PlacementStep& placement = on(*ranking, hasTensor ? "[[1,2],[2,1]]" : "[[" + axes.mid(5) + "]]");
    const auto links = busiestLinks(*ranking, placement);
    QCOMPARE(links[0].bytes, times * 3 * kBytes);
    QCOMPARE(busiestBetweenNodes(*ranking, placement).has_value(), links[0].betweenNodes);
    QVERIFY(links[0].bytes <= addedBytes(*ranking, placement)[0]);
  }

  // Steps with roots and entries over other axes: the sum of what each puts on every link, of the link with most.
  void bytesAreAddedUpLinkByLink() {
    StepQuestion question = questionOf("node:2@12.5GB/s gpu:4@100GB/s", "data=2,tensor=4",
                                       {entryOf("up", {"data"}, CommunicationKind::Reduce, 4096, 2),
                                        entryOf("down", {"tensor"}, CommunicationKind::Broadcast, 65536, 5),
                                        entryOf("both", {"data", "tensor"}, CommunicationKind::Broadcast, 1024, 7)});
    const auto ranking = ranked(question);
    bool isLess = false;
    for (const PlacementStep& placement : test::filled(ranking->placements)) {
      LinkLoads sums(*ranking->topology);
      for (std::size_t i = 0; i < ranking->entries().size(); ++i) {
        const WorkloadEntry& entry = ranking->entries()[i];
        std::vector<Axis> axes = question.workload.axes;
        for (Axis& axis : axes) axis.reduce = std::ranges::find(entry.axes, axis.name) != entry.axes.end();
        const Placement placed(axes, placement.matrix);
        const SynthesisHierarchy hierarchy(question.system, placed);
        const EntryCost& cost = ranking->cost(placement, i);
        const Goal goal = valueOf(goalFrom(nameOf(entry.kind)));
        const Program program = valueOf(parseProgram(hierarchy, cost.program));
        const auto trace = valueOf(ProgramTrace::run(placed, hierarchy, program, question.options.rules, goal));
        QVERIFY(trace.complete());
        CostOptions options = question.options.cost;
        options.bytes = Bytes(double(entry.bytes));
        const LinkLoads loads = linkLoads(*ranking->topology, loweredProgram(trace, IdRange<Device>(8)), options);
        for (std::int64_t run = 0; run < entry.count; ++run) sums.add(loads);
      }
      std::map<std::string, double> most;
      for (const LinkLoad& load : sums.busiestLinks()) {
        most[interconnects(question.system)[load.interconnect].name] = load.bytes;
      }
      for (const BusiestLink& link : test::filled(busiestLinks(*ranking, placement))) {
        QVERIFY2(std::abs(link.bytes - most[link.interconnect]) <= 1e-9 * link.bytes, link.interconnect.c_str());
        most.erase(link.interconnect);
      }
      QVERIFY(most.empty());
      for (const BusiestLink& link : busiestLinks(*ranking, placement)) {
        isLess |= link.interconnect == "node" && link.bytes < 0.99 * addedBytes(*ranking, placement)[0];
      }
    }
    QVERIFY(isLess);
  }

  // Without roots, too: entries over different axes and trees load different links of uneven routes.
  void bytesOfEveryProgramAreThoseOfOneLink_data() {
    QTest::addColumn<QByteArray>("system");
    QTest::addColumn<QByteArray>("axes");
    QTest::addColumn<bool>("uneven");
    QTest::newRow("rails with a NIC out of order") << QByteArray("dgx-h100:4") << QByteArray("data=4,tensor=8") << true;
    QTest::newRow("rings") << QByteArray("node:4@12.5GB/s,ring gpu:4@100GB/s") << QByteArray("data=4,tensor=4")
                           << false;
    QTest::newRow("a mesh") << QByteArray("node:2@12.5GB/s gpu:8@100GB/s,mesh") << QByteArray("data=4,tensor=4")
                            << true;
  }
  void bytesOfEveryProgramAreThoseOfOneLink() {
    QFETCH(QByteArray, system);
    QFETCH(QByteArray, axes);
    QFETCH(bool, uneven);
    StepQuestion question = questionOf(system.constData(), axes.constData(),
                                       {entryOf("sum", {"data"}, CommunicationKind::AllReduce, 40960, 3),
                                        entryOf("gather", {"tensor"}, CommunicationKind::AllGather, 65536, 5),
                                        entryOf("all", {"data", "tensor"}, CommunicationKind::AllReduce, 32768, 2),
                                        entryOf("next", {"data"}, CommunicationKind::Shift, 16384, 7)});
    if (system == "dgx-h100:4") question.system = valueOf(withState(question.system, "NIC 2 of node 1: down"));
    const auto ranking = ranked(question);
    bool isLess = false;
    for (const PlacementStep& placement : test::filled(ranking->placements)) {
      LinkLoads sums(*ranking->topology);
      for (std::size_t i = 0; i < ranking->entries().size(); ++i) {
        const WorkloadEntry& entry = ranking->entries()[i];
        std::vector<Axis> reduced = question.workload.axes;
        for (Axis& axis : reduced) axis.reduce = std::ranges::find(entry.axes, axis.name) != entry.axes.end();
        const Placement placed(reduced, placement.matrix);
        const SynthesisHierarchy hierarchy(question.system, placed);
        LinkLoads loads(*ranking->topology);
        if (entry.kind == CommunicationKind::Shift) {
          for (const DeviceGroup& group : hierarchy.groups({0, hierarchy.levelCount(), false})) {
            std::vector<Flow> flows = loopFlows(group);
            if (!entry.closed) flows.pop_back();
            loads.add(routedOver(flows, *ranking->topology), Bytes(double(entry.bytes)));
          }
        } else {
          const Program program = valueOf(parseProgram(hierarchy, ranking->cost(placement, i).program));
          const auto trace = valueOf(ProgramTrace::run(placed, hierarchy, program, question.options.rules,
                                                       valueOf(goalFrom(nameOf(entry.kind)))));
          CostOptions options = question.options.cost;
          options.bytes = Bytes(double(entry.bytes));
          const IdRange<Device> devices(ranking->topology->deviceCount());
          loads = linkLoads(*ranking->topology, loweredProgram(trace, devices), options);
        }
        for (std::int64_t run = 0; run < entry.count; ++run) sums.add(loads);
      }
      std::map<std::string, double> most;
      for (const LinkLoad& load : sums.busiestLinks()) {
        most[interconnects(question.system)[load.interconnect].name] = load.bytes;
      }
      const auto links = busiestLinks(*ranking, placement);
      QCOMPARE(links.size(), most.size());
      for (const BusiestLink& link : links) {
        QVERIFY2(std::abs(link.bytes - most[link.interconnect]) <= 1e-9 * link.bytes, link.interconnect.c_str());
      }
      double sum = 0;
      double all = 0;
      for (const BusiestLink& link : links) sum += link.bytes;
      for (const double bytes : addedBytes(*ranking, placement)) all += bytes;
      QVERIFY(sum <= all * (1 + 1e-9));
      isLess |= sum < 0.99 * all;
    }
    QCOMPARE(isLess, uneven);
  }

  // A bound: no link can be busy for longer than its own work, so the step of concurrent communication is at most the
  // sum of the busiest times, and at least each entry's alone.
  void concurrentTimeIsOfOneLink() {
    StepQuestion question = questionOf("node:2@12.5GB/s", "data=2",
                                       {entryOf("up", {"data"}, CommunicationKind::Reduce, 40 << 20, 3),
                                        entryOf("down", {"data"}, CommunicationKind::Broadcast, 64 << 20, 5)});
    question.workload.collectives[0].overlap.extent = CommunicationOverlap::Extent::Compute;
    question.step.computeSeconds = 1e-4;
    question.step.concurrent = true;
    const auto ranking = ranked(question);
    bool isLess = false;
    for (const PlacementStep& placement : test::filled(ranking->placements)) {
      const double least = std::max(question.step.computeSeconds.value() + placement.exposedSeconds,
                                    kDefaultSlowdown * placement.overlappableSeconds);
      QVERIFY(placement.stepSeconds >= least * (1 - 1e-9));
      double added = 0;
      for (std::size_t link = 0; link < ranking->cost(placement, 0).linkSeconds.size(); ++link) {
        added = std::max(added, 3 * kDefaultSlowdown * ranking->cost(placement, 0).linkSeconds[link] +
                                    5 * ranking->cost(placement, 1).linkSeconds[link]);
      }
      QVERIFY(placement.stepSeconds <= std::max(least, added) * (1 + 1e-9));
      isLess |= placement.stepSeconds < 0.999 * added;
    }
    QVERIFY(isLess);
  }
};

QTEST_GUILESS_MAIN(TestLinkBytes)
#include "tst_link_bytes.moc"
