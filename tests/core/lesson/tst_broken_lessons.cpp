// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "lesson/lesson_validator.h"
#include "support/filled.h"
#include "tests/core/lesson/lesson_texts.h"

using namespace p2;

namespace {

std::string problemsText(const std::vector<LessonProblem>& problems) {
  std::string text;
  for (const LessonProblem& each : problems) text += each.where + ": " + each.problem + "\n";
  return text;
}

}  // namespace

/// Every way in which a lesson can be wrong is one sentence at its place.
class TestBrokenLessons : public QObject {
  Q_OBJECT
 private slots:
  void theSmallOneIsValid();
  void isToldWithItsPlace_data();
  void isToldWithItsPlace();
};

void TestBrokenLessons::theSmallOneIsValid() {
  const auto problems = lessonProblems(test::smallLesson().dump());
  QVERIFY(problems.ok());
  QVERIFY2(problems->empty(), problemsText(*problems).c_str());
}

void TestBrokenLessons::isToldWithItsPlace_data() {
  QTest::addColumn<QString>("patch");  // a JSON merge patch of the page, or of the lesson if it begins with "/"
  QTest::addColumn<QString>("where");
  QTest::addColumn<QString>("problem");
  const auto page = [](const char* name, const char* patch, const char* where, const char* problem) {
    QTest::addRow("%s", name) << QString(patch) << QString(where) << QString::fromUtf8(problem);
  };
  const auto whole = [](const char* name, const char* patch, const char* where, const char* problem) {
    QTest::addRow("%s", name) << "/" + QString(patch) << QString(where) << QString::fromUtf8(problem);
  };
  // The lesson.
  whole("empty title", R"({"title": " "})", "/title", "the title is empty");
  whole("no title", R"({"title": null})", "", "the key \"title\" is missing");
  whole("title is a number", R"({"title": 7})", "/title", "is not a string");
  whole("course is a number", R"({"course": 7})", "/course", "a course is a string");
  whole("no minutes", R"({"minutes": null})", "", "the key \"minutes\" is missing");
  whole("an hour too long", R"({"minutes": 61})", "/minutes", "out of range");
  whole("no pages", R"({"pages": []})", "/pages", "the list is empty");
  whole("pages are no list", R"({"pages": "one"})", "/pages", "is not a list");
  whole("newer", R"({"version": 2})", "/version", "written by a newer version (2)");
  whole("other format", R"({"format": "p2-plan"})", "/format", "not a format that can be read here");
  whole("mistyped key", R"({"sytem": "node:2"})", "/sytem", "the key \"sytem\" is not known here");
  whole("no system", R"({"system": null})", "/pages/0", "a lesson needs a system");
  whole("no such system", R"({"system": "node:0 gpu:2"})", "/system", "");
  whole("axes do not fit", R"({"axes": [{"name": "data", "size": 8}]})", "/pages/0", "");
  whole("no such axis", R"({"reduce": [3]})", "/reduce/0", "there is no axis 3");
  whole("nothing reduced", R"({"reduce": []})", "/pages/0", "");
  whole("no such model", R"({"options": {"model": "guess"}})", "/options/model", "guess");
  whole("no such goal", R"({"options": {"goal": "Gossip"}})", "/options/goal", "Gossip");
  whole("matrix of another size", R"({"matrix": [[4, 4]]})", "/pages/0", "");
  // A page.
  page("no text", R"({"text": null})", "/pages/0", "the key \"text\" is missing");
  page("blank text", R"({"text": " \n"})", "/pages/0/text", "the text is empty");
  page("a number written down", R"({"text": "It takes 12 steps."})", "/pages/0/text", "the number 12 is literal");
  page("a unit written down", R"({"text": "It takes 2 s."})", "/pages/0/text", "the number 2 is literal");
  page("a fraction written down", R"({"text": "A gain of 1.84."})", "/pages/0/text", "the number 1.84 is literal");
  page("no such placeholder", R"({"text": "{second}"})", "/pages/0/text",
       "{second} is not a placeholder here; use one of seconds");
  page("no such named program", R"({"text": "{flt.seconds}"})", "/pages/0/text", "use one of flat.");
  page("open brace", R"({"text": "It takes {seconds"})", "/pages/0/text", "has no closing brace");
  page("no program text", R"({"program": "root:AllReduce"})", "/pages/0/program", "");
  page("no such level", R"({"program": "rack:InsideGroup:AllReduce"})", "/pages/0/program", "rack");
  page("nothing to watch", R"({"program": null, "text": "None."})", "/pages/0/program",
       "there is no program to be watched");
  page("fails unsaid", R"({"program": "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce", "text": "x"})",
       "/pages/0/program", "step 2 fails: chunk 0 already contains");
  page("ends early", R"({"program": "node:InsideGroup:AllReduce"})", "/pages/0/program", "\"partial\": true");
  page("partial but complete", R"({"partial": true})", "/pages/0/partial", "the program reaches its goal");
  page("does not fail", R"({"fails": {"step": 1, "premise": "every member holds data"}})", "/pages/0/fails",
       "the program does not fail");
  page("fails elsewhere",
       R"({"program": "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce", "text": "x",
           "fails": {"step": 1, "premise": "no contribution is counted twice"}})",
       "/pages/0/fails/step", "the program fails in step 2, not in step 1");
  page("fails otherwise",
       R"({"program": "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce", "text": "x",
           "fails": {"step": 2, "premise": "every member holds data"}})",
       "/pages/0/fails/premise", "what fails there is \"no contribution is counted twice\"");
  page("no such premise", R"({"fails": {"step": 1, "premise": "all is well"}})", "/pages/0/fails/premise",
       "there is no premise \"all is well\"; use one of \"every member holds data\"");
  page("named program is none", R"({"programs": {"mine": "nonsense"}})", "/pages/0/programs/mine", "");
  page("unknown key", R"({"hint": "So."})", "/pages/0/hint", "the key \"hint\" is not known here");
  // Its task.
  page("no task", R"({"task": null})", "/pages/0", "the key \"task\" is missing");
  page("no kind", R"({"task": {"kind": null}})", "/pages/0/task", "the key \"kind\" is missing");
  page("no such kind", R"({"task": {"kind": "guess"}})", "/pages/0/task/kind",
       "\"guess\" is none of watch, predict, compose, find");
  page("no question", R"({"task": {"question": ""}})", "/pages/0/task/question", "the text is empty");
  page("no hints", R"({"task": {"hints": []}})", "/pages/0/task/hints", "there is no hint");
  page("hints missing", R"({"task": {"hints": null}})", "/pages/0/task", "the key \"hints\" is missing");
  page("empty hint", R"({"task": {"hints": ["", "So."]}})", "/pages/0/task/hints/0", "the text is empty");
  page("hint with a hole", R"({"task": {"hints": ["{nothing}"]}})", "/pages/0/task/hints/0",
       "is not a placeholder here");
  page("done with a number", R"({"task": {"done": "100 of them"}})", "/pages/0/task/done", "the number 100");
  page("key of another kind", R"({"task": {"device": 0}})", "/pages/0/task/device", "is not known here");
  page("paint what", R"({"task": {"kind": "predict", "paint": "all"}})", "/pages/0/task/paint",
       "\"all\" is none of chunks");
  page("no device", R"({"task": {"kind": "predict", "paint": "chunks", "step": 1}})", "/pages/0/task",
       "\"device\" is missing");
  page("no such device", R"({"task": {"kind": "predict", "paint": "chunks", "device": 4, "step": 1}})",
       "/pages/0/task/device", "there is no device 4; there are 4");
  page("no such step", R"({"task": {"kind": "predict", "paint": "chunks", "device": 0, "step": 2}})",
       "/pages/0/task/step", "the program does not get to the end of step 2");
  page("nothing to mark",
       R"({"program": "root:InsideGroup:Reduce", "partial": true,
           "task": {"kind": "predict", "paint": "chunks", "device": 1, "step": 1}})",
       "/pages/0/task", "no cell has to be marked");
  page("no group step", R"({"task": {"kind": "predict", "paint": "group", "device": 0, "step": 2}})",
       "/pages/0/task/step", "the program has no step 2");
  page("rows of a program", R"({"task": {"kind": "predict", "paint": "rows", "vertex": "v0", "step": 1}})",
       "/pages/0/task/paint", "rows are painted on pages of the literal algorithm");
  page("grid too large",
       R"({"system": "node:16 gpu:2", "axes": [{"name": "data", "size": 32}],
           "task": {"kind": "predict", "paint": "parts", "device": 0, "step": 1}})",
       "/pages/0/task/paint", "a grid of 32 chunks is too large");
  page("outcome of no step", R"({"task": {"kind": "predict", "choose": "outcome", "step": 3}})", "/pages/0/task/step",
       "no run reaches step 3");
  page("one program is fastest", R"({"task": {"kind": "predict", "choose": "fastest", "of": ["flat"]}})",
       "/pages/0/task/of", "one program is fastest only among two or more");
  page("all as fast", R"({"task": {"kind": "predict", "choose": "fastest", "of": ["flat", "flat"]}})", "/pages/0/task",
       "every one of the 2 answers is right");
  page("fastest of a wrong one",
       R"({"task": {"kind": "predict", "choose": "fastest", "of": ["flat", "node:InsideGroup:AllGather"]}})",
       "/pages/0/task/of/1", "");
  page("no right answer",
       R"({"task": {"kind": "predict", "choose": "answer",
           "answers": [{"text": "A", "why": "No."}, {"text": "B", "why": "No."}]}})",
       "/pages/0/task", "nothing that can be chosen is right");
  page("only right answers",
       R"({"task": {"kind": "predict", "choose": "answer", "answers": [
           {"text": "A", "right": true, "why": "Yes."}, {"text": "B", "right": true, "why": "Yes."}]}})",
       "/pages/0/task", "every one of the 2 answers is right");
  page("answer without a reason",
       R"({"task": {"kind": "predict", "choose": "answer", "answers": [
           {"text": "A", "right": true, "why": "Yes."}, {"text": "B", "why": ""}]}})",
       "/pages/0/task/answers/1/why", "the text is empty");
  page("returned of a program", R"({"task": {"kind": "predict", "choose": "returned"}})", "/pages/0/task/choose",
       "only a page of the literal algorithm");
  page("no solution", R"({"task": {"kind": "compose"}})", "/pages/0/task", "\"solution\" is missing");
  page("solution is no program", R"({"task": {"kind": "compose", "solution": "anything"}})", "/pages/0/task/solution",
       "its own answer is not accepted");
  page("solution fails",
       R"({"task": {"kind": "compose", "solution": "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce"}})",
       "/pages/0/task/solution", "its own answer is not accepted: step 2: ");
  page("solution too long",
       R"({"task": {"kind": "compose", "at_most": 1,
           "solution": "root:InsideGroup:ReduceScatter; root:InsideGroup:AllGather"}})",
       "/pages/0/task/solution", "the task asks for at most 1 step");
  page("solution uses what is forbidden",
       R"({"task": {"kind": "compose", "without": ["AllReduce"], "solution": "root:InsideGroup:AllReduce"}})",
       "/pages/0/task/solution", "without AllReduce");
  page("solution too slow",
       R"({"task": {"kind": "compose", "faster": "1 us", "solution": "root:InsideGroup:AllReduce"}})",
       "/pages/0/task/solution", "faster than 1.00 µs");
  page("solution does not fail",
       R"({"task": {"kind": "compose", "fails": "every member holds data", "solution": "root:InsideGroup:AllReduce"}})",
       "/pages/0/task/solution", "every step runs; the task asks for a program that fails");
  page("no such collective", R"({"task": {"kind": "compose", "only": ["AllSum"], "solution": "flat"}})",
       "/pages/0/task/only/0", "AllSum");
  page("no such time", R"({"task": {"kind": "compose", "faster": "soon", "solution": "flat"}})", "/pages/0/task/faster",
       "soon");
  page("nobody is so slow", R"({"task": {"kind": "find", "among": "programs", "slower": "1000 s"}})", "/pages/0/task",
       "nothing that can be chosen is right");
  page("everybody is faster", R"({"task": {"kind": "find", "among": "programs", "faster": "1000 s"}})", "/pages/0/task",
       "answers is right; ask for something else");
  page("one placement alone", R"({"task": {"kind": "find", "among": "placements", "the": "best"}})", "/pages/0/task",
       "there is only one answer to choose from");
  page("a program's loss", R"({"task": {"kind": "find", "among": "programs", "the": "loss"}})", "/pages/0/task",
       "only a step can be");
  page("find what", R"({"task": {"kind": "find", "among": "programs"}})", "/pages/0/task", "\"the\" is missing");
  // Numbers and orders.
  page("no such number", R"({"task": {"kind": "compute", "compute": "second"}})", "/pages/0/task/compute",
       "{second} is not a placeholder here; use one of seconds");
  page("no number", R"({"task": {"kind": "compute", "compute": "title"}})", "/pages/0/task/compute",
       "{title} has no value with a unit");
  page("a number that is told", R"({"task": {"kind": "compute", "compute": "seconds"}})", "/pages/0/text",
       "{seconds} is the answer to the task");
  page("tolerance", R"({"text": "x", "task": {"kind": "compute", "compute": "seconds", "tolerance": "2"}})",
       "/pages/0/task/tolerance", "\"2\" is not a tolerance");
  page(
      "mistake that is right",
      R"({"text": "x", "task": {"kind": "compute", "compute": "seconds", "mistakes": [{"compute": "step1.seconds", "why": "So."}]}})",
      "/pages/0/task/mistakes/0/compute", "this value is the right one, too");
  page("mistake without a reason",
       R"({"text": "x", "task": {"kind": "compute", "compute": "seconds", "mistakes": [{"compute": "bytes"}]}})",
       "/pages/0/task/mistakes/0", "\"why\" is missing");
  page("one step in order", R"({"task": {"kind": "order", "order": "program"}})", "/pages/0/task/order",
       "fewer than two things");
  page("passes of a program", R"({"task": {"kind": "order", "order": "passes", "stage": 0}})", "/pages/0/task/order",
       "only a page of a pipeline has passes");
  // Pipelines and training steps.
  const char* pipeline =
      R"({"pipeline": {"schedule": "1f1b", "stages": 4, "microbatches": 8}, "program": null, "text": "x")";
  const auto piped = [&](const char* name, const QString& task, const char* where, const char* problem) {
    QTest::addRow("%s", name) << QString(pipeline) + R"(, "task": )" + task + "}" << QString(where)
                              << QString::fromUtf8(problem);
  };
  piped("no such stage", R"({"kind": "order", "order": "passes", "stage": 4})", "/pages/0/task/stage",
        "there is no stage 4; there are 4");
  piped("steps of a pipeline", R"({"kind": "order", "order": "program"})", "/pages/0/task/order",
        "this page has no program");
  piped("no such schedule among them",
        R"({"kind": "predict", "choose": "variant", "of": ["1f1b", "none"], "the": "fastest"})", "/pages/0/task/of/1",
        "\"none\" is not a variant with this value");
  piped("part of a pipeline", R"({"kind": "predict", "choose": "part", "table": "memory"})", "/pages/0/task/table",
        "only a page with a training step has tables");
  piped("marks on a pipeline", R"({"kind": "predict", "paint": "chunks", "device": 0, "step": 1})",
        "/pages/0/task/paint", "");
  piped("program on a pipeline", R"({"kind": "compose", "solution": "flat"})", "/pages/0/task/kind",
        "there is no program to write");
  piped("outcome of a pipeline", R"({"kind": "predict", "choose": "outcome", "step": 1})", "/pages/0/task/choose",
        "no program to ask about");
  piped("search in a pipeline", R"({"kind": "find", "among": "programs", "the": "best"})", "/pages/0/task/among",
        "no programs to choose from");
  page("no schedule", R"({"pipeline": {"stages": 4}, "program": null, "text": "x"})", "/pages/0/pipeline",
       "\"schedule\" is missing");
  page("no such schedule", R"({"pipeline": {"schedule": "2f2b"}, "program": null, "text": "x"})",
       "/pages/0/pipeline/schedule", "2f2b");
  page("interleaved rest",
       R"({"pipeline": {"schedule": "interleaved", "microbatches": 6}, "program": null, "text": "x"})",
       "/pages/0/pipeline/microbatches", "a multiple of the stages");
  page("chunks of a fixed schedule",
       R"({"pipeline": {"schedule": "dualpipe", "chunks": 1}, "program": null, "text": "x"})",
       "/pages/0/pipeline/chunks", "only 1f1b is interleaved with chunks; leave the key out");
  page("odd ends", R"({"pipeline": {"schedule": "dualpipe", "stages": 3}, "program": null, "text": "x"})",
       "/pages/0/pipeline", "even numbers");
  page(
      "no such training",
      R"({"training": {"model": "gpt9", "system": "dgx-h100:1", "batch": 8, "fix": ""}, "program": null, "text": "x"})",
      "/pages/0/training/model", "gpt9");
  page(
      "no such machine",
      R"({"training": {"model": "llama3-8b", "system": "abacus", "batch": 8, "fix": ""}, "program": null, "text": "x"})",
      "/pages/0/training/system", "abacus");
  page(
      "no such choice",
      R"({"training": {"model": "llama3-8b", "system": "dgx-h100:1", "batch": 8, "fix": "tp=3"}, "program": null, "text": "x"})",
      "/pages/0/training/fix", "");
  page("two scenes",
       R"({"pipeline": {"schedule": "1f1b"}, "literal": {"tables": "chain"}, "program": null, "text": "x"})",
       "/pages/0", "one of literal, pipeline and training");
  // The literal algorithm.
  page("no such tables", R"({"literal": {"tables": "tree"}, "program": null, "text": "x"})", "/pages/0/literal/tables",
       "there are no cost tables called \"tree\"; use one of chain, cycle, diamond");
  page("no such ties", R"({"literal": {"tables": "chain", "ties": "highest"}})", "/pages/0/literal/ties", "highest");
  page("both", R"({"literal": {"tables": "chain"}, "text": "x"})", "/pages/0/program", "shows no program");
  page("nothing gets lost",
       R"({"literal": {"tables": "chain", "ties": "lowest"}, "program": null, "text": "x",
           "task": {"kind": "find", "among": "steps", "the": "loss"}})",
       "/pages/0/task", "nothing that can be chosen is right");
  page("no such vertex",
       R"({"literal": {"tables": "chain"}, "program": null, "text": "x",
           "task": {"kind": "predict", "paint": "rows", "vertex": "v9", "step": 4}})",
       "/pages/0/task/vertex", "there is no vertex \"v9\"");
  page("no row goes",
       R"({"literal": {"tables": "chain"}, "program": null, "text": "x",
           "task": {"kind": "predict", "paint": "rows", "vertex": "v0", "step": 1}})",
       "/pages/0/task", "no cell has to be marked");
  page(
      "a program to be written there",
      R"({"literal": {"tables": "chain"}, "program": null, "text": "x", "task": {"kind": "compose", "solution": "flat"}})",
      "/pages/0/task/kind", "there is no program to write");
}

