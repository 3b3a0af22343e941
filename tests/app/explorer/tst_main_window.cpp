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
#include <QSet>
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
using p2::test::WindowDesk;

class TestMainWindow : public QObject, private test::TestedWindow {
  Q_OBJECT

 private slots:
  void init() {
    test::failOnWarnings();
    open();
  }

  void cleanup() { close(); }

  void keysTurnThePages() {
    const auto pages = explorer::perspectives();
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const QString id = pages[i].face().id;
      const QKeySequence keys(pages[i].place().key);
      QVERIFY2(keys.count() == 1, qPrintable(id));
      m_desk->key(keys[0].key(), keys[0].keyboardModifiers());
      QCOMPARE(m_desk->shownPage(), id);
      QVERIFY(m_desk->find<QToolButton>(qPrintable("perspective-" + id))->isChecked());
    }
    m_desk->key(Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(m_desk->shownPage(), "lessons");
    // Escape leaves fields and lists, never the page.
    m_desk->key(Qt::Key_Escape, Qt::NoModifier);
    QCOMPARE(m_desk->shownPage(), pages[pages.size() - 2].face().id);
  }

  void escapeClosesAListBeforeThePage() {
    m_desk->key(Qt::Key_2);
    m_desk->key(Qt::Key_1);
    QCOMPARE(m_desk->shownPage(), "system");
    auto* preset = m_desk->find<QComboBox>("systemPreset");
    preset->showPopup();
    QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
    // As it comes from the keyboard: to the window's shortcuts first.
    QTest::keyClick(m_desk->window->windowHandle(), Qt::Key_Escape);
    QTRY_VERIFY(QApplication::activePopupWidget() == nullptr);
    QCOMPARE(m_desk->shownPage(), "system");
  }

  // What was typed and taken over is the document's to undo, from within the field as well.
  void undoInAFieldIsTheDocuments() {
    m_desk->key(Qt::Key_1);
    auto* text = m_desk->find<QLineEdit>("systemText");
    views::FoldingPanels::revealAll(*text);
    const System before = m_desk->session.workspace()->system;
    text->setFocus(Qt::MouseFocusReason);
    text->selectAll();
    QTest::keyClicks(text, "rack:3 node:5@20GB/s gpu:6");
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_VERIFY(m_desk->session.workspace()->system != before);
    QVERIFY(text->hasFocus());
    QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(m_desk->session.workspace()->system, before);
  }

