// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace p2::inline base {

/// Told how much of a computation is done, 0 … 1, from the thread that computes. May be empty.
using Progress = std::function<void(double done)>;

}  // namespace p2::inline base
