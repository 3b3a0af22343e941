// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "app/explorer/driven_window.h"
#include "lesson/bundled_lessons.h"
#include "lesson/lesson_check.h"
#include "support/fixtures.h"
#include "synthesis/instruction.h"
#include "views/common/player_bar.h"
#include "views/lesson/lesson_maker.h"
#include "views/lesson/mark_grid.h"
#include "views/present/present_window.h"
#include "views/start/door_button.h"

using namespace p2;
using namespace p2::views;

/// What a student and a teacher came for, done with mouse and keys alone in the whole window: how many actions it takes
/// (UiDriver says what is one) is printed, and may not become more.
class TestFirstLecture : public QObject, test::DrivenWindow {
  Q_OBJECT

 private slots:
  void initTestCase() { QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }
  void init() { openWindow(); }
  void cleanup() { closeWindow(); }

  void theFirstLesson();
  void aColumnIsMarked();
  void threeLessonsWithWrongAnswers();
  void threeLessonsWithTheKeyboard();
  void theRaceInTrueTime();
  void anOwnProgramFromNothing();
  void oneMoreNode();
  void theLoadOfOneAllReduce();
  void thePresentation();
  void theLectureKit();
  void anOwnLesson();

 private:
  [[nodiscard]] bool settled() const { return m_desk->session.jobs().running().empty(); }
  [[nodiscard]] QString verdict() const { return find<QLabel>("lessonVerdict").text(); }
  void openFirstLesson() {
    m_driver->click(find<DoorButton>("doorLearn"));
    QTRY_COMPARE(m_desk->shownPage(), QString("lessons"));
    QTRY_VERIFY(settled() && find<QLabel>("lessonPlace").text().startsWith("Lesson 1 of "));
  }
  void clickAt(QWidget& widget, QPoint at) {
    m_driver->count(1);
    QTest::mouseClick(&widget, Qt::LeftButton, {}, at);
  }
  /// Marks whole columns and rows by their headers, and cell by cell what is left.
  void mark(const std::vector<bool>& cells) {
    auto& grid = find<MarkGrid>("markGrid");
    const auto side = std::size_t(qRound(std::sqrt(double(cells.size()))));
    const auto wanted = [&](std::size_t row, std::size_t column) { return cells[row * side + column]; };
    const auto click = [&](std::size_t cell, QPoint by) { clickAt(grid, grid.rectOf(cell).center() + by); };
    const int pitch = grid.rectOf(side + 1).top() - grid.rectOf(0).top();
    if (std::find(cells.begin(), cells.end(), false) == cells.end()) click(0, {-pitch, -pitch});
    for (std::size_t line = 0; side * side == cells.size() && line < side; ++line) {
      std::size_t inColumn = 0;
      std::size_t inRow = 0;
      for (std::size_t other = 0; other < side; ++other) inColumn += wanted(other, line);
      for (std::size_t other = 0; other < side; ++other) inRow += wanted(line, other);
      if (inColumn == side && !grid.marks()[line]) click(line, {0, -pitch});
      if (inRow == side && inColumn != side) click(line * side, {-pitch, 0});
    }
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (grid.marks()[cell] != cells[cell]) click(cell, {});
    }
  }
  /// A click is the answer; where it shows a program first, a double click.
  void choose(int row) {
    auto& list = find<QListWidget>("answerChoice");
    const QPoint at = list.visualItemRect(list.item(row)).center();
    clickAt(*list.viewport(), at);
    if (verdict().isEmpty()) QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, at);
  }
  void addStep(const PreparedPage& page, const Instruction& step) {
    auto& table = find<QTableWidget>("stepTable");
    const QString text = QString::fromStdString(programText(*page.result().hierarchy, {step}));
    for (int row = 0; row < table.rowCount(); ++row) {
      for (int column = 0; column < table.columnCount(); ++column) {
        if (table.item(row, column)->data(Qt::UserRole).toString() != text) continue;
        return clickAt(*table.viewport(), table.visualItemRect(table.item(row, column)).center());
      }
    }
    QFAIL(qPrintable(text));
  }
  /// Lines by Ctrl+Space and Ctrl+A, other cells one by one.
  void markByKeys(const std::vector<bool>& cells) {
    auto& grid = find<MarkGrid>("markGrid");
    const auto side = std::size_t(qRound(std::sqrt(double(cells.size()))));
    if (std::find(cells.begin(), cells.end(), false) == cells.end())
      return m_driver->key(Qt::Key_A, Qt::ControlModifier);
    const auto walk = [&](std::size_t from, std::size_t to, Qt::Key back, Qt::Key on) {
      for (std::size_t i = from; i != to; i < to ? ++i : --i) m_driver->key(from < to ? on : back);
    };
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (grid.marks()[cell] == cells[cell]) continue;
      walk(grid.cursor() % side, cell % side, Qt::Key_Left, Qt::Key_Right);
      walk(grid.cursor() / side, cell / side, Qt::Key_Up, Qt::Key_Down);
      bool column = side * side == cells.size();
      for (std::size_t row = 0; column && row < side; ++row) column = cells[row * side + cell % side];
      m_driver->key(Qt::Key_Space, column ? Qt::ControlModifier : Qt::NoModifier);
    }
    QCOMPARE(grid.marks(), cells);
  }
  void answerByKeys(const PreparedPage& page) {
    if (std::holds_alternative<WatchTask>(page.page.task.kind)) return m_driver->key(Qt::Key_End);
    const LessonAnswer right = *expectedAnswer(page);
    if (const auto* composed = std::get_if<ComposedProgram>(&right)) {
      QTest::keyClicks(QApplication::focusWidget(), QString::fromStdString(composed->text));
      m_driver->count(1);
    } else if (const auto* chosen = std::get_if<ChosenCandidate>(&right)) {
      for (std::size_t i = 0; i <= chosen->index; ++i) m_driver->key(Qt::Key_Down);
    } else {
      markByKeys(std::get<PaintedCells>(right).cells);
    }
    m_driver->key(Qt::Key_Return);
  }
  void check() { m_driver->click(find<QPushButton>("checkAnswerButton")); }
  void answer(const PreparedPage& page) {
    const LessonAnswer right = *expectedAnswer(page);
    if (const auto* chosen = std::get_if<ChosenCandidate>(&right)) return choose(int(chosen->index));
    if (const auto* painted = std::get_if<PaintedCells>(&right)) mark(painted->cells);
    if (const auto* composed = std::get_if<ComposedProgram>(&right)) {
      const Program program = programOf(page, composed->text).value();
      // It is right as soon as its last step stands.
      for (const Instruction& step : program) addStep(page, step);
      return;
    }
    check();
  }
  /// One that is wrong, with as few clicks as it takes: a cell too many, or where all are right, a cell alone.
  void answerWrongly(const PreparedPage& page) {
    const LessonAnswer right = *expectedAnswer(page);
    if (const auto* chosen = std::get_if<ChosenCandidate>(&right)) return choose(chosen->index == 0 ? 1 : 0);
    const auto* painted = std::get_if<PaintedCells>(&right);
    QVERIFY(painted != nullptr);
    const auto wrong = std::find(painted->cells.begin(), painted->cells.end(), false) - painted->cells.begin();
    auto& grid = find<MarkGrid>("markGrid");
    clickAt(grid, grid.rectOf(wrong == std::ssize(painted->cells) ? 0 : std::size_t(wrong)).center());
    check();
  }
};

