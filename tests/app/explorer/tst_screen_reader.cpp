// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QCheckBox>
#include <set>

#include "app/explorer/every_view.h"
#include "support/warnings.h"
#include "views/placement/devices_view.h"
#include "views/placement/matrix_view.h"
#include "views/stage/stage_view.h"

using namespace p2;
using namespace p2::views;

/// What the stage, the map and the matrix say to those who do not see them. The platform on which tests run has no
/// bridge to AT-SPI, and without one Qt sends no events; what the bridge would pass on are these trees, and what a
/// changed description or another focus leads to is asked for here.
class TestScreenReader : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { m_view.open("teaching-2x4", {1440, 900}); }
  void init() { test::failOnWarnings(); }
  void cleanupTestCase() { m_view.desk.reset(); }
  void devicesHaveOneName();
  void itemsAreATree_data();
  void itemsAreATree();
  void stageSaysWhatDevicesHold();
  void stepsAreAnnounced();
  void cursorIsFollowed();
  void togglesAreClicked();
  void everyWidgetInReachHasAName_data() { test::EveryView::addRows(); }
  void everyWidgetInReachHasAName();

 private:
  template <class T>
  [[nodiscard]] T& part(const char* page, const char* name) {
    m_view.show(page, {});
    return *m_view.desk->find<T>(name);
  }
  test::EveryView m_view;
};

void TestScreenReader::devicesHaveOneName() {
  QStringList names;
  for (const auto& [page, widget] : {std::pair("placements", "devicesView"), std::pair("programs", "stepper")}) {
    QAccessibleInterface* devices = QAccessible::queryAccessibleInterface(&part<QWidget>(page, widget));
    for (int device = 0; device < 8; ++device) names += devices->child(device)->text(QAccessible::Name);
  }
  QCOMPARE(names.size(), qsizetype(16));
  QCOMPARE(names[5], QStringLiteral("device 5 · gpu 1 of node 1"));
  QCOMPARE(names.mid(0, 8), names.mid(8));
}

void TestScreenReader::itemsAreATree_data() {
  QTest::addColumn<QString>("page");
  QTest::addColumn<QString>("widget");
  QTest::addColumn<int>("items");
  QTest::newRow("stage") << "programs"
                         << "stepper" << 8;
  QTest::newRow("map") << "placements"
                       << "devicesView" << 8;
  QTest::newRow("matrix") << "placements"
                          << "placementMatrix" << 5;
}

void TestScreenReader::itemsAreATree() {
  QFETCH(QString, page);
  QFETCH(QString, widget);
  QFETCH(int, items);
  auto& own = part<QWidget>(qPrintable(page), qPrintable(widget));
  QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&own);
  QVERIFY(list != nullptr);
  QCOMPARE(list->role(), QAccessible::List);
  QVERIFY(!list->text(QAccessible::Name).isEmpty());
  QVERIFY(list->childCount() >= items);
  std::set<QString> names;
  for (int i = 0; i < items; ++i) {
    QAccessibleInterface* item = list->child(i);
    QVERIFY(item != nullptr && item->isValid());
    QCOMPARE(list->child(i), item);
    QCOMPARE(item->parent(), list);
    QCOMPARE(list->indexOfChild(item), i);
    QCOMPARE(item->role(), QAccessible::ListItem);
    QVERIFY(!item->text(QAccessible::Value).isEmpty());
    QVERIFY(list->rect().intersects(item->rect()));
    QCOMPARE(list->childAt(item->rect().center().x(), item->rect().center().y()), item);
    QVERIFY(!item->state().invisible && !item->state().offscreen && item->state().focusable);
    names.insert(item->text(QAccessible::Name));
  }
  QCOMPARE(int(names.size()), items);
  QVERIFY(list->child(list->childCount()) == nullptr);
}

void TestScreenReader::stageSaysWhatDevicesHold() {
  auto& stage = part<StageView>("programs", "stepper");
  m_view.desk->find<QCheckBox>("animate")->setChecked(false);
  QAccessibleInterface* device = QAccessible::queryAccessibleInterface(&stage)->child(1);
  stage.setFocus();
  QTest::keyClick(&stage, Qt::Key_Home);
  const QString before = device->text(QAccessible::Value);
  QVERIFY2(before.startsWith("holds"), qPrintable(before));
  QTest::keyClick(&stage, Qt::Key_Right);
  QTRY_VERIFY(device->text(QAccessible::Value) != before);
}

