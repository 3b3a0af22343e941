// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "explore/composition.h"
#include "support/filled.h"
#include "support/fixtures.h"

using namespace p2;

// Prices and ranks of programs as they are put together, held against the list of all programs.
class TestComposition : public QObject {
  Q_OBJECT

  static std::shared_ptr<const Exploration> explored(const std::string& goal) {
    Workspace workspace = test::workspaceOf("gcp-a100:4", "data=16,shards=4", "data");
    workspace.options.goal = test::valueOf(goalFrom(goal));
    workspace.options.sizeLimit = 5;
    ExploreScope scope;
    scope.programsPerPlacement = 100000;
    return test::valueOf(exploreWorkspace(workspace, scope));
  }

 private slots:
  void ranksAreThoseOfTheList_data() {
    QTest::addColumn<QString>("goal");
    for (const Goal& goal : goals())
      QTest::newRow(std::string(goal.name).c_str()) << QString::fromUtf8(goal.name.data());
  }
  void ranksAreThoseOfTheList() {
    QFETCH(QString, goal);
    const auto exploration = explored(goal.toStdString());
    for (std::size_t placement = 0; placement < exploration->placements.size(); ++placement) {
      const PlacementResult& result = exploration->placements[placement];
      const auto guide = test::valueOf(guideOf(*exploration, placement));
      const std::size_t stride = 1 + result.programs.size() / 12;
      for (std::size_t i = 0; i < result.programs.size(); i += stride) {
        const ProgramResult& listed = result.programs[i];
        const Composition all = test::valueOf(composed(*exploration, placement, *guide, listed.program));
        QVERIFY(all.complete && all.next.atGoal && !all.failure && !all.hint);
        std::size_t cheaper = 0;
        for (const ProgramResult& other : result.programs) {
          cheaper += other.seconds < listed.seconds * (1 - 1e-11) ? 1 : 0;
        }
        QCOMPARE(all.rank->cheaper, cheaper);
        QVERIFY(!all.rank->atLeast);
        QCOMPARE(all.rank->of, result.programCount);
        // Every beginning of the best program can be completed for what is left of its price.
        if (i > 0) continue;
        double spent = 0;
        for (std::size_t step = 0; step < listed.program.size(); ++step) {
          const Program prefix(listed.program.begin(), listed.program.begin() + std::ptrdiff_t(step));
          const Composition begun = test::valueOf(composed(*exploration, placement, *guide, prefix));
          for (const NextStep& next : test::filled(begun.next.steps)) {
            if (!(next.instruction == listed.program[step])) continue;
            QVERIFY(next.bestSeconds.has_value());
            QVERIFY(qFuzzyCompare(spent + *next.bestSeconds, listed.seconds));
          }
          spent += listed.steps[step].seconds;
        }
      }
    }
  }

  void wrongProgramsSayWhy() {
    const auto exploration = explored("AllReduce");
    const auto& result = exploration->placements[0];
    const auto guide = test::valueOf(guideOf(*exploration, 0));
    const Program broadcast = test::valueOf(parseProgram(*result.hierarchy, "root:InsideGroup:Broadcast"));
    const Composition wrong = test::valueOf(composed(*exploration, 0, *guide, broadcast));
    QVERIFY(wrong.failure && wrong.failure->premise);
    QVERIFY(wrong.failure->sentence.find("would erase") != std::string::npos);
    QCOMPARE(wrong.pairs.count, std::int64_t(15) * 16);  // every device but the root, every chunk
    QCOMPARE(programText(*result.hierarchy, wrong.hint->program), std::string("root:InsideGroup:AllReduce"));
    const Composition early = test::valueOf(composed(*exploration, 0, *guide, {}));
    QVERIFY(!early.failure && early.missing.count == 16 * 16 && early.next.furtherSteps == 1);
  }
};

QTEST_APPLESS_MAIN(TestComposition)
#include "tst_composition.moc"
