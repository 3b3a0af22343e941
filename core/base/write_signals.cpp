// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/write_signals.h"

#include <csignal>

namespace p2::inline base {
namespace {

constexpr int kWriteSignals[] = {SIGPIPE, SIGXFSZ};

}  // namespace

void ignoreWriteSignals() {
  for (const int each : kWriteSignals) {
    struct sigaction now {};
    if (::sigaction(each, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) ::signal(each, SIG_IGN);
  }
}

void restoreWriteSignals() {
  for (const int each : kWriteSignals) ::signal(each, SIG_DFL);
}

}  // namespace p2::inline base
