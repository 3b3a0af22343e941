// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "lesson/detail/task_json.h"
#include "lesson/lesson.h"
#include "text/json_document.h"
#include "text/json_value.h"
#include "workspace/presets.h"
#include "workspace/workspace.h"

namespace p2::inline lesson {
namespace {

/// Largest number of stages, microbatches and virtual stages of a pipeline that a page can show.
constexpr int kMostSceneStages = 16;
constexpr int kMostSceneMicrobatches = 64;
constexpr int kMostSceneChunks = 8;

Result<LiteralOptions::Ties> tiesFrom(std::string_view name) {
  if (name == "lowest") return LiteralOptions::Ties::Lowest;
  if (name == "arbitrary") return LiteralOptions::Ties::Arbitrary;
  return Error{"\"" + std::string(name) + "\" is not a rule for ties; use lowest or arbitrary"};
}

int readCount(const JsonValue& in, const char* key, int most, int otherwise, std::string_view need) {
  return in.has(key) ? static_cast<int>(in.at(key, {}).whole(1, most, need)) : otherwise;
}

/// The chunks of a stage that the schedule has by itself.
int chunksOf(ScheduleKind schedule) {
  return schedule == ScheduleKind::ZeroBubbleV || schedule == ScheduleKind::DualPipe ? 2 : 1;
}

void checkPipeline(const JsonValue& in, const PipelineScene& scene) {
  if (in.failed()) return;
  if (scene.schedule != ScheduleKind::OneF1B) {
    if (scene.chunks != chunksOf(scene.schedule))
      in.at("chunks", {}).fail("only 1f1b is interleaved with chunks; leave the key out");
  } else if (scene.chunks > 1 && scene.microbatches % scene.stages != 0) {
    in.at("microbatches", {}).fail("interleaved stages need a multiple of the stages");
  }
  if (scene.schedule == ScheduleKind::DualPipe && (scene.stages % 2 != 0 || scene.microbatches % 2 != 0)) {
    in.fail("dualpipe needs even numbers of stages and of microbatches");
  }
}

/// The value of "literal", "pipeline" and "training".
LiteralScene readLiteralScene(const JsonValue& in) {
  refuseOtherKeys(in, {"tables", "ties", "seed"});
  constexpr std::string_view kNeed = "\"literal\" needs the name of bundled cost tables, as in {\"tables\": \"chain\"}";
  LiteralScene scene;
  scene.tables = in.at("tables", kNeed).text(kNeed);
  if (in.has("ties")) scene.ties = in.at("ties", {}).word(tiesFrom, "use lowest or arbitrary");
  if (in.has("seed")) {
    scene.seed = static_cast<std::uint64_t>(in.at("seed", {}).whole(0, INT64_MAX / 2, "a seed is 0 or more"));
  }
  return scene;
}

PipelineScene readPipelineScene(const JsonValue& in) {
  refuseOtherKeys(in,
                  {"schedule", "stages", "microbatches", "chunks", "forward", "backward", "weights", "send", "shown"});
  constexpr std::string_view kNeed = "\"pipeline\" needs a schedule, as in {\"schedule\": \"1f1b\"}";
  PipelineScene scene;
  scene.schedule = in.at("schedule", kNeed).word(scheduleKindFrom, kNeed);
  const bool interleaved = !in.failed() && in.at("schedule", kNeed).text(kNeed) == "interleaved";
  scene.chunks = interleaved ? 2 : chunksOf(scene.schedule);
  scene.stages = readCount(in, "stages", kMostSceneStages, scene.stages, "a pipeline has 1 to 16 stages");
  scene.microbatches =
      readCount(in, "microbatches", kMostSceneMicrobatches, scene.microbatches, "a step has 1 to 64 microbatches");
  scene.chunks = readCount(in, "chunks", kMostSceneChunks, scene.chunks, "a device has 1 to 8 virtual stages");
  if (in.has("forward")) scene.forward = readSeconds(in.at("forward", {}));
  if (in.has("backward")) scene.backward = readSeconds(in.at("backward", {}));
  if (in.has("weights")) scene.weights = readSeconds(in.at("weights", {}));
  if (in.has("send")) scene.send = readSeconds(in.at("send", {}));
  if (in.has("shown")) scene.shown = in.at("shown", {}).boolean("use true to show the timeline before the answer");
  if (!in.failed() && scene.forward <= 0) in.fail("a forward pass takes more than 0 seconds");
  checkPipeline(in, scene);
  return scene;
}

TrainingScene readTrainingScene(const JsonValue& in) {
  refuseOtherKeys(in, {"model", "system", "batch", "sequence", "framework", "fix", "variants", "shown"});
  constexpr std::string_view kNeed =
      "\"training\" needs a model, a system, a batch and choices, as in {\"model\": \"llama3-8b\", \"system\": "
      "\"dgx-h100:2\", \"batch\": 32, \"fix\": \"tp=2,pp=2\"}";
  TrainingScene scene;
  scene.model = in.at("model", kNeed).text(kNeed);
  scene.system = in.at("system", kNeed).text(kNeed);
  scene.batch = in.at("batch", kNeed).whole(1, std::int64_t{1} << 30, "a step has 1 sequence or more");
  if (in.has("sequence"))
    scene.sequence = in.at("sequence", {}).whole(1, std::int64_t{1} << 30, "a sequence has 1 token or more");
  if (in.has("framework")) scene.framework = in.at("framework", {}).text("a framework is a name, as in megatron");
  scene.fixed = in.at("fix", kNeed).text(kNeed);
  if (in.has("variants")) {
    constexpr std::string_view kChoices = "a variant is a string with its choices, as in \"zero=3\"";
    for (const auto& [name, value] : in.at("variants", {}).members("\"variants\" gives choices names")) {
      scene.variants[name] = value.text(kChoices);
    }
  }
  if (in.has("shown"))
    scene.shown = in.at("shown", {}).boolean("use true to show timeline and tables before the answer");
  return scene;
}

constexpr std::array kSettingKeys{"system", "axes", "reduce", "options", "matrix"};

/// "system" of a pointer as "/system/levels/0"; the whole of one without a slash behind.
std::string firstKey(const std::string& pointer) {
  if (pointer.empty()) return {};
  const std::size_t end = pointer.find('/', 1);
  return pointer.substr(1, end == std::string::npos ? end : end - 1);
}

Result<Json> systemValue(const Json& value) {
  if (!value.is_string()) return value;
  P2_TRY_ASSIGN(const auto system, parseSystem(value.get<std::string>()));
  return parseJson(systemToJson(system));
}

bool changesMatrix(const Json& page) { return page.contains("system") || page.contains("axes"); }

/// The workspace that a page is about: the lesson's system, axes, reduce, options and matrix, with those that the page
/// has itself in their place. A system may be a text as on the command line; a page with another system or other axes
/// does not have the lesson's matrix. Errors name the JSON pointer within the lesson.
Result<Workspace> settingOf(const Json& lesson, const Json& page, const std::string& pagePointer) {
  Json setting{{"format", kWorkspaceFormat}, {"version", versionOf(kWorkspaceFormat)}};
  const auto placeOf = [&](const std::string& key) { return page.contains(key) ? pagePointer : std::string(); };
  for (const char* key : kSettingKeys) {
    const bool own = page.contains(key);
    const bool inherits = lesson.contains(key) && (std::string_view(key) != "matrix" || !changesMatrix(page));
    if (!own && !inherits) continue;
    setting[key] = own ? page[key] : lesson[key];
  }
  if (!setting.contains("system")) {
    return Error{"a lesson needs a system: a text as in \"node:2 gpu:4\", or an object as in a workspace file",
                 pagePointer};
  }
  auto system = systemValue(setting["system"]);
  if (!system.ok()) return system.error().at(placeOf("system") + "/system");
  setting["system"] = *system;
  auto workspace = workspaceFromJson(jsonText(setting));
  if (!workspace.ok()) {
    const std::string& position = workspace.error().where.position;
    return workspace.error().at(placeOf(firstKey(position)) + position);
  }
  workspace.value().source.clear();
  if (const auto parts = checkParts(workspace->system); !parts.ok()) {
    return parts.error().at(placeOf("system") + "/system");
  }
  const auto checked = checkWorkspace(*workspace);
  if (!checked.ok()) return checked.error().at(pagePointer);
  return std::move(workspace).value();
}

constexpr int kMostMinutes = 60;
constexpr std::string_view kNeedPages = "a lesson needs a list of pages, each with a text and a task";

std::string pointerOf(std::size_t page) { return "/pages/" + std::to_string(page); }

ExpectedFailure readFailure(const JsonValue& in) {
  refuseOtherKeys(in, {"step", "premise"});
  constexpr std::string_view kNeed = "\"fails\" needs the step, counted from 1, and the premise";
  ExpectedFailure failure;
  failure.step = static_cast<int>(in.at("step", kNeed).whole(1, kMostSizeLimit, kNeed));
  failure.premise = in.at("premise", kNeed).word(premiseFrom, kNeed);
  return failure;
}

void readPrograms(const JsonValue& in, LessonPage& page) {
  for (const auto& [name, value] : in.members("\"programs\" gives programs names")) {
    page.programs[name] = value.text("a program is a string, as in root:InsideGroup:AllReduce");
  }
}

LessonPage readPage(const Json& json, LessonProblems& problems) {
  LessonPage page;
  problems.otherKeys(json, {"text", "system", "axes", "reduce", "options", "matrix", "program", "programs", "partial",
                            "fails", "literal", "pipeline", "training", "task"});
  problems.read(json, [&](const JsonValue& in) {
    page.text = in.at("text", "every page needs a text").text("a page's text is a string");
  });
  const auto optional = [&](const char* key, const auto& read) {
    if (json.is_object() && json.contains(key)) problems.read(json, [&](const JsonValue& in) { read(in.at(key, {})); });
  };
  optional("program", [&](const JsonValue& in) {
    page.program = in.text("a program is a string, as in root:InsideGroup:AllReduce");
  });
  optional("programs", [&](const JsonValue& in) { readPrograms(in, page); });
  optional("partial",
           [&](const JsonValue& in) { page.partial = in.boolean("use true where the goal need not be reached"); });
  optional("fails", [&](const JsonValue& in) { page.fails = readFailure(in); });
  optional("literal", [&](const JsonValue& in) { page.literal = readLiteralScene(in); });
  optional("pipeline", [&](const JsonValue& in) { page.pipeline = readPipelineScene(in); });
  optional("training", [&](const JsonValue& in) { page.training = readTrainingScene(in); });
  if (!json.is_object() || !json.contains("task")) {
    problems.read(json, [](const JsonValue& in) { (void)in.at("task", "every page needs a task"); });
  } else {
    LessonProblems within = problems.below("/task");
    page.task = readTask(json["task"], within);
  }
  return page;
}

void readHead(const Json& json, Lesson& lesson, LessonProblems& problems) {
  problems.otherKeys(json, {"format", "version", "title", "course", "minutes", "system", "axes", "reduce", "options",
                            "matrix", "pages"});
  problems.read(json, [&](const JsonValue& in) {
    lesson.title = in.at("title", "a lesson needs a title").text("a title is a string");
  });
  problems.read(json, [&](const JsonValue& in) {
    if (in.has("course")) lesson.course = in.at("course", {}).text("a course is a string");
  });
  problems.read(json, [&](const JsonValue& in) {
    lesson.minutes = static_cast<int>(in.at("minutes", "a lesson needs the number of minutes that it takes")
                                          .whole(1, kMostMinutes, "a lesson takes 1 to 60 minutes"));
  });
  problems.read(json, [&](const JsonValue& in) {
    const auto pages = in.at("pages", kNeedPages).items(kNeedPages);
    if (!in.failed() && pages.empty())
      in.at("pages", {}).fail(std::string("the list is empty; ") + std::string(kNeedPages));
  });
}

}  // namespace

Result<Premise> premiseFrom(std::string_view name) {
  constexpr std::array kPremises{Premise::MembersNonEmpty, Premise::RowsEqual,         Premise::ColumnsDisjoint,
                                 Premise::SizeDividesRows, Premise::RowCountsEqual,    Premise::RowsDisjoint,
                                 Premise::RootNonEmpty,    Premise::MembersWithinRoot, Premise::RootTellsSomething,
                                 Premise::OthersEmpty};
  /// Names in files of before, in the same order.
  constexpr std::array<std::string_view, 10> kFormerNames{
      "every member holds something",      "every member holds the same chunks",
      "no contribution is counted twice",  "the chunks can be dealt out evenly",
      "every member holds as many chunks", "no chunk is held by two members",
      "the root holds something",          "the root knows at least what each member knows",
      "some member learns something",      "nobody but the root holds anything",
  };
  const auto former = std::find(kFormerNames.begin(), kFormerNames.end(), name);
  if (former != kFormerNames.end()) return kPremises[std::size_t(former - kFormerNames.begin())];
  std::string known;
  for (const Premise premise : kPremises) {
    if (nameOf(premise) == name) return premise;
    known += (known.empty() ? "\"" : "\", \"") + std::string(nameOf(premise));
  }
  return Error{"there is no premise \"" + std::string(name) + "\"; use one of " + known + "\""};
}

Result<LessonReading> readLesson(std::string_view text, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto json, parseJson(text, stop));
  std::optional<Error> problem;
  (void)readHeader(JsonValue(json, problem), {std::string(kLessonFormat)});
  if (problem) return *problem;
  LessonReading reading;
  LessonProblems problems(reading.problems, {});
  readHead(json, reading.lesson, problems);
  if (!json.contains("pages") || !json["pages"].is_array()) return reading;
  for (std::size_t i = 0; i < json["pages"].size(); ++i) {
    if (stop.stop_requested()) return cancelledError();
    const Json& page = json["pages"][i];
    const std::size_t before = reading.problems.size();
    LessonProblems within = problems.below(pointerOf(i));
    LessonPage read = readPage(page, within);
    bool readable = reading.problems.size() == before;
    if (read.isProgram() && page.is_object()) {
      auto setting = settingOf(json, page, pointerOf(i));
      readable = readable && setting.ok();
      if (setting.ok()) {
        read.setting = std::move(setting).value();
      } else {
        problems.add(setting.error().where.position, setting.error().message);
      }
    }
    reading.lesson.pages.push_back(std::move(read));
    reading.readable.push_back(readable);
  }
  return reading;
}

Result<Lesson> lessonFromJson(std::string_view text, std::stop_token stop) {
  P2_TRY_ASSIGN(auto reading, readLesson(text, std::move(stop)));
  if (!reading.problems.empty()) return Error{reading.problems.front().problem, reading.problems.front().where};
  return std::move(reading.lesson);
}

}  // namespace p2::inline lesson
