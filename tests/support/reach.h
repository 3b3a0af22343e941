// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sanitizers.h"

namespace p2::test {

/// How far a test goes that tries everything up to some size, or very many at random: `whole`, and `part` with
/// sanitizers. They take ten times as long for every case and ask how memory is used, for which cases of every kind are
/// enough; whether answers are right in the rest is asked without them.
template <class T>
constexpr T reach(T whole, [[maybe_unused]] T part) {
#ifdef P2_SANITIZED
  return part;
#else
  return whole;
#endif
}

}  // namespace p2::test
