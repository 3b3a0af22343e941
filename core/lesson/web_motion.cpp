// SPDX-License-Identifier: GPL-3.0-or-later
#include <sstream>

#include "cost/simulator.h"
#include "lesson/detail/web_parts.h"
#include "synthesis/lowering.h"

namespace p2::inline lesson {

Json writtenJson(const std::function<void(JsonWriter&)>& write) {
  std::ostringstream out;
  JsonWriter json(out);
  json.beginObject();
  write(json);
  json.end();
  return Json::parse(out.str());
}

Json groupsJson(const std::vector<DeviceGroup>& groups) {
  Json list = Json::array();
  for (const DeviceGroup& group : groups) {
    Json members = Json::array();
    for (const Device device : group) members.push_back(device.value());
    list.push_back(std::move(members));
  }
  return list;
}

Json movingStep(const PreparedPage& prepared, const ProgramTrace& trace, StepId step, const Instruction& instruction,
                RowTable& table) {
  const Workspace& setting = prepared.exploration->workspace;
  const Topology& topology = *prepared.exploration->topology;
  const std::vector<DeviceGroup> groups = prepared.result().hierarchy->groups(instruction.pattern);
  const LoweredStep lowered = loweredStep(trace, step, IdRange<Device>(setting.system.deviceCount()));
  const StepCost cost = simulateStep(topology, lowered, setting.options.cost);
  const StepManner manner(topology, setting.options.cost, instruction.collective, cost.algorithm);
  const StepMotion motion = stepMotion(trace, step, manner, groups, kMostShownMessages);
  Json moving = writtenJson([&](JsonWriter& json) { writeMotion(json, trace, step, motion, table); });
  moving["seconds"] = cost.seconds;
  moving["groups"] = groupsJson(groups);
  return moving;
}

Json statesJson(const PreparedPage& prepared, const ProgramTrace& trace, int steps, RowTable& table) {
  Json states = Json::array();
  for (const Device device : IdRange<Device>(prepared.exploration->workspace.system.deviceCount())) {
    states.push_back(table.runsOf(trace.matrixOf(device, steps)));
  }
  return states;
}

}  // namespace p2::inline lesson
