// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>

#include "support/fixtures.h"
#include "synthesis/instruction.h"

using namespace p2;

class TestInstruction : public QObject {
  Q_OBJECT
 private slots:
  // Every legal spelling belongs to exactly one pattern, and patterns differ exactly when their groups do.
  void spellingsAndGroupsAgree() {
    for (const auto& sizes : test::hierarchiesUpTo(24, 4)) {
      const System system = test::systemOf(sizes);
      const SynthesisHierarchy hierarchy(system, test::wholeReduction(system));
      const int levels = hierarchy.levelCount();
      std::map<std::vector<DeviceGroup>, GroupPattern> byGroups;
      for (const GroupPattern& pattern : groupPatterns(levels)) {
        QVERIFY(byGroups.emplace(hierarchy.groups(pattern), pattern).second);
      }
      QCOMPARE(int(byGroups.size()), levels * levels);
      for (int slice = 0; slice <= levels; ++slice) {
        for (const Form form : {Form::InsideGroup, Form::Parallel, Form::Master}) {
          for (int ancestor = 0; ancestor <= levels; ++ancestor) {
            const Spelling spelling{slice, form, form == Form::InsideGroup ? 0 : ancestor};
            const auto pattern = patternOf(hierarchy, spelling);
            const bool legal = form == Form::InsideGroup ? slice < levels : ancestor < slice;
            QCOMPARE(pattern.ok(), legal);
            if (!legal) continue;
            const auto aliases = aliasesOf(*pattern, levels);
            QVERIFY(spelling == spellingOf(*pattern, levels) ||
                    std::find(aliases.begin(), aliases.end(), spelling) != aliases.end());
          }
        }
      }
    }
  }

  void canonicalSpellingPrefersInsideGroup() {
    QCOMPARE(spellingOf({0, 2, false}, 2), (Spelling{0, Form::InsideGroup, 0}));
    QCOMPARE(spellingOf({0, 1, false}, 2), (Spelling{1, Form::Parallel, 0}));
    QCOMPARE(spellingOf({0, 1, true}, 2), (Spelling{1, Form::Master, 0}));
  }

  void textBothWays() {
    const Workspace workspace = test::workspaceOf("gcp-a100:4", "data=8,model=2,shards=4", "data,shards");
    const Placement placement(workspace.axes, test::valueOf(parseMatrix("[[2,4],[1,2],[2,2]]")));
    const SynthesisHierarchy hierarchy(workspace.system, placement);
    const std::string text =
        "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";
    const Program program = test::valueOf(parseProgram(hierarchy, text));
    QCOMPARE(programText(hierarchy, program), text);
    QCOMPARE(programTitle(program), std::string("RS·AR·AG"));
    const Program alias = test::valueOf(
        parseProgram(hierarchy, " gpu:Parallel( node ):RS ;node:Parallel(root):AR; gpu:Master(node):AG; "));
    QCOMPARE(alias, program);
  }

  void plainAllReduceSpansEverything() {
    const System system = test::valueOf(parseSystem("node:2 cpu:2 gpu:4"));
    const SynthesisHierarchy hierarchy(system, test::wholeReduction(system));
    QCOMPARE(programText(hierarchy, singleProgram(hierarchy)), std::string("root:InsideGroup:AllReduce"));
  }

  void badText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("names");
    QTest::newRow("empty") << ""
                           << "instruction";
    QTest::newRow("two parts") << "node:AllReduce"
                               << "slice:form:collective";
    QTest::newRow("level") << "rack:InsideGroup:AllReduce"
                           << "root, node, gpu";
    QTest::newRow("form") << "node:Inside:AllReduce"
                          << "Inside";
    QTest::newRow("ancestor name") << "gpu:Parallel(rack):AllReduce"
                                   << "rack";
    QTest::newRow("ancestor below") << "node:Parallel(gpu):AllReduce"
                                    << "above";
    QTest::newRow("collective") << "node:InsideGroup:Gather"
                                << "Gather";
    QTest::newRow("single devices") << "gpu:InsideGroup:AllReduce"
                                    << "single devices";
    QTest::newRow("second step") << "node:InsideGroup:AllReduce; x"
                                 << "step 2";
    QTest::newRow("hole") << "node:InsideGroup:AllReduce;;node:InsideGroup:AllReduce"
                          << "step 2";
  }
  void badText() {
    QFETCH(QString, text);
    QFETCH(QString, names);
    const System system = test::valueOf(parseSystem("node:2 gpu:4"));
    const auto program = parseProgram(SynthesisHierarchy(system, test::wholeReduction(system)), text.toStdString());
    QVERIFY(!program.ok());
    QVERIFY2(QString::fromStdString(program.error().text()).contains(names), program.error().text().c_str());
  }
};

QTEST_APPLESS_MAIN(TestInstruction)
#include "tst_instruction.moc"
