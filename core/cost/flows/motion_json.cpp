// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/motion_json.h"

#include <cmath>

namespace p2::inline cost {
namespace {

/// Rows of the receivers as messages land, in the order of the messages.
class Landings {
 public:
  Landings(const ProgramTrace& trace, StepId step, const StepMotion& motion, RowTable& table)
      : m_rows(motion.messages.size()) {
    std::size_t runs = 0;
    for (const StepMessage& message : motion.messages) {
      for (const Cargo& cargo : message.landed) runs += cargo.rows.size();
    }
    if (runs > kMostShownMessages) return;
    std::map<Device, DeviceState> holds;
    for (std::size_t i = 0; i < motion.messages.size(); ++i) {
      const StepMessage& message = motion.messages[i];
      if (message.landed.empty()) continue;
      DeviceState& state = holds.try_emplace(message.to, trace.matrixOf(message.to, int(step.value()))).first->second;
      for (const Cargo& cargo : message.landed) {
        addCargo(state, trace, step, motion.groups[message.group], cargo);
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

}  // namespace

std::int64_t RowTable::numberOf(const std::string& row) {
  const auto [known, isNew] = m_numbers.try_emplace(row, std::int64_t(m_rows.size()));
  if (isNew) m_rows.push_back(row);
  return known->second;
}

std::int64_t RowTable::numberOf(const DeviceState& state, int row) {
  std::string text(std::size_t(state.size()), '0');
  for (const int column : state.columns(row)) text[std::size_t(column)] = '1';
  return numberOf(text);
}

std::vector<std::int64_t> RowTable::runsOf(const DeviceState& state) {
  std::vector<std::int64_t> runs;
  for (int row = 0; row < state.size(); ++row) {
    const std::int64_t number = numberOf(state, row);
    if (!runs.empty() && runs[runs.size() - 2] == number) {
      ++runs.back();
    } else {
      runs.insert(runs.end(), {number, 1});
    }
  }
  return runs;
}

void writeMotion(JsonWriter& json, const ProgramTrace& trace, StepId step, const StepMotion& motion, RowTable& table) {
  using Layout = JsonWriter::Layout;
  const Landings landings(trace, step, motion, table);
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
    if (const auto sum = additionOf(trace, step, motion.groups[message.group], message)) {
      json.whole(sum->held).whole(sum->brought);
    }
    json.end();
  }
  json.end();
}

void writeMotionTimes(JsonWriter& json) {
  json.key("times").beginObject(JsonWriter::Layout::Compact).key("announced").number(StepMotion::kAnnounced);
  json.key("arrived").number(StepMotion::kArrived).key("merged").number(StepMotion::kMerged);
  json.key("fade").number(StepMotion::kFade).key("added").number(StepMotion::kAdded).end();
}

}  // namespace p2::inline cost