void TestBrokenLessons::isToldWithItsPlace() {
  QFETCH(QString, patch);
  QFETCH(QString, where);
  QFETCH(QString, problem);
  nlohmann::json lesson = test::smallLesson();
  if (patch.startsWith('/')) {
    lesson.merge_patch(nlohmann::json::parse(patch.sliced(1).toStdString()));
  } else {
    nlohmann::json change = nlohmann::json::parse(patch.toStdString());
    nlohmann::json& page = lesson["pages"][0];
    // Another kind of task has other keys.
    if (change.contains("task") && change["task"].is_object() && change["task"].contains("kind") &&
        change["task"]["kind"].is_string()) {
      page["task"] = {{"question", "What?"}, {"hints", {"So."}}};
    }
    page.merge_patch(change);
  }
  const auto problems = lessonProblems(lesson.dump());
  QVERIFY(problems.ok());
  QVERIFY2(!problems->empty(), "nothing was found");
  const std::string all = problemsText(*problems);
  const bool reported = std::any_of(problems->begin(), problems->end(), [&](const LessonProblem& each) {
    return each.where == where.toStdString() && QString::fromStdString(each.problem).contains(problem);
  });
  QVERIFY2(reported, all.c_str());
  for (const LessonProblem& each : test::filled(*problems)) {
    QVERIFY2(!each.problem.empty() && each.problem.find('\n') == std::string::npos, all.c_str());
  }
}

QTEST_APPLESS_MAIN(TestBrokenLessons)
#include "tst_broken_lessons.moc"
