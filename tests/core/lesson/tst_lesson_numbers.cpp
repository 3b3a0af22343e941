// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "lesson/lesson_check.h"
#include "tests/core/lesson/lesson_texts.h"

using namespace p2;

/// Numbers that are typed as answers: units, tolerances and common mistakes.
class TestLessonNumbers : public QObject {
  Q_OBJECT
 private slots:
  void numbersNeedTheirUnit_data();
  void numbersNeedTheirUnit();
  void sharesNeedTheirUnit();
  void commonMistakesAreNamed();
};

// A gigabyte on the ring of four devices: 2·3/4 of it over 8 GB/s.
void TestLessonNumbers::numbersNeedTheirUnit_data() {
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("stated");
  QTest::newRow("right") << "1.5 GB"
                         << "it is 1.50 GB";
  QTest::newRow("without a blank") << "1.5GB"
                                   << "it is 1.50 GB";
  QTest::newRow("in another unit") << "1500 MB"
                                   << "it is 1.50 GB";
  QTest::newRow("with a comma") << " 1,5 GB "
                                << "it is 1.50 GB";
  QTest::newRow("nearly") << "1.52 GB"
                          << "it is 1.50 GB";
  QTest::newRow("not near enough") << "1.6 GB"
                                   << "that is too high";
  QTest::newRow("too little") << "1 GB"
                              << "that is too low";
  QTest::newRow("no unit") << "1.5"
                           << "write the unit as well, as in 1.5 GB";
  QTest::newRow("wrong power") << "1.5 MB"
                               << "that is 1000 times too low; check the unit";
  QTest::newRow("bits") << "12 GB"
                        << "that is 8 times too high; check the unit";
  QTest::newRow("nothing") << " "
                           << "write a number, as in 1.5 GB";
}

void TestLessonNumbers::numbersNeedTheirUnit() {
  QFETCH(QString, typed);
  QFETCH(QString, stated);
  const PreparedPage page = test::pageOf(R"({"kind": "compute", "compute": "step1.link_bytes"})", R"({"text": "x"})");
  const LessonVerdict verdict = checkAnswer(page, TypedNumber{typed.toStdString()});
  QCOMPARE(QString::fromStdString(verdict.sentence), stated);
  QCOMPARE(verdict.right, stated.startsWith("it is"));
}

// The bubble of lesson 18.
void TestLessonNumbers::sharesNeedTheirUnit() {
  const Lesson lesson = lessonFromJson(bundledLesson("pipeline").value()).value();
  int asked = 0;
  for (const LessonPage& each : lesson.pages) {
    const auto* task = std::get_if<ComputeTask>(&each.task.kind);
    if (task == nullptr || task->fact != "bubble") continue;
    const PreparedPage page = test::valueOf(preparePage(each));
    const double share = page.facts.number("bubble").value().value;
    const std::string percent = std::to_string(share * 100);
    QVERIFY(checkAnswer(page, TypedNumber{percent + " %"}).right);
    QVERIFY(checkAnswer(page, TypedNumber{std::to_string(share)}).right);
    QCOMPARE(checkAnswer(page, TypedNumber{percent}).sentence,
             std::string("that is 100 times too high; write the share with its unit, as in 15 %"));
    ++asked;
  }
  QVERIFY(asked > 0);
}

void TestLessonNumbers::commonMistakesAreNamed() {
  const PreparedPage page = test::pageOf(
      R"({"kind": "compute", "compute": "step1.link_bytes", "mistakes": [{"compute": "bytes", "why": "That is the vector."}]})",
      R"({"text": "x"})");
  QCOMPARE(checkAnswer(page, TypedNumber{"1 GB"}).sentence, std::string("That is the vector."));
  const PreparedPage share = test::pageOf(
      R"({"kind": "compute", "compute": "bubble"})",
      R"({"text": "x", "program": null, "pipeline": {"schedule": "1f1b", "stages": 4, "microbatches": 8}})");
  QVERIFY(checkAnswer(share, TypedNumber{"27 %"}).right);
  QVERIFY(checkAnswer(share, TypedNumber{"0.2727"}).right);
  QVERIFY(!checkAnswer(share, TypedNumber{"27"}).right);
}

QTEST_APPLESS_MAIN(TestLessonNumbers)
#include "tst_lesson_numbers.moc"
