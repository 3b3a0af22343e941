// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "cost/flows/step_motion.h"

namespace p2::inline cost {

/// A message without times. Messages of one pass and round go at the same time, one round after the other; leading
/// messages go one by one before all others.
struct UntimedMessage {
  StepMessage message;
  int pass = 0;
  int round = 0;
};

/// The messages of one group of a step that can run; where a ring has more rounds than `mostRounds`, neighbouring ones
/// are one. `leads`: one block, or the messages to one receiver, go ahead, each on its own. O(members · rounds).
[[nodiscard]] std::vector<UntimedMessage> groupMessages(const ProgramTrace& trace, StepId step,
                                                        const StepManner& manner, const DeviceGroup& group,
                                                        int mostRounds, bool leads);
/// The messages as one bundle out of and into every member, by way of the middle, instead of a message for every pair.
/// `leads` as for groupMessages().
[[nodiscard]] std::vector<UntimedMessage> bundledMessages(const ProgramTrace& trace, StepId step,
                                                          const StepManner& manner, const DeviceGroup& group,
                                                          bool leads);

/// The messages of a group with Manner::Tree: sums go up along chains and both trees, the result comes down. `working`
/// is the group's vector in chunks, `rows` its drawn part.
[[nodiscard]] std::vector<UntimedMessage> treeMessages(const StepManner& manner, const DeviceGroup& group,
                                                       const ChunkSet& rows, double working, bool leads);
/// Two halves of rows; a single row is both.
[[nodiscard]] std::array<ChunkSet, 2> halvesOf(const ChunkSet& rows);

}  // namespace p2::inline cost
