// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <set>

#include "lesson/bundled_lessons.h"
#include "lesson/lesson_check.h"
#include "lesson/lesson_validator.h"
#include "support/filled.h"
#include "tests/core/lesson/lesson_texts.h"
#include "tests/support/schemas.h"

using namespace p2;

namespace {

bool isLessonFile(const std::string& text) { return test::schemaAccepts("p2-lesson", text); }

}  // namespace

/// The lessons that come with the program, and what a lesson is.
class TestLessons : public QObject {
  Q_OBJECT
 private slots:
  void areThere();
  void areValid_data();
  void areValid();
  void areShort_data() { areValid_data(); }
  void areShort();
  void takeTheirOwnAnswersOnly_data() { areValid_data(); }
  void takeTheirOwnAnswersOnly();
  void asTheProgramSays();
  void theSecondCourseCounts();
  void schedulesHaveTheirPublishedBubbles();
  void timelinesShowTheBubblesOfTheirSchedules();
  void aPageHasItsOwnSetting();
  void placeholders_data();
  void placeholders();
  void numbersInTexts_data();
  void numbersInTexts();
  void theSchemaRefuses_data();
  void theSchemaRefuses();
  void theyCanBeStopped();
};

void TestLessons::areThere() {
  QVERIFY(bundledLessons().size() >= 22);
  std::set<std::string> kinds;
  for (const BundledFile& file : bundledLessons()) {
    const auto lesson = lessonFromJson(file.json);
    QVERIFY(lesson.ok());
    for (const LessonPage& page : lesson->pages) kinds.insert(std::to_string(page.task.kind.index()));
  }
  QCOMPARE(kinds.size(), std::variant_size_v<decltype(LessonTask::kind)>);
  QVERIFY(bundledLesson("counted-twice").ok());
  QVERIFY(bundledLesson("06-counted-twice").ok());
  QVERIFY(bundledLesson("none").error().message.find("01-read-a-grid") != std::string::npos);
}

void TestLessons::areValid_data() {
  QTest::addColumn<int>("index");
  for (std::size_t i = 0; i < bundledLessons().size(); ++i) {
    QTest::newRow(std::string(bundledLessons()[i].name).c_str()) << int(i);
  }
}

void TestLessons::areValid() {
  QFETCH(int, index);
  const BundledFile& file = bundledLessons()[std::size_t(index)];
  const auto problems = lessonProblems(file.json);
  QVERIFY(problems.ok());
  for (const LessonProblem& each : *problems) QFAIL((each.where + ": " + each.problem).c_str());
  QVERIFY(isLessonFile(std::string(file.json)));
}

// Three to six minutes, a page one idea.
void TestLessons::areShort() {
  QFETCH(int, index);
  const auto lesson = lessonFromJson(bundledLessons()[std::size_t(index)].json).value();
  QVERIFY(lesson.minutes >= 3 && lesson.minutes <= 6);
  QVERIFY(lesson.pages.size() >= 3 && lesson.pages.size() <= 6);
  for (const LessonPage& page : test::filled(lesson.pages)) QVERIFY2(page.text.size() < 600, page.text.c_str());
}

void TestLessons::takeTheirOwnAnswersOnly() {
  QFETCH(int, index);
  const auto lesson = lessonFromJson(bundledLessons()[std::size_t(index)].json).value();
  for (const LessonPage& page : test::filled(lesson.pages)) {
    const auto prepared = preparePage(page);
    QVERIFY(prepared.ok());
    const auto expected = expectedAnswer(*prepared);
    QVERIFY(expected.has_value());
    QVERIFY(checkAnswer(*prepared, *expected).right);
    for (std::size_t i = 0; i < prepared->candidates.size(); ++i) {
      const LessonVerdict verdict = checkAnswer(*prepared, ChosenCandidate{i});
      QCOMPARE(verdict.right, prepared->candidates[i].right);
      QVERIFY(!verdict.sentence.empty());
    }
    // One wrong mark is told, with its reason.
    for (std::size_t cell = 0; cell < prepared->grid.right.size(); ++cell) {
      PaintedCells marks{prepared->grid.right};
      marks.cells[cell] = !marks.cells[cell];
      const LessonVerdict verdict = checkAnswer(*prepared, marks);
      QVERIFY(!verdict.right);
      QCOMPARE(verdict.wrong.size(), std::size_t{1});
      QCOMPARE(verdict.wrong[0].cell, cell);
      QVERIFY(!verdict.wrong[0].why.empty());
    }
  }
}

// Some of what the lessons tell, said here once more by hand.
void TestLessons::asTheProgramSays() {
  const auto page = [](const char* lesson, std::size_t index) {
    return preparePage(lessonFromJson(bundledLesson(lesson).value())->pages[index]).value();
  };
  const PreparedPage twice = page("counted-twice", 0);
  QCOMPARE(twice.trace->validSteps(), 1);
  QCOMPARE(twice.trace->failure()->premise->premise, Premise::ColumnsDisjoint);
  const PreparedPage explore = page("explore", 0);
  QCOMPARE(explore.candidates.size(), std::size_t{47});
  QCOMPARE(explore.facts.values().at("programs"), std::string("47"));
  const PreparedPage placement = page("placement", 2);
  QCOMPARE(placement.candidates.size(), std::size_t{4});
  const PreparedPage chain = page("literal", 2);
  QCOMPARE(chain.solution->strategy->cost, 1.0);
  const PreparedPage cycle = page("literal", 3);
  QVERIFY(!cycle.solution->strategy);
}

