// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "lesson/bundled_lessons.h"
#include "lesson/lesson_check.h"
#include "support/fixtures.h"
#include "tests/core/lesson/lesson_texts.h"

using namespace p2;

namespace {

/// Cells as '#' and '.', rows joined by '/'.
std::string cellsText(const PaintGrid& grid) {
  std::string text;
  for (std::size_t cell = 0; cell < grid.right.size(); ++cell) {
    if (cell > 0 && cell % grid.columns.size() == 0) text += '/';
    text += grid.right[cell] ? '#' : '.';
  }
  return text;
}

LessonVerdict composed(const PreparedPage& page, const char* program) {
  return checkAnswer(page, ComposedProgram{program});
}

}  // namespace

/// What is said of right and wrong answers, and that the reasons are read off the trace.
class TestLessonAnswers : public QObject {
  Q_OBJECT
 private slots:
  void watchedToTheEnd();
  void gridsFollowTheTrace_data();
  void gridsFollowTheTrace();
  void cellsHaveReasons();
  void outcomes();
  void theFastest();
  void compositions();
  void compositionsThatFail();
  void searches();
  void searchesTellNothing();
  void theLiteralAlgorithm();
  void answersOfAnotherKind();
  void stepsInAnyOrderThatRuns();
  void passesInTheOrderOfTheSchedule();
  void variantsByTimeAndMemory();
};

void TestLessonAnswers::watchedToTheEnd() {
  const PreparedPage page = test::pageOf(
      R"({"kind": "watch"})", R"({"program": "root:InsideGroup:ReduceScatter; root:InsideGroup:AllGather"})");
  QVERIFY(checkAnswer(page, WatchedSteps{2}).right);
  const LessonVerdict early = checkAnswer(page, WatchedSteps{1});
  QVERIFY(!early.right);
  QVERIFY(early.sentence.find("play 1 more step") != std::string::npos);
  QCOMPARE(page.stepsBeforeAnswer(), 2);
}

void TestLessonAnswers::gridsFollowTheTrace_data() {
  QTest::addColumn<QString>("program");
  QTest::addColumn<QString>("task");
  QTest::addColumn<QString>("cells");
  const auto row = [](const char* program, const char* task, const char* cells) {
    QTest::addRow("%s %s", program, task) << QString(program) << QString(task) << QString(cells);
  };
  row("root:InsideGroup:AllReduce", R"("parts", "device": 2, "step": 0)", "..#./..#./..#./..#.");
  row("root:InsideGroup:AllReduce", R"("parts", "device": 2, "step": 1)", "####/####/####/####");
  row("root:InsideGroup:ReduceScatter", R"("chunks", "device": 2, "step": 1)", "././#/.");
  row("root:InsideGroup:ReduceScatter", R"("parts", "device": 3, "step": 1)", "..../..../..../####");
  row("node:InsideGroup:ReduceScatter", R"("parts", "device": 1, "step": 1)", "..../..../##../##..");
  row("node:InsideGroup:AllReduce", R"("group", "device": 3, "step": 1)", "././#/#");
  row("node:Parallel(root):AllReduce", R"("group", "device": 3, "step": 1)", "./#/./#");
  row("node:InsideGroup:AllReduce", R"("partners", "device": 0)", "#/#/#/#");
}

void TestLessonAnswers::gridsFollowTheTrace() {
  QFETCH(QString, program);
  QFETCH(QString, task);
  QFETCH(QString, cells);
  const std::string page = R"({"text": "x", "program": ")" + program.toStdString() + "\"}";
  const PreparedPage prepared = test::pageOf(R"({"kind": "predict", "paint": )" + task.toStdString() + "}", page);
  QCOMPARE(QString::fromStdString(cellsText(prepared.grid)), cells);
  QVERIFY(checkAnswer(prepared, PaintedCells{prepared.grid.right}).right);
}

