// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

#include "app/explorer/main_window.h"
#include "views/shell/appearance.h"
#include "views/shell/chain_bar.h"
#include "views/shell/document_controller.h"
#include "views/shell/perspective_bar.h"
#include "views/shell/perspective_stack.h"
#include "views/shell/scripted_dialogs.h"
#include "views/shell/session.h"

using namespace p2;
using namespace p2::views;
using p2::explorer::MainWindow;
using p2::test::Answers;

namespace {

/// The program without its process.
struct Desk {
  explicit Desk(const QString& folder, const QString& file = {})
      : settings(folder + "/settings.ini", QSettings::IniFormat),
        appearance(settings),
        documents(session, answers, {settings, folder + "/recovery"}) {
    documents.start(file);
    window = std::make_unique<MainWindow>(MainWindow::Parts{session, documents, appearance, settings});
    window->show();
    window->activateWindow();
  }
  QString shownPage() const { return window->perspectives().faceOf(window->perspectives().currentPage()).id; }
  void key(int key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) const {
    QTest::keyClick(window.get(), Qt::Key(key), modifiers);
  }
  template <class T>
  T* find(const char* name) const {
    return window->findChild<T*>(name);
  }
  void editBytes(double bytes) {
    Workspace next = *session.workspace();
    next.options.cost.bytes = Bytes(bytes);
    session.edit("Change the bytes", next);
  }

  Answers answers;
  QSettings settings;
  Appearance appearance;
  Session session;
  DocumentController documents;
  std::unique_ptr<MainWindow> window;
};

}  // namespace

class TestMainWindow : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_desk = std::make_unique<Desk>(m_folder->path());
    QVERIFY(QTest::qWaitForWindowActive(m_desk->window.get()));
    QTRY_VERIFY(m_desk->session.isCurrent());
  }
  void cleanup() {
    m_desk.reset();
    m_folder.reset();
  }

  void keysTurnThePages() {
    const QStringList ids{"system", "placements", "programs", "costs", "strategy", "runs"};
    for (int i = 0; i < ids.size(); ++i) {
      m_desk->key(Qt::Key_1 + i);
      QCOMPARE(m_desk->shownPage(), ids[i]);
      QVERIFY(m_desk->find<QToolButton>(qPrintable("perspective-" + ids[i]))->isChecked());
    }
    m_desk->key(Qt::Key_Escape, Qt::NoModifier);
    QCOMPARE(m_desk->shownPage(), "strategy");
  }

  void everyPageHasAFace() {
    PerspectiveStack& stack = m_desk->window->perspectives();
    for (int page = 0; page < stack.pageCount(); ++page) {
      stack.showPage(page);
      const PerspectiveFace& face = stack.faceOf(page);
      QCOMPARE(stack.pageOf(face.id), page);
      QVERIFY(!face.title.isEmpty());
      QVERIFY2(QFile::exists(":/p2/icons/" + face.icon + ".svg"), qPrintable(face.icon));
      QVERIFY(!stack.current()->help().isEmpty());
    }
  }

  void theChainLeadsToThePages() {
    QTest::mouseClick(m_desk->find<ChainLink>("chainProgram"), Qt::LeftButton);
    QCOMPARE(m_desk->shownPage(), "programs");
    QTest::mouseClick(m_desk->find<ChainLink>("chainAxes"), Qt::LeftButton);
    QCOMPARE(m_desk->shownPage(), "system");
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

  void aFileThatCannotBeOpenedIsSaidInline() {
    Desk other(m_folder->path(), m_folder->filePath("nowhere.json"));
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
    m_desk->key(Qt::Key_2);
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
    m_desk->key(Qt::Key_3);
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
    QVERIFY(m_desk->find<QLabel>("saveNote")->text().contains("lowers and predicts"));
    m_desk->editBytes(1e6);
    m_desk->key(Qt::Key_S);
    QTRY_VERIFY(!m_desk->window->isWindowModified());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray saved = file.readAll();
    for (const char* key : {R"("p2-plan")", R"("lowered")", R"("predicted")"}) QVERIFY2(saved.contains(key), key);
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
      [[nodiscard]] QString help() const override { return "Runs."; }
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

  void theLastPageIsRemembered() {
    m_desk->key(Qt::Key_4);
    m_desk->window->close();
    m_desk.reset();
    m_desk = std::make_unique<Desk>(m_folder->path());
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

  void helpIsAKeyAway() {
    auto* panel = m_desk->find<QDockWidget>("helpPanel");
    QVERIFY(!panel->isVisible());
    m_desk->key(Qt::Key_F1, Qt::NoModifier);
    QTRY_VERIFY(panel->isVisible());
    const QString before = m_desk->find<QTextBrowser>("helpText")->toPlainText();
    QVERIFY(!before.isEmpty());
    m_desk->key(Qt::Key_3);
    QVERIFY(m_desk->find<QTextBrowser>("helpText")->toPlainText() != before);
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
    for (const char* key : {"Ctrl+1", "Ctrl+E", "F1", "F5", "Esc"}) {
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
    QCOMPARE(examples->actions().size(), 6);
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

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<Desk> m_desk;
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
