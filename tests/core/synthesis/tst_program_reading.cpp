// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "support/fixtures.h"
#include "synthesis/program_notation.h"

using namespace p2;

// Programs as they are typed, in every notation in use.
class TestProgramReading : public QObject {
  Q_OBJECT

  System m_system = test::valueOf(parseSystem("node:2 gpu:4"));
  SynthesisHierarchy m_hierarchy{m_system, test::wholeReduction(m_system)};

 private slots:
  void readsEveryNotation_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("program");
    const QString three = "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";
    QTest::newRow("colons") << three << three;
    QTest::newRow("dots") << "ReduceScatter·node → AllReduce·node∥root → AllGather·node" << three;
    QTest::newRow("short names") << "RS·node; AR·node∥root; AG·node" << three;
    QTest::newRow("on a keyboard") << "RS.node -> AR.node||root -> AG.node" << three;
    QTest::newRow("mixed") << "RS·node; node:Parallel(root):AR → AllGather·node;" << three;
    QTest::newRow("masters") << "R·node → AR·node∥₁root; B·node"
                             << "node:InsideGroup:Reduce; node:Master(root):AllReduce; node:InsideGroup:Broadcast";
    QTest::newRow("masters on a keyboard") << "Reduce.node; AllReduce.node||1root; Broadcast.node"
                                           << "node:InsideGroup:Reduce; node:Master(root):AllReduce; "
                                              "node:InsideGroup:Broadcast";
    QTest::newRow("title of one") << "AR"
                                  << "root:InsideGroup:AllReduce";
    QTest::newRow("one step") << "AllReduce·root"
                              << "root:InsideGroup:AllReduce";
  }
  void readsEveryNotation() {
    QFETCH(QString, text);
    QFETCH(QString, program);
    const auto read = readProgram(m_hierarchy, text.toStdString(), RuleSet::Paper, kAllReduceGoal);
    QCOMPARE(QString::fromStdString(programText(m_hierarchy, test::valueOf(read))), program);
  }

  // Scattered inside the nodes or across them: two readings, and both are said.
  void ambiguousTitlesSayTheirReadings() {
    for (const char* text : {"RS·AR·AG", "ReduceScatter AllReduce AllGather", "RS; AR; AG"}) {
      const auto read = readProgram(m_hierarchy, text, RuleSet::Paper, kAllReduceGoal);
      QVERIFY(!read.ok());
      const QString sentence = QString::fromStdString(read.error().text());
      QVERIFY2(sentence.contains("ReduceScatter·node → AllReduce·node∥root → AllGather·node"), qPrintable(sentence));
      QVERIFY2(sentence.startsWith("RS·AR·AG can be read in 2 ways"), qPrintable(sentence));
    }
  }

  // What is printed is read back, for every instruction.
  void notationBothWays() {
    for (const auto& sizes : test::hierarchiesUpTo(24, 3)) {
      const System system = test::systemOf(sizes);
      const SynthesisHierarchy hierarchy(system, test::wholeReduction(system));
      for (const GroupPattern& pattern : groupPatterns(hierarchy.levelCount())) {
        for (const Collective collective : kCollectives) {
          const Instruction instruction{pattern, collective};
          QCOMPARE(test::valueOf(parseProgram(hierarchy, notationText(hierarchy, instruction))), Program{instruction});
        }
      }
    }
  }

  void titlesListAllReadings() {
    const std::vector<Collective> title{Collective::ReduceScatter, Collective::AllReduce, Collective::AllGather};
    const auto found = programsOfTitle(m_hierarchy, title, RuleSet::Paper, kAllReduceGoal, 100);
    std::set<Program> all;
    const auto graph = test::valueOf(StateGraph::build(m_hierarchy.sizes(), RuleSet::Paper));
    const auto walk = [&](auto&& self, int node, Program& prefix) -> void {
      if (graph->isGoal(node)) {
        std::vector<Collective> own;
        for (const Instruction& instruction : prefix) own.push_back(instruction.collective);
        if (own == title) all.insert(prefix);
        return;
      }
      for (std::size_t e = graph->firstEdge(node); e < graph->firstEdge(node + 1); ++e) {
        prefix.push_back(graph->edges()[e].instruction);
        self(self, graph->edges()[e].target, prefix);
        prefix.pop_back();
      }
    };
    Program prefix;
    walk(walk, StateGraph::start(), prefix);
    QCOMPARE(std::set<Program>(found.begin(), found.end()), all);
    QVERIFY(all.size() > 1);
  }

  void badText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("names");
    QTest::newRow("collective") << "Gather·node"
                                << "\"Gather\"";
    QTest::newRow("level") << "AllReduce·rack"
                           << "root, node, gpu";
    QTest::newRow("ancestor") << "AllReduce·node∥rack"
                              << "\"rack\"";
    QTest::newRow("below") << "AllReduce·node∥gpu"
                           << "above";
    QTest::newRow("second") << "RS·node → AR·nod∥root"
                            << "step 2";
    QTest::newRow("nothing") << ""
                             << "instruction";
    QTest::newRow("no such program") << "AG·AG"
                                     << "AllReduce·root";
    QTest::newRow("hole") << "RS·node →→ AG·node"
                          << "step 2";
  }
  void badText() {
    QFETCH(QString, text);
    QFETCH(QString, names);
    const auto read = readProgram(m_hierarchy, text.toStdString(), RuleSet::Paper, kAllReduceGoal);
    QVERIFY(!read.ok());
    QVERIFY2(QString::fromStdString(read.error().text()).contains(names), read.error().text().c_str());
  }
};

QTEST_APPLESS_MAIN(TestProgramReading)
#include "tst_program_reading.moc"
