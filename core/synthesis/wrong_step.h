// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "collective/failing_pairs.h"
#include "synthesis/program_trace.h"

namespace p2::inline synthesis {

/// Every place at which the step of a trace that cannot run breaks a premise, group by group, each by the first premise
/// that fails in it; at most `most` are kept, the first being the trace's own failure(). Empty if no premise fails. Of
/// reduction groups above kMostExplicitMembers, one group of every kind is looked at, and of its members the first
/// three on every level. Hierarchies of the kind ReductionAxes; O(members²) matrix rows at worst.
[[nodiscard]] FailingPairs failingPairs(const Placement& placement, const ProgramTrace& trace, std::size_t most = 1000);

/// A chunk that is not on a device as the goal wants it there.
struct MissingPart {
  Device device;
  int chunk = -1;            ///< −1 where the goal leaves open which one
  DeviceGroup contributors;  ///< contributors missing in the device's chunk; empty if the chunk is superfluous
  /// "device 3 lacks the parts of devices 0 and 1 in chunk 0".
  std::string sentence;
  friend bool operator==(const MissingPart&, const MissingPart&) = default;
};

/// Errors in the final state.
struct MissingParts {
  std::vector<MissingPart> parts;  ///< the first ones, at most the requested number
  std::int64_t count = 0;          ///< in total: devices × chunks
  bool representatives = false;    ///< every part represents equal ones, as in FailingPairs
};

/// Missing parts in reduction group 0 of a program whose steps all run but which does not reach its goal; empty for any
/// other. For groups above kMostExplicitMembers, one device of every kind is checked. O(k²) per checked device.
[[nodiscard]] MissingParts missingParts(const Placement& placement, const ProgramTrace& trace, std::size_t most = 1000);

}  // namespace p2::inline synthesis