  void beginsWithWhatCameOut() {
    QCOMPARE(m_desk->shownPage(), "start");
    QVERIFY(m_desk->find<QLabel>("finding")->text().startsWith("The best plan takes 283 ms, "));
    QTest::mouseClick(m_desk->find<QToolButton>("example-tpu-v4-4x16"), Qt::LeftButton);
    QTRY_COMPARE(m_desk->documents.name(), QString("tpu-v4-4x16.p2.json"));
    QTest::mouseClick(m_desk->find<QPushButton>("startSystem"), Qt::LeftButton);
    QCOMPARE(m_desk->shownPage(), "system");
    m_desk->key(Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(m_desk->shownPage(), "start");
  }

  void everyPageFitsASmallScreen() {
    constexpr QSize screen(1024, 700);
    PerspectiveStack& stack = m_desk->window->perspectives();
    for (const explorer::PerspectiveRow& row : explorer::perspectives()) {
      const QString page = row.face().id;
      stack.showPerspective(page);
      QTRY_VERIFY(m_desk->session.jobs().running().empty());
      m_desk->window->resize(screen);
      QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
      const QSize least = m_desk->window->minimumSizeHint();
      QVERIFY2(least.width() <= screen.width() && least.height() <= screen.height(),
               qPrintable(QString("%1 needs %2 x %3").arg(page).arg(least.width()).arg(least.height())));
      QTRY_COMPARE(m_desk->window->size(), screen);
    }
    // What is read in a lesson is not scrolled sideways.
    stack.showPerspective(kLessonsPage);
    auto* page = m_desk->find<QScrollArea>("lessonScroll");
    QVERIFY(page->isVisible());
    QTRY_COMPARE(page->horizontalScrollBar()->maximum(), 0);
  }

  void everyPageHasAFace() {
    PerspectiveStack& stack = m_desk->window->perspectives();
    for (int page = 0; page < stack.pageCount(); ++page) {
      stack.showPage(page);
      const PerspectiveFace& face = stack.faceOf(page);
      QCOMPARE(stack.pageOf(face.id), page);
      QVERIFY(!face.title.isEmpty());
      QVERIFY2(QFile::exists(":/p2/icons/" + face.icon + ".svg"), qPrintable(face.icon));
      const QString heading = "\n## " + face.title + "\n";
      QVERIFY2(manualPage("window")->markdown.find(heading.toStdString()) != std::string_view::npos,
               qPrintable(heading));
    }
    QSet<int> positions;
    for (const explorer::PerspectiveRow& row : explorer::perspectives()) positions.insert(row.place().position);
    QCOMPARE(positions.size(), stack.pageCount());
  }

  void theChainLeadsToThePages() {
    QTest::mouseClick(m_desk->find<ChainLink>("chainProgram"), Qt::LeftButton);
    QCOMPARE(m_desk->shownPage(), "programs");
    QTest::mouseClick(m_desk->find<ChainLink>("chainSystem"), Qt::LeftButton);
    QCOMPARE(m_desk->shownPage(), "system");
    QTest::mouseClick(m_desk->find<ChainLink>("chainAxes"), Qt::LeftButton);
    QCOMPARE(m_desk->shownPage(), "placements");
  }

  // Also where the page that is open ranks nothing, as when one begins where one was.
  void theStepsBestIsProposedOnEveryPage() {
    m_desk->window->findChild<PerspectiveStack*>()->showPerspective(kProgramsPage);
    m_desk->session.reset(test::valueOf(readExample("llama3-70b-fsdp32-tp8")));
    QTRY_VERIFY(m_desk->session.placement() != nullptr);
    QTRY_COMPARE(m_desk->session.placement()->matrix.text(), std::string("[[32,1],[1,8]]"));
    QCOMPARE(m_desk->shownPage(), "programs");
    QVERIFY(m_desk->session.undoStack().isClean());
  }

  void theChainIsNotCutWhenThereIsRoom() {
    m_desk->window->resize(1400, 800);
    for (const char* name : {"chainSystem", "chainAxes", "chainPlacement", "chainProgram"}) {
      const ChainLink* link = m_desk->find<ChainLink>(name);
      QTRY_VERIFY2(link->width() >= link->sizeHint().width(), name);
      QVERIFY(link->sizeHint().width() > link->fontMetrics().horizontalAdvance(link->value()));
    }
  }

  void theSummarySaysItAll() {
    const QString summary = m_desk->find<QLabel>("summary")->toolTip();
    const QString question = "4 nodes × 16 GPUs · data 8, model 2, shards 4 · reduce data, shards";
    QVERIFY2(summary.startsWith(question + " · 5 placements · "), qPrintable(summary));
    QVERIFY(!summary.contains("out of date"));
    m_desk->editBytes(1e6);
    QVERIFY(m_desk->find<QLabel>("summary")->toolTip().contains("out of date"));
    QTRY_VERIFY(m_desk->session.isCurrent());
    QVERIFY(!m_desk->find<QLabel>("summary")->toolTip().contains("out of date"));
  }

  void theLastPageIsRemembered() {
    m_desk->key(Qt::Key_9);
    m_desk->window->close();
    m_desk.reset();
    m_desk = std::make_unique<WindowDesk>(m_folder->path());
    QCOMPARE(m_desk->shownPage(), "costs");
  }

  void largeTextFitsAFullHdScreen() {
    m_desk->appearance.setTextZoom(200);
    PerspectiveStack& stack = m_desk->window->perspectives();
    for (int page = 0; page < stack.pageCount(); ++page) {
      stack.showPage(page);
      m_desk->window->resize(1920, 1040);
      QTRY_COMPARE(m_desk->window->size(), QSize(1920, 1040));
    }
    m_desk->appearance.setTextZoom(100);
  }

 private:
  void trigger(const char* menu, const QString& text) {
    for (QAction* action : m_desk->find<QMenu>(menu)->actions()) {
      if (action->text().remove('&') == text) return action->trigger();
    }
    QFAIL(qPrintable("no action " + text));
  }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
