// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QCheckBox>
#include <set>
#include <vector>

#include "app/explorer/every_view.h"
#include "views/placement/devices_view.h"
#include "views/placement/matrix_view.h"
#include "views/stage/stage_view.h"

using namespace p2;
using namespace p2::views;

namespace {

/// What a screen reader would be told.
struct Told {
  QAccessible::Event type = QAccessible::InvalidEvent;
  const QObject* object = nullptr;
  int child = -1;
  QString description;
};
std::vector<Told>* told = nullptr;

void listen(QAccessibleEvent* event) {
  if (told == nullptr) return;
  const auto* widget = qobject_cast<const QWidget*>(event->object());
  told->push_back(
      {event->type(), event->object(), event->child(), widget ? widget->accessibleDescription() : QString()});
}

}  // namespace

/// What the stage, the map and the matrix say to those who do not see them. The platform on which tests run has no
/// bridge to AT-SPI; what the bridge would pass on are these trees and events.
class TestScreenReader : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QTest::failOnWarning(QRegularExpression(".*"));
    QAccessible::setActive(true);
    m_before = QAccessible::installUpdateHandler(listen);
    m_view.open("teaching-2x4", {1440, 900});
  }
  void init() {
    m_told.clear();
    told = &m_told;
  }
  void cleanup() { told = nullptr; }
  void cleanupTestCase() {
    QAccessible::installUpdateHandler(m_before);
    m_view.desk.reset();
  }
  void devicesHaveOneName();
  void itemsAreATree_data();
  void itemsAreATree();
  void stageSaysWhatDevicesHold();
  void stepsAreAnnounced();
  void cursorIsFollowed();
  void everyWidgetInReachHasAName_data() { test::EveryView::addRows(); }
  void everyWidgetInReachHasAName();

 private:
  template <class T>
  [[nodiscard]] T& part(const char* page, const char* name) {
    m_view.show(page, {});
    return *m_view.desk->find<T>(name);
  }
  [[nodiscard]] bool wasTold(QAccessible::Event type, const QObject& object, const QString& description) const {
    return std::any_of(m_told.begin(), m_told.end(), [&](const Told& each) {
      return each.type == type && each.object == &object && each.description == description;
    });
  }

  test::EveryView m_view;
  std::vector<Told> m_told;
  QAccessible::UpdateHandler m_before = nullptr;
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
  m_view.desk->find<QCheckBox>("animate")->setChecked(false);
  stage.setFocus();
  QTest::keyClick(&stage, Qt::Key_Home);
  m_told.clear();
  QTest::keyClick(&stage, Qt::Key_Right);
  const QString sentence = QStringLiteral("after step 1 of 3, ReduceScatter·node");
  QTRY_COMPARE(stage.accessibleDescription(), sentence);
  QVERIFY2(wasTold(QAccessible::DescriptionChanged, stage, sentence), "screen readers speak it while it has the focus");
  QVERIFY(wasTold(QAccessible::Alert, stage, sentence));
  m_told.clear();
  QTest::keyClick(&stage, Qt::Key_Home);
  QTRY_COMPARE(stage.accessibleDescription(), QStringLiteral("before step 1 of 3"));
}

void TestScreenReader::cursorIsFollowed() {
  auto& stage = part<StageView>("programs", "stepper");
  stage.setFocus();
  QTest::keyClick(&stage, Qt::Key_Right, Qt::ControlModifier);
  QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&stage);
  const auto focus = std::find_if(m_told.begin(), m_told.end(), [&](const Told& each) {
    return each.type == QAccessible::Focus && each.object == &stage && each.child >= 0;
  });
  QVERIFY(focus != m_told.end());
  QVERIFY(list->child(focus->child)->state().focused);
  QCOMPARE(list->focusChild(), list->child(focus->child));
  QTest::keyClick(&stage, Qt::Key_Escape);
  QVERIFY(!list->child(focus->child)->state().focused);
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
