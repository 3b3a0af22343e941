// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>

#include "app/explorer/cut_parts.h"
#include "app/explorer/every_view.h"
#include "support/warnings.h"
#include "views/common/folding_panels.h"
#include "views/shell/perspective_bar.h"

using namespace p2;

namespace {

/// A screen of 1600 × 1000 pixels on which two make one.
const QSize kScreen(800, 500);
const QSize kRoomy(1440, 900);

}  // namespace

/// Every perspective in the smallest window that it is made for, and what gives way there.
class TestSmallWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { m_view.open("teaching-2x4", kScreen); }
  void cleanupTestCase() { m_view.desk.reset(); }
  void init() {
    test::failOnWarnings();
    m_view.desk->window->resize(kScreen);
  }

  void everyPageFits_data() { test::EveryView::addRows(); }
  void everyPageFits();
  void fitsAScreenOf1440x900AtTwiceTheSize();
  void beginsNoLargerThanTheScreen();
  void perspectivesAreIcons();
  void panelsFoldAndOpen_data();
  void panelsFoldAndOpen();
  void keysReachWhatIsFolded();
  void axesGiveWayToPlacements();

 private:
  template <class T>
  T* find(const QString& name) const {
    return m_view.desk->window->findChild<T*>(name);
  }
  void resize(QSize size) const {
    m_view.desk->window->resize(size);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QTRY_COMPARE(m_view.desk->window->size(), size);
  }

  test::EveryView m_view;
};

void TestSmallWindow::everyPageFits() {
  QFETCH(QString, page);
  QFETCH(QString, action);
  m_view.show(page, action);
  resize(kScreen);
  const QSize least = m_view.desk->window->minimumSizeHint();
  QVERIFY2(least.width() <= kScreen.width() && least.height() <= kScreen.height(),
           qPrintable(QString("%1 × %2").arg(least.width()).arg(least.height())));
  const auto* frame = qobject_cast<QScrollArea*>(m_view.desk->window->perspectives().currentWidget());
  QVERIFY(frame != nullptr);
  const QSize needed = frame->widget()->minimumSizeHint();
  const QString sizes = QString("the page needs %1 × %2 and has %3 × %4")
                            .arg(needed.width())
                            .arg(needed.height())
                            .arg(frame->width())
                            .arg(frame->height());
  QVERIFY2(frame->horizontalScrollBar()->maximum() == 0 && frame->verticalScrollBar()->maximum() == 0,
           qPrintable(sizes));
  const QStringList faults = test::cutParts(*m_view.desk->window);
  QVERIFY2(faults.isEmpty(), qPrintable("\n" + faults.join('\n')));
}

// Pages that need more room are scrolled there.
void TestSmallWindow::fitsAScreenOf1440x900AtTwiceTheSize() {
  for (const explorer::PerspectiveRow& row : explorer::perspectives()) {
    m_view.show(row.face().id, {});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    const QSize least = m_view.desk->window->minimumSizeHint();
    const QString sizes = QString("%1 needs %2 × %3").arg(row.face().id).arg(least.width()).arg(least.height());
    QVERIFY2(least.width() <= 720 && least.height() <= 450, qPrintable(sizes));
  }
}

// No part of it lies beyond the screen.
void TestSmallWindow::beginsNoLargerThanTheScreen() {
  const test::WindowDesk& desk = *m_view.desk;
  QSettings none(m_view.folder.filePath("none.ini"), QSettings::IniFormat);
  const explorer::MainWindow window({m_view.desk->session, m_view.desk->documents, m_view.desk->appearance, none});
  const QSize screen = desk.window->screen()->availableSize();
  QVERIFY(window.width() <= screen.width() && window.height() <= screen.height());
  QCOMPARE(window.size(), QSize(1280, 800).boundedTo(screen));
}

