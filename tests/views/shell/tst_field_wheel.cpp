// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QScrollArea>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "support/warnings.h"
#include "views/shell/field_wheel.h"

using namespace p2;

class TestFieldWheel : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void scrollingPastAFieldChangesNothing_data() {
    QTest::addColumn<int>("field");
    QTest::newRow("list that drops down") << 0;
    QTest::newRow("number") << 1;
    QTest::newRow("slider") << 2;
  }
  void scrollingPastAFieldChangesNothing() {
    QFETCH(int, field);
    QScrollArea page;
    auto* inside = new QWidget;
    auto* list = new QComboBox;
    list->addItems({"a", "b", "c"});
    list->setCurrentIndex(1);
    auto* number = new QSpinBox;
    number->setValue(5);
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setValue(50);
    QWidget* const fields[]{list, number, slider};
    auto* column = new QVBoxLayout(inside);
    for (QWidget* each : fields) column->addWidget(each);
    inside->resize(280, 2000);
    page.setWidget(inside);
    const views::FieldWheel guard(&page);
    page.resize(300, 200);
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    const auto values = [&] { return QList<int>{list->currentIndex(), number->value(), slider->value()}; };
    const QList<int> before = values();
    QWidget& below = *fields[field];
    page.setFocus();
    QVERIFY(!below.hasFocus());
    // Qt would give it the focus before the event arrives.
    QVERIFY(below.focusPolicy() != Qt::WheelFocus);
    QVERIFY(!turn(below));
    QCOMPARE(values(), before);
    // With the focus, a number and a slider are turned; a list is left alone then, too.
    below.setFocus();
    const bool isList = &below == list;
    QCOMPARE(turn(below), !isList);
    QCOMPARE(values() == before, isList);
  }

 private:
  /// Whether it was taken; if not, it goes on to what the widget lies in.
  static bool turn(QWidget& widget) {
    const QPointF at = widget.rect().center();
    QWheelEvent wheel(at, widget.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&widget, &wheel);
    return wheel.isAccepted();
  }
};

QTEST_MAIN(TestFieldWheel)
#include "tst_field_wheel.moc"
