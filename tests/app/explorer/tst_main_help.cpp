// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMultiMap>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>

#include "app/explorer/perspectives.h"
#include "app/explorer/window_desk.h"
#include "manual/manual.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/fold_box.h"
#include "views/common/folding_panels.h"
#include "views/shell/chain_bar.h"
#include "views/shell/examples.h"

using namespace p2;
using namespace p2::views;

class TestMainHelp : public QObject, private test::TestedWindow {
  Q_OBJECT

 private slots:
  void init() {
    test::failOnWarnings();
    open();
  }

  void cleanup() { close(); }

  // Alt and a letter means one thing on every page, and each page's menu has a letter.
  void everyAltKeyIsUnique() {
    QStringList faults;
    for (const explorer::PerspectiveRow& row : explorer::perspectives()) {
      const QString id = row.face().id;
      m_desk->window->perspectives().showPerspective(id);
      QTRY_VERIFY_WITH_TIMEOUT(m_desk->session.jobs().running().empty(), 20000);
      for (auto* fold : m_desk->window->perspectives().current()->findChildren<views::FoldBox*>()) fold->setOpen(true);
      QMultiMap<QString, QString> keys;
      const auto add = [&](const QString& text, const QString& of) {
        const QKeySequence key = QKeySequence::mnemonic(text);
        if (!key.isEmpty()) keys.insert(key.toString(), of + ' ' + text);
      };
      for (const QAction* menu : m_desk->window->menuBar()->actions()) {
        if (menu->isVisible()) add(menu->text(), "menu");
        if (menu->isVisible() && QKeySequence::mnemonic(menu->text()).isEmpty()) faults << id + ": " + menu->text();
      }
      for (const auto* button : m_desk->window->findChildren<QAbstractButton*>()) {
        const bool here = button->isVisible() && button->window() == m_desk->window.get();
        if (here && button->isEnabled()) add(button->text(), button->objectName());
      }
      for (const auto* label : m_desk->window->findChildren<QLabel*>()) {
        if (label->isVisible() && label->buddy() != nullptr) add(label->text(), label->objectName());
      }
      for (const auto* tabs : m_desk->window->findChildren<QTabBar*>()) {
        for (int tab = 0; tabs->isVisible() && tab < tabs->count(); ++tab) add(tabs->tabText(tab), tabs->objectName());
      }
      for (const QString& key : keys.uniqueKeys()) {
        if (keys.count(key) > 1) faults << id + ": " + key + ": " + QStringList(keys.values(key)).join(", ");
      }
    }
    QVERIFY2(faults.isEmpty(), qPrintable('\n' + faults.join('\n')));
  }

  void whatAPageCanDoHasAMenuOfItsOwn() {
    m_desk->key(Qt::Key_1);
    auto* menu = m_desk->find<QMenu>("pageMenu");
    QVERIFY(menu != nullptr && m_desk->window->menuBar()->actions().contains(menu->menuAction()));
    QCOMPARE(QString(menu->title()).remove('&'), QString("Cluster"));
    QVERIFY(menu->actions().contains(m_desk->find<QAction>("systemExport")));
    m_desk->window->perspectives().showPerspective(kStartPage);
    QVERIFY(!menu->menuAction()->isVisible());
  }

