// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QSet>
#include <utility>

#include "app/explorer/every_view.h"
#include "support/warnings.h"

using namespace p2;

namespace {

QString nameOf(const QWidget* widget) {
  if (widget == nullptr) return QStringLiteral("nothing");
  const QString own = widget->objectName();
  if (!own.isEmpty()) return own;
  return QStringLiteral("a %1 in %2").arg(widget->metaObject()->className(), nameOf(widget->parentWidget()));
}

QString namesOf(const QList<QWidget*>& widgets) {
  QStringList names;
  for (const QWidget* widget : widgets) names += nameOf(widget);
  return names.join(QStringLiteral(", "));
}

}  // namespace

/// Tab and Shift+Tab through every perspective.
class TestFocusOrder : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { m_view.open("teaching-2x4", {1440, 900}); }
  void init() { test::failOnWarnings(); }
  void cleanupTestCase() { m_view.desk.reset(); }
  void tabVisitsEverythingOnce_data() { test::EveryView::addRows(); }
  void tabVisitsEverythingOnce();
  void perspectivesAsTheyStand();
  void focusIsSeen_data() { test::EveryView::addRows(); }
  void focusIsSeen();

 private:
  /// What can have the keyboard, by Tab.
  [[nodiscard]] QSet<QWidget*> reachable() const {
    QSet<QWidget*> found;
    for (QWidget* widget : m_view.desk->window->findChildren<QWidget*>()) {
      const bool takes = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->focusProxy() == nullptr;
      if (takes && widget->isVisible() && widget->isEnabled() && widget->window() == m_view.desk->window.get()) {
        found.insert(widget);
      }
    }
    return found;
  }
  /// Everything that has the keyboard until it is back where it began, or something has it for the second time. Links
  /// of a label have it one after the other.
  [[nodiscard]] static QList<QWidget*> walked(Qt::Key key) {
    QList<QWidget*> way{QApplication::focusWidget()};
    qsizetype linksLeft = linksOf(way.last());
    for (;;) {
      QTest::keyClick(QApplication::focusWidget(), key, key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier);
      QWidget* next = QApplication::focusWidget();
      if (next != nullptr && next == way.last() && linksLeft-- > 0) continue;
      const bool ends = next == nullptr || way.contains(next);
      way += next;
      if (ends) return way;
      linksLeft = linksOf(next);
    }
  }
  [[nodiscard]] static qsizetype linksOf(const QWidget* widget) {
    const auto* label = qobject_cast<const QLabel*>(widget);
    return label == nullptr ? 0 : label->text().count("<a href");
  }

  test::EveryView m_view;
};

void TestFocusOrder::tabVisitsEverythingOnce() {
  QFETCH(QString, page);
  QFETCH(QString, action);
  m_view.show(page, action);
  QVERIFY(QApplication::focusWidget() != nullptr);
  // What a page hands the keyboard on with is not in the way of Tab; begin with what is.
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Backtab}) {
    QList<QWidget*> way = walked(key);
    QVERIFY2(way.size() > 1 && way.first() == way.last(),
             qPrintable(QStringLiteral("stuck at %1 after %2").arg(nameOf(way.last()), namesOf(way))));
    way.removeLast();
    // Some things show more of themselves once the keyboard has come to them.
    const QSet<QWidget*> all = reachable();
    QVERIFY(all.size() > 5);
    const QSet<QWidget*> visited(way.begin(), way.end());
    QVERIFY2((all - visited).isEmpty(), qPrintable("left out: " + namesOf((all - visited).values())));
    QVERIFY2((visited - all).isEmpty(), qPrintable("not expected: " + namesOf((visited - all).values())));
    QCOMPARE(way.size(), visited.size());
  }
}

void TestFocusOrder::perspectivesAsTheyStand() {
  m_view.show("system", {});
  auto* first = m_view.desk->find<QWidget>("perspective-start");
  first->setFocus();
  int below = first->y();
  QString group;
  for (const explorer::PerspectiveRow& row : explorer::perspectives()) {
    const QString name = row.face().id;
    const QString own = row.place().group;
    // Pages of a group share a button.
    if (name == views::kStartPage || (!own.isEmpty() && own == group)) continue;
    group = own;
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(nameOf(QApplication::focusWidget()), own.isEmpty() ? "perspective-" + name : "group-" + own);
    QVERIFY(QApplication::focusWidget()->y() > std::exchange(below, QApplication::focusWidget()->y()));
  }
}

/// What has the keyboard looks otherwise than without it.
void TestFocusOrder::focusIsSeen() {
  QFETCH(QString, page);
  QFETCH(QString, action);
  m_view.show(page, action);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  const auto all = reachable();
  QStringList unseen;
  for (qsizetype i = 0; i < all.size(); ++i) {
    QWidget* widget = QApplication::focusWidget();
    const QImage with = widget->grab().toImage();
    QTest::keyClick(widget, Qt::Key_Tab);
    QCoreApplication::processEvents();
    // A link has handed the keyboard on to the next one.
    if (widget->hasFocus()) continue;
    if (widget->grab().toImage() == with) unseen += nameOf(widget);
  }
  QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(QStringLiteral(", "))));
}

QTEST_MAIN(TestFocusOrder)
#include "tst_focus_order.moc"
