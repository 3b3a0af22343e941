// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace p2::inline base {

/// Makes a write that fails return its error instead of ending the program: SIGPIPE, sent when a reader has gone, and
/// SIGXFSZ, sent when a file would exceed `ulimit -f`, are ignored unless the program handles them. Programs call it
/// first in main(). Safe to call again, from any thread.
void ignoreWriteSignals();

/// Restores the default of both signals, since ignored signals stay ignored in programs that a child becomes. Call
/// between fork and exec.
void restoreWriteSignals();

}  // namespace p2::inline base