// Figures of the second course, by hand or from the papers.
void TestLessons::theSecondCourseCounts() {
  const auto page = [](const char* lesson, std::size_t index) {
    return preparePage(lessonFromJson(bundledLesson(lesson).value())->pages[index]).value();
  };
  const auto number = [](const PreparedPage& prepared, const char* name) { return prepared.facts.number(name)->value; };
  const PreparedPage memory = page("memory", 2);
  // Llama 3 8B: 8.03 billion parameters, 16 replicas; two bytes of parameters, twelve of states.
  QCOMPARE(number(memory, "model.parameters"), 8030261248.0);
  QCOMPARE(number(memory, "states"), 16 * 8030261248.0);
  // All but the last norm.
  QCOMPARE(number(memory, "optimizer"), 12 * (8030261248.0 - 4096));
  QCOMPARE(number(memory, "z1.optimizer"), number(memory, "optimizer") / 16);
  QCOMPARE(number(memory, "parameters"), 2 * (8030261248.0 - 4096));
  const PreparedPage ring = page("data-parallelism", 0);
  QCOMPARE(number(ring, "step1.link_bytes"), 2.0 * 7 / 8 * 2147483648);
  const PreparedPage tensor = page("tensor-parallelism", 0);
  // Norms are not divided.
  QVERIFY(std::abs(number(tensor, "tp4.parameters") / number(tensor, "tp1.parameters") * 4 - 1) < 1e-3);
  const PreparedPage pipeline = page("pipeline", 1);
  QVERIFY(std::abs(number(pipeline, "bubble") - 3.0 / 11) < 1e-9);
  QVERIFY(std::abs(number(page("pipeline", 4), "bubble") - 3.0 / 35) < 1e-9);
  QCOMPARE(number(pipeline, "gpipe.in_flight"), 8.0);
  QCOMPARE(number(pipeline, "1f1b.in_flight"), 4.0);
  const PreparedPage context = page("context-and-experts", 0);
  QCOMPARE(number(context, "cp16.activations"), number(context, "cp1.activations") / 16);
}

// What is played is what the papers say: bubbles of equal stages, all passes as long.
void TestLessons::schedulesHaveTheirPublishedBubbles() {
  for (const int stages : {2, 4, 8}) {
    const int microbatches = 3 * stages;
    PipelineScene scene;
    scene.stages = stages;
    scene.microbatches = microbatches;
    LessonPage page;
    page.pipeline = scene;
    page.task = {"x", WatchTask{}, {"x"}, {}};
    const auto prepared = preparePage(page);
    QVERIFY(prepared.ok());
    const auto bubbleOf = [&](const std::string& name) {
      return std::pair(prepared->facts.number(name + ".bubble_seconds")->value,
                       prepared->facts.number(name + ".published_bubble")->value);
    };
    for (const char* name : {"gpipe", "1f1b", "interleaved", "zb1p", "zbv"}) {
      const auto [bubble, published] = bubbleOf(name);
      QVERIFY2(std::abs(bubble - published) < 1e-9, name);
    }
    for (const char* name : {"zb2p", "dualpipe"}) {
      const auto [bubble, published] = bubbleOf(name);
      QVERIFY2(bubble <= published + 1e-9, name);
    }
  }
}

// The bubbles that a timeline draws are the bubble that its lesson speaks of, on every stage.
void TestLessons::timelinesShowTheBubblesOfTheirSchedules() {
  constexpr std::array<std::pair<ScheduleKind, int>, 7> kSchedules{{{ScheduleKind::GPipe, 1},
                                                                    {ScheduleKind::OneF1B, 1},
                                                                    {ScheduleKind::OneF1B, 2},
                                                                    {ScheduleKind::ZeroBubble1, 1},
                                                                    {ScheduleKind::ZeroBubble2, 1},
                                                                    {ScheduleKind::ZeroBubbleV, 2},
                                                                    {ScheduleKind::DualPipe, 2}}};
  for (const auto& [schedule, chunks] : kSchedules) {
    for (const double backward : {1e-3, 3e-3}) {
      LessonPage page;
      page.pipeline.emplace();
      page.pipeline->schedule = schedule;
      page.pipeline->chunks = chunks;
      page.pipeline->stages = 4;
      page.pipeline->microbatches = 12;
      page.pipeline->backward = backward;
      page.task = {"x", WatchTask{}, {"x"}, {}};
      const auto prepared = preparePage(page);
      QVERIFY(prepared.ok());
      const Timeline& timeline = *prepared->timeline;
      std::vector<double> waits(timeline.tracks.size());
      for (const TimelineSlice& slice : timeline.slices) {
        if (timeline.detailOf(slice).kind == SliceKind::Bubble) waits[slice.track] += slice.seconds;
      }
      const double bubble = prepared->facts.number("bubble_seconds")->value;
      for (const double wait : test::filled(waits)) QVERIFY2(std::abs(wait - bubble) < 1e-9, timeline.title.c_str());
    }
  }
}