void TestLessonAnswers::cellsHaveReasons() {
  const PreparedPage page =
      test::pageOf(R"({"kind": "predict", "paint": "parts", "device": 1, "step": 2})",
                   R"({"text": "x", "program": "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce"})");
  const auto why = [&](int chunk, int column) { return page.grid.why[std::size_t(4 * chunk + column)]; };
  QCOMPARE(why(0, 1),
           std::string("step 1 (ReduceScatter inside each node) takes device 1's part of chunk 0 from device 1 "
                       "and leaves it to device 0"));
  QCOMPARE(why(0, 2), std::string("no step has brought device 2's part of chunk 0 to device 1 yet"));
  QCOMPARE(why(2, 0),
           std::string("step 1 (ReduceScatter inside each node) brings device 0's part of chunk 2 to device 1"));
  QCOMPARE(why(2, 1), std::string("device 1 has had device 1's part of chunk 2 from the beginning"));
  QCOMPARE(why(3, 3), std::string("step 2 (AllReduce across nodes) brings device 3's part of chunk 3 to device 1"));
  PaintedCells marks{page.grid.right};
  marks.cells[0] = true;
  marks.cells[8] = false;
  const LessonVerdict verdict = checkAnswer(page, marks);
  QCOMPARE(verdict.wrong.size(), std::size_t{2});
  QCOMPARE(verdict.sentence,
           std::string("2 cells are wrong. For instance, chunk 0, d0 should not be marked (no step has brought device "
                       "0's part of chunk 0 to device 1 yet)"));
}

void TestLessonAnswers::outcomes() {
  const PreparedPage fails =
      test::pageOf(R"({"kind": "predict", "choose": "outcome", "step": 2})",
                   R"({"text": "x", "program": "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce"})");
  QCOMPARE(fails.candidates.size(), std::size_t{4});
  QCOMPARE(fails.stepsBeforeAnswer(), 1);
  std::vector<bool> right;
  for (const LessonCandidate& each : fails.candidates) right.push_back(each.right);
  QCOMPARE(right, (std::vector<bool>{false, false, false, true}));
  QVERIFY(fails.candidates[3].why.find("chunk 0 already contains device 0's contribution") == 0);
  QVERIFY(fails.candidates[1].why.find(
              "this rule is satisfied here: every member holds data. The step fails because ") == 0);
  const PreparedPage runs = test::pageOf(R"({"kind": "predict", "choose": "outcome", "step": 1})");
  QVERIFY(runs.candidates[0].right);
  QVERIFY(runs.candidates[0].title.starts_with("It runs"));
  const PreparedPage early =
      test::pageOf(R"({"kind": "predict", "choose": "outcome", "step": 2})",
                   R"({"text": "x", "program": "node:InsideGroup:ReduceScatter; node:InsideGroup:AllReduce"})");
  QVERIFY(early.candidates[2].right);
  QVERIFY(early.candidates[3].why.find("an earlier rule fails first: ") == 0);
}

void TestLessonAnswers::theFastest() {
  const PreparedPage page = test::pageOf(
      R"({"kind": "predict", "choose": "fastest", "of": ["flat", "mine"]})",
      R"({"programs": {"mine": "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather"}})");
  QVERIFY(!page.candidates[0].right);
  QVERIFY(page.candidates[1].right);
  QVERIFY(page.candidates[0].why.find("; the fastest takes ") != std::string::npos);
  QCOMPARE(page.candidates[1].program.size(), std::size_t{3});
}

void TestLessonAnswers::compositions() {
  const PreparedPage page = test::pageOf(
      R"({"kind": "compose", "at_most": 3, "only": ["ReduceScatter", "AllReduce", "AllGather"], "without": ["Reduce"],
          "faster": "300 ms", "solution": "best"})");
  const char* good = "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";
  const LessonVerdict right = composed(page, good);
  QVERIFY2(right.right, right.sentence.c_str());
  QCOMPARE(right.conditions.size(), std::size_t{5});
  const LessonVerdict slow = composed(page, "root:InsideGroup:Reduce; root:InsideGroup:Broadcast");
  QVERIFY(!slow.right);
  QVERIFY(slow.conditions[0].holds);
  QVERIFY(!slow.conditions[2].holds);
  QVERIFY(!slow.conditions[3].holds);
  const LessonVerdict wrong = composed(page, "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce");
  QVERIFY(!wrong.right);
  QVERIFY2(wrong.sentence.find("step 2: chunk 0 already contains") == 0, wrong.sentence.c_str());
  QVERIFY(!composed(page, "node:InsideGroup:AllReduce").right);
  QVERIFY(!composed(page, "").right);
  QVERIFY(!composed(page, "what?").sentence.empty());
}

