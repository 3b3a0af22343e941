// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/runner/schedule.h"
#include "base/result.h"

namespace p2::runner {

enum class Element { Float32, Int64 };

[[nodiscard]] constexpr std::size_t sizeOf(Element element) { return element == Element::Float32 ? 4 : 8; }

/// Who talks to whom in one step: a communicator of a transport.
struct Communicator {
  int index = -1;  ///< −1 for a rank that looks on
  int members = 1;
  int root = 0;
};

/// When a call of a collective returns.
enum class Calls {
  Block,  ///< when its work is done; calls for different communicators and pieces may be made from several threads
  Queue,  ///< at once; every rank makes its calls in the same order, and those for one piece are done in theirs
};

/// Moves the bytes of one rank. Of every piece of a vector it owns a working vector and a spare one, in the memory its
/// collectives work on; counts are elements of a piece. Calls for different communicators and different pieces may be
/// under way at the same time, as Calls says; marks say when everything was done. Sums are the only reduction.
/// Everything is left to the library behind it; an error there is a Failed error in its words.
class Transport {
 public:
  virtual ~Transport() = default;

  /// "Open MPI 4.1.4", "NCCL 2.28.9".
  [[nodiscard]] virtual std::string library() const = 0;
  /// The order that suits how the library lays its rings.
  [[nodiscard]] virtual GatherOrder gatherOrder() const = 0;
  [[nodiscard]] virtual Calls calls() const = 0;
  /// Room for so many pieces of that many elements each.
  [[nodiscard]] virtual Result<void> reserve(Element element, int pieces, std::size_t count) = 0;
  /// Called by all ranks together; ranks of the same colour ≥ 0 are joined, in the order of their keys.
  [[nodiscard]] virtual Result<Communicator> join(int colour, int key) = 0;

  /// The first elements of a piece from and to memory of the host; nothing is touched where there are none.
  [[nodiscard]] virtual Result<void> load(int piece, const void* elements, std::size_t count) = 0;
  [[nodiscard]] virtual Result<void> store(int piece, void* elements, std::size_t count) = 0;

  [[nodiscard]] virtual Result<void> allReduce(const Communicator& group, int piece, std::size_t count) = 0;
  /// `count` elements for each member.
  [[nodiscard]] virtual Result<void> reduceScatter(const Communicator& group, int piece, std::size_t count) = 0;
  /// `count` elements from each member.
  [[nodiscard]] virtual Result<void> allGather(const Communicator& group, int piece, std::size_t count) = 0;
  [[nodiscard]] virtual Result<void> reduce(const Communicator& group, int piece, std::size_t count) = 0;
  /// `count` elements from each member to each.
  [[nodiscard]] virtual Result<void> allToAll(const Communicator& group, int piece, std::size_t count) = 0;
  /// `count` elements from the root to each member.
  [[nodiscard]] virtual Result<void> scatter(const Communicator& group, int piece, std::size_t count) = 0;
  [[nodiscard]] virtual Result<void> broadcast(const Communicator& group, int piece, std::size_t count) = 0;
  /// Puts the i-th block of `count` elements at the place `places[i]`, after a call for that communicator.
  [[nodiscard]] virtual Result<void> rearrange(const Communicator& group, int piece,
                                               std::span<const std::int64_t> places, std::size_t count) = 0;

  /// Notes the moment at which everything started so far is done; nothing that is started later begins before.
  [[nodiscard]] virtual Result<void> mark() = 0;
  /// Waits for everything, and gives the seconds between each mark and the next; forgets the marks.
  [[nodiscard]] virtual Result<std::vector<double>> takeMarks() = 0;
};

}  // namespace p2::runner
