// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace p2::runner {

/// The session's side of the conversation on standard input and output, on the machine that can reach the devices:
/// greets, runs the requested plans one at a time, and ends its workers and itself when the other side has gone.
int serve();

}  // namespace p2::runner
