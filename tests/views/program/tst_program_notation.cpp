// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "views/common/program_notation.h"

using namespace p2;
using namespace p2::views;

class TestProgramNotation : public QObject {
  Q_OBJECT
 private slots:
  void writesPrograms_data();
  void writesPrograms();
  void spellsOutAliases();
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

QTEST_APPLESS_MAIN(TestProgramNotation)
#include "tst_program_notation.moc"
