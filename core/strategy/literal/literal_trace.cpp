// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/literal/literal_trace.h"

namespace p2::inline strategy {

bool LiteralTrace::isProcessed(std::size_t vertex, std::size_t moment) const {
  const std::size_t done = moments[moment].iteration;
  for (std::size_t i = 0; i < done; ++i) {
    if (iterations[i].vertex == vertex) return true;
  }
  return false;
}

}  // namespace p2::inline strategy