void TestScreenReader::stepsAreAnnounced() {
  auto& stage = part<StageView>("programs", "stepper");
  auto& animate = *m_view.desk->find<QCheckBox>("animate");
  animate.setChecked(false);
  stage.setFocus();
  const auto stated = [&] { return QAccessible::queryAccessibleInterface(&stage)->text(QAccessible::Description); };
  QTest::keyClick(&stage, Qt::Key_Home);
  QTRY_COMPARE(stated(), QStringLiteral("before step 1 of 3"));
  QTest::keyClick(&stage, Qt::Key_Right);
  QTRY_COMPARE(stated(), QStringLiteral("after step 1 of 3, ReduceScatter inside each node"));
  QTest::keyClick(&stage, Qt::Key_Right);
  QTRY_COMPARE(stated(), QStringLiteral("after step 2 of 3, AllReduce across nodes"));
  QTest::keyClick(&stage, Qt::Key_Home);
  // While it moves, the step is said as soon as it begins.
  animate.setChecked(true);
  QTest::keyClick(&stage, Qt::Key_Right);
  QTRY_COMPARE(stated(), QStringLiteral("step 1 of 3, ReduceScatter inside each node"));
  QTRY_COMPARE(stated(), QStringLiteral("after step 1 of 3, ReduceScatter inside each node"));
}

void TestScreenReader::cursorIsFollowed() {
  auto& stage = part<StageView>("programs", "stepper");
  stage.setFocus();
  QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&stage);
  QTest::keyClick(&stage, Qt::Key_Right, Qt::ControlModifier);
  QCOMPARE(list->focusChild(), list->child(0));
  QTest::keyClick(&stage, Qt::Key_Right, Qt::ControlModifier);
  QAccessibleInterface* device = list->child(1);
  QCOMPARE(list->focusChild(), device);
  QVERIFY(device->state().focused && !list->child(0)->state().focused);
  QCOMPARE(list->text(QAccessible::Description),
           device->text(QAccessible::Name) + ": " + device->text(QAccessible::Value));
  QTest::keyClick(&stage, Qt::Key_Escape);
  QVERIFY(!device->state().focused);
}

void TestScreenReader::togglesAreClicked() {
  const auto toggle = [&](const char* name) {
    QAccessibleInterface* button = QAccessible::queryAccessibleInterface(m_view.desk->find<QWidget>(name));
    QCOMPARE(button->role(), QAccessible::CheckBox);
    QVERIFY(button->state().checkable && !button->state().checked && !button->text(QAccessible::Name).isEmpty());
    QCOMPARE(button->actionInterface()->actionNames().value(0), QAccessibleActionInterface::toggleAction());
    button->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
    QVERIFY(button->state().checked);
  };
  m_view.show("costs", {});
  toggle("perspective-programs");
  QCOMPARE(m_view.desk->shownPage(), QStringLiteral("programs"));
  m_view.show("system", {});
  toggle("optionOverlap");
  QVERIFY(m_view.desk->session.workspace()->options.cost.overlap);
}

void TestScreenReader::everyWidgetInReachHasAName() {
  QFETCH(QString, page);
  QFETCH(QString, action);
  m_view.show(page, action);
  QStringList nameless;
  for (QWidget* widget : m_view.desk->window->findChildren<QWidget*>()) {
    if (!widget->isVisible() || !widget->isEnabled() || (widget->focusPolicy() & Qt::TabFocus) == 0) continue;
    if (widget->focusProxy() != nullptr) continue;
    QAccessibleInterface* own = QAccessible::queryAccessibleInterface(widget);
    const bool named =
        own != nullptr && (!own->text(QAccessible::Name).isEmpty() || !own->text(QAccessible::Value).isEmpty());
    if (!named) nameless += QStringLiteral("%1 (%2)").arg(widget->objectName(), widget->metaObject()->className());
  }
  QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
}

QTEST_MAIN(TestScreenReader)
#include "tst_screen_reader.moc"
