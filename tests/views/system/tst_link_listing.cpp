// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QTableView>
#include <QTest>
#include <QThread>
#include <atomic>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/system/levels_model.h"
#include "views/system/system_perspective.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;
using p2::test::childOf;

namespace {

std::atomic<int> listings = 0;
std::atomic<int> listingsWhileDrawing = 0;

}  // namespace

// The linker leads every call of LinkGraph::build() here (--wrap).
using Built = Result<std::shared_ptr<const LinkGraph>>;
extern "C" Built __real__ZN2p26system9LinkGraph5buildESt10shared_ptrIKNS0_6SystemEE(std::shared_ptr<const System> system);
extern "C" Built __wrap__ZN2p26system9LinkGraph5buildESt10shared_ptrIKNS0_6SystemEE(std::shared_ptr<const System> system) {
  ++listings;
  if (QThread::currentThread() == qApp->thread()) ++listingsWhileDrawing;
  return __real__ZN2p26system9LinkGraph5buildESt10shared_ptrIKNS0_6SystemEE(std::move(system));
}

/// How often the links of a system are listed, which takes 50 ms for 4096 devices: once for every edit of the system,
/// never on the thread that draws.
class TestLinkListing : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    Theme::apply(Theme::Scheme::Light);
    m_session = std::make_unique<Session>();
    m_perspective = std::make_unique<SystemPerspective>(*m_session);
    m_perspective->resize(1200, 800);
    m_perspective->show();
  }
  void init() { test::failOnWarnings(); }
  void cleanupTestCase() {
    m_perspective.reset();
    m_session.reset();
  }

  void onceForADocument() {
    const Workspace workspace = test::workspaceOf("gcp-v100:4", "data=8,model=4", "data");
    listings = 0;
    m_session->reset(workspace);
    QTRY_VERIFY(m_session->isCurrent());
    QCOMPARE(listings.load(), 1);
  }

  void onceForAnEditOfTheSystem() {
    for (int i = 0; i < 2; ++i) {
      listings = 0;
      QAbstractItemModel& model = *childOf<QTableView>(*m_perspective, "levelsTable").model();
      QVERIFY(model.setData(model.index(0, LevelsModel::Bandwidth), QString("%1GB/s").arg(9 + i)));
      QVERIFY(!m_session->isCurrent());
      QTRY_VERIFY(m_session->isCurrent());
      QCOMPARE(listings.load(), 1);
    }
    listings = 0;
    m_session->undoStack().undo();
    QTRY_VERIFY(m_session->isCurrent());
    QCOMPARE(listings.load(), 1);
  }

  void neverForOtherEdits() {
    listings = 0;
    Workspace workspace = *m_session->workspace();
    workspace.options.cost.bytes = Bytes(1e6);
    m_session->edit("Bytes", workspace);
    QTRY_VERIFY(m_session->isCurrent());
    std::swap(workspace.axes[0].reduce, workspace.axes[1].reduce);
    m_session->edit("Reduce", workspace);
    QTRY_VERIFY(m_session->isCurrent());
    QCOMPARE(listings.load(), 0);
  }

  // What only the list of links can tell is told by the job.
  void tellsWhatTheListTells() {
    Workspace workspace = *m_session->workspace();
    workspace.system.disabled = {"nothing"};
    m_session->edit("Failed / disabled", workspace);
    QTRY_VERIFY(m_session->problem().has_value());
    QVERIFY(m_session->problem()->text().find("nothing has that name") != std::string::npos);
    QCOMPARE(m_session->problem()->where.part, std::string("/system/disabled/0"));
    m_session->undoStack().undo();
    QTRY_VERIFY(m_session->isCurrent());
  }

  void neverOnTheThreadThatDraws() { QCOMPARE(listingsWhileDrawing.load(), 0); }

 private:
  std::unique_ptr<Session> m_session;
  std::unique_ptr<SystemPerspective> m_perspective;
};

QTEST_MAIN(TestLinkListing)
#include "tst_link_listing.moc"
