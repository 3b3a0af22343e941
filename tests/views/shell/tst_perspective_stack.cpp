// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "support/warnings.h"
#include "views/shell/perspective_bar.h"
#include "views/shell/perspective_stack.h"

using namespace p2::views;

namespace {

class Page : public Perspective {
 public:
  explicit Page(const QString& name) { setObjectName(name); }
};

}  // namespace

class TestPerspectiveStack : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void pagesAreMadeWhenFirstShown() {
    PerspectiveStack stack;
    QStringList made;
    fill(stack, made);
    QCOMPARE(stack.currentPage(), -1);
    QVERIFY(!stack.current());
    QSignalSpy changed(&stack, &PerspectiveStack::pageChanged);
    stack.showPage(1);
    stack.showPerspective("one");
    stack.showPerspective("two");
    stack.showPage(1);
    QCOMPARE(made, (QStringList{"Two", "One"}));
    QCOMPARE(stack.current()->objectName(), "Two");
    QCOMPARE(stack.faceOf(stack.pageOf("two")).title, "Two");
    QCOMPARE(changed.size(), 3);
  }

  void thereIsAWayBack() {
    PerspectiveStack stack;
    QStringList made;
    fill(stack, made);
    stack.goBack();
    QCOMPARE(stack.currentPage(), -1);
    for (const int page : {0, 2, 1}) stack.showPage(page);
    stack.goBack();
    QCOMPARE(stack.currentPage(), 2);
    stack.goBack();
    QCOMPARE(stack.currentPage(), 0);
    stack.goBack();
    QCOMPARE(stack.currentPage(), 0);
  }

  void whatDoesNotExistIsIgnored() {
    PerspectiveStack stack;
    QStringList made;
    fill(stack, made);
    stack.showPage(0);
    stack.showPage(7);
    stack.showPage(-1);
    stack.showPerspective("nowhere");
    // A title is no id.
    stack.showPerspective("Two");
    QCOMPARE(stack.currentPage(), 0);
  }

  void aPageCanAskForAnother() {
    PerspectiveStack stack;
    QStringList made;
    fill(stack, made);
    stack.showPage(0);
    emit stack.current()->perspectiveWanted("three");
    QCOMPARE(stack.currentPage(), 2);
  }

  void theBarAsksByMouseAndKey() {
    PerspectiveBar bar;
    bar.add({"one", "One", "system"}, {.key = "Ctrl+1"});
    bar.add({"two", "Two", "cost"}, {.key = "Ctrl+2"});
    bar.setCurrent(0);
    bar.show();
    bar.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bar));
    QSignalSpy wanted(&bar, &PerspectiveBar::pageWanted);
    auto* two = bar.findChild<QToolButton*>("perspective-two");
    QVERIFY(two);
    QTest::mouseClick(two, Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].toInt(), 1);
    QTest::keyClick(&bar, Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(wanted.size(), 2);
    QCOMPARE(wanted[1][0].toInt(), 0);
    QVERIFY(two->toolTip().contains("Ctrl+2"));
    QCOMPARE(two->accessibleName(), "Two");
    bar.setCurrent(1);
    QVERIFY(two->isChecked());
  }

  void shortcutsAreDigits() {
    PerspectiveBar bar;
    bar.add({"nine", "Page 9", "system"}, {.key = "Ctrl+9"});
    bar.add({"ten", "Page 10", "system"}, {.key = "Ctrl+0"});
    bar.add({"more", "Page 11", "system"});
    QCOMPARE(bar.pageActions()[0]->shortcut(), QKeySequence("Ctrl+9"));
    QCOMPARE(bar.pageActions()[1]->shortcut(), QKeySequence("Ctrl+0"));
    QVERIFY(bar.pageActions()[2]->shortcut().isEmpty());
    QCOMPARE(bar.pageActions()[2]->toolTip(), QString("Page 11"));
  }

  void pagesOfAGroupShareAButtonAndAStrip() {
    PerspectiveBar bar;
    bar.add({"one", "One", "system"});
    bar.addGroup({"all", "All", "cost"});
    bar.add({"two", "Two", "cost"}, {.group = "all"});
    bar.add({"three", "Three", "cost"}, {.group = "all"});
    bar.setCurrent(0);
    bar.show();
    QSignalSpy wanted(&bar, &PerspectiveBar::pageWanted);
    auto* group = bar.findChild<QToolButton*>("group-all");
    QVERIFY(group && !group->isChecked() && bar.strip()->isHidden());
    QTest::mouseClick(group, Qt::LeftButton);
    QCOMPARE(wanted.takeFirst()[0].toInt(), 1);
    QVERIFY(!group->isChecked());  // until the page is there
    bar.setCurrent(2);
    QVERIFY(group->isChecked() && !bar.strip()->isHidden());
    QCOMPARE(bar.strip()->findChildren<QToolButton*>().size(), 2);
    QVERIFY(bar.strip()->findChild<QToolButton*>("perspective-three")->isChecked());
    // It leads back to where one was.
    bar.setCurrent(0);
    QVERIFY(!group->isChecked() && bar.strip()->isHidden());
    QTest::mouseClick(group, Qt::LeftButton);
    QCOMPARE(wanted.takeFirst()[0].toInt(), 2);
  }

 private:
  static void fill(PerspectiveStack& stack, QStringList& made) {
    for (const char* name : {"One", "Two", "Three"}) {
      stack.add({QString(name).toLower(), name, "system"}, [name, &made] {
        made << name;
        return new Page(name);
      });
    }
  }
};

QTEST_MAIN(TestPerspectiveStack)
#include "tst_perspective_stack.moc"