void TestLessons::aPageHasItsOwnSetting() {
  auto json = test::smallLesson();
  json["pages"][0]["system"] = "rack:2@8GB/s gpu:3@270GB/s";
  json["pages"][0]["axes"] = {{{"name", "data"}, {"size", 6}}};
  const auto lesson = lessonFromJson(json.dump());
  QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
  const auto page = preparePage(lesson->pages[0]);
  QVERIFY(page.ok());
  QCOMPARE(page->facts.values().at("chunks"), std::string("6"));
  QCOMPARE(page->facts.values().at("rack.count"), std::string("2"));
  QVERIFY(!page->facts.values().contains("node.count"));
}

void TestLessons::placeholders_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("filled");
  QTest::newRow("none") << "plain"
                        << "plain";
  QTest::newRow("one") << "{a} is"
                       << "1 is";
  QTest::newRow("two beside each other") << "{a}{b.c}"
                                         << "1two";
  QTest::newRow("a brace") << "{{a}"
                           << "{a}";
  QTest::newRow("unknown") << "{ab}" << QString();
  QTest::newRow("empty name") << "{}" << QString();
  QTest::newRow("open") << "ends {" << QString();
}

void TestLessons::placeholders() {
  QFETCH(QString, text);
  QFETCH(QString, filled);
  LessonFacts facts;
  facts.set("a", "1");
  facts.set("b.c", "two");
  const auto result = facts.filledIn(text.toStdString());
  QCOMPARE(result.ok(), !filled.isNull());
  if (result.ok()) QCOMPARE(QString::fromStdString(*result), filled);
}

void TestLessons::numbersInTexts_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QStringList>("numbers");
  QTest::newRow("counted on fingers") << "step 2 of device 5" << QStringList{};
  QTest::newRow("two digits") << "47 programs" << QStringList{"47"};
  QTest::newRow("with a unit") << "in 5 s, 8GB/s and 3×" << QStringList{"5", "8", "3"};
  QTest::newRow("a fraction") << "costs 1.5" << QStringList{"1.5"};
  QTest::newRow("placeholders") << "{step1.seconds} of {a10}" << QStringList{};
  QTest::newRow("a percentage") << "9% of 7 %, not 3 percent" << QStringList{"9", "7"};
  QTest::newRow("units that go on") << "3 sets, 4 bits and 5 GBs" << QStringList{};
  QTest::newRow("a point that ends a sentence") << "It is 12. Or 7." << QStringList{"12"};
  QTest::newRow("a version") << "2.10.3" << QStringList{"2.10"};
  QTest::newRow("as long as a file") << QString(200'000, '7') << QStringList{QString(200'000, '7')};
  QTest::newRow("names") << "v10, d12 and x_20" << QStringList{};
}

void TestLessons::numbersInTexts() {
  QFETCH(QString, text);
  QFETCH(QStringList, numbers);
  QStringList found;
  for (const std::string& number : writtenNumbers(text.toStdString())) found << QString::fromStdString(number);
  QCOMPARE(found, numbers);
}

void TestLessons::theSchemaRefuses_data() {
  QTest::addColumn<QString>("patch");
  QTest::newRow("format") << R"({"format": "p2-plan"})";
  QTest::newRow("no pages") << R"({"pages": []})";
  QTest::newRow("other keys") << R"({"hint": "x"})";
  QTest::newRow("course") << R"({"course": 7})";
  QTest::newRow("minutes") << R"({"minutes": 0})";
  QTest::newRow("page without a task") << R"({"pages": [{"text": "x"}]})";
  QTest::newRow("task without hints") << R"({"pages": [{"text": "x", "task": {"kind": "watch", "question": "x"}}]})";
  QTest::newRow("kind") << R"({"pages": [{"text": "x", "task": {"kind": "guess", "question": "x", "hints": ["x"]}}]})";
}

void TestLessons::theSchemaRefuses() {
  QFETCH(QString, patch);
  auto lesson = test::smallLesson();
  QVERIFY(isLessonFile(lesson.dump()));
  lesson.merge_patch(nlohmann::json::parse(patch.toStdString()));
  QVERIFY(!isLessonFile(lesson.dump()));
  const auto problems = lessonProblems(lesson.dump());
  QVERIFY(problems.ok() && !problems->empty());
}

void TestLessons::theyCanBeStopped() {
  std::stop_source source;
  source.request_stop();
  const auto problems = lessonProblems(bundledLessons()[0].json, source.get_token());
  QVERIFY(!problems.ok());
  QCOMPARE(problems.error().kind, ErrorKind::Cancelled);
}

QTEST_APPLESS_MAIN(TestLessons)
#include "tst_lessons.moc"
