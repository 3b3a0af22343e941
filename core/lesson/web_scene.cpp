// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/units.h"
#include "lesson/detail/web_parts.h"
#include "lesson/lesson_web.h"
#include "synthesis/step_words.h"

namespace p2::inline lesson {
namespace {

Json stepsJson(const PreparedPage& prepared, RowTable& table) {
  const SynthesisHierarchy& hierarchy = *prepared.result().hierarchy;
  Json steps = Json::array();
  for (std::size_t i = 0; i < prepared.program.size(); ++i) {
    const Instruction& instruction = prepared.program[i];
    Json step = Json::object();
    if (static_cast<int>(i) < prepared.trace->validSteps()) {
      step = movingStep(prepared, *prepared.trace, StepId(static_cast<std::int64_t>(i)), instruction, table);
    }
    step["title"] = stepWords(hierarchy, instruction);
    steps.push_back(std::move(step));
  }
  return steps;
}

Json programScene(const PreparedPage& prepared) {
  const Workspace& setting = prepared.exploration->workspace;
  const ProgramTrace& trace = *prepared.trace;
  Json scene{{"kind", "program"}, {"devices", setting.system.deviceCount()}, {"chunks", trace.chunks()}};
  scene["levels"] = Json::array();
  for (const Level& level : setting.system.levels)
    scene["levels"].push_back({{"name", level.name}, {"count", level.count}});
  RowTable table(static_cast<int>(trace.chunks()));
  scene["steps"] = stepsJson(prepared, table);
  scene["before"] = prepared.stepsBeforeAnswer();
  scene["valid"] = trace.validSteps();
  scene["states"] = Json::array();
  for (int steps = 0; steps <= trace.validSteps(); ++steps)
    scene["states"].push_back(statesJson(prepared, trace, steps, table));
  scene["rows"] = table.rows();
  scene.update(writtenJson(writeMotionTimes));
  if (trace.failure()) scene["failure"] = trace.failure()->sentence;
  return scene;
}

Json tablesJson(const PreparedPage& prepared) {
  Json tables = Json::array();
  for (const LessonTable& table : prepared.tables) {
    Json rows = Json::array();
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      Json cells = Json::array({table.rows[row]});
      bool any = false;
      for (const double value : table.values[row]) {
        cells.push_back(numberText({value, table.unit}));
        any = any || value > 0;
      }
      if (any) rows.push_back(std::move(cells));
    }
    tables.push_back({{"title", table.title}, {"columns", table.columns}, {"rows", rows}});
  }
  return tables;
}

/// Passes and what happens once; parts of passes are too fine for a telephone.
Json timelineScene(const PreparedPage& prepared) {
  const Timeline& timeline = *prepared.timeline;
  Json scene{{"kind", "timeline"}, {"seconds", timeline.seconds}, {"shown", prepared.isShownBefore()}};
  scene["tracks"] = Json::array();
  for (const TimelineTrack& track : timeline.tracks) scene["tracks"].push_back(track.name);
  scene["kinds"] = kSliceKinds;
  scene["slices"] = Json::array();
  for (const TimelineSlice& slice : timeline.slices) {
    if (slice.depth > 0) continue;
    const SliceDetail& detail = timeline.detailOf(slice);
    const bool second = detail.note == "chunk 1";
    scene["slices"].push_back(
        Json::array({slice.track, static_cast<int>(detail.kind), slice.number, slice.start, slice.seconds, second}));
  }
  scene["moments"] = prepared.moments;
  scene["end"] = formatSeconds(timeline.seconds);
  scene["title"] = timeline.title;
  scene["tables"] = tablesJson(prepared);
  return scene;
}

}  // namespace

bool isDrawn(const PreparedPage& prepared) {
  return prepared.exploration && prepared.trace->isExplicit() &&
         prepared.exploration->workspace.system.deviceCount() <= kMostWebDevices;
}

Json webScene(const PreparedPage& prepared) {
  if (isDrawn(prepared)) return programScene(prepared);
  if (prepared.timeline || !prepared.tables.empty()) {
    if (prepared.timeline) return timelineScene(prepared);
    return {{"kind", "timeline"},
            {"seconds", 0},
            {"shown", prepared.isShownBefore()},
            {"tracks", Json::array()},
            {"slices", Json::array()},
            {"moments", Json::array()},
            {"kinds", Json::array()},
            {"end", ""},
            {"tables", tablesJson(prepared)}};
  }
  Json scene{{"kind", "none"}};
  if (prepared.exploration) {
    scene["steps"] = Json::array();
    for (const Instruction& each : prepared.program)
      scene["steps"].push_back(stepWords(*prepared.result().hierarchy, each));
  }
  return scene;
}

}  // namespace p2::inline lesson
