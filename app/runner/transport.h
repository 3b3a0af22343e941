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

/// A communicator of a transport: the ranks that communicate in one step.
struct Communicator {
  int index = -1;  ///< −1 for a rank that takes no part
  int members = 1;
  int root = 0;
};

/// The moment at which a call of a collective returns.
enum class Calls {
  Block,  ///< when its work is done; calls for different communicators and pieces may be made from several threads
  Queue,  ///< at once; every rank makes its calls in the same order, and calls for one piece are executed in that order
};

/// Moves the bytes of one rank. Of every piece of a vector it owns a working vector and a spare one, in the memory its
/// collectives work on; counts are elements of a piece. Calls for different communicators and different pieces may be
/// in progress at the same time, see Calls; marks record completion times. Sums are the only reduction. The library
/// does all the work; its errors become Failed errors in its words.
class Transport {
 public:
  virtual ~Transport() = default;

  /// "Open MPI 4.1.4", "NCCL 2.28.9".
  [[nodiscard]] virtual std::string library() const = 0;
  /// The order that suits the library's choice of rings.
  [[nodiscard]] virtual GatherOrder gatherOrder() const = 0;
  [[nodiscard]] virtual Calls calls() const = 0;
  /// Room for `pieces` pieces of the given number of elements each.
  [[nodiscard]] virtual Result<void> reserve(Element element, int pieces, std::size_t count) = 0;
  /// Called by all ranks together; ranks of the same colour ≥ 0 are joined, in the order of their keys.
  [[nodiscard]] virtual Result<Communicator> join(int colour, int key) = 0;

  /// Copies the first elements of a piece from and to memory of the host; no access where there are none.
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
  /// Moves the i-th block of `count` elements to the place `places[i]`, after a call for that communicator.
  [[nodiscard]] virtual Result<void> rearrange(const Communicator& group, int piece,
                                               std::span<const std::int64_t> places, std::size_t count) = 0;

  /// Marks the completion of all calls so far; later calls begin after it.
  [[nodiscard]] virtual Result<void> mark() = 0;
  /// Waits for all calls, returns the seconds between consecutive marks and forgets them.
  [[nodiscard]] virtual Result<std::vector<double>> takeMarks() = 0;
};

}  // namespace p2::runner
