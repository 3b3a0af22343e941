// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace p2::inline base {

/// From now on memory that runs out is an exception that can be caught, std::bad_alloc: some libraries allocate where
/// they tidy up, and would end the program there. Addresses, not memory, are set aside and given back when an
/// allocation fails for the first time; calling it again, as after such an exception, sets them aside again. Programs
/// call it first in main(). Safe from any thread.
void keepMemoryReserve();

}  // namespace p2::inline base