  void helpIsAKeyAway() {
    auto* panel = m_desk->find<QDockWidget>("helpPanel");
    QVERIFY(!panel->isVisible());
    m_desk->key(Qt::Key_F1, Qt::NoModifier);
    QTRY_VERIFY(panel->isVisible());
    auto* text = m_desk->find<QTextBrowser>("helpText");
    QVERIFY(text->toPlainText().startsWith("The window, page by page"));
    // The section of the perspective on screen stands at the top, or as near to it as the end of the page allows.
    for (const int page : {Qt::Key_1, Qt::Key_7, Qt::Key_8, Qt::Key_3}) {
      m_desk->key(page);
      const PerspectiveStack& stack = m_desk->window->perspectives();
      const QString title = stack.faceOf(stack.currentPage()).title;
      QTRY_COMPARE(text->textCursor().block().text(), title);
      const QScrollBar* bar = text->verticalScrollBar();
      QTRY_VERIFY(text->cursorRect().top() >= 0 && (text->cursorRect().top() < 40 || bar->value() == bar->maximum()));
    }
    // A page of its own, and back.
    auto* pages = m_desk->find<QComboBox>("helpPages");
    pages->setFocus();
    // Letters that come slowly would be searches of their own.
    QApplication::setKeyboardInputInterval(60'000);
    QTest::keyClicks(pages, "Costs");
    QTest::keyClick(pages, Qt::Key_Return);
    QTRY_VERIFY(text->toPlainText().startsWith("Costs"));
    QCOMPARE(pages->currentText(), QString("Costs"));
    text->backward();
    QCOMPARE(pages->currentIndex(), 0);
    m_desk->key(Qt::Key_F1, Qt::NoModifier);
    QTRY_VERIFY(!panel->isVisible());
  }

  void importsASystem() {
    m_desk->key(Qt::Key_I);
    auto* description = m_desk->find<QLineEdit>("importDescription");
    QVERIFY(description);
    m_desk->find<QComboBox>("importSource")->setCurrentIndex(2);
    QTest::keyClicks(description, "pack:2 core:4 pu:1");
    auto* import = m_desk->find<QPushButton>("importAccept");
    QTRY_VERIFY(import->isEnabled());
    QTest::mouseClick(import, Qt::LeftButton);
    QCOMPARE(m_desk->session.workspace()->system.deviceCount(), std::int64_t(8));
    QCOMPARE(m_desk->session.undoStack().undoText(), QString("Import system"));
  }

  void shortcutsAndLicencesAreListed() {
    trigger("helpMenu", "Keyboard shortcuts");
    auto* shortcuts = m_desk->find<QTextBrowser>("shortcutsDialogText");
    QVERIFY(shortcuts);
    for (const char* key : {"Ctrl+1", "Ctrl+E", "F1", "F5", "Esc", "+ and −", "Shift and the arrow keys"}) {
      QVERIFY2(shortcuts->toPlainText().contains(key), key);
    }
    trigger("helpMenu", "About P² Explorer");
    auto* about = m_desk->find<QTextBrowser>("aboutDialogText");
    QVERIFY(about);
    for (const char* name : {"GNU General Public License", "QCustomPlot", "MIT", "2110.10548"}) {
      QVERIFY2(about->toPlainText().contains(name), name);
    }
  }

  void examplesAndRecentFilesAreInTheMenu() {
    QMenu* examples = m_desk->find<QMenu>("examplesMenu");
    QCOMPARE(examples->actions().size(), 12);
    examples->actions().last()->trigger();
    QTRY_COMPARE(m_desk->session.workspace()->system.name, "node:2 gpu:4");
    m_desk->answers.savePath = m_folder->filePath("recent.json");
    m_desk->key(Qt::Key_S);
    QTRY_COMPARE(m_desk->documents.path(), m_desk->answers.savePath);
    QMenu* recent = m_desk->find<QMenu>("recentMenu");
    emit recent->aboutToShow();
    QCOMPARE(recent->actions().first()->text(), "recent.json");
  }

  void everythingInteractiveIsNamedAndReachable() {
    PerspectiveStack& stack = m_desk->window->perspectives();
    for (int page = 0; page < stack.pageCount(); ++page) stack.showPage(page);
    for (const QAbstractButton* button : m_desk->window->findChildren<QAbstractButton*>()) {
      // Qt's own parts of dock widgets, fields and tables have their own ways.
      if (button->objectName().startsWith("qt_") || button->inherits("QDockWidgetTitleButton")) continue;
      if (button->inherits("QLineEditIconButton")) continue;
      if (qobject_cast<QAbstractItemView*>(button->parentWidget())) continue;
      if (button->parentWidget() && button->parentWidget()->inherits("QTabBar")) continue;
      // The button of an empty page that has nothing to offer yet.
      if (button->isHidden()) continue;
      const QString where =
          QString("%1 in %2")
              .arg(button->metaObject()->className(), button->parentWidget()->objectName() + " " + button->text());
      QVERIFY2(!button->objectName().isEmpty(), qPrintable(where));
      QVERIFY2(!button->toolTip().isEmpty(), qPrintable(button->objectName()));
      QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(), qPrintable(button->objectName()));
      QVERIFY2(button->focusPolicy() & Qt::TabFocus, qPrintable(button->objectName()));
    }
  }

 private:
  void trigger(const char* menu, const QString& text) {
    for (QAction* action : m_desk->find<QMenu>(menu)->actions()) {
      if (action->text().remove('&') == text) return action->trigger();
    }
    QFAIL(qPrintable("no action " + text));
  }
};

QTEST_MAIN(TestMainHelp)
#include "tst_main_help.moc"
