// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/examples.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/shell/training_text.h"
#include "views/start/start_perspective.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;
using p2::test::childOf;

/// The page one begins with, for a document with a model.
class TestStartPlan : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() {
    test::failOnWarnings();
    m_session = std::make_unique<Session>();
    m_start = std::make_unique<StartPerspective>(
        *m_session, [](const System&, QSize size, double ratio) { return QImage(size * ratio, QImage::Format_RGB32); });
    m_start->resize(1000, 640);
    m_start->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_start.get()));
  }
  void cleanup() {
    m_start.reset();
    m_session.reset();
  }

  // One best at the top: what is said about one reduction stands with its steps once there is a plan.
  void thePlanHasNoRivals() {
    Workspace open = test::valueOf(readExample("llama3-70b-fsdp32-tp8"));
    open.axes[0].reduce = true;
    m_session->reset(open);
    auto& plan = childOf<QLabel>(*m_start, "startPlanFinding");
    QTRY_VERIFY_WITH_TIMEOUT(plan.isVisible(), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(m_session->isCurrent() && m_session->jobs().running().empty(), 120000);
    const auto topOf = [this](const char* name) {
      const auto& widget = childOf<QWidget>(*m_start, name);
      return widget.mapTo(m_start.get(), QPoint()).y();
    };
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QTRY_VERIFY(topOf("startPlanFinding") < topOf("startFlags"));
    QVERIFY(!childOf<QLabel>(*m_start, "startSubject").isVisible());
    QVERIFY(topOf("startFlags") < topOf("startStepGuard") && topOf("startStepGuard") < topOf("finding"));
    QVERIFY(topOf("finding") < topOf("startAxes"));
    QVERIFY(plan.font().pointSizeF() > childOf<QLabel>(*m_start, "finding").font().pointSizeF());
    const PlannedConfiguration& best = *m_session->planner().shown();
    QCOMPARE(plan.text().section(" <a ", 0, 0),
             QString("The best plan for llama3-70b on 32 nodes × 8 GPUs is %1: %2 per step, %3 MFU.")
                 .arg(degreesText(best.configuration), intervalText(best.estimate), shareText(best.estimate.mfu)));
    QSignalSpy pages(m_start.get(), &Perspective::perspectiveWanted);
    emit plan.linkActivated("plan");
    QCOMPARE(pages.takeFirst()[0].toString(), QString("plan"));
    const auto& guard = childOf<QLabel>(*m_start, "startStepGuard");
    QVERIFY2(guard.text().startsWith("Communication alone: ● "), qPrintable(guard.text()));
    // The plan's own communication has the plan's placement, and no other is named.
    m_session->takePlan();
    QTRY_VERIFY_WITH_TIMEOUT(m_session->isCurrent() && m_session->jobs().running().empty(), 120000);
    QVERIFY2(guard.text().startsWith("Communication of the plan alone, on its placement "), qPrintable(guard.text()));
    QVERIFY(guard.text().contains(QString::fromStdString(m_session->workspace()->matrix.text())));
    QVERIFY(!guard.text().contains("best"));
    m_session->chooseConfiguration(&m_session->planner().answer()->answer.configurations[1]);
    QTRY_VERIFY(plan.text().startsWith("The chosen plan for "));
    // Without the model they lead again.
    open.training = {};
    m_session->edit("Remove the model", open);
    QTRY_VERIFY(topOf("startStepGuard") < topOf("startSystem"));
    QVERIFY(!plan.isVisible());
  }

 private:
  std::unique_ptr<Session> m_session;
  std::unique_ptr<StartPerspective> m_start;
};

QTEST_MAIN(TestStartPlan)
#include "tst_start_plan.moc"