void TestFirstLecture::theFirstLesson() {
  openFirstLesson();
  atMost(1);
}

void TestFirstLecture::aColumnIsMarked() {
  openFirstLesson();
  m_driver->count(-m_driver->actions());
  std::vector<bool> column(16);
  for (std::size_t row = 0; row < 4; ++row) column[row * 4 + 2] = true;
  mark(column);
  QCOMPARE(find<MarkGrid>("markGrid").marks(), column);
  atMost(1);
}

// Every page of lessons 1 to 3, each with a wrong answer before the right one where it has an answer; no key is typed.
void TestFirstLecture::threeLessonsWithWrongAnswers() {
  openFirstLesson();
  for (int row = 0; row < 3; ++row) {
    const Lesson lesson = lessonFromJson(bundledLessons()[std::size_t(row)].json).value();
    for (const LessonPage& each : lesson.pages) {
      const auto page = preparePage(each);
      QVERIFY(page.ok());
      QTRY_VERIFY(settled());
      if (std::holds_alternative<WatchTask>(each.task.kind)) {
        auto& bar = *find<QWidget>("lessonStageView").parentWidget()->findChild<PlayerBar*>();
        m_driver->click(*bar.findChild<QToolButton*>("lastButton"));
      } else {
        if (!std::holds_alternative<ComposeTask>(each.task.kind)) {
          answerWrongly(*page);
          QTRY_VERIFY2(settled() && verdict().startsWith("✗"), qPrintable(verdict()));
        }
        answer(*page);
      }
      QTRY_VERIFY2(settled() && verdict().startsWith("✓"), qPrintable(verdict()));
      m_driver->click(find<QPushButton>("nextLessonPageButton"));
    }
  }
  QTRY_VERIFY(settled() && find<QLabel>("lessonPlace").text().startsWith("Lesson 4 of "));
  atMost(46);
}

// The same pages, each answered rightly, without the mouse: keys are counted from Start on.
void TestFirstLecture::threeLessonsWithTheKeyboard() {
  m_driver->key(Qt::Key_L, Qt::AltModifier);
  QTRY_COMPARE(m_desk->shownPage(), QString("lessons"));
  for (int row = 0; row < 3; ++row) {
    const Lesson lesson = lessonFromJson(bundledLessons()[std::size_t(row)].json).value();
    for (const LessonPage& each : lesson.pages) {
      const auto page = preparePage(each);
      QVERIFY(page.ok());
      QTRY_VERIFY(settled());
      answerByKeys(*page);
      QTRY_VERIFY2(settled() && verdict().startsWith("✓"), qPrintable(verdict()));
      m_driver->key(Qt::Key_Return);
    }
  }
  QTRY_VERIFY(settled() && find<QLabel>("lessonPlace").text().startsWith("Lesson 4 of "));
  atMost(42);
}

