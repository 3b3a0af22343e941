// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/placement.h"

#include <algorithm>

namespace p2::inline placement {

Placement::Placement(const std::vector<Axis>& axes, const ParallelismMatrix& matrix) : m_axes(axes), m_matrix(matrix) {
  for (std::size_t level = matrix.columns(); level-- > 0;) {
    for (std::size_t axis = axes.size(); axis-- > 0;) {
      m_digits.push_back({axis, level, matrix.at(axis, level), m_deviceCount});
      m_deviceCount *= matrix.at(axis, level);
    }
  }
  std::reverse(m_digits.begin(), m_digits.end());
  for (const Axis& axis : axes) {
    m_groupSize *= axis.reduce ? axis.size : 1;
    m_shardCount *= axis.reduce && !axis.replicate ? axis.size : 1;
  }
}

std::vector<std::int64_t> Placement::coordinates(Device device) const {
  std::vector<std::int64_t> result(m_axes.size(), 0);
  for (const Digit& digit : m_digits) result[digit.axis] = result[digit.axis] * digit.size + digit.of(device);
  return result;
}

Device Placement::deviceAt(const std::vector<std::int64_t>& coordinates) const {
  std::vector<std::int64_t> rest = coordinates;
  std::int64_t device = 0;
  for (auto digit = m_digits.rbegin(); digit != m_digits.rend(); ++digit) {
    device += rest[digit->axis] % digit->size * digit->stride;
    rest[digit->axis] /= digit->size;
  }
  return Device(device);
}

std::int64_t Placement::groupOf(Device device) const {
  const std::vector<std::int64_t> at = coordinates(device);
  std::int64_t group = 0;
  for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
    if (!m_axes[axis].reduce) group = group * m_axes[axis].size + at[axis];
  }
  return group;
}

DeviceGroup Placement::groupMembers(std::int64_t group) const {
  std::vector<std::int64_t> at(m_axes.size(), 0);
  for (std::size_t axis = m_axes.size(); axis-- > 0;) {
    if (m_axes[axis].reduce) continue;
    at[axis] = group % m_axes[axis].size;
    group /= m_axes[axis].size;
  }
  DeviceGroup members{deviceAt(at)};
  for (const Digit& digit : m_digits) {
    if (!m_axes[digit.axis].reduce || digit.size == 1) continue;
    const DeviceGroup before = members;
    members.clear();
    for (const Device base : before) {
      for (std::int64_t value = 0; value < digit.size; ++value) {
        members.emplace_back(base.value() + value * digit.stride);
      }
    }
  }
  return members;
}

std::int64_t Placement::shardOf(Device device) const {
  std::int64_t shard = 0;
  for (const Digit& digit : m_digits) {
    const Axis& axis = m_axes[digit.axis];
    if (axis.reduce && !axis.replicate) shard = shard * digit.size + digit.of(device);
  }
  return shard;
}

}  // namespace p2::inline placement
