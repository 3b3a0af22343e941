// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QAction>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

#include "app/explorer/window_desk.h"
#include "support/warnings.h"
#include "views/shell/perspective_bar.h"
#include "workspace/presets.h"

using namespace p2;
using namespace p2::views;
using p2::test::WindowDesk;

class TestWindowDocument : public QObject, private test::TestedWindow {
  Q_OBJECT

 private slots:
  void init() {
    test::failOnWarnings();
    open();
  }

  void cleanup() { close(); }

  void undoAndRedoByKey() {
    const Bytes before = m_desk->session.workspace()->options.cost.bytes;
    QVERIFY(!m_desk->find<QAction>("undoAction")->isEnabled());
    m_desk->editBytes(1e6);
    QVERIFY(m_desk->find<QAction>("undoAction")->text().contains("Change the bytes"));
    m_desk->key(Qt::Key_Z);
    QCOMPARE(m_desk->session.workspace()->options.cost.bytes, before);
    m_desk->key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(m_desk->session.workspace()->options.cost.bytes, Bytes(1e6));
    m_desk->key(Qt::Key_Z);
    m_desk->key(Qt::Key_Y);
    QCOMPARE(m_desk->session.workspace()->options.cost.bytes, Bytes(1e6));
  }

  void savingByKeyClearsTheMark() {
    m_desk->editBytes(1e6);
    QVERIFY(m_desk->window->isWindowModified());
    QCOMPARE(m_desk->window->windowTitle(), "P² Explorer — a100-4x16.p2.json[*]");
    m_desk->answers.savePath = m_folder->filePath("mine.p2.json");
    m_desk->key(Qt::Key_S);
    QTRY_VERIFY(!m_desk->window->isWindowModified());
    QCOMPARE(m_desk->window->windowTitle(), "P² Explorer — mine.p2.json[*]");
    m_desk->key(Qt::Key_N);
    QCOMPARE(m_desk->window->windowTitle(), "P² Explorer — Untitled[*]");
  }

  /// An example whose system was replaced is not named after the example any more.
  void anExampleThatWasReplacedIsUntitled() {
    const Workspace example = *m_desk->session.workspace();
    m_desk->session.edit("Another system", withSystem(example, presetSystem("dgx-h100", 12).value()));
    QCOMPARE(m_desk->window->windowTitle(), "P² Explorer — Untitled: dgx-h100:12[*]");
    TrainingChoice training = m_desk->session.workspace()->training;
    training.model = "llama3-8b";
    m_desk->session.editTraining("A model", training);
    QCOMPARE(m_desk->window->windowTitle(), "P² Explorer — Untitled: llama3-8b on dgx-h100:12[*]");
    m_desk->key(Qt::Key_Z);
    m_desk->key(Qt::Key_Z);
    QCOMPARE(m_desk->window->windowTitle(), "P² Explorer — a100-4x16.p2.json[*]");
  }

  void aProblemIsSaidUntilMended() {
    auto* banner = m_desk->find<QWidget>("problemBanner");
    QVERIFY(!banner->isVisible());
    Workspace broken = *m_desk->session.workspace();
    broken.axes[0].size = 7;
    m_desk->session.edit("Break", broken);
    QVERIFY(banner->isVisible());
    QVERIFY(m_desk->find<QLabel>("problemBannerText")->text().contains("64"));
    m_desk->key(Qt::Key_Z);
    QVERIFY(!banner->isVisible());
  }

