// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/filled.h"
#include "support/fixtures.h"
#include "synthesis/execution.h"

using namespace p2;

class TestExecution : public QObject {
  Q_OBJECT

  /// The running example of the paper: Fig. 2d, reduction over shards; one group is A0, A1, C0, C1.
  struct Example {
    Workspace workspace =
        test::workspaceOf("rack:1 server:2 cpu:2 gpu:4", "data=4,shards=4", "shards", "[[1,1,2,2],[1,2,1,2]]");
    Placement placement{workspace.axes, workspace.matrix};
    SynthesisHierarchy hierarchy{workspace.system, placement};
    Execution run(const char* text, RuleSet rules = RuleSet::Paper) const {
      return test::valueOf(execute(placement, hierarchy, test::valueOf(parseProgram(hierarchy, text)), rules));
    }
  };

 private slots:
  // Fig. 3: AllReduce; AllReduce–AllReduce; Reduce–AllReduce–Broadcast.
  void figure3IsValid() {
    const Example example;
    for (const char* text :
         {"root:InsideGroup:AllReduce", "server:InsideGroup:AllReduce; server:Parallel(root):AllReduce",
          "server:InsideGroup:Reduce; server:Master(root):AllReduce; server:InsideGroup:Broadcast"}) {
      const Execution execution = example.run(text);
      QVERIFY2(execution.complete, text);
      QVERIFY(!execution.failure);
    }
  }

  // Fig. 4a: the two halves of A0 and A1 would be added to each other.
  void figure4a() {
    const Execution execution = Example().run("server:InsideGroup:ReduceScatter; server:InsideGroup:AllReduce");
    QVERIFY(!execution.complete);
    QCOMPARE(execution.states.size(), 2u);
    QCOMPARE(execution.failure->premise, Premise::RowsEqual);
    QCOMPARE(execution.failure->group, test::devices({0, 1}));
    QCOMPARE(execution.failure->sentence, std::string("device 0 holds chunk 0 but device 1 does not"));
  }

  // Fig. 4b: the data of A0 and C0 would be counted twice.
  void figure4b() {
    const Execution execution = Example().run("server:Parallel(root):AllReduce; root:InsideGroup:AllReduce");
    QCOMPARE(execution.failure->premise, Premise::ColumnsDisjoint);
    QCOMPARE(execution.failure->sentence,
             std::string("chunk 0 already contains device 0's contribution on both device 0 and device 8"));
    QCOMPARE(execution.failure->group, test::devices({0, 1, 8, 9}));
    QCOMPARE(execution.failure->members, test::devices({0, 8}));
  }

  void statesAreShownStepByStep() {
    const Execution execution = Example().run(
        "server:InsideGroup:ReduceScatter; server:Parallel(root):AllReduce; server:InsideGroup:AllGather");
    QVERIFY(execution.complete);
    QStringList second;
    for (const DeviceState& state : execution.states[1]) second.append(QString::fromStdString(state.text()));
    QCOMPARE(second.join(QLatin1Char(' ')), QStringLiteral("11../11../..../.... ..../..../11../11.. "
                                                           "..11/..11/..../.... ..../..../..11/..11"));
    for (const DeviceState& state : test::filled(execution.states[3])) QVERIFY(state == DeviceState::complete(4));
  }

  void unfinishedProgramsAreNotComplete() { QVERIFY(!Example().run("server:InsideGroup:AllReduce").complete); }

  void thePapersRulesRestrictMaster() {
    const Example example;
    const Execution busy = example.run("server:Master(root):AllReduce");
    QVERIFY(QString::fromStdString(*busy.refusal).contains(QStringLiteral("device 1 holds something")));
    QVERIFY(!example.run("server:Master(root):AllReduce", RuleSet::All).refusal);
    const Execution sent = example.run("root:InsideGroup:Reduce; server:Master(root):Broadcast");
    QVERIFY(QString::fromStdString(*sent.refusal).contains(QStringLiteral("Broadcast")));
    QCOMPARE(sent.states.size(), 2u);
  }

  void groupsMustNotMixReductionGroups() {
    const Example example;
    const SynthesisHierarchy system(example.workspace.system, example.placement, HierarchyKind::System);
    const Program program = test::valueOf(parseProgram(system, "cpu:InsideGroup:AllReduce"));
    const Execution execution = test::valueOf(execute(example.placement, system, program, RuleSet::Paper));
    QVERIFY(QString::fromStdString(*execution.refusal).contains(QStringLiteral("not to be reduced together")));
  }

  void explicitSearchIsBoundedInMemory() {
    const System system = test::systemOf({2, 2, 2, 2, 2, 2, 2, 2});
    const Placement placement = test::wholeReduction(system);
    const auto programs = enumerateExplicitly(placement, SynthesisHierarchy(system, placement), RuleSet::Paper, 5);
    QVERIFY(!programs.ok());
    QCOMPARE(programs.error().kind, ErrorKind::TooLarge);
  }

  void tooManyMembersAreRefusedWithTheirNumber() {
    const System system = test::valueOf(parseSystem("node:64 gpu:16"));
    const Placement placement = test::wholeReduction(system);
    const auto execution = execute(placement, SynthesisHierarchy(system, placement), {}, RuleSet::Paper);
    QVERIFY(!execution.ok());
    QCOMPARE(execution.error().kind, ErrorKind::TooLarge);
    QVERIFY(QString::fromStdString(execution.error().message).contains(QStringLiteral("1024")));
  }
};

QTEST_APPLESS_MAIN(TestExecution)
#include "tst_execution.moc"