void TestFirstLecture::theRaceInTrueTime() {
  m_driver->click(find<DoorButton>("doorRace"));
  QTRY_VERIFY(settled() && m_desk->find<QLabel>("compareVerdict") != nullptr);
  QTRY_VERIFY(find<QLabel>("compareVerdict").text().contains("through the busiest port of a node"));
  QVERIFY(find<QToolButton>("clockTime").isChecked());
  QTRY_VERIFY2(find<QLabel>("compareStateA").text().contains("step"), qPrintable(find<QLabel>("compareStateA").text()));
  atMost(1);
}

void TestFirstLecture::anOwnProgramFromNothing() {
  m_desk->window->perspectives().showPerspective(kProgramsPage);
  QTRY_VERIFY(settled());
  m_driver->click(find<QToolButton>("newProgram"));
  QTRY_VERIFY(settled());
  // The list of what can follow is open at once.
  auto& next = find<QTableView>("nextSteps");
  QTRY_VERIFY(settled() && next.isVisible() && next.model()->rowCount() > 0);
  m_driver->clickCell(next, 0, 0);
  QTRY_VERIFY(settled());
  QVERIFY(m_desk->window->findChild<QWidget*>("chip1") != nullptr);
  atMost(2);
}

// From 2 × 4 to 3 × 4: the axis takes all devices again, and one undo takes back both.
void TestFirstLecture::oneMoreNode() {
  m_desk->session.reset(test::workspaceOf("node:2 gpu:4", "data=8", "data"));
  m_desk->window->perspectives().showPerspective(kSystemPage);
  QTRY_VERIFY(settled());
  Workspace three = *m_desk->session.workspace();
  three.system.levels[0].count = 3;
  m_driver->count(2);  // a click into the count, and typing over it
  m_desk->session.edit("Change the count", three);
  QTRY_VERIFY(settled() && m_desk->session.isCurrent());
  QCOMPARE(m_desk->session.workspace()->axes[0].size, std::int64_t{12});
  m_desk->session.undoStack().undo();
  QCOMPARE(m_desk->session.workspace()->axes[0].size, std::int64_t{8});
  QCOMPARE(m_desk->session.workspace()->system.levels[0].count, std::int64_t{2});
  atMost(2);
}

void TestFirstLecture::theLoadOfOneAllReduce() {
  m_desk->window->perspectives().showPerspective(kSystemPage);
  QTRY_VERIFY(settled());
  m_driver->click(find<QToolButton>("loadSingle"));
  QCOMPARE(find<QComboBox>("loadChoice").currentText(), QString("one AllReduce"));
  QTRY_VERIFY(settled() && find<QWidget>("loadLegend").isVisible());
  atMost(1);
}

void TestFirstLecture::thePresentation() {
  m_desk->window->perspectives().showPerspective(kProgramsPage);
  QTRY_VERIFY(settled());
  find<QWidget>("stepper").setFocus();
  m_driver->key(Qt::Key_F11);
  auto* window = m_desk->window->findChild<PresentWindow*>("presentWindow");
  QVERIFY(window != nullptr);
  QTRY_VERIFY(window->isActiveWindow());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  atMost(1);
}

void TestFirstLecture::theLectureKit() {
  m_desk->window->perspectives().showPerspective(kProgramsPage);
  QTRY_VERIFY(settled());
  m_driver->key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
  auto* dialog = find<QToolButton>("exportButton").findChild<QFileDialog*>("exportDialog");
  QVERIFY(dialog != nullptr);
  m_driver->count(1);  // Enter: it proposes a name
  const QString path = inFolder("kit.zip");
  emit dialog->fileSelected(path);
  dialog->close();
  QTRY_VERIFY_WITH_TIMEOUT(settled() && QFileInfo::exists(path), 120'000);
  atMost(2);
}

void TestFirstLecture::anOwnLesson() {
  m_desk->window->perspectives().showPerspective(kLessonsPage);
  QTRY_VERIFY(settled());
  m_driver->click(find<QPushButton>("makeLessonButton"));
  auto* maker = m_desk->window->findChild<LessonMaker*>("lessonMaker");
  QVERIFY(maker != nullptr);
  QTRY_VERIFY(settled());
  // It can be taken as it is; saving takes a button and Enter.
  auto* problems = maker->findChild<QListWidget*>("makerProblems");
  QTRY_VERIFY2(problems->count() == 1 && problems->item(0)->text().startsWith(QString::fromUtf8("✓")),
               qPrintable(problems->item(0)->text()));
  m_driver->count(2);
  maker->save(inFolder("own.json"));
  QTRY_VERIFY(settled() && QFileInfo::exists(inFolder("own.json")));
  atMost(3);
}

QTEST_MAIN(TestFirstLecture)
#include "tst_first_lecture.moc"
