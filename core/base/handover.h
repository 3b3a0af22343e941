// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sanitizers.h"

#ifdef P2_THREAD_SANITIZED
#include <sanitizer/tsan_interface.h>
#endif

namespace p2::inline base {

/// Marks where a library that is not compiled with the thread sanitizer passes something from one thread to another.
/// Its mutexes order everything before handOver() before everything after takeOver(); the sanitizer does not see them,
/// so this class annotates it. Orders nothing itself, and costs nothing without the sanitizer. Thread-safe.
class Handover {
 public:
#ifdef P2_THREAD_SANITIZED
  void handOver() { __tsan_release(this); }
  void takeOver() { __tsan_acquire(this); }
#else
  void handOver() {}
  void takeOver() {}
#endif
};

}  // namespace p2::inline base
