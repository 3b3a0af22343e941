// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/step_manner.h"
#include "views/stage/choreography.h"
#include "views/stage/replay.h"

namespace p2::views {

/// A flight without times and without a path: flights of one pass and round go at the same time, one round after the
/// other. Leading ones go one by one before all others.
struct Message {
  Flight flight;
  int pass = 0;
  int round = 0;
};

/// How a step that can run sends.
[[nodiscard]] StepManner mannerOf(const Replay& replay, StepId step);

/// The messages of one group of a step that can run, by its price. The chunks of messages between two members add up to
/// the bytes that the price counts there; where a ring has more rounds than `mostRounds`, neighbouring ones are one.
/// `leads`: one block, or the messages to one receiver, go ahead. O(messages).
[[nodiscard]] std::vector<Message> messagesOf(const Replay& replay, StepId step, const StepManner& manner,
                                              const DeviceGroup& group, int mostRounds, bool leads);

}  // namespace p2::views
