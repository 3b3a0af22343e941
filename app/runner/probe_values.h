// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "app/runner/transport.h"
#include "synthesis/chunk_set.h"

namespace p2::runner {

/// Period of the values along a vector: a prime, so that a misplaced chunk is detected.
inline constexpr std::size_t kValuePeriod = 65'521;

/// The initial values of every rank. They depend on rank and place, so that a missing, doubled or misplaced
/// contribution changes the sum; as float32 they are whole and small enough for every partial sum to be exact.
class ProbeValues {
 public:
  /// Values of vectors with that number of elements.
  explicit ProbeValues(int ranks, std::size_t elements = kValuePeriod)
      : m_ranks(ranks), m_count(std::clamp<std::size_t>(elements, 1, kValuePeriod)) {}

  /// The values of a rank, as they repeat along a vector.
  [[nodiscard]] std::vector<std::int64_t> of(int rank, Element element) const;
  /// The sums over some ranks.
  [[nodiscard]] std::vector<std::int64_t> sums(const std::vector<int>& ranks, Element element) const;

 private:
  int m_ranks;
  std::size_t m_count;
};

/// Adjacent chunks of a vector, or the same one of the equal pieces of each.
struct VectorPart {
  const ChunkSet& chunks;
  std::size_t chunk = 1;   ///< elements of a chunk's piece
  std::size_t pieces = 1;  ///< that a chunk is cut into
  std::size_t piece = 0;   ///< which of them

  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(countOf(chunks)) * chunk; }
};

/// Writes the values, repeated over the whole vector, into a part of it in a format, and counts the elements that
/// differ.
[[nodiscard]] std::vector<std::byte> spread(const std::vector<std::int64_t>& values, Element element,
                                            const VectorPart& part);
[[nodiscard]] std::int64_t countWrong(const std::vector<std::byte>& vector, const std::vector<std::int64_t>& values,
                                      Element element, const VectorPart& part);

}  // namespace p2::runner
