// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QScreen>

#include "views/present/present_window.h"
#include "views/program/program_desk.h"

namespace p2::test {

/// A presentation where there are two screens, as the offscreen platform has them by tests/data/two_screens.json.
class TestTwoScreens : public QObject, private ProgramDesk {
  Q_OBJECT

  views::PresentWindow* window() { return m_view->findChild<views::PresentWindow*>("presentWindow"); }

 private slots:
  void initTestCase() {
    if (QGuiApplication::screens().size() < 2) QSKIP("the platform has one screen; ctest gives it two");
    prepare();
  }
  void init() { open(); }
  void cleanup() { close(); }

  // The class sees the stage, the speaker at once the notes on the other screen, and both go on by the same key.
  void theSpeakerHasAScreen() {
    openExample();
    QTest::keyClick(stepper(), Qt::Key_F11);
    QVERIFY(window());
    QTRY_VERIFY(window()->isActiveWindow());
    auto& speaker = childOf<QWidget>(*window(), "speakerWindow");
    QVERIFY(speaker.isVisible() && speaker.isWindow());
    const QScreen* shown = window()->screen();
    const QScreen* notes = speaker.screen();
    QVERIFY(shown != notes);
    QCOMPARE(window()->geometry(), shown->geometry());
    QVERIFY(notes->availableGeometry().contains(speaker.geometry().center()));
    QVERIFY(!shown->geometry().intersects(speaker.geometry()));
    QVERIFY(speaker.width() >= notes->availableGeometry().width() * 9 / 10);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_PageDown);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_End);
    QCOMPARE(childOf<QLabel>(speaker, "speakerNext").text(), QString("The end"));
    // Blank for the class, not for the speaker.
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_B);
    QVERIFY(window()->isBlank());
    const QImage seen = speaker.grab().toImage();
    QVERIFY(seen.pixelColor(seen.width() / 2, seen.height() - 5) != QColor(Qt::black));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_B);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QTRY_VERIFY(!window());
  }

  // Closed notes stay closed when the presentation comes back from the taskbar; S opens them.
  void closedNotesStayClosed() {
    openExample();
    QTest::keyClick(stepper(), Qt::Key_F11);
    QTRY_VERIFY(window() && window()->isActiveWindow());
    auto& speaker = childOf<QWidget>(*window(), "speakerWindow");
    QVERIFY(speaker.isVisible());
    speaker.close();
    window()->showMinimized();
    window()->hide();
    window()->showFullScreen();
    QTRY_VERIFY(window()->isVisible());
    QVERIFY(!speaker.isVisible());
    QTest::keyClick(window(), Qt::Key_S);
    QVERIFY(speaker.isVisible());
    QTest::keyClick(window(), Qt::Key_Escape);
    QTRY_VERIFY(!window());
  }

  // The clicker works where the speaker has clicked into the notes.
  void keysInTheNotesStep() {
    openExample();
    QTest::keyClick(stepper(), Qt::Key_F11);
    QTRY_VERIFY(window() && window()->isActiveWindow());
    auto& speaker = childOf<QWidget>(*window(), "speakerWindow");
    QTest::keyClick(&speaker, Qt::Key_PageDown);
    QCOMPARE(step(), QString("after step 1 of 3"));
    QTest::keyClick(&speaker, Qt::Key_Escape);
    QTRY_VERIFY(!window());
  }
};

}  // namespace p2::test

using p2::test::TestTwoScreens;
QTEST_MAIN(TestTwoScreens)
#include "tst_two_screens.moc"
