// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace p2::inline base {

/// Called with the share of a computation that is done, 0 … 1, by the computing thread. May be empty.
using Progress = std::function<void(double done)>;

}  // namespace p2::inline base
