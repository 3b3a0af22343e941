// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>

#include "base/progress.h"

namespace p2::cli {

/// Progress of a computation, as a passing line on standard error that the destructor removes: "finding the best
/// strategy, 43 %". Prints nothing if standard error is no terminal, or if the computation takes less than a moment.
class TerminalProgress {
 public:
  explicit TerminalProgress(std::string what);
  ~TerminalProgress();
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;

  /// A callback that shows progress on this line. It must not outlive this.
  [[nodiscard]] Progress progress();

 private:
  using Clock = std::chrono::steady_clock;
  void show(double done);

  std::string m_what;
  bool m_visible;
  bool m_shown = false;
  Clock::time_point m_last = Clock::now();
};

}  // namespace p2::cli
