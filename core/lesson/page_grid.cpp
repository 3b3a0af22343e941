// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/counted.h"
#include "lesson/detail/page_parts.h"
#include "lesson/lesson_page.h"

namespace p2::inline lesson {
namespace {

/// Reasons for the exact data of a device after some steps of the page's program, from the trace. For explicit traces
/// only. The page must outlive it.
class StateReasons {
 public:
  StateReasons(const PreparedPage& prepared, Device device, int steps)
      : m_prepared(prepared), m_device(device), m_steps(steps) {}

  /// The devices behind the columns.
  [[nodiscard]] DeviceGroup contributors() const;
  /// Why it holds a chunk, or does not.
  [[nodiscard]] std::string ofChunk(int chunk) const;
  /// Why a contributor's part is in the chunk, or is not.
  [[nodiscard]] std::string ofPart(int chunk, int column) const;

 private:
  template <class Holds>
  [[nodiscard]] std::string history(const std::string& what, const std::string& missing, int chunk, Holds holds) const;
  /// The device of its group of a step that holds the chunk after the step; none if there is none.
  [[nodiscard]] Device holderAfter(int step, int chunk) const;

  const PreparedPage& m_prepared;
  Device m_device;
  int m_steps;
};

std::string nameOfDevice(Device device) { return "device " + std::to_string(device.value()); }

DeviceGroup StateReasons::contributors() const {
  const Placement placement(m_prepared.exploration->workspace.axes, m_prepared.result().matrix);
  return placement.groupMembers(placement.groupOf(m_device));
}

Device StateReasons::holderAfter(int step, int chunk) const {
  const GroupPattern& pattern = m_prepared.program[static_cast<std::size_t>(step - 1)].pattern;
  for (const DeviceGroup& group : m_prepared.result().hierarchy->groups(pattern)) {
    if (std::find(group.begin(), group.end(), m_device) == group.end()) continue;
    for (const Device other : group) {
      if (!m_prepared.trace->matrixOf(other, step).rowEmpty(chunk)) return other;
    }
  }
  return {};
}

/// `holds` tells of a number of steps whether it is so after them; the last change before m_steps is the reason.
template <class Holds>
std::string StateReasons::history(const std::string& what, const std::string& missing, int chunk, Holds holds) const {
  const bool now = holds(m_steps);
  int changed = 0;  // the step that made it as it is
  for (int step = 1; step <= m_steps; ++step) {
    if (holds(step) != holds(step - 1)) changed = step;
  }
  const std::string where = nameOfDevice(m_device);
  if (now && changed == 0) return where + " has had " + what + " from the beginning";
  if (now) return stepText(m_prepared, changed) + " brings " + what + " to " + where;
  if (changed == 0) return missing;
  const Device holder = holderAfter(changed, chunk);
  std::string lost = stepText(m_prepared, changed) + " takes " + what + " from " + where;
  if (holder.isNone() || holder == m_device) return lost;
  return lost + " and leaves it to " + nameOfDevice(holder);
}

std::string StateReasons::ofChunk(int chunk) const {
  const std::string what = "chunk " + std::to_string(chunk);
  return history(what, "no step has brought " + what + " to " + nameOfDevice(m_device) + " yet", chunk,
                 [&](int steps) { return !m_prepared.trace->matrixOf(m_device, steps).rowEmpty(chunk); });
}

std::string StateReasons::ofPart(int chunk, int column) const {
  const std::string whose =
      nameOfDevice(contributors()[static_cast<std::size_t>(column)]) + "'s part of chunk " + std::to_string(chunk);
  return history(whose, "no step has brought " + whose + " to " + nameOfDevice(m_device) + " yet", chunk,
                 [&](int steps) { return m_prepared.trace->matrixOf(m_device, steps).test(chunk, column); });
}

constexpr std::int64_t kMostMembers = 16;  // largest grid to mark by hand
constexpr std::int64_t kMostListed = 64;

std::string numbered(const char* what, std::int64_t number) { return std::string(what) + std::to_string(number); }

Result<void> checkDevice(const PreparedPage& prepared, Device device) {
  const std::int64_t devices = prepared.exploration->workspace.system.deviceCount();
  if (device.value() < devices) return {};
  return Error{"there is no device " + std::to_string(device.value()) + "; there are " + std::to_string(devices) +
                   ", counted from 0",
               "/task/device"};
}

/// Data of a device after a step, cell by cell.
Result<PaintGrid> stateGrid(const PreparedPage& prepared, const PaintTask& task) {
  const ProgramTrace& trace = *prepared.trace;
  if (task.step > trace.validSteps()) {
    return Error{"the program does not get to the end of step " + std::to_string(task.step) + "; it runs " +
                     countedText(trace.validSteps(), "step"),
                 "/task/step"};
  }
  if (!trace.isExplicit() || trace.chunks() > kMostMembers) {
    return Error{"a grid of " + std::to_string(trace.chunks()) +
                     " chunks is too large to be marked by hand; take a "
                     "system of at most 16 devices",
                 "/task/paint"};
  }
  const StateReasons reasons(prepared, task.device, task.step);
  const auto members = static_cast<int>(trace.chunks());
  const bool parts = task.what == PaintTask::What::Parts;
  const DeviceGroup contributors = reasons.contributors();
  PaintGrid grid;
  grid.columns = {""};
  if (parts) {
    grid.columns.clear();
    for (const Device each : contributors) grid.columns.push_back(numbered("d", each.value()));
  }
  const DeviceState& state = trace.matrixOf(task.device, task.step);
  for (int row = 0; row < members; ++row) {
    grid.rows.push_back(numbered("chunk ", row));
    for (int column = 0; column < (parts ? members : 1); ++column) {
      grid.right.push_back(parts ? state.test(row, column) : !state.rowEmpty(row));
      grid.why.push_back(parts ? reasons.ofPart(row, column) : reasons.ofChunk(row));
    }
  }
  return grid;
}

/// A cell per device: which of them go together.
PaintGrid deviceGrid(const PreparedPage& prepared) {
  PaintGrid grid;
  grid.columns = {""};
  for (std::int64_t device = 0; device < prepared.exploration->workspace.system.deviceCount(); ++device) {
    grid.rows.push_back(numbered("device ", device));
  }
  return grid;
}

Result<PaintGrid> groupGrid(const PreparedPage& prepared, const PaintTask& task) {
  if (static_cast<std::size_t>(task.step) > prepared.program.size()) {
    return Error{
        "the program has no step " + std::to_string(task.step) + "; it has " + std::to_string(prepared.program.size()),
        "/task/step"};
  }
  const GroupPattern& pattern = prepared.program[static_cast<std::size_t>(task.step - 1)].pattern;
  const auto groups = prepared.result().hierarchy->groups(pattern);
  const auto groupWith = [&](Device device) {
    return std::find_if(groups.begin(), groups.end(), [&](const DeviceGroup& group) {
      return std::find(group.begin(), group.end(), device) != group.end();
    });
  };
  const auto own = groupWith(task.device);
  PaintGrid grid = deviceGrid(prepared);
  const std::string step = stepText(prepared, task.step);
  for (std::size_t i = 0; i < grid.rows.size(); ++i) {
    const Device device(static_cast<std::int64_t>(i));
    const auto other = groupWith(device);
    const bool together = other == own && (own != groups.end() || device == task.device);
    grid.right.push_back(together);
    if (other == groups.end()) {
      grid.why.push_back(step + " leaves device " + std::to_string(i) + " out");
    } else if (together) {
      grid.why.push_back("in " + step + " " + devicesText(*other) + " are one group");
    } else {
      grid.why.push_back("in " + step + " device " + std::to_string(i) + " works in the group of " +
                         devicesText(*other));
    }
  }
  return grid;
}

/// Why a device has or has not the same coordinates as another on every axis that is not reduced over.
std::string partnerText(const Placement& placement, Device of, Device device) {
  const auto own = placement.coordinates(of);
  const auto other = placement.coordinates(device);
  std::string same;
  for (std::size_t axis = 0; axis < placement.axes().size(); ++axis) {
    const Axis& each = placement.axes()[axis];
    if (each.reduce) continue;
    if (own[axis] != other[axis]) {
      return "on the axis " + each.name + " device " + std::to_string(device.value()) + " is number " +
             std::to_string(other[axis]) + " and device " + std::to_string(of.value()) + " number " +
             std::to_string(own[axis]) + ": they belong to different sums";
    }
    same += (same.empty() ? "" : " and ") + each.name + " " + std::to_string(own[axis]);
  }
  if (same.empty()) return "every axis is summed over, so all devices belong to one sum";
  return "both have " + same + ", and they differ only along the reduced axes";
}

PaintGrid partnerGrid(const PreparedPage& prepared, const PaintTask& task) {
  const Placement placement(prepared.exploration->workspace.axes, prepared.result().matrix);
  PaintGrid grid = deviceGrid(prepared);
  for (std::size_t i = 0; i < grid.rows.size(); ++i) {
    const Device device(static_cast<std::int64_t>(i));
    grid.right.push_back(placement.groupOf(device) == placement.groupOf(task.device));
    grid.why.push_back(partnerText(placement, task.device, device));
  }
  return grid;
}

}  // namespace

Result<PaintGrid> gridOf(const PreparedPage& prepared, const PaintTask& task) {
  P2_TRY(checkDevice(prepared, task.device));
  if (task.what == PaintTask::What::Chunks || task.what == PaintTask::What::Parts) return stateGrid(prepared, task);
  const std::int64_t devices = prepared.exploration->workspace.system.deviceCount();
  if (devices > kMostListed) {
    return Error{"a list of " + std::to_string(devices) + " devices is too long to be marked by hand; take at most 64",
                 "/task/paint"};
  }
  if (task.what == PaintTask::What::Group) return groupGrid(prepared, task);
  return partnerGrid(prepared, task);
}

}  // namespace p2::inline lesson
