// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace p2::inline base {

/// Makes exhausted memory an exception that can be caught, std::bad_alloc; without it, libraries that allocate while
/// they clean up would end the program. Reserves addresses, not memory, and releases them when an allocation fails for
/// the first time; a second call, as after such an exception, reserves them again. Programs call it first in main().
/// Safe from any thread.
void keepMemoryReserve();

}  // namespace p2::inline base
