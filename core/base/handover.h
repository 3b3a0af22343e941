// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sanitizers.h"

#ifdef P2_THREAD_SANITIZED
#include <sanitizer/tsan_interface.h>
#endif

namespace p2 {

/// Where a library that is not compiled with the thread sanitizer hands something from one thread to another. Its
/// mutexes put what was done before handOver() before what is done after takeOver(); the sanitizer, which does not see
/// them, is told so here. Orders nothing itself, and costs nothing without the sanitizer. From any thread.
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

}  // namespace p2
