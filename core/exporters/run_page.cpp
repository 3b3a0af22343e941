// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <sstream>

#include "cost/flows/motion_json.h"
#include "exporters/detail/page_files.h"
#include "exporters/detail/program_story.h"
#include "exporters/detail/formats.h"
#include "text/html.h"
#include "text/json_writer.h"

namespace p2::inline exporters {
namespace {

using Layout = JsonWriter::Layout;

void writeGroup(JsonWriter& json, const DeviceGroup& group) {
  std::vector<std::int64_t> numbers;
  for (const Device device : group) numbers.push_back(device.value());
  json.wholes(numbers);
}

void writeSteps(JsonWriter& json, const ProgramStory& story, RowTable& table) {
  json.key("steps").beginArray();
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    const StoryStep& step = story.steps[i];
    json.beginObject(Layout::Compact).key("title").text(step.title).key("effect").text(step.effect);
    json.key("facts").text(step.facts).key("seconds").number(step.seconds).key("rooted").boolean(step.rooted);
    json.key("premises").beginArray(Layout::Compact);
    for (const std::string& premise : step.premises) json.text(premise);
    json.end().key("groups").beginArray(Layout::Compact);
    for (const DeviceGroup& group : step.groups) writeGroup(json, group);
    json.end();
    writeMotion(json, story.trace, StepId(std::int64_t(i)), step.motion, table);
    json.end();
  }
  json.end();
}

void writeStates(JsonWriter& json, const ProgramStory& story, RowTable& table) {
  json.key("states").beginArray();
  for (int steps = 0; steps <= int(story.steps.size()); ++steps) {
    json.beginArray(Layout::Compact);
    for (const Device device : story.placement.devices())
      json.wholes(table.runsOf(story.trace.matrixOf(device, steps)));
    json.end();
  }
  json.end().key("rows").beginArray();
  for (const std::string& row : table.rows()) json.text(row);
  json.end();
}

void writeStory(JsonWriter& json, const ProgramStory& story, const System& system) {
  json.beginObject().key("format").text("p2-page").key("title").text(story.title).key("system").text(story.system);
  json.key("goal").text(story.goal).key("seconds").number(story.seconds);
  json.key("devices").whole(story.placement.deviceCount()).key("chunks").whole(story.trace.chunks());
  json.key("levels").beginArray();
  for (const Level& level : system.levels) {
    json.beginObject(Layout::Compact).key("name").text(level.name).key("count").whole(level.count).end();
  }
  json.end().key("contributors").beginArray();
  for (std::int64_t group = 0; group < story.placement.groupCount(); ++group) {
    writeGroup(json, story.placement.groupMembers(group));
  }
  json.end();
  writeMotionTimes(json);
  RowTable table(int(story.trace.chunks()));
  writeSteps(json, story, table);
  writeStates(json, story, table);
}

/// The story as data, for the script of the page, with a rival's story inside.
std::string dataOf(const ProgramStory& story, const System& system, const ProgramStory* rival) {
  std::ostringstream out;
  JsonWriter json(out);
  writeStory(json, story, system);
  if (rival != nullptr) {
    json.key("rival");
    writeStory(json, *rival, system);
    json.end();
  }
  json.end();
  // Inside of a script no text may look like its end.
  std::string text;
  for (const char c : out.str()) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

std::string pageOf(const std::string& title, const std::string& data) {
  const std::map<std::string, std::string, std::less<>> values{
      {"@TITLE@", htmlText(title)}, {"@PALETTE@", std::string(paletteFile())}, {"@DATA@", data}};
  std::string_view rest = runPage();
  std::string page;
  while (!rest.empty()) {
    const std::size_t mark = std::min(rest.find('@'), rest.size());
    page += rest.substr(0, mark);
    rest.remove_prefix(mark);
    const std::size_t end = rest.empty() ? std::string_view::npos : rest.find('@', 1);
    const auto value = end == std::string_view::npos ? values.end() : values.find(rest.substr(0, end + 1));
    if (value != values.end()) {
      page += value->second;
      rest.remove_prefix(end + 1);
    } else if (!rest.empty()) {
      page += '@';
      rest.remove_prefix(1);
    }
  }
  return page;
}

Result<ProgramStory> movingStoryOf(const Plan& plan) {
  P2_TRY_ASSIGN(ProgramStory story, storyOf(plan));
  P2_TRY(addMotion(story, plan));
  return story;
}

}  // namespace

Result<std::string> planToPage(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const ProgramStory story, movingStoryOf(plan));
  return pageOf(story.title, dataOf(story, plan.workspace().system, nullptr));
}

Result<std::string> plansToPage(const Plan& plan, const Plan& rival) {
  P2_TRY_ASSIGN(const ProgramStory story, movingStoryOf(plan));
  P2_TRY_ASSIGN(const ProgramStory other, movingStoryOf(rival));
  return pageOf("A: " + story.title + "; B: " + other.title, dataOf(story, plan.workspace().system, &other));
}

}  // namespace p2::inline exporters
