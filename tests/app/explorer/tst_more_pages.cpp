// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QMenu>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/explorer/cut_parts.h"
#include "app/explorer/window_desk.h"
#include "support/warnings.h"
#include "views/shell/perspective_bar.h"

using namespace p2;
using explorer::PerspectiveRow;

namespace {

// The smallest window, and a screen of 1440 × 900 pixels on which two make one.
const QSize kSmallest(800, 500);
const QSize kLowest(720, 450);

QString titleOf(int number) { return QString("Made up %1").arg(number); }

/// A page that only this test has.
template <int Number>
class MadeUp : public views::Perspective {
 public:
  explicit MadeUp(views::Session&) {
    auto* column = new QVBoxLayout(this);
    column->addWidget(new QLabel(titleOf(Number)));
    setFocusPolicy(Qt::StrongFocus);
  }
  static PerspectiveRow row() {
    return {[] {
              return views::PerspectiveFace{QString("madeUp%1").arg(Number), titleOf(Number), "level"};
            },
            [] { return views::PagePlace{.position = 200 + Number}; },
            [](views::Session& session) -> views::Perspective* { return new MadeUp(session); }};
  }
};

std::vector<PerspectiveRow> pagesWith(int more) {
  std::vector<PerspectiveRow> pages(explorer::perspectives().begin(), explorer::perspectives().end());
  const std::array madeUp{MadeUp<1>::row(), MadeUp<2>::row(), MadeUp<3>::row(),
                          MadeUp<4>::row(), MadeUp<5>::row(), MadeUp<6>::row()};
  pages.insert(pages.end(), madeUp.begin(), madeUp.begin() + more);
  return pages;
}

}  // namespace

