// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/detail/task_json.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/lists.h"
#include "base/units.h"
#include "text/json_stream.h"

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
    task.vertex = in.at("vertex", "painting rows needs the vertex whose table it is").text("a vertex is a string");
  } else {
    constexpr std::string_view kNeedDevice = "this needs the number of a device, counted from 0";
    task.device = Device(in.at("device", kNeedDevice).whole(0, INT64_MAX / 2, kNeedDevice));
  }
  if (task.what != What::Partners) {
    task.step = readStep(in.at("step", "this needs the step that it asks about, counted from 1"), holds ? 0 : 1);
  }
  return task;
}

/// Further keys of a question about variants or about the parts of a table.
void readExtreme(const JsonValue& in, ChoiceTask& task) {
  using Extreme = ChoiceTask::Extreme;
  if (task.about == ChoiceTask::About::Variant) {
    constexpr std::string_view kNeed = "\"variant\" needs \"of\", names of two or more variants, and \"the\"";
    for (const JsonValue& item : in.at("of", kNeed).items(kNeed)) task.programs.push_back(item.text(kNeed));
    task.extreme = wordOf<Extreme>(in.at("the", kNeed),
                                   {{"fastest", Extreme::Fastest},
                                    {"slowest", Extreme::Slowest},
                                    {"smallest", Extreme::Smallest},
                                    {"largest", Extreme::Largest}},
                                   kNeed);
  }
  if (task.about == ChoiceTask::About::Part) {
    constexpr std::string_view kNeed = "\"part\" needs \"table\": memory or time";
    task.table =
        wordOf<PartTable>(in.at("table", kNeed), {{"memory", PartTable::Memory}, {"time", PartTable::Time}}, kNeed);
  }
}

ChoiceTask readChoice(const JsonValue& in) {
  using About = ChoiceTask::About;
  constexpr std::string_view kNeed = "\"choose\" names the question";
  ChoiceTask task;
  task.about = wordOf<About>(in.at("choose", kNeed),
                             {{"outcome", About::Outcome},
                              {"fastest", About::Fastest},
                              {"returned", About::Returned},
                              {"answer", About::Given},
                              {"variant", About::Variant},
                              {"part", About::Part}},
                             kNeed);
  readExtreme(in, task);
  if (task.about == About::Outcome) {
    task.step = readStep(in.at("step", "an outcome needs its step, counted from 1"), 1);
  }
  if (task.about == About::Fastest) {
    constexpr std::string_view kNeedPrograms = "\"fastest\" needs a list of two or more programs";
    for (const JsonValue& item : in.at("of", kNeedPrograms).items(kNeedPrograms)) {
      task.programs.push_back(item.text("a program is a string or the name of one"));
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
    in.fail("only a step can be \"the\" \"loss\", and a step can be nothing else; ask about something else");
  }
  return task;
}

/// "2 %", a share.
double readTolerance(const JsonValue& in) {
  constexpr std::string_view kNeed = "a tolerance is a string, as in \"2 %\"";
  const std::string text = in.text(kNeed);
  if (in.failed()) return 0;
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error != std::errc() || (rest != "%" && rest != " %") || percent < 0 || percent > 50)
    in.fail("\"" + text + "\" is not a tolerance of 0 % to 50 %; " + std::string(kNeed));
  return percent / 100;
}

ComputeTask readCompute(const JsonValue& in) {
  constexpr std::string_view kNeed = "\"compute\" names the placeholder whose value is asked, as in \"seconds\"";
  ComputeTask task;
  task.fact = in.at("compute", kNeed).text(kNeed);
  if (in.has("tolerance")) task.tolerance = readTolerance(in.at("tolerance", {}));
  if (!in.has("mistakes")) return task;
  constexpr std::string_view kMistakes = "\"mistakes\" is a list of {\"compute\": a placeholder, \"why\": a text}";
  for (const JsonValue& item : in.at("mistakes", {}).items(kMistakes)) {
    refuseOtherKeys(item, {"compute", "why"});
    ComputeTask::Mistake mistake;
    mistake.fact = item.at("compute", kMistakes).text(kMistakes);
    mistake.why = item.at("why", kMistakes).text(kMistakes);
    task.mistakes.push_back(std::move(mistake));
  }
  return task;
}

OrderTask readOrder(const JsonValue& in) {
  constexpr std::string_view kNeed = "\"order\" names the things to put in order: program or passes";
  OrderTask task;
  task.what = wordOf<OrderTask::What>(
      in.at("order", kNeed), {{"program", OrderTask::What::Program}, {"passes", OrderTask::What::Passes}}, kNeed);
  if (task.what == OrderTask::What::Program) return task;
  constexpr std::string_view kStage = "passes need the stage that plays them, counted from 0";
  task.stage = static_cast<int>(in.at("stage", kStage).whole(0, 1000, kStage));
  if (in.has("count")) task.count = static_cast<int>(in.at("count", {}).whole(2, 12, "order 2 to 12 passes"));
  return task;
}

