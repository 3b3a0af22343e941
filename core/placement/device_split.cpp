// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/device_split.h"

namespace p2::inline placement {
namespace {

/// The instance of a level, counted within the instance above, that holds a device.
Digit digitOfLevel(const Placement& placement, std::size_t level) {
  Digit whole{0, level, 1, 1};
  for (const Digit& digit : placement.digits()) {
    if (digit.level == level) whole.size *= digit.size;
    if (digit.level > level) whole.stride *= digit.size;
  }
  return whole;
}

}  // namespace

DeviceSplit::DeviceSplit(const Placement& placement, const MatrixPart& part) {
  if (part.level && !part.axis) {
    m_digits = {digitOfLevel(placement, *part.level)};
  } else if (part.axis) {
    for (const Digit& digit : placement.digits()) {
      if (digit.axis == *part.axis && (!part.level || digit.level == *part.level)) m_digits.push_back(digit);
    }
  }
  for (const Digit& digit : m_digits) {
    m_parts *= digit.size;
    if (digit.size > 1) m_wholeLevel = digit.level;
  }
}

std::int64_t DeviceSplit::partOf(Device device) const {
  std::int64_t part = 0;
  for (const Digit& digit : m_digits) part = part * digit.size + digit.of(device);
  return part;
}

std::int64_t instancesTouched(const ParallelismMatrix& matrix, const std::vector<bool>& axes, std::size_t level) {
  std::int64_t touched = 1;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    if (!axes[row]) continue;
    for (std::size_t column = 0; column <= level; ++column) touched *= matrix.at(row, column);
  }
  return touched;
}

}  // namespace p2::inline placement
