// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "base/units.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/placement/step_proposal.h"
#include "views/shell/examples.h"
#include "views/shell/pages.h"
#include "views/shell/session.h"
#include "views/shell/summary.h"
#include "views/start/door_button.h"
#include "views/start/finding.h"
#include "views/start/start_perspective.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;
using p2::test::childOf;

/// The page one begins with, driven by mouse and keys.
class TestStart : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() {
    test::failOnWarnings();
    m_session = std::make_unique<Session>();
    m_sketched = 0;
    m_start = std::make_unique<StartPerspective>(*m_session, [this](const System&, QSize size, double ratio) {
      ++m_sketched;
      QImage image(size * ratio, QImage::Format_RGB32);
      image.fill(Qt::gray);
      return image;
    });
    m_session->reset(test::valueOf(readExample("a100-4x16")));
    m_start->resize(1000, 640);
    m_start->show();
    m_start->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_start.get()));
  }
  void cleanup() {
    m_start.reset();
    m_session.reset();
  }

  // One sentence, three doors, by mouse and keys; what they lead to is said.
  void threeDoorsLeadOn() {
    QTRY_VERIFY(m_session->isCurrent());
    auto& purpose = childOf<QLabel>(*m_start, "startPurpose");
    QVERIFY(purpose.isVisible() && purpose.text().count('.') == 1);
    auto& learn = childOf<DoorButton>(*m_start, "doorLearn");
    auto& race = childOf<DoorButton>(*m_start, "doorRace");
    auto& decide = childOf<DoorButton>(*m_start, "doorDecide");
    QSignalSpy parts(m_start.get(), &Perspective::partWanted);
    QSignalSpy pages(m_start.get(), &Perspective::perspectiveWanted);
    QTest::mouseClick(&learn, Qt::LeftButton);
    QCOMPARE(parts.takeFirst(), (QList<QVariant>{QString(kLessonsPage), QString(kFirstLesson)}));
    race.setFocus();
    QTest::keyClick(&race, Qt::Key_Space);
    QCOMPARE(parts.takeFirst(), (QList<QVariant>{QString(kProgramsPage), QString(kRace)}));
    QTest::mouseClick(&decide, Qt::LeftButton);
    QCOMPARE(pages.takeFirst()[0].toString(), QString(kSystemPage));
    for (const DoorButton* door : {&learn, &race, &decide}) {
      QVERIFY(!door->toolTip().isEmpty());
      QCOMPARE(door->accessibleDescription(), door->toolTip());
      QVERIFY(door->height() >= door->heightForWidth(door->width()));
      QVERIFY(purpose.geometry().bottom() < door->mapTo(purpose.parentWidget(), QPoint()).y());
    }
    QVERIFY2(race.toolTip().startsWith("RS in node → AR across nodes → AG in node against one AllReduce on 4 nodes"),
             qPrintable(race.toolTip()));
    // With a model the plan is there.
    Workspace trained = *m_session->workspace();
    trained.training.model = "llama3-8b";
    m_session->edit("Model", trained);
    QTest::mouseClick(&decide, Qt::LeftButton);
    QCOMPARE(pages.takeFirst()[0].toString(), QString(kPlanPage));
  }

  // Where one AllReduce is the best, it does not run against itself.
  void theRaceNamesBothPrograms() {
    Workspace workspace = test::workspaceOf("dgx-h100:1", "data=8", "data");
    workspace.options.cost.model = "nccl";
    workspace.options.cost.algorithm = Algorithm::Auto;
    m_session->reset(workspace);
    QTRY_VERIFY(m_session->isCurrent());
    const PlacementResult& placement = m_session->exploration()->placements[0];
    QVERIFY(placement.programs[0].program == singleProgram(*placement.hierarchy, workspace.options.goal));
    const QString rival = shortProgramNotation(*placement.hierarchy, placement.programs[1].program);
    QCOMPARE(childOf<DoorButton>(*m_start, "doorRace").toolTip().section(" on ", 0, 0),
             QString("One AllReduce against %1").arg(rival));
  }

  // Rooms for the pictures are kept before these are drawn, so that nothing moves.
  void examplesKeepRoomForTheirPictures() {
    auto* gallery = m_start->findChild<ExampleGallery*>();
    const auto buttons = gallery->findChildren<QToolButton*>();
    QList<QRect> before;
    for (const QToolButton* button : buttons) before << button->geometry();
    QVERIFY(!before.isEmpty() && before[0].height() > buttons[0]->iconSize().height());
    QTRY_VERIFY(gallery->isComplete());
    QCoreApplication::processEvents();
    for (int i = 0; i < buttons.size(); ++i) QCOMPARE(buttons[i]->geometry(), before[i]);
  }

  // The level that counts as a node keeps its own name.
  void nodesHaveTheirOwnName() {
    m_session->reset(test::workspaceOf("rack:2@10GB/s gpu:8@400GB/s", "data=4,tensor=4", "data"));
    QTRY_VERIFY(m_session->isCurrent());
    QVERIFY2(finding().contains("from staying inside a rack instead of crossing 2"), qPrintable(finding()));
  }

  // The paper's example: 2.0 · 1.84 = 3.67, and the bytes through a node's port account for the second factor.
  void theFindingIsTakenApart() {
    QTRY_VERIFY(m_session->isCurrent());
    QTRY_COMPARE(
        finding(),
        QString("The best plan takes 283 ms, 3.67× faster than the default of JAX and PyTorch with one AllReduce "
                "(1.04 s): 2.00× from crossing 2 nodes instead of 4 (4.16 instead of 8.32 GB through the "
                "busiest port of a node), 1.84× from the program RS in node → AR across nodes → AG in node: "
                "2.15 instead of 4.16 GB through the busiest port of a node. The paper's model counts bandwidth "
                "alone, without latency, and every collective is a flat ring."));
  }

  // Every number of the sentence follows from the prices and the bytes of the exploration.
  void theFindingFollowsFromThePrices() {
    QTRY_VERIFY(m_session->isCurrent());
    Workspace half = *m_session->workspace();
    half.options.cost.bytes = half.options.cost.bytes / 2;
    m_session->edit("Bytes", half);
    QVERIFY(finding().startsWith("Looking for"));
    QTRY_VERIFY(m_session->isCurrent());
    const Exploration& answer = *m_session->exploration();
    const PlacementResult& best = answer.placements[std::size_t(answer.bestPlacement)];
    const PlacementResult& standard = answer.placements[std::size_t(answer.defaultPlacement)];
    const double seconds = best.programs.front().seconds;
    QVERIFY2(finding().startsWith(QString("The best plan takes %1, %2 faster than the default of JAX and PyTorch with "
                                          "one AllReduce (%3): ")
                                      .arg(secondsText(seconds), factorText(standard.singleSeconds / seconds),
                                           secondsText(standard.singleSeconds))),
             qPrintable(finding()));
    QVERIFY2(finding().contains(factorText(standard.singleSeconds / best.singleSeconds) + " from crossing "),
             qPrintable(finding()));
    QVERIFY2(finding().contains(factorText(best.singleSeconds / seconds) + " from the program "),
             qPrintable(finding()));
    double through = 0;
    for (const StepCost& step : best.programs.front().steps) {
      if (answer.topology->interconnectOf(step.link) == 0) through += step.linkBytes.value();
    }
    const QString port = QString(": %1 instead of ").arg(bytesText(Bytes(through)).section(' ', 0, 0));
    QTRY_VERIFY2(finding().contains(port), qPrintable(finding()));
  }

  // Eight GPUs of one node or four in each of two: of 16 KiB the times are too near each other.
  void saysWhatIsLeftOpen() {
    Workspace workspace = test::workspaceOf("dgx-b200:2", "dp=2,tp=8", "tp");
    workspace.options.cost.model = "nccl";
    workspace.options.cost.algorithm = Algorithm::Auto;
    workspace.options.cost.bytes = Bytes(16384);
    m_session->reset(workspace);
    QTRY_VERIFY(m_session->isCurrent());
    QVERIFY2(finding().endsWith(". The intervals of the two times overlap: either may be faster."),
             qPrintable(finding()));
    workspace.options.cost.bytes = Bytes(1 << 30);
    m_session->edit("Bytes", workspace);
    QTRY_VERIFY(m_session->isCurrent());
    QVERIFY2(!finding().contains("may be faster"), qPrintable(finding()));
  }

  // With one placement the whole gain is the program's, and is not repeated.
  void saysWhyOnePlacementGainsByItsProgram() {
    m_session->reset(test::workspaceOf("node:2 gpu:4", "data=8", "data"));
    QTRY_VERIFY(m_session->isCurrent());
    QTRY_VERIFY2(finding().contains("): from the program RS in node → AR across nodes → AG in node: "),
                 qPrintable(finding()));
    QVERIFY2(finding().contains(" through the busiest port of a node. The paper's model "), qPrintable(finding()));
  }

  void saysWhyNothingCanBeCompared() {
    m_session->reset(test::workspaceOf("node:2 gpu:4", "data=6", "data"));
    QTRY_VERIFY(m_session->problem().has_value());
    QVERIFY2(finding().startsWith("Nothing to compare yet: "), qPrintable(finding()));
    QCOMPARE(childOf<QLabel>(*m_start, "startUseFact").text(), QString("–"));
  }

  // Who does not see the page hears of it what came out, and of every button what its step has come to.
  void isSaid() {
    auto& page = childOf<QScrollArea>(*m_start, "startScroll");
    QTRY_VERIFY(m_session->isCurrent());
    QCOMPARE(page.accessibleDescription(), finding());
    const auto stated = [this](const char* button) {
      return childOf<QPushButton>(*m_start, button).accessibleDescription();
    };
    QVERIFY2(stated("startSystem").startsWith("4 nodes × 16 GPUs. Choose a preset"), qPrintable(stated("startSystem")));
    QVERIFY2(
        stated("startUse")
            .endsWith("as a plan, device mesh or rankfile. Export the plan as a device mesh, a rankfile or a program"),
        qPrintable(stated("startUse")));
    m_session->reset(test::workspaceOf("node:2 gpu:4", "data=6", "data"));
    QTRY_VERIFY(m_session->problem().has_value());
    QCOMPARE(page.accessibleDescription(), finding());
    QCOMPARE(stated("startUse"), QString("Export the plan as a device mesh, a rankfile or a program"));
  }

  void tabFollowsTheEye() {
    const auto follow = [this](const char* first, const std::vector<const char*>& others) {
      childOf<QPushButton>(*m_start, first).setFocus();
      for (const char* name : others) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), QLatin1String(name));
      }
    };
    follow("doorLearn", {"doorRace", "doorDecide"});
    follow("startSystem",
           {"startModel", "startPlan", "startFlags", "startAxes", "startCompare", "startUse", "example-a100-4x16"});
  }

  // Who exports from here is told what the best placement does to the rest of the step.
  void theFindingIsGuarded() {
    m_session->reset(test::workspaceOf("dgx-h100:32", "data=32,tensor=8", "data"));
    QTRY_VERIFY(m_session->isCurrent());
    auto& guard = childOf<QLabel>(*m_start, "startStepGuard");
    QTRY_VERIFY(guard.isVisible() && guard.text().contains("The best one makes tensor communicate across nodes"));
    // Above the finding stands what it is about.
    const auto& subject = childOf<QLabel>(*m_start, "startSubject");
    QVERIFY(subject.isVisible());
    QCOMPARE(subject.text(), QString("The open document: AllReduce over data on 32 nodes × 8 GPUs"));
    QSignalSpy wanted(m_start.get(), &Perspective::perspectiveWanted);
    emit guard.linkActivated("workload");
    emit guard.linkActivated("3");
    QCOMPARE(wanted.count(), 2);
    QCOMPARE(wanted[0][0].toString(), QString(kWorkloadPage));
    QCOMPARE(wanted[1][0].toString(), QString(kPlacementsPage));
    QCOMPARE(m_session->placementIndex(), 3);
  }

  // Of a document with a workload the whole step comes first, and what is exported is the best for that, unless the
  // user has chosen.
  void theWholeStepComesFirst() {
    m_session->reset(test::valueOf(readExample("llama3-70b-fsdp32-tp8")));
    Workspace open = *m_session->workspace();
    open.axes[0].reduce = true;
    open.training = {};
    m_session->reset(open);
    const StepProposal proposal(*m_session);
    auto& guard = childOf<QLabel>(*m_start, "startStepGuard");
    QTRY_VERIFY(guard.isVisible() && guard.text().contains("is best for Llama 3.1 70B"));
    QTRY_VERIFY(m_session->placement() != m_session->exploration()->placements.data());
    QTRY_VERIFY2(finding().startsWith("For data alone, the best program takes "), qPrintable(finding()));
    auto& plain = childOf<QLabel>(*m_start, "finding");
    QTRY_VERIFY(guard.geometry().bottom() < plain.geometry().top());
    QVERIFY(guard.font().pointSizeF() > plain.font().pointSizeF());
    const int best = m_session->exploration()->bestPlacement;
    QVERIFY(guard.text().contains(QString::fromStdString(m_session->placement()->matrix.text())));
    QVERIFY(m_session->placementIndex() != best);
    QVERIFY(m_session->workspaceWithSelection().matrix == m_session->placement()->matrix);
    QVERIFY2(childOf<QLabel>(*m_start, "startUseFact")
                 .text()
                 .startsWith(programText(*m_session->placement(), *m_session->program())),
             qPrintable(childOf<QLabel>(*m_start, "startUseFact").text()));
    QVERIFY(m_session->undoStack().isClean());
    m_session->select(best);
    QCOMPARE(m_session->placementIndex(), best);
    m_session->reset(test::workspaceOf("node:2 gpu:4", "data=8", "data"));
    QTRY_VERIFY(m_session->isCurrent());
    QVERIFY(plain.geometry().top() < guard.geometry().top() || !guard.isVisible());
    QVERIFY2(finding().startsWith("The best plan takes "), qPrintable(finding()));
    QVERIFY(plain.font().pointSizeF() > guard.font().pointSizeF());
  }

  void everyStepHasItsButton() {
    QSignalSpy wanted(m_start.get(), &Perspective::perspectiveWanted);
    QSignalSpy exported(m_start.get(), &StartPerspective::exportWanted);
    for (const char* name :
         {"startSystem", "startModel", "startPlan", "startFlags", "startAxes", "startCompare", "startUse"}) {
      auto& button = childOf<QPushButton>(*m_start, name);
      button.setFocus();
      QTest::keyClick(&button, Qt::Key_Space);
    }
    QStringList pages;
    for (const QList<QVariant>& each : wanted) pages << each[0].toString();
    QCOMPARE(pages, (QStringList{kSystemPage, kModelPage, kPlanPage, kUsePage, kPlacementsPage, kCostsPage}));
    QCOMPARE(exported.count(), 1);
  }

  void examplesHavePictures() {
    QTRY_COMPARE(m_sketched, int(examples().size()));
    QSignalSpy wanted(m_start.get(), &StartPerspective::exampleWanted);
    for (const char* name : {"a100-rails-4x8", "tpu-v4-4x16", "gb200-nvl72-2"}) {
      auto& button = childOf<QToolButton>(*m_start, qPrintable(QString("example-") + name));
      QVERIFY(!button.icon().isNull());
      QTest::mouseClick(&button, Qt::LeftButton);
      QCOMPARE(wanted.takeFirst()[0].toString(), QString(name));
    }
    // They are drawn anew in another scheme's colours.
    Theme::apply(Theme::Scheme::Dark);
    QTRY_COMPARE(m_sketched, 2 * int(examples().size()));
    Theme::apply(Theme::Scheme::Light);
  }

  void linksToThePaper() {
    QVERIFY(childOf<QLabel>(*m_start, "paperLink").text().contains("https://arxiv.org/abs/2110.10548"));
  }

 private:
  [[nodiscard]] QString finding() const { return childOf<QLabel>(*m_start, "finding").text(); }

  std::unique_ptr<Session> m_session;
  std::unique_ptr<StartPerspective> m_start;
  int m_sketched = 0;
};

QTEST_MAIN(TestStart)
#include "tst_start.moc"