enum class Kind { Watch, Paint, Choose, Compose, Find, Compute, Order };

Kind kindOf(const JsonValue& in) {
  constexpr std::string_view kNeed = "a task is one of these kinds";
  const Kind kind = wordOf<Kind>(in.at("kind", kNeed),
                                 {{"watch", Kind::Watch},
                                  {"predict", Kind::Paint},
                                  {"compose", Kind::Compose},
                                  {"find", Kind::Find},
                                  {"compute", Kind::Compute},
                                  {"order", Kind::Order}},
                                 kNeed);
  return kind == Kind::Paint && !in.has("paint") ? Kind::Choose : kind;
}

std::vector<std::string_view> keysOf(Kind kind) {
  std::vector<std::string_view> keys{"kind", "question", "hints", "done"};
  const auto with = [&keys](std::initializer_list<std::string_view> more) {
    keys.insert(keys.end(), more);
    return keys;
  };
  switch (kind) {
    case Kind::Watch:
      return keys;
    case Kind::Paint:
      return with({"paint", "device", "step", "vertex"});
    case Kind::Choose:
      return with({"choose", "step", "of", "answers", "the", "table"});
    case Kind::Compose:
      return with({"at_most", "only", "without", "faster", "fails", "solution"});
    case Kind::Find:
      return with({"among", "slower", "faster", "the"});
    case Kind::Compute:
      return with({"compute", "tolerance", "mistakes"});
    case Kind::Order:
      return with({"order", "stage", "count"});
  }
  return keys;
}

void readKind(const JsonValue& in, Kind kind, LessonTask& task) {
  switch (kind) {
    case Kind::Watch:
      task.kind = WatchTask{};
      break;
    case Kind::Paint:
      task.kind = readPaint(in);
      break;
    case Kind::Choose:
      task.kind = readChoice(in);
      break;
    case Kind::Compose:
      task.kind = readCompose(in);
      break;
    case Kind::Find:
      task.kind = readFind(in);
      break;
    case Kind::Compute:
      task.kind = readCompute(in);
      break;
    case Kind::Order:
      task.kind = readOrder(in);
      break;
  }
}

}  // namespace

void refuseOtherKeys(const JsonValue& in, std::initializer_list<std::string_view> known) {
  if (!in.json().is_object()) return;
  for (const auto& [key, value] : in.members({})) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string list = joined(known);
    return value.fail("the key \"" + key + "\" is not known here; use one of " + list);
  }
}

double readSeconds(const JsonValue& in) {
  constexpr std::string_view kNeed = "a time is a string with its unit, as in \"20 s\"";
  const std::string text = in.text(kNeed);
  if (in.failed()) return 0;
  const auto seconds = parseSeconds(text);
  if (!seconds.ok()) in.fail(seconds.error().message);
  return seconds.ok() ? *seconds : 0;
}

void LessonProblems::add(const std::string& where, const std::string& problem) {
  LessonProblem each{where, problem};
  if (std::find(m_list->begin(), m_list->end(), each) == m_list->end()) m_list->push_back(std::move(each));
}

void LessonProblems::otherKeys(const Json& json, const std::vector<std::string_view>& known) {
  if (!json.is_object()) return;
  const std::string list = joined(known);
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    add(m_pointer + jsonPointerStep(key), "the key \"" + key + "\" is not known here; use one of " + list);
  }
}

LessonTask readTask(const Json& json, LessonProblems& problems) {
  LessonTask task;
  std::optional<Kind> kind;
  problems.read(json, [&](const JsonValue& in) {
    const Kind read = kindOf(in);
    if (!in.failed()) kind = read;
  });
  problems.read(json, [&](const JsonValue& in) {
    task.question = in.at("question", "a task needs a question").text("a question is a string");
  });
  problems.read(json, [&](const JsonValue& in) {
    constexpr std::string_view kNeedHints = "a task needs a list of hints, one or more";
    for (const JsonValue& hint : in.at("hints", kNeedHints).items(kNeedHints)) {
      task.hints.push_back(hint.text("a hint is a string"));
    }
  });
  problems.read(json, [&](const JsonValue& in) {
    if (in.has("done")) task.done = in.at("done", {}).text("the final sentence of a task is a string");
  });
  if (!kind) return task;
  problems.otherKeys(json, keysOf(*kind));
  problems.read(json, [&](const JsonValue& in) { readKind(in, *kind, task); });
  return task;
}

}  // namespace p2::inline lesson
