// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/exporters.
#pragma once

#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "exporters/detail/msccl_rounds.h"
#include "exporters/detail/msccl_schedule.h"

namespace p2::inline exporters {

/// Makes threadblocks of rounds, adding the steps of a program one by one. A channel is whom some rounds make send to
/// whom: a set of rings, or of pairs.
class MscclScheduler {
 public:
  /// Steps of the program work in that buffer.
  MscclScheduler(std::size_t ranks, char buffer);

  /// The rounds of one step.
  void add(const std::vector<MscclRound>& step);
  /// Copies inside a rank, as a step of their own.
  void beginCopies() { beginStep(); }
  void addCopy(std::size_t rank, MscclPlace from, MscclPlace to, std::int64_t count);
  /// Merges channels if no two threadblocks then send from one rank to the same other.
  void shareChannels();

  /// Steps of the longest threadblock.
  [[nodiscard]] std::size_t mostSteps() const;
  [[nodiscard]] std::size_t channels() const { return m_channelCount > 0 ? m_channelCount : 1; }
  /// The threadblocks by rank. Those that do not leave their rank are on channel 0 like any other.
  std::vector<std::vector<MscclBlock>> take();

 private:
  using Wires = std::set<MscclRing>;
  using Ranges = std::vector<const ChunkRange*>;

  void beginStep();
  std::size_t channelOf(const Wires& wires);
  void addRound(const MscclRound& round);
  void addTurn(const MscclRound& round, const Ranges& ranges);
  void addChain(const MscclRound& round, const ChunkRange& range);
  void addShift(const MscclRound& round, const Ranges& ranges);
  void addStep(const MscclRing& ring, std::size_t member, std::string_view type, const ChunkRange& range,
               std::size_t shift = 1);
  MscclBlock& append(std::size_t rank, MscclStep step);
  void waitForOthers(std::size_t rank, std::size_t index, MscclStep& step);
  std::size_t blockOf(std::size_t rank);

  static constexpr std::size_t kNoChannel = std::numeric_limits<std::size_t>::max();

  char m_buffer;
  std::vector<std::vector<MscclBlock>> m_ranks;
  std::map<Wires, std::size_t> m_channels;
  std::size_t m_channelCount = 0;
  std::vector<std::map<std::size_t, int>> m_before;  // by rank, threadblocks of its latest step, and where they ended
  std::vector<std::set<std::size_t>> m_now;          // by rank, threadblocks of the step that is being added
  std::size_t m_channel = 0;
};

}  // namespace p2::inline exporters