/// The bar takes more pages than there are: what has no room is in the menu of its last button.
class TestMorePages : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void everyPageIsReached_data() {
    QTest::addColumn<int>("more");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("folds");
    QTest::newRow("all have room") << 0 << kSmallest << false;
    QTest::newRow("one more") << 1 << kSmallest << false;
    QTest::newRow("six more") << 6 << kSmallest << true;
    QTest::newRow("one more on 1440 × 900") << 1 << kLowest << true;
    QTest::newRow("six more on 1440 × 900") << 6 << kLowest << true;
  }
  void everyPageIsReached() {
    QFETCH(int, more);
    QFETCH(QSize, size);
    QFETCH(bool, folds);
    open(more, size);
    QVERIFY(QTest::qWaitForWindowActive(m_desk->window.get()));
    const QSize least = m_desk->window->minimumSizeHint();
    QVERIFY2(least.width() <= size.width() && least.height() <= size.height(),
             qPrintable(QString("%1 × %2").arg(least.width()).arg(least.height())));
    QCOMPARE(m_desk->window->size(), size);
    QCOMPARE(button("morePages").isVisible(), folds);
    int inMenu = 0;
    for (const PerspectiveRow& row : m_pages) {
      const QString id = row.face().id;
      goElsewhere(id);
      chooseByMouse(id);
      QCOMPARE(m_desk->shownPage(), id);
      inMenu += isFolded(id);
      QCOMPARE(button("morePages").isChecked(), isFolded(id));
      QCOMPARE(test::cutParts(*m_desk->find<QWidget>("perspectiveBar")), QStringList());
      goElsewhere(id);
      chooseByKeys(id);
      QCOMPARE(m_desk->shownPage(), id);
    }
    QCOMPARE(inMenu > 1, folds);
    QVERIFY(!isFolded(views::kStartPage));
  }

  // A larger window takes the pages out of the menu again.
  void roomBringsThemBack() {
    open(6, kLowest);
    QVERIFY(isFolded("madeUp6") && button("morePages").isVisible());
    const auto* menu = m_desk->find<QMenu>("viewMenu");
    QCOMPARE(menu->actions().front()->objectName(), QString("show-start"));
    QVERIFY(menu->actions().contains(m_desk->find<QAction>("show-madeUp6")));
    button("morePages").setFocus(Qt::TabFocusReason);
    m_desk->window->resize(1440, 1000);
    QTRY_VERIFY(!button("morePages").isVisible());
    for (const QString& id : {QString("start"), QString("lessons"), QString("madeUp6")})
      QVERIFY2(!isFolded(id) && button("perspective-" + id).visibleRegion().boundingRect().size() ==
                                    button("perspective-" + id).size(),
               qPrintable(id));
    button("perspective-madeUp6").setFocus(Qt::TabFocusReason);
    m_desk->window->resize(kLowest);
    QTRY_VERIFY(button("morePages").hasFocus());
  }

 private:
  void open(int more, QSize size) {
    m_desk.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_pages = pagesWith(more);
    m_desk = std::make_unique<test::WindowDesk>(m_folder->path(), QString(), m_pages);
    QTRY_VERIFY(m_desk->session.isCurrent());
    m_desk->window->resize(size);
    QTRY_COMPARE(m_desk->window->size(), size);
  }
  QToolButton& button(const QString& name) const { return *m_desk->window->findChild<QToolButton*>(name); }
  QString groupOf(const QString& id) const {
    const auto row = std::ranges::find(m_pages, id, [](const PerspectiveRow& each) { return each.face().id; });
    return row->place().group;
  }
  /// The button of the bar that leads to the page.
  QToolButton& inBar(const QString& id) const {
    const QString group = groupOf(id);
    return button(group.isEmpty() ? "perspective-" + id : "group-" + group);
  }
  bool isFolded(const QString& id) const { return !inBar(id).isVisible(); }
  void goElsewhere(const QString& id) const {
    m_desk->window->perspectives().showPerspective(id == views::kSystemPage ? views::kLessonsPage : views::kSystemPage);
  }

  void chooseByMouse(const QString& id) const {
    if (!isFolded(id)) {
      QTest::mouseClick(&inBar(id), Qt::LeftButton);
      if (!groupOf(id).isEmpty()) QTest::mouseClick(&button("perspective-" + id), Qt::LeftButton);
      return;
    }
    inMenu([&](QMenu& menu) {
      const QRect row = menu.actionGeometry(m_desk->window->findChild<QAction*>("show-" + id));
      QTest::mouseClick(&menu, Qt::LeftButton, {}, row.center());
    });
    QTest::mouseClick(&button("morePages"), Qt::LeftButton);
  }
  void chooseByKeys(const QString& id) const {
    if (!isFolded(id)) {
      goTo(inBar(id));
      QTest::keyClick(&inBar(id), Qt::Key_Space);
      if (groupOf(id).isEmpty()) return;
      goTo(button("perspective-" + id));
      QTest::keyClick(&button("perspective-" + id), Qt::Key_Space);
      return;
    }
    goTo(button("morePages"));
    inMenu([&](QMenu& menu) {
      do {
        QTest::keyClick(&menu, Qt::Key_Down);
      } while (menu.activeAction()->objectName() != "show-" + id && menu.activeAction() != menu.actions().back());
      QTest::keyClick(&menu, Qt::Key_Return);
    });
    QTest::keyClick(&button("morePages"), Qt::Key_Space);
  }
  /// Goes to a button with Tab.
  void goTo(const QToolButton& wanted) const {
    // The offscreen platform leaves a closed menu active.
    m_desk->window->activateWindow();
    QTRY_COMPARE(QApplication::activeWindow(), m_desk->window.get());
    for (int i = 0; i < 200 && !wanted.hasFocus(); ++i) QTest::keyClick(m_desk->window->focusWidget(), Qt::Key_Tab);
    QVERIFY2(wanted.hasFocus(), qPrintable(wanted.objectName()));
  }
  /// Acts in the menu once it is open; opening it returns only then.
  template <class Act>
  void inMenu(Act act) const {
    QTimer::singleShot(0, m_desk->window.get(), [act] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      QVERIFY(menu != nullptr);
      act(*menu);
      menu->close();
    });
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::vector<PerspectiveRow> m_pages;
  std::unique_ptr<test::WindowDesk> m_desk;
};

QTEST_MAIN(TestMorePages)
#include "tst_more_pages.moc"