void TestSmallWindow::perspectivesAreIcons() {
  const QRegularExpression shown("^(perspective|group)-");
  const auto buttons = find<views::PerspectiveBar>("perspectiveBar")->findChildren<QToolButton*>(shown);
  QSet<QString> expected;
  for (const explorer::PerspectiveRow& row : explorer::perspectives()) {
    const QString group = row.place().group;
    expected.insert(group.isEmpty() ? "perspective-" + row.face().id : "group-" + group);
  }
  QCOMPARE(buttons.size(), expected.size());
  for (const QToolButton* button : buttons) {
    QCOMPARE(button->toolButtonStyle(), Qt::ToolButtonIconOnly);
    QVERIFY(!button->toolTip().isEmpty() && !button->accessibleName().isEmpty());
    QVERIFY(button->visibleRegion().boundingRect().size() == button->size());
  }
  // Wide but low, and high but narrow.
  resize({1440, 520});
  QCOMPARE(buttons[0]->toolButtonStyle(), Qt::ToolButtonIconOnly);
  resize({860, 900});
  QCOMPARE(buttons[0]->toolButtonStyle(), Qt::ToolButtonIconOnly);
  resize(kRoomy);
  QCOMPARE(buttons[0]->toolButtonStyle(), Qt::ToolButtonTextUnderIcon);
}

void TestSmallWindow::panelsFoldAndOpen_data() {
  QTest::addColumn<QString>("page");
  QTest::addColumn<QString>("splitter");
  QTest::addColumn<QString>("edge");
  QTest::addColumn<int>("folded");
  QTest::addColumn<int>("main");
  QTest::newRow("system") << "system"
                          << "systemSplitter"
                          << "formsEdge" << 0 << 1;
  QTest::newRow("programs") << "programs"
                            << "cardSplitter"
                            << "ruleEdge" << 1 << 0;
  QTest::newRow("strategy") << "strategy"
                            << "strategyGraphSplitter"
                            << "strategyDetailsEdge" << 1 << 0;
  QTest::newRow("lessons") << "lessons"
                           << "lessonSplitter"
                           << "lessonsEdge" << 0 << 2;
}

// Room makes them all come back, as wide as they were.
void TestSmallWindow::panelsFoldAndOpen() {
  QFETCH(QString, page);
  QFETCH(QString, splitter);
  QFETCH(QString, edge);
  QFETCH(int, folded);
  QFETCH(int, main);
  m_view.show(page, {});
  resize(kRoomy);
  const auto* split = find<QSplitter>(splitter);
  auto* button = find<QAbstractButton>(edge);
  QVERIFY(split != nullptr && button != nullptr);
  const QList<int> before = split->sizes();
  QVERIFY(!button->isVisible() && !before.contains(0));
  resize(kScreen);
  QTRY_VERIFY(button->isVisible());
  QVERIFY(!split->widget(folded)->isVisible() && split->widget(main)->isVisible());
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(split->widget(folded)->isVisible() && !button->isVisible());
  QVERIFY2(split->widget(folded)->isAncestorOf(QApplication::focusWidget()),
           qPrintable(QApplication::focusWidget()->objectName()));
  resize(kRoomy);
  QTRY_COMPARE(split->sizes(), before);
  resize(kScreen);
  QTRY_VERIFY(!split->widget(folded)->isVisible());
}

void TestSmallWindow::keysReachWhatIsFolded() {
  m_view.show("lessons", {});
  const auto* list = find<QWidget>("lessonList");
  QTRY_VERIFY(!list->isVisible());
  m_view.desk->key(Qt::Key_L);
  QVERIFY(list->isVisible() && list->hasFocus());
}

void TestSmallWindow::axesGiveWayToPlacements() {
  m_view.show("placements", {});
  resize(kScreen);
  QVERIFY(find<QToolButton>("axesFold")->isChecked() && !find<QWidget>("axesTable")->isVisible());
  QTest::mouseClick(find<QToolButton>("axesFold"), Qt::LeftButton);
  QVERIFY(find<QWidget>("axesTable")->isVisible());
  resize(kRoomy);
  resize(kScreen);
  QVERIFY(!find<QWidget>("axesTable")->isVisible());
  resize(kRoomy);
  QVERIFY(find<QWidget>("axesTable")->isVisible());
}

QTEST_MAIN(TestSmallWindow)
#include "tst_small_window.moc"
