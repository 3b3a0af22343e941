// SPDX-License-Identifier: GPL-3.0-or-later
#include <QScreen>

#include "app/explorer/window_desk.h"
#include "support/warnings.h"

using namespace p2;

/// The window on what a title bar leaves of 1440 × 900 pixels at 200 %, as the offscreen platform has it by
/// tests/data/small_screen.json.
class TestSmallScreen : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (QGuiApplication::primaryScreen()->availableSize() != QSize(720, 430)) QSKIP("the platform has another screen");
  }
  void init() { test::failOnWarnings(); }

  void theFirstWindowIsOnTheScreen() {
    QTemporaryDir folder;
    test::WindowDesk desk(folder.path());
    QSettings none(folder.filePath("none.ini"), QSettings::IniFormat);
    explorer::MainWindow window({desk.session, desk.documents, desk.appearance, none});
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY2(window.width() <= 720 && window.height() <= 430,
             qPrintable(QString("%1 × %2").arg(window.width()).arg(window.height())));
  }
};

QTEST_MAIN(TestSmallScreen)
#include "tst_small_screen.moc"
