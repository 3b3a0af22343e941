// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/detail/task_json.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/units.h"

namespace p2::inline lesson {
namespace {

template <class T>
using Names = std::initializer_list<std::pair<std::string_view, T>>;

/// A word out of a table; the problem lists the table.
template <class T>
T wordOf(const JsonValue& in, Names<T> names, std::string_view need) {
  const std::string word = in.text(need);
  if (in.failed()) return T{};
  std::string known;
  for (const auto& [name, value] : names) {
    if (name == word) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  in.fail("\"" + word + "\" is none of " + known + "; " + std::string(need));
  return T{};
}

double readSeconds(const JsonValue& in) {
  constexpr std::string_view kNeed = "a time is a text with its unit, as in \"20 s\"";
  const std::string text = in.text(kNeed);
  if (in.failed()) return 0;
  const auto seconds = parseSeconds(text);
  if (!seconds.ok()) in.fail(seconds.error().message);
  return seconds.ok() ? *seconds : 0;
}

int readStep(const JsonValue& in, int least) {
  return static_cast<int>(in.whole(least, 100'000, "steps are counted from 1"));
}

PaintTask readPaint(const JsonValue& in) {
  using What = PaintTask::What;
  constexpr std::string_view kNeed = "\"paint\" says which cells are to be marked";
  PaintTask task;
  task.what = wordOf<What>(in.at("paint", kNeed),
                           {{"chunks", What::Chunks},
                            {"parts", What::Parts},
                            {"group", What::Group},
                            {"partners", What::Partners},
                            {"rows", What::Rows}},
                           kNeed);
  const bool holds = task.what == What::Chunks || task.what == What::Parts;
  if (task.what == What::Rows) {
    task.vertex = in.at("vertex", "painting rows needs the vertex whose table it is").text("a vertex is a text");
  } else {
    constexpr std::string_view kNeedDevice = "this needs the number of a device, counted from 0";
    task.device = Device(in.at("device", kNeedDevice).whole(0, INT64_MAX / 2, kNeedDevice));
  }
  if (task.what != What::Partners) {
    task.step = readStep(in.at("step", "this needs the step that it asks about, counted from 1"), holds ? 0 : 1);
  }
  return task;
}

ChoiceTask readChoice(const JsonValue& in) {
  using About = ChoiceTask::About;
  constexpr std::string_view kNeed = "\"choose\" names the question";
  ChoiceTask task;
  task.about = wordOf<About>(in.at("choose", kNeed),
                             {{"outcome", About::Outcome},
                              {"fastest", About::Fastest},
                              {"returned", About::Returned},
                              {"answer", About::Given}},
                             kNeed);
  if (task.about == About::Outcome) {
    task.step = readStep(in.at("step", "an outcome needs its step, counted from 1"), 1);
  }
  if (task.about == About::Fastest) {
    constexpr std::string_view kNeedPrograms = "\"fastest\" needs a list of two or more programs";
    for (const JsonValue& item : in.at("of", kNeedPrograms).items(kNeedPrograms)) {
      task.programs.push_back(item.text("a program is a text or the name of one"));
    }
  }
  if (task.about == About::Given) {
    constexpr std::string_view kNeedAnswers = "a choice needs a list of answers, each with a text, right and why";
    for (const JsonValue& item : in.at("answers", kNeedAnswers).items(kNeedAnswers)) {
      refuseOtherKeys(item, {"text", "right", "why"});
      ChoiceTask::Answer answer;
      answer.text = item.at("text", kNeedAnswers).text(kNeedAnswers);
      answer.right = item.has("right") && item.at("right", {}).boolean("right is true or false");
      answer.why = item.at("why", kNeedAnswers).text(kNeedAnswers);
      task.answers.push_back(std::move(answer));
    }
  }
  return task;
}

std::vector<Collective> readCollectives(const JsonValue& in) {
  constexpr std::string_view kNeed = "this is a list of collectives, as in [\"ReduceScatter\"]";
  std::vector<Collective> collectives;
  for (const JsonValue& item : in.items(kNeed)) collectives.push_back(item.word(collectiveFrom, kNeed));
  return collectives;
}

ComposeTask readCompose(const JsonValue& in) {
  ComposeTask task;
  if (in.has("at_most")) task.atMost = readStep(in.at("at_most", {}), 1);
  if (in.has("only")) task.only = readCollectives(in.at("only", {}));
  if (in.has("without")) task.without = readCollectives(in.at("without", {}));
  if (in.has("faster")) task.fasterThan = readSeconds(in.at("faster", {}));
  if (in.has("fails")) task.fails = in.at("fails", {}).word(premiseFrom, "\"fails\" names a premise");
  constexpr std::string_view kNeed = "a program to be written needs a solution that shows that there is one";
  task.solution = in.at("solution", kNeed).text(kNeed);
  return task;
}

FindTask readFind(const JsonValue& in) {
  using Among = FindTask::Among;
  using Condition = FindTask::Condition;
  constexpr std::string_view kNeed = "\"among\" names the candidates";
  FindTask task;
  task.among =
      wordOf<Among>(in.at("among", kNeed),
                    {{"programs", Among::Programs}, {"placements", Among::Placements}, {"steps", Among::Steps}}, kNeed);
  if (in.has("slower")) {
    task.condition = Condition::SlowerThan;
    task.seconds = readSeconds(in.at("slower", {}));
  } else if (in.has("faster")) {
    task.condition = Condition::FasterThan;
    task.seconds = readSeconds(in.at("faster", {}));
  } else {
    constexpr std::string_view kNeedThe = "a search needs \"slower\", \"faster\" or \"the\": best, slowest or loss";
    task.condition = wordOf<Condition>(
        in.at("the", kNeedThe),
        {{"best", Condition::Best}, {"slowest", Condition::Slowest}, {"loss", Condition::Loses}}, kNeedThe);
  }
  const bool steps = task.among == Among::Steps;
  if (!in.failed() && steps != (task.condition == Condition::Loses)) {
    in.fail("only a step can be \"the\" \"loss\", and a step can be nothing else; ask otherwise");
  }
  return task;
}

enum class Kind { Watch, Paint, Choose, Compose, Find };

Kind kindOf(const JsonValue& in) {
  constexpr std::string_view kNeed = "a task is one of these kinds";
  const Kind kind = wordOf<Kind>(
      in.at("kind", kNeed),
      {{"watch", Kind::Watch}, {"predict", Kind::Paint}, {"compose", Kind::Compose}, {"find", Kind::Find}}, kNeed);
  return kind == Kind::Paint && !in.has("paint") ? Kind::Choose : kind;
}

}  // namespace

void refuseOtherKeys(const JsonValue& in, std::initializer_list<std::string_view> known) {
  if (!in.json().is_object()) return;
  for (const auto& [key, value] : in.members({})) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string list;
    for (const std::string_view each : known) list += (list.empty() ? "" : ", ") + std::string(each);
    return value.fail("the key \"" + key + "\" means nothing here; these do: " + list);
  }
}

LessonTask readTask(const JsonValue& in) {
  LessonTask task;
  const Kind kind = kindOf(in);
  task.question = in.at("question", "a task needs a question").text("a question is a text");
  constexpr std::string_view kNeedHints = "a task needs a list of hints, one or more";
  for (const JsonValue& hint : in.at("hints", kNeedHints).items(kNeedHints)) {
    task.hints.push_back(hint.text("a hint is a text"));
  }
  if (in.has("done")) task.done = in.at("done", {}).text("the final sentence of a task is a text");
  switch (kind) {
    case Kind::Watch:
      refuseOtherKeys(in, {"kind", "question", "hints", "done"});
      break;
    case Kind::Paint:
      refuseOtherKeys(in, {"kind", "question", "hints", "done", "paint", "device", "step", "vertex"});
      task.kind = readPaint(in);
      break;
    case Kind::Choose:
      refuseOtherKeys(in, {"kind", "question", "hints", "done", "choose", "step", "of", "answers"});
      task.kind = readChoice(in);
      break;
    case Kind::Compose:
      refuseOtherKeys(
          in, {"kind", "question", "hints", "done", "at_most", "only", "without", "faster", "fails", "solution"});
      task.kind = readCompose(in);
      break;
    case Kind::Find:
      refuseOtherKeys(in, {"kind", "question", "hints", "done", "among", "slower", "faster", "the"});
      task.kind = readFind(in);
      break;
  }
  return task;
}

}  // namespace p2::inline lesson
