// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDirIterator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "app/explorer/random_ui_driver.h"
#include "app/explorer/window_desk.h"
#include "support/fixtures.h"
#include "support/schemas.h"

using namespace p2;
using p2::test::RandomUiDriver;
using p2::test::WindowDesk;

/// Whatever is done in the window, it goes on, warns of nothing, loses nothing and comes to rest. P2_UI_DRIVER_SEED,
/// P2_UI_DRIVER_SEEDS and P2_UI_DRIVER_ACTS ask for other hands than the usual ones, P2_UI_DRIVER_VERBOSE=1 writes down
/// what they do.
class TestRandomUiDriver : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    // Nothing that hands may ask for is started, neither here nor on another machine.
    qputenv("PATH", m_folder.path().toUtf8());
    for (const char* place : {P2_RESOURCES "/examples", P2_RESOURCES "/lessons", P2_RESOURCES "/graphs",
                              P2_RESOURCES "/workloads", P2_RESOURCES "/runs", P2_TEST_DATA "/plans",
                              P2_TEST_DATA "/import", P2_TEST_DATA "/nccl", P2_TEST_DATA "/workload"}) {
      takeFiles(place);
    }
    QVERIFY(m_files.size() > 60);
  }
  void init() {
    // An editor that goes while it is asked for what was typed tells Qt's views twice.
    QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support|.*called with an editor that).*"));
  }
  void anythingMayBeDone_data() {
    QTest::addColumn<unsigned>("seed");
    const int first = qEnvironmentVariableIntValue("P2_UI_DRIVER_SEED");
    const int seeds = qEnvironmentVariableIntValue("P2_UI_DRIVER_SEEDS");
    for (int i = 0; i < (seeds > 0 ? seeds : 4); ++i) QTest::addRow("seed %d", first + i) << unsigned(first + i);
  }
  void anythingMayBeDone() {
    QFETCH(unsigned, seed);
    const int acts = qEnvironmentVariableIntValue("P2_UI_DRIVER_ACTS");
    const QTemporaryDir settings;
    WindowDesk desk(settings.path());
    desk.documents.openFile(m_files[qsizetype(seed) % m_files.size()]);
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    RandomUiDriver hands(desk, seed, m_folder.path(), m_files);
    hands.act(acts > 0 ? acts : 150);
    qInfo("the longest took %.0f ms: %s", 1000 * hands.longest(), qPrintable(hands.longestOf()));
    desk.session.jobs().cancelAll();
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.jobs().running().empty(), 60000);
    nothingIsLost(desk);
  }

 private:
  /// Copies: what hands open they also save.
  void takeFiles(const QString& place) {
    for (QDirIterator files(place, QDir::Files, QDirIterator::Subdirectories); files.hasNext();) {
      const QString file = files.next();
      m_files << m_folder.filePath(QString::number(m_files.size()) + "-" + QFileInfo(file).fileName());
      QVERIFY(QFile::copy(file, m_files.last()));
      QVERIFY(QFile::setPermissions(m_files.last(), QFile::ReadOwner | QFile::WriteOwner));
    }
  }
  /// Every step is undone and done again, and what is written is read as it was.
  void nothingIsLost(WindowDesk& desk) {
    QUndoStack& undo = desk.session.undoStack();
    const Workspace last = *desk.session.workspace();
    const int at = undo.index();
    undo.setIndex(0);
    undo.setIndex(undo.count());
    undo.setIndex(at);
    QVERIFY(*desk.session.workspace() == last);
    const std::string text = workspaceToJson(last);
    QCOMPARE(workspaceToJson(test::valueOf(workspaceFromJson(text))), text);
    QVERIFY2(test::schemaAccepts("p2-workspace", text), text.c_str());
  }

  QTemporaryDir m_folder;
  QStringList m_files;
};

QTEST_MAIN(TestRandomUiDriver)
#include "tst_random_ui_driver.moc"
