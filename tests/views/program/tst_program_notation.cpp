// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "synthesis/achieved.h"
#include "views/common/program_notation.h"

using namespace p2;
using namespace p2::views;

class TestProgramNotation : public QObject {
  Q_OBJECT
 private slots:
  void writesPrograms_data();
  void writesPrograms();
  void spellsOutAliases();
  void severalGroupsHaveASumEach();
};

namespace {

SynthesisHierarchy twoByFour() {
  const Workspace workspace = test::workspaceOf("node:2 gpu:4", "data=8", "data", "[[2,4]]");
  return {workspace.system, Placement(workspace.axes, workspace.matrix)};
}

Program programOf(const SynthesisHierarchy& hierarchy, const QString& text) {
  return test::valueOf(parseProgram(hierarchy, text.toStdString()));
}

}  // namespace

void TestProgramNotation::writesPrograms_data() {
  QTest::addColumn<QString>("dsl");
  QTest::addColumn<QString>("notation");
  QTest::newRow("inside") << "node:InsideGroup:ReduceScatter"
                          << "ReduceScatter inside each node";
  QTest::newRow("whole system") << "root:InsideGroup:AllReduce"
                                << "AllReduce over all devices";
  QTest::newRow("parallel") << "node:Parallel(root):AllReduce"
                            << "AllReduce across nodes";
  QTest::newRow("master") << "node:Master(root):Reduce"
                          << "Reduce across nodes, first devices only";
  QTest::newRow("alias is canonical") << "gpu:Parallel(node):AllGather"
                                      << "AllGather inside each node";
  QTest::newRow("three steps")
      << "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather"
      << "ReduceScatter inside each node → AllReduce across nodes → AllGather inside each node";
}

void TestProgramNotation::writesPrograms() {
  QFETCH(QString, dsl);
  const SynthesisHierarchy hierarchy = twoByFour();
  QTEST(programNotation(hierarchy, programOf(hierarchy, dsl)), "notation");
}

void TestProgramNotation::spellsOutAliases() {
  const SynthesisHierarchy hierarchy = twoByFour();
  const Program program = programOf(hierarchy, "node:InsideGroup:AllGather; node:Parallel(root):AllReduce");
  QCOMPARE(programSpellings(hierarchy, program),
           QString("1. AllGather inside each node  ·  AllGather·node  ·  node:InsideGroup:AllGather  (also "
                   "gpu:Parallel(node), gpu:Master(node))\n"
                   "2. AllReduce across nodes  ·  AllReduce·node∥root  ·  node:Parallel(root):AllReduce"));
  QCOMPARE(typedNotation(hierarchy, program), QString("AllGather·node → AllReduce·node∥root"));
}

// Two groups of four reduce apart: none of them is "all devices", and none holds the sum of all.
void TestProgramNotation::severalGroupsHaveASumEach() {
  const Workspace workspace = test::workspaceOf("node:2 gpu:4", "model=2,data=4", "data", "[[2,1],[1,4]]");
  const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, workspace.matrix));
  const Program program = programOf(hierarchy, "root:InsideGroup:AllReduce");
  QCOMPARE(programNotation(hierarchy, program), QString("AllReduce inside each group"));
  QCOMPARE(achievedOn(hierarchy, kAllReduceGoal), std::string("every device holds the whole sum of its group"));
  QCOMPARE(achievedOn(hierarchy, kReduceGoal), std::string("the root alone holds the whole sum of its group"));
  QCOMPARE(achievedOn(twoByFour(), kAllReduceGoal), std::string(kAllReduceGoal.achieved));
}

QTEST_APPLESS_MAIN(TestProgramNotation)
#include "tst_program_notation.moc"