  // The ranking of placements is not possible either, for the same reason, which is said once.
  void aProblemIsSaidOnce() {
    m_desk->documents.openExample("llama3-70b-fsdp32-tp8");
    QTRY_VERIFY(m_desk->session.workspace()->workload.has_value());
    m_desk->key(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(m_desk->session.isCurrent() && m_desk->session.jobs().running().empty());
    Workspace broken = *m_desk->session.workspace();
    broken.axes[0].size = 7;
    m_desk->session.edit("Break", broken);
    const QString stated = m_desk->find<QLabel>("problemBannerText")->text();
    QTRY_VERIFY(m_desk->find<QWidget>("problemBanner")->isVisible() && m_desk->session.jobs().running().empty());
    for (const QLabel* label : m_desk->window->findChildren<QLabel*>()) {
      if (!label->isVisible() || label->objectName() == "problemBannerText") continue;
      QVERIFY2(!label->text().contains(stated), qPrintable(label->objectName()));
    }
  }

  // Where the axes are edited they say it; on Cluster nothing covers the choice of the load.
  void aPageThatSaysItHasNoBanner() {
    Workspace broken = *m_desk->session.workspace();
    broken.axes[0].size = 7;
    m_desk->session.edit("Break", broken);
    auto* banner = m_desk->find<QWidget>("problemBanner");
    QTRY_VERIFY(banner->isVisible());
    for (const auto& [key, label] : {std::pair(Qt::Key_1, "loadProblem"), std::pair(Qt::Key_7, "axesFit")}) {
      m_desk->key(key);
      const auto* stated = m_desk->find<QLabel>(label);
      QTRY_VERIFY2(stated->isVisible() && stated->text().contains("64"), label);
      QVERIFY2(!banner->isVisible() && !m_desk->find<QWidget>("bannerArea")->isVisible(), label);
    }
    m_desk->key(Qt::Key_Z);
    broken = *m_desk->session.workspace();
    broken.system.levels[0].name.clear();
    m_desk->session.edit("Break", broken);
    QVERIFY(banner->isVisible());
  }

  void aWorkloadForOtherDevicesIsSaidOnce() {
    m_desk->documents.openExample("llama3-70b-fsdp32-tp8");
    m_desk->key(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    const Session& session = m_desk->session;
    QTRY_VERIFY(session.workspace()->workload && session.isCurrent() && m_desk->session.jobs().running().empty());
    Workspace smaller = withSystem(*session.workspace(), presetSystem("dgx-h100", 16).value());
    smaller.training = {};
    m_desk->session.edit("Fewer nodes", smaller);
    auto* fix = m_desk->find<QPushButton>("fixWorkload");
    QTRY_VERIFY(fix->isVisible() && session.problem() && !m_desk->find<QWidget>("problemBanner")->isVisible());
    QTest::mouseClick(fix, Qt::LeftButton);
    QTRY_VERIFY(!session.problem() && !fix->isVisible());
  }

  // What appears over the page moves nothing, and does not come to lie under the mouse.
  void aBannerMovesNothing_data() {
    QTest::addColumn<bool>("mouseBelow");
    QTest::newRow("mouse above") << false;
    QTest::newRow("mouse below") << true;
  }
  void aBannerMovesNothing() {
    QFETCH(bool, mouseBelow);
    m_desk->key(Qt::Key_7);
    QTRY_VERIFY(m_desk->session.isCurrent() && m_desk->session.jobs().running().empty());
    // What is said of the placements has just been written, and has to be laid out.
    for (int round = 0; round < 5; ++round) QCoreApplication::processEvents();
    auto* page = m_desk->find<QWidget>("placementPerspective");
    auto* table = m_desk->find<QTableView>("placementsTable");
    const auto seen = [&] {
      return QList<QRect>{{page->mapTo(m_desk->window.get(), QPoint()), page->size()},
                          {table->mapTo(m_desk->window.get(), QPoint()), table->size()}};
    };
    const QList<QRect> before = seen();
    QCursor::setPos(page->mapToGlobal(QPoint(page->width() / 2, mouseBelow ? page->height() - 4 : 4)));
    auto* banner = m_desk->find<QWidget>("troubleBanner");
    m_desk->documents.openFile(m_folder->filePath("nowhere.json"));
    QTRY_VERIFY(banner->isVisible());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QCOMPARE(seen(), before);
    const QRect covered(page->mapFromGlobal(banner->mapToGlobal(QPoint())), banner->size());
    QVERIFY(page->rect().contains(covered));
    QVERIFY(!covered.contains(page->mapFromGlobal(QCursor::pos())));
    QCOMPARE(covered.top() == 0, mouseBelow);
    QTest::mouseClick(m_desk->find<QPushButton>("troubleDismiss"), Qt::LeftButton);
    QVERIFY(!banner->isVisible() && !m_desk->find<QWidget>("bannerArea")->isVisible());
    QCOMPARE(seen(), before);
  }

  // Esc takes back what was typed, then leaves the field, and goes back only when there is nothing else to be left.
  void escRevertsAFieldBeforeItGoesBack() {
    m_desk->key(Qt::Key_1);
    auto* fold = m_desk->find<QAbstractButton>("modelFold");
    if (!m_desk->find<QLineEdit>("optionBytes")->isVisible()) fold->click();
    auto* bytes = m_desk->find<QLineEdit>("optionBytes");
    bytes->setFocus();
    const QString before = bytes->text();
    bytes->selectAll();
    QTest::keyClicks(bytes, "nonsense");
    QTest::keyClick(bytes, Qt::Key_Return);
    QVERIFY(m_desk->find<QLabel>("optionBytesProblem")->isVisible());
    QTest::keyClick(bytes, Qt::Key_Escape);
    QCOMPARE(bytes->text(), before);
    QVERIFY(!m_desk->find<QLabel>("optionBytesProblem")->isVisible());
    QVERIFY(bytes->hasFocus());
    QCOMPARE(m_desk->shownPage(), "system");
    auto* repeat = m_desk->find<QSpinBox>("optionRepeat");
    repeat->setFocus();
    const int times = repeat->value();
    repeat->selectAll();
    QTest::keyClicks(repeat, "77");
    QTest::keyClick(repeat, Qt::Key_Escape);
    QCOMPARE(repeat->text(), QString::number(times));
    QCOMPARE(m_desk->session.undoStack().count(), 0);
    QTest::keyClick(repeat, Qt::Key_Escape);
    QVERIFY(!repeat->hasFocus());
    QCOMPARE(m_desk->shownPage(), "system");
    m_desk->key(Qt::Key_Escape, Qt::NoModifier);
    QCOMPARE(m_desk->shownPage(), "system");
  }

  void aFileThatCannotBeOpenedIsSaidInline() {
    WindowDesk other(m_folder->path(), m_folder->filePath("nowhere.json"));
    auto* banner = other.find<QWidget>("troubleBanner");
    QTRY_VERIFY(banner->isVisible());
    QVERIFY(other.find<QLabel>("troubleBannerText")->text().contains("nowhere.json"));
    QTest::mouseClick(other.find<QPushButton>("troubleDismiss"), Qt::LeftButton);
    QVERIFY(!banner->isVisible());
  }

  void closingAsksAboutUnsavedChanges_data() {
    QTest::addColumn<int>("answer");
    QTest::addColumn<bool>("closed");
    QTest::newRow("save") << int(DocumentDialogs::Unsaved::Save) << true;
    QTest::newRow("discard") << int(DocumentDialogs::Unsaved::Discard) << true;
    QTest::newRow("cancel") << int(DocumentDialogs::Unsaved::Cancel) << false;
  }
  void closingAsksAboutUnsavedChanges() {
    QFETCH(int, answer);
    QFETCH(bool, closed);
    m_desk->editBytes(3);
    m_desk->answers.unsaved = DocumentDialogs::Unsaved(answer);
    m_desk->answers.savePath = m_folder->filePath("closing.json");
    m_desk->window->close();
    QTRY_COMPARE(m_desk->window->isVisible(), !closed);
    QCOMPARE(QFile::exists(m_desk->answers.savePath), answer == int(DocumentDialogs::Unsaved::Save));
  }

  void choosingByKeysIsAnEditLikeAnyOther() {
    m_desk->key(Qt::Key_7);
    const int best = m_desk->session.placementIndex();
    const auto answer = m_desk->session.exploration();
    auto* table = m_desk->find<QTableView>("placementsTable");
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Down);
    QTest::keyClick(table, Qt::Key_Down);
    const int chosen = m_desk->session.placementIndex();
    QVERIFY(chosen != best);
    QVERIFY(m_desk->window->isWindowModified());
    QCOMPARE(m_desk->session.exploration(), answer);
    QVERIFY(m_desk->session.isCurrent());
    QVERIFY(m_desk->find<QAction>("undoAction")->text().contains("Choose placement"));
    QTest::keyClick(table, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(m_desk->session.placementIndex(), best);
    QVERIFY(!m_desk->window->isWindowModified());
    QTest::keyClick(table, Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(m_desk->session.placementIndex(), chosen);
    m_desk->answers.unsaved = DocumentDialogs::Unsaved::Cancel;
    m_desk->window->close();
    QCOMPARE(m_desk->answers.unsavedAsked, 1);
    QVERIFY(m_desk->window->isVisible());
    // Nothing of it is left in another document.
    m_desk->answers.unsaved = DocumentDialogs::Unsaved::Discard;
    m_desk->documents.openExample("a100-4x16");
    QTRY_VERIFY(m_desk->session.isCurrent());
    QCOMPARE(m_desk->session.placementIndex(), best);
    QVERIFY(!m_desk->window->isWindowModified());
  }

  void clickingAProgramIsAnEdit() {
    m_desk->key(Qt::Key_8);
    auto* table = m_desk->find<QTableView>("programTable");
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(1, 0)).center());
    QCOMPARE(m_desk->session.programIndex(), 1);
    QVERIFY(m_desk->window->isWindowModified());
    QVERIFY(m_desk->find<QAction>("undoAction")->text().contains("Choose program"));
    m_desk->key(Qt::Key_Z);
    QCOMPARE(m_desk->session.programIndex(), 0);
  }

  void notesAreTypedAndUndoneByKey() {
    m_desk->key(Qt::Key_1);
    auto* notes = m_desk->find<QPlainTextEdit>("notes");
    const QString before = notes->toPlainText();
    QVERIFY(!before.isEmpty());
    QTest::mouseClick(notes->viewport(), Qt::LeftButton);
    QTest::keyClick(notes, Qt::Key_End, Qt::ControlModifier);
    QTest::keyClicks(notes, " Ask Ann.");
    QCOMPARE(QString::fromStdString(m_desk->session.workspace()->notes), before + " Ask Ann.");
    QVERIFY(m_desk->window->isWindowModified());
    QTest::keyClick(notes, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(notes->toPlainText(), before);
    QVERIFY(!m_desk->window->isWindowModified());
    QTest::keyClick(notes, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(notes->toPlainText(), before + " Ask Ann.");
  }

  void savingAPlanIsSaidAndKeepsAPlan() {
    QVERIFY(!m_desk->find<QLabel>("saveNote")->isVisible());
    const QString path = m_folder->filePath("plan.json");
    m_desk->answers.exportTarget = DocumentDialogs::ExportTarget{path, "json"};
    m_desk->key(Qt::Key_E);
    QTRY_VERIFY(QFile::exists(path) && m_desk->session.jobs().running().empty());
    m_desk->documents.openFile(path);
    QTRY_VERIFY(m_desk->documents.path() == path && m_desk->session.isCurrent());
    QVERIFY(m_desk->find<QLabel>("saveNote")->isVisible());
    QVERIFY(m_desk->find<QLabel>("saveNote")
                ->text()
                .contains("Plan file: saving computes the groups and times of the program again"));
    m_desk->editBytes(1e6);
    m_desk->key(Qt::Key_S);
    QTRY_VERIFY(!m_desk->window->isWindowModified());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray saved = file.readAll();
    for (const char* key : {R"("p2-plan")", R"("lowered")", R"("predicted")"}) QVERIFY2(saved.contains(key), key);
  }

  void aLessonOpensAmongTheLessons() {
    const QString before = m_desk->documents.name();
    m_desk->editBytes(5);
    m_desk->answers.openPath = P2_RESOURCES "/lessons/05-order.json";
    m_desk->key(Qt::Key_O);
    QTRY_COMPARE(m_desk->shownPage(), "lessons");
    QTRY_VERIFY(m_desk->find<QLabel>("lessonPlace")->text().endsWith(": Order"));
    QCOMPARE(m_desk->documents.name(), before);
    QVERIFY(m_desk->documents.trouble().isEmpty());
    // Nothing takes the document's place, so nothing is asked and nothing lost.
    QCOMPARE(m_desk->answers.unsavedAsked, 0);
    QVERIFY(m_desk->documents.isModified());
    QCOMPARE(m_desk->session.workspace()->options.cost.bytes, Bytes(5.0));
    m_desk->session.undoStack().undo();
  }

  void closingDuringRunsAsks_data() {
    QTest::addColumn<bool>("end");
    QTest::newRow("end") << true;
    QTest::newRow("stay") << false;
  }
  void closingDuringRunsAsks() {
    QFETCH(bool, end);
    class Busy : public Perspective {
     public:
      [[nodiscard]] QString unfinished() const override { return "3 runs"; }
    };
    PerspectiveStack& stack = m_desk->window->perspectives();
    const PerspectiveFace face{"busy", "Busy", "run"};
    stack.add(face, [] { return new Busy; });
    m_desk->window->findChild<PerspectiveBar*>()->add(face);
    QVERIFY(stack.unfinished().isEmpty());  // nothing has been started there yet
    stack.showPerspective("busy");
    m_desk->answers.endWhile = end;
    m_desk->window->close();
    QCOMPARE(m_desk->answers.endWhileAsked, QStringList{"3 runs"});
    QCOMPARE(m_desk->window->isVisible(), !end);
  }
};

QTEST_MAIN(TestWindowDocument)
#include "tst_window_document.moc"
