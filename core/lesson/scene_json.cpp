// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/detail/scene_json.h"

#include "base/units.h"
#include "lesson/detail/task_json.h"

namespace p2::inline lesson {
namespace {

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

}  // namespace

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
  if (!in.failed() && scene.forward <= 0) in.fail("a forward pass takes more than no time");
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
    constexpr std::string_view kChoices = "a variant is a text with its choices, as in \"zero=3\"";
    for (const auto& [name, value] : in.at("variants", {}).members("\"variants\" gives choices names")) {
      scene.variants[name] = value.text(kChoices);
    }
  }
  if (in.has("shown"))
    scene.shown = in.at("shown", {}).boolean("use true to show timeline and tables before the answer");
  return scene;
}

}  // namespace p2::inline lesson
