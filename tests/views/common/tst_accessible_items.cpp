// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QTest>

#include "support/warnings.h"
#include "views/common/accessible_items.h"

using namespace p2;
using namespace p2::views;

namespace {

/// Asked for while the object is not yet its last class, as scroll areas are by their bars.
class EarlyAsked : public QAbstractScrollArea {
 public:
  EarlyAsked() { QAccessible::queryAccessibleInterface(this); }
};

class ThreeItems : public EarlyAsked, public AccessibleItems {
 public:
  ThreeItems() { exposeAccessibleItems(*this); }
  int itemCount() const override { return 3; }
  AccessibleItem itemAt(int index) const override { return {QString::number(index), {}, {}}; }
  int focusedItem() const override { return 2; }
};

}  // namespace

class TestAccessibleItems : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void anEarlyInterfaceIsReplaced() {
    ThreeItems widget;
    QAccessibleInterface* shown = QAccessible::queryAccessibleInterface(&widget);
    QCOMPARE(shown->role(), QAccessible::List);
    QCOMPARE(shown->child(2)->text(QAccessible::Name), QString("2"));
    QCOMPARE(shown->indexOfChild(shown->child(1)), 1);
    tellFocusedItem(widget);
  }
};

QTEST_MAIN(TestAccessibleItems)
#include "tst_accessible_items.moc"
