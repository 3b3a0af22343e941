// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "base/result.h"

namespace p2::inline plan {

/// Bytes of an element: programs are planned and timed in float32.
inline constexpr std::int64_t kElementBytes = 4;
/// The largest vector that is cut: beyond it a double does not count every byte.
inline constexpr Bytes kMostVectorBytes{9007199254740991.0};

/// How a vector is cut into chunks of equally many whole elements: it is filled up with elements, at its end, to the
/// next multiple of the number of chunks. What fills it up is sent and summed like the rest and is no part of the
/// result. Libraries need equal counts (NCCL knows no others), so there is no other rule.
struct VectorCut {
  std::int64_t elements = 1;       ///< without padding
  std::int64_t chunks = 1;         ///< that it is cut into
  std::int64_t chunkElements = 1;  ///< of every chunk: elements / chunks, rounded up

  /// Cuts a vector of the given bytes; a part of an element counts as one. Errors: more than kMostVectorBytes.
  [[nodiscard]] static Result<VectorCut> of(Bytes bytes, std::int64_t chunks);

  /// Size of the vector with its padding.
  [[nodiscard]] std::int64_t paddedElements() const { return chunkElements * chunks; }
  /// Bytes of this number of chunks.
  [[nodiscard]] std::int64_t bytesOf(std::int64_t chunkCount) const {
    return chunkCount * chunkElements * kElementBytes;
  }
  /// The cut of one of `pieces` equal pieces of the vector, each with its part of every chunk: chunkElements / pieces,
  /// rounded up, so that what fills a chunk up is part of its last piece. `pieces` is 1 or more.
  [[nodiscard]] VectorCut piece(std::int64_t pieces) const {
    const std::int64_t part = (chunkElements + pieces - 1) / pieces;
    return {part * chunks, chunks, part};
  }
  friend bool operator==(const VectorCut&, const VectorCut&) = default;
};

}  // namespace p2::inline plan
