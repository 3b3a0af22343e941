// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/detail/vector_cut.h"

#include <algorithm>
#include <cmath>

#include "base/units.h"

namespace p2::inline plan {

Result<VectorCut> VectorCut::of(Bytes bytes, std::int64_t chunks) {
  if (!(bytes <= kMostVectorBytes)) {
    return Error{"a vector of " + formatBytes(bytes) + " cannot be counted in whole elements; use up to " +
                     formatBytes(kMostVectorBytes),
                 {},
                 ErrorKind::TooLarge};
  }
  const auto whole = static_cast<std::int64_t>(std::ceil(bytes.value()));
  const std::int64_t elements = std::max<std::int64_t>(1, (whole + kElementBytes - 1) / kElementBytes);
  return VectorCut{elements, chunks, (elements + chunks - 1) / chunks};
}

}  // namespace p2::inline plan
