// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "lesson/lesson_validator.h"
#include "tests/core/lesson/lesson_texts.h"

using namespace p2;

/// Problems of a lesson are all listed, and texts that are no lesson are refused.
class TestLessonProblems : public QObject {
  Q_OBJECT
 private slots:
  void severalProblemsAreTold();
  void everyProblemOfTheFormIsTold();
  void isNoLesson_data();
  void isNoLesson();
  void cutAnywhereItIsRefused();
};

void TestLessonProblems::severalProblemsAreTold() {
  nlohmann::json lesson = test::smallLesson();
  lesson["pages"][0]["text"] = "";
  lesson["pages"][0]["task"]["hints"] = nlohmann::json::array();
  lesson["pages"].push_back(
      test::lessonWith(R"({"kind": "find", "among": "programs", "slower": "1000 s"})")["pages"][0]);
  const auto problems = lessonProblems(lesson.dump());
  QVERIFY(problems.ok());
  QCOMPARE(problems->size(), std::size_t{3});
  QCOMPARE(problems->at(0).where, std::string("/pages/0/text"));
  QCOMPARE(problems->at(1).where, std::string("/pages/0/task/hints"));
  QCOMPARE(problems->at(2).where, std::string("/pages/1/task"));
}

// A teacher who writes a lesson sees all of it at once, on every page.
void TestLessonProblems::everyProblemOfTheFormIsTold() {
  auto lesson = test::smallLesson();
  lesson["titel"] = "x";
  lesson["minutes"] = "three";
  lesson["pages"].push_back({{"txt", "x"}, {"task", {{"kind", "guess"}, {"hints", "none"}}}});
  lesson["pages"].push_back({{"text", "{nothing}"}, {"program", 7}, {"task", {{"kind", "watch"}, {"hint", "x"}}}});
  lesson["pages"].push_back(lesson["pages"][0]);
  lesson["pages"][3]["text"] = "{nothing}";
  const auto problems = lessonProblems(lesson.dump());
  QVERIFY(problems.ok());
  QStringList places;
  for (const LessonProblem& each : *problems) places << QString::fromStdString(each.where);
  for (const char* place :
       {"/titel", "/minutes", "/pages/1/txt", "/pages/1", "/pages/1/task/kind", "/pages/1/task", "/pages/1/task/hints",
        "/pages/2/program", "/pages/2/task/hint", "/pages/2/task", "/pages/3/text"}) {
    QVERIFY2(places.contains(place), qPrintable(QString(place) + " is not among " + places.join(", ")));
  }
  // The first page is right and has none.
  QVERIFY(places.filter(QRegularExpression("^/pages/0")).isEmpty());
}

void TestLessonProblems::isNoLesson_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("nothing") << QByteArray();
  QTest::newRow("no JSON") << QByteArray("lesson");
  QTest::newRow("a list") << QByteArray("[]");
  QTest::newRow("null") << QByteArray("null");
  QTest::newRow("no format") << QByteArray("{}");
  QTest::newRow("key twice") << QByteArray(R"({"format": "p2-lesson", "format": "p2-lesson"})");
  QTest::newRow("deep") << QByteArray(5000, '[');
}

void TestLessonProblems::isNoLesson() {
  QFETCH(QByteArray, text);
  const auto problems = lessonProblems(text.toStdString());
  QVERIFY(problems.ok());
  QCOMPARE(problems->size(), std::size_t{1});
  QVERIFY(!problems->front().problem.empty());
}

void TestLessonProblems::cutAnywhereItIsRefused() {
  const std::string text = test::smallLesson().dump();
  for (std::size_t length = 0; length < text.size(); length += 7) {
    const auto problems = lessonProblems(text.substr(0, length));
    QVERIFY(problems.ok());
    QCOMPARE(problems->size(), std::size_t{1});
  }
}

QTEST_APPLESS_MAIN(TestLessonProblems)
#include "tst_lesson_problems.moc"