void TestLessonAnswers::compositionsThatFail() {
  const PreparedPage page = test::pageOf(
      R"({"kind": "compose", "fails": "no contribution is counted twice",
          "solution": "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce"})");
  QVERIFY(composed(page, "node:InsideGroup:AllReduce; root:InsideGroup:AllReduce").right);
  const LessonVerdict other = composed(page, "node:InsideGroup:Reduce; root:InsideGroup:AllReduce");
  QVERIFY(!other.right);
  QVERIFY(other.sentence.find("it fails, but for another reason than asked") == 0);
  QVERIFY(!composed(page, "root:InsideGroup:AllReduce").right);
}

void TestLessonAnswers::searches() {
  const PreparedPage best = test::pageOf(R"({"kind": "find", "among": "programs", "the": "best"})");
  const PreparedPage slowest = test::pageOf(R"({"kind": "find", "among": "programs", "the": "slowest"})");
  QCOMPARE(best.candidates.size(), slowest.candidates.size());
  const auto chosen = std::get<ChosenCandidate>(*expectedAnswer(best));
  QVERIFY(checkAnswer(best, chosen).right);
  QVERIFY(!checkAnswer(slowest, chosen).right);
  QVERIFY(checkAnswer(slowest, chosen).sentence.find("there is a slower one") != std::string::npos);
  QCOMPARE(best.facts.values().at("best.seconds"),
           best.candidates[chosen.index].why.substr(9, best.facts.values().at("best.seconds").size()));
}

// The order in which candidates are offered is not that of their times.
void TestLessonAnswers::searchesTellNothing() {
  const PreparedPage page = test::pageOf(R"({"kind": "find", "among": "programs", "the": "best"})");
  QVERIFY(!page.candidates.front().right);
  for (std::size_t i = 1; i < page.candidates.size(); ++i) {
    QVERIFY(page.candidates[i - 1].program.size() <= page.candidates[i].program.size());
  }
}

void TestLessonAnswers::theLiteralAlgorithm() {
  const char* chain =
      R"({"literal": {"tables": "chain", "seed": 0}, "program": null, "text": "{returned} {optimum} {lost_step}"})";
  const PreparedPage loss = test::pageOf(R"({"kind": "find", "among": "steps", "the": "loss"})", chain);
  QCOMPARE(loss.page.text.substr(0, 4), std::string("1 0 "));
  QCOMPARE(std::count_if(loss.candidates.begin(), loss.candidates.end(), [](const auto& each) { return each.right; }),
           1);
  const auto step = std::get<ChosenCandidate>(*expectedAnswer(loss)).index;
  QCOMPARE(loss.facts.values().at("lost_step"), std::to_string(step + 1));
  QVERIFY(loss.solution->trace->moments[step - 1].invariant->holds);
  QVERIFY(!loss.solution->trace->moments[step].invariant->holds);
  const PreparedPage returned = test::pageOf(R"({"kind": "predict", "choose": "returned"})", chain);
  QVERIFY(returned.candidates[1].right);
  const PreparedPage rows = test::pageOf(R"({"kind": "predict", "paint": "rows", "vertex": "v0", "step": 4})", chain);
  QCOMPARE(std::count(rows.grid.right.begin(), rows.grid.right.end(), true), 2);
  QCOMPARE(rows.stepsBeforeAnswer(), 3);
}

void TestLessonAnswers::answersOfAnotherKind() {
  const PreparedPage watch = test::pageOf(R"({"kind": "watch"})");
  QVERIFY(!checkAnswer(watch, ChosenCandidate{0}).right);
  const PreparedPage paint = test::pageOf(R"({"kind": "predict", "paint": "chunks", "device": 0, "step": 1})");
  QVERIFY(!checkAnswer(paint, WatchedSteps{9}).right);
  QVERIFY(!checkAnswer(paint, PaintedCells{{true}}).right);
  const PreparedPage find = test::pageOf(R"({"kind": "find", "among": "programs", "the": "best"})");
  QVERIFY(!checkAnswer(find, ChosenCandidate{1000}).right);
  QVERIFY(!checkAnswer(find, ComposedProgram{"flat"}).right);
}

