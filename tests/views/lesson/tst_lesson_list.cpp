// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "lesson/bundled_lessons.h"
#include "support/warnings.h"
#include "views/lesson/lesson_list_model.h"
#include "views/lesson/lesson_progress.h"

using namespace p2;
using namespace p2::views;

/// The list of lessons and the progress that it shows.
class TestLessonList : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init() {
    test::failOnWarnings();
    QSettings().clear();
  }
  void listsTheBundledOnes();
  void showsProgress();
  void progressSurvives();
  void nonsenseInSettingsIsNoProgress();
  void filesAreAddedOnce();

 private:
  QTemporaryDir m_folder;
};

void TestLessonList::initTestCase() {
  QCoreApplication::setOrganizationName("p2-test");
  QSettings::setDefaultFormat(QSettings::IniFormat);
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
}

void TestLessonList::listsTheBundledOnes() {
  LessonListModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setShelf(bundledShelf({}).value());
  QCOMPARE(model.rowCount(), int(bundledLessons().size()));
  QVERIFY(model.index(5).data().toString().contains("Counted twice\n4 min  ○○○○"));
  QVERIFY(model.index(5).data(Qt::ToolTipRole).toString().startsWith("Counted twice: 0 of 4 pages solved"));
  // Two courses, the second of eight lessons; opened files have their own, or none.
  const int bundled = model.rowCount();
  const auto openFile = [&model](const QString& path, const std::string& course) {
    Lesson lesson = *model.lesson(0).lesson;
    lesson.course = course;
    model.add({path, "Mine", std::make_shared<const Lesson>(lesson)});
  };
  openFile("/lessons/a.json", {});
  openFile("/lessons/b.json", {});
  openFile("/lessons/c.json", "Systems");
  QMap<int, QString> courses;
  for (int row = 0; row < model.rowCount(); ++row) {
    const QString course = model.index(row).data(LessonListModel::CourseRole).toString();
    if (!course.isEmpty()) courses[row] = course;
  }
  QCOMPARE(courses, (QMap<int, QString>{{0, "Collectives"},
                                        {bundled - 8, "Training in parallel"},
                                        {bundled, "Opened lessons"},
                                        {bundled + 2, "Systems"}}));
}

void TestLessonList::showsProgress() {
  LessonListModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setShelf(bundledShelf({}).value());
  LessonProgress::setSolved(model.lesson(5).key, 1);
  LessonProgress::setSolved(model.lesson(5).key, 1);
  LessonProgress::setSolved(model.lesson(5).key, 0);
  model.refresh(5);
  QVERIFY(model.index(5).data().toString().endsWith("●●○○"));
  QVERIFY(model.index(4).data().toString().endsWith("○○○○"));
  LessonProgress::forget(model.lesson(5).key);
  QVERIFY(model.index(5).data().toString().endsWith("○○○○"));
}

void TestLessonList::progressSurvives() {
  LessonProgress::setSolved("06-counted-twice", 2);
  LessonProgress::setSolved("lessons/mine.json", 0);
  QSettings().sync();
  QCOMPARE(LessonProgress::solvedPages("06-counted-twice"), (std::set<int>{2}));
  QCOMPARE(LessonProgress::solvedPages("lessons/mine.json"), (std::set<int>{0}));
  QCOMPARE(LessonProgress::solvedPages("lessons/other.json"), (std::set<int>{}));
}

void TestLessonList::nonsenseInSettingsIsNoProgress() {
  QSettings().setValue("lessons/solved/01-read-a-grid", "1,x,-3,,99999999999");
  QCOMPARE(LessonProgress::solvedPages("01-read-a-grid"), (std::set<int>{1}));
}

void TestLessonList::filesAreAddedOnce() {
  LessonListModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setShelf(bundledShelf({}).value());
  const int bundled = model.rowCount();
  const auto file = readLessonFile(P2_RESOURCES "/lessons/05-order.json", {});
  QVERIFY(file.ok() && file->problems.empty());
  QCOMPARE(model.add(file->shelved), bundled);
  QCOMPARE(model.add(file->shelved), bundled);
  QCOMPARE(model.rowCount(), bundled + 1);
  QVERIFY(!readLessonFile("/none/lesson.json", {}).ok());
}

QTEST_GUILESS_MAIN(TestLessonList)
#include "tst_lesson_list.moc"
