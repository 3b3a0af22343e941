// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "placement/parallelism_matrix.h"
#include "system/topology.h"

namespace p2::inline placement {

/// One digit of a device number: the share of one axis in one level. Inside a level the axes' digits are mixed-radix
/// in axis order, axis 0 most significant (paper §2.1, Fig. 2).
struct Digit {
  std::size_t axis = 0;
  std::size_t level = 0;
  std::int64_t size = 1;    ///< the matrix factor
  std::int64_t stride = 1;  ///< increase of the device number when this digit grows by 1
  [[nodiscard]] std::int64_t of(Device device) const { return device.value() / stride % size; }
};

/// A matrix read as a map between devices and coordinates on the parallelism axes. The matrix must be one of the
/// axes on the system (checkMatrix).
class Placement {
 public:
  Placement(const std::vector<Axis>& axes, const ParallelismMatrix& matrix);

  [[nodiscard]] const std::vector<Axis>& axes() const { return m_axes; }
  [[nodiscard]] const ParallelismMatrix& matrix() const { return m_matrix; }
  [[nodiscard]] std::int64_t deviceCount() const { return m_deviceCount; }
  [[nodiscard]] IdRange<Device> devices() const { return IdRange<Device>(m_deviceCount); }
  /// Level by level, axis by axis within a level: most significant digit first.
  [[nodiscard]] const std::vector<Digit>& digits() const { return m_digits; }

  /// The device's coordinate on every axis, mixed-radix over the levels, root most significant.
  [[nodiscard]] std::vector<std::int64_t> coordinates(Device device) const;
  /// The device at these coordinates; the inverse of coordinates().
  [[nodiscard]] Device deviceAt(const std::vector<std::int64_t>& coordinates) const;

  /// Devices in one reduction group (∏ sizes of the reduced axes), and how many groups there are.
  [[nodiscard]] std::int64_t groupSize() const { return m_groupSize; }
  [[nodiscard]] std::int64_t groupCount() const { return m_deviceCount / m_groupSize; }
  /// The reduction group a device belongs to: devices equal on every axis that is not reduced over. Numbered by the
  /// coordinates on those axes, first axis most significant.
  [[nodiscard]] std::int64_t groupOf(Device device) const;
  /// The members of a group in device order.
  [[nodiscard]] DeviceGroup groupMembers(std::int64_t group) const;

  /// Parts into which a result is scattered within one reduction group: ∏ sizes of the reduced axes that are not
  /// replicated, groupSize() if none is replicated.
  [[nodiscard]] std::int64_t shardCount() const { return m_shardCount; }
  /// Number of the device's shard: its digits on those axes, in the order of the devices. Devices of a group that
  /// differ along replicated axes alone have the same.
  [[nodiscard]] std::int64_t shardOf(Device device) const;

 private:
  std::vector<Axis> m_axes;
  ParallelismMatrix m_matrix;
  std::vector<Digit> m_digits;
  std::int64_t m_deviceCount = 1;
  std::int64_t m_groupSize = 1;
  std::int64_t m_shardCount = 1;
};

}  // namespace p2::inline placement
