// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "exporters/detail/page_files.h"
#include "exporters/detail/program_story.h"
#include "exporters/exporters.h"
#include "text/html.h"
#include "text/json_writer.h"

namespace p2::inline exporters {
namespace {

using Layout = JsonWriter::Layout;

/// What rows of bit matrices there are, each once: devices hold the same ones over and over. The first is the empty
/// one.
class RowTable {
 public:
  explicit RowTable(int members) { numberOf(std::string(std::size_t(members), '0')); }

  std::int64_t numberOf(const std::string& row) {
    const auto [known, isNew] = m_numbers.try_emplace(row, std::int64_t(m_rows.size()));
    if (isNew) m_rows.push_back(row);
    return known->second;
  }
  std::int64_t numberOf(const DeviceState& state, int row) {
    std::string text(std::size_t(state.size()), '0');
    for (const int column : state.columns(row)) text[std::size_t(column)] = '1';
    return numberOf(text);
  }
  [[nodiscard]] const std::vector<std::string>& rows() const { return m_rows; }

 private:
  std::map<std::string, std::int64_t> m_numbers;
  std::vector<std::string> m_rows;
};

/// Row number and how many follow each other, in turn.
std::vector<std::int64_t> runsOf(const DeviceState& state, RowTable& table) {
  std::vector<std::int64_t> runs;
  for (int row = 0; row < state.size(); ++row) {
    const std::int64_t number = table.numberOf(state, row);
    if (!runs.empty() && runs[runs.size() - 2] == number) {
      ++runs.back();
    } else {
      runs.insert(runs.end(), {number, 1});
    }
  }
  return runs;
}

void writeGroup(JsonWriter& json, const DeviceGroup& group) {
  std::vector<std::int64_t> numbers;
  for (const Device device : group) numbers.push_back(device.value());
  json.wholes(numbers);
}

/// Rows of the receivers of a step as its messages land, in the order of the messages: row, count, number of the bits.
/// Above kMostShownMessages runs of rows there are none: they are shown only at the end of the step.
class Landings {
 public:
  Landings(const ProgramStory& story, StepId step, RowTable& table)
      : m_rows(story.steps[step.index()].motion.messages.size()) {
    const StepMotion& motion = story.steps[step.index()].motion;
    std::size_t runs = 0;
    for (const StepMessage& message : motion.messages) {
      for (const Cargo& cargo : message.landed) runs += cargo.rows.size();
    }
    if (runs > kMostShownMessages) return;
    std::map<Device, DeviceState> holds;
    for (std::size_t i = 0; i < motion.messages.size(); ++i) {
      const StepMessage& message = motion.messages[i];
      if (message.landed.empty()) continue;
      DeviceState& state =
          holds.try_emplace(message.to, story.trace.matrixOf(message.to, int(step.value()))).first->second;
      for (const Cargo& cargo : message.landed) {
        addCargo(state, story.trace, step, motion.groups[message.group], cargo);
        for (const ChunkRange& range : cargo.rows) {
          const std::int64_t bits = table.numberOf(state, int(range.from));
          m_rows[i].insert(m_rows[i].end(), {range.from, range.to - range.from, bits});
        }
      }
    }
  }

  [[nodiscard]] const std::vector<std::int64_t>& of(std::size_t message) const { return m_rows[message]; }

 private:
  std::vector<std::vector<std::int64_t>> m_rows;
};

/// Five digits are finer than any screen.
double shortened(double value) { return std::round(value * 1e5) / 1e5; }

/// A message as [sender, receiver, chunks, start, end, group, leads, landed rows, held, brought]: −1 for the middle of
/// its group, the two numbers of an addition where it is shown.
void writeMessages(JsonWriter& json, const ProgramStory& story, StepId step, RowTable& table) {
  const StepMotion& motion = story.steps[step.index()].motion;
  const Landings landings(story, step, table);
  json.key("manner").text(motion.manner).key("leadTo").number(shortened(motion.leadTo));
  json.key("sums").beginArray(Layout::Compact);
  if (motion.inSwitch) json.number(shortened(motion.sumFrom)).number(shortened(motion.sumTo));
  json.end().key("messages").beginArray(Layout::Compact);
  for (std::size_t i = 0; i < motion.messages.size(); ++i) {
    const StepMessage& message = motion.messages[i];
    json.beginArray(Layout::Compact).whole(message.of == message.to ? -1 : message.of.value());
    json.whole(message.to.isNone() ? -1 : message.to.value()).number(shortened(message.chunks));
    json.number(shortened(message.start)).number(shortened(message.end));
    json.whole(std::int64_t(message.group)).whole(message.leads ? 1 : 0).wholes(landings.of(i));
    if (const auto sum = additionOf(story.trace, step, motion.groups[message.group], message)) {
      json.whole(sum->held).whole(sum->brought);
    }
    json.end();
  }
  json.end();
}

/// Shares of a step's time at which its parts begin and end, as the window has them.
void writeTimes(JsonWriter& json) {
  json.key("times").beginObject(Layout::Compact).key("announced").number(StepMotion::kAnnounced);
  json.key("arrived").number(StepMotion::kArrived).key("merged").number(StepMotion::kMerged);
  json.key("fade").number(StepMotion::kFade).key("added").number(StepMotion::kAdded).end();
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
    writeMessages(json, story, StepId(std::int64_t(i)), table);
    json.end();
  }
  json.end();
}

void writeStates(JsonWriter& json, const ProgramStory& story, RowTable& table) {
  json.key("states").beginArray();
  for (int steps = 0; steps <= int(story.steps.size()); ++steps) {
    json.beginArray(Layout::Compact);
    for (const Device device : story.placement.devices())
      json.wholes(runsOf(story.trace.matrixOf(device, steps), table));
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
  writeTimes(json);
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
