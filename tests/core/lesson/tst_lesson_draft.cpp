// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "explore/explore.h"
#include "lesson/lesson_draft.h"
#include "lesson/lesson_validator.h"
#include "support/fixtures.h"

using namespace p2;

/// First versions of a teacher's lesson, from programs of every goal.
class TestLessonDraft : public QObject {
  Q_OBJECT
 private slots:
  void everyGoalHasALessonWithoutProblems_data() {
    QTest::addColumn<QString>("goal");
    QTest::addColumn<bool>("single");
    for (const Goal& goal : goals()) {
      for (const bool single : {true, false}) {
        QTest::addRow("%s, %s", goal.name.data(), single ? "one step" : "most steps")
            << QString::fromUtf8(goal.name.data(), qsizetype(goal.name.size())) << single;
      }
    }
  }
  void everyGoalHasALessonWithoutProblems() {
    QFETCH(const QString, goal);
    QFETCH(const bool, single);
    Workspace workspace = test::workspaceOf("node:2 gpu:4", "data=8", "data", "[[2,4]]");
    workspace.options.goal = goalFrom(goal.toStdString()).value();
    const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
    const PlacementResult& placement = exploration->placements.front();
    QVERIFY(!placement.programs.empty());
    const auto fewer = [](const ProgramResult& a, const ProgramResult& b) {
      return a.program.size() < b.program.size();
    };
    const auto [least, most] = std::minmax_element(placement.programs.begin(), placement.programs.end(), fewer);
    const Program& program = (single ? least : most)->program;
    workspace.program = programText(*placement.hierarchy, program);
    const LessonDraft draft = test::valueOf(draftFrom(workspace));
    QCOMPARE(draft.pages.size(), std::size_t(program.size() > 1 ? 3 : 2));
    QCOMPARE(draft.pages[0].text, "Here are {devices} devices. At the end of this program " +
                                      std::string(workspace.options.goal.achieved) + ".");
    const std::string json = test::valueOf(draftToJson(draft));
    for (const LessonProblem& problem : test::valueOf(lessonProblems(json))) {
      QFAIL((problem.where + ": " + problem.problem + "\n" + json).c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TestLessonDraft)
#include "tst_lesson_draft.moc"