void TestLessonAnswers::stepsInAnyOrderThatRuns() {
  const PreparedPage page =
      test::pageOf(R"({"kind": "order", "order": "program"})",
                   R"({"program": "root:InsideGroup:ReduceScatter; root:InsideGroup:AllGather", "text": "x"})");
  QCOMPARE(page.order.items.size(), std::size_t{2});
  const auto expected = std::get<ArrangedItems>(*expectedAnswer(page));
  QVERIFY(checkAnswer(page, expected).right);
  QVERIFY(!std::is_sorted(expected.order.begin(), expected.order.end()));
  const LessonVerdict wrong = checkAnswer(page, ArrangedItems{{expected.order[1], expected.order[0]}});
  QVERIFY(!wrong.right);
  QVERIFY2(wrong.sentence.starts_with("step 1 fails: "), wrong.sentence.c_str());
  QVERIFY(!checkAnswer(page, ArrangedItems{{0, 0}}).right);
  // Two AllReduces on small groups may come in either order.
  const PreparedPage either =
      test::pageOf(R"({"kind": "order", "order": "program"})",
                   R"({"program": "node:InsideGroup:AllReduce; node:Parallel(root):AllReduce", "text": "x"})");
  QVERIFY(checkAnswer(either, ArrangedItems{{0, 1}}).right);
  QVERIFY(checkAnswer(either, ArrangedItems{{1, 0}}).right);
  // Several orders of these three are right; the one that is offered is not.
  const PreparedPage three = test::pageOf(
      R"({"kind": "order", "order": "program"})",
      R"({"program": "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather", "text": "x"})");
  QVERIFY(!checkAnswer(three, ArrangedItems{{0, 1, 2}}).right);
  QVERIFY(checkAnswer(three, ArrangedItems{three.order.right}).right);
}

void TestLessonAnswers::passesInTheOrderOfTheSchedule() {
  const PreparedPage page = test::pageOf(
      R"({"kind": "order", "order": "passes", "stage": 2, "count": 6})",
      R"({"text": "x", "program": null, "pipeline": {"schedule": "1f1b", "stages": 4, "microbatches": 8}})");
  std::string order;
  for (const std::size_t place : page.order.right) order += page.order.items[place] + " ";
  QCOMPARE(order, std::string("F0 F1 B0 F2 B1 F3 "));
  QVERIFY(checkAnswer(page, ArrangedItems{page.order.right}).right);
  auto swapped = page.order.right;
  std::swap(swapped[2], swapped[3]);
  QCOMPARE(checkAnswer(page, ArrangedItems{swapped}).sentence,
           std::string("the first 2 passes are in order, the next is not: F2 comes later"));
}

void TestLessonAnswers::variantsByTimeAndMemory() {
  const char* scene =
      R"({"text": "x", "program": null, "pipeline": {"schedule": "1f1b", "stages": 4, "microbatches": 8}})";
  const auto rightOf = [&](const char* the) {
    const PreparedPage page = test::pageOf(
        std::string(R"({"kind": "predict", "choose": "variant", "of": ["gpipe", "1f1b", "zb2p"], "the": ")") + the +
            "\"}",
        scene);
    std::string right;
    for (const LessonCandidate& each : page.candidates) right += each.right ? each.title + " " : "";
    return right;
  };
  QCOMPARE(rightOf("fastest"), std::string("ZB-H2 "));
  QCOMPARE(rightOf("slowest"), std::string("GPipe 1F1B "));
  QCOMPARE(rightOf("smallest"), std::string("1F1B "));
  QCOMPARE(rightOf("largest"), std::string("GPipe "));
}

QTEST_APPLESS_MAIN(TestLessonAnswers)
#include "tst_lesson_answers.moc"
