// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/detail/state_reasons.h"

#include <algorithm>

#include "lesson/detail/page_parts.h"

namespace p2::inline lesson {
namespace {

std::string nameOfDevice(Device device) { return "device " + std::to_string(device.value()); }

}  // namespace

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

}  // namespace p2::inline lesson
