// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/lesson.
#pragma once

#include "lesson/lesson_page.h"

namespace p2::inline lesson {

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

}  // namespace p2::inline lesson
