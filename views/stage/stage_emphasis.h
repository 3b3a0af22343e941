// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/device.h"

namespace p2::views {

/// Emphasised parts of a stage: rings are drawn round them.
struct StageEmphasis {
  std::vector<Device> devices;
  std::vector<std::pair<Device, std::int64_t>> rows;  ///< device, chunk
  friend bool operator==(const StageEmphasis&, const StageEmphasis&) = default;
};

}  // namespace p2::views
