// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/probe_values.h"

#include <algorithm>

namespace p2::runner {
namespace {

constexpr std::int64_t kExactFloats = std::int64_t{1} << 24;  // whole numbers up to here are exact as float32
constexpr int kWideBits = 40;                                 // sums over 2^20 ranks stay below 2^63

/// Scatters neighbouring numbers over the whole range (the finalizer of MurmurHash3).
std::uint64_t scattered(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdu;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

/// Calls with every element of the part in turn and the value that belongs there.
template <class T, class Bytes, class Visit>
void forEachElement(Bytes& vector, const std::vector<std::int64_t>& values, const VectorPart& part,
                    const Visit& visited) {
  auto* element = reinterpret_cast<T*>(vector.data());
  for (const ChunkRange& range : part.chunks) {
    for (auto chunk = static_cast<std::size_t>(range.from); chunk < static_cast<std::size_t>(range.to); ++chunk) {
      const std::size_t begin = (chunk * part.pieces + part.piece) * part.chunk;
      std::size_t at = begin % values.size();
      for (std::size_t i = 0; i < part.chunk; ++i) {
        visited(*element++, T(values[at]));
        if (++at == values.size()) at = 0;
      }
    }
  }
}

template <class T>
void fill(std::vector<std::byte>& vector, const std::vector<std::int64_t>& values, const VectorPart& part) {
  forEachElement<T>(vector, values, part, [](T& element, T value) { element = value; });
}

template <class T>
std::int64_t differing(const std::vector<std::byte>& vector, const std::vector<std::int64_t>& values,
                       const VectorPart& part) {
  std::int64_t wrong = 0;
  forEachElement<const T>(vector, values, part, [&](T element, T value) { wrong += element != value; });
  return wrong;
}

}  // namespace

std::vector<std::int64_t> ProbeValues::of(int rank, Element element) const {
  const auto most = static_cast<std::uint64_t>(std::max<std::int64_t>(2, (kExactFloats - 1) / m_ranks));
  std::vector<std::int64_t> values(m_count);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t any = scattered((static_cast<std::uint64_t>(rank) << 32 | i) + 1);
    // Not what dividing leaves: vectors of gigabytes would wait for that.
    values[i] =
        static_cast<std::int64_t>(element == Element::Float32 ? (any >> 32) * most >> 32 : any >> (64 - kWideBits));
  }
  return values;
}

std::vector<std::int64_t> ProbeValues::sums(const std::vector<int>& ranks, Element element) const {
  std::vector<std::int64_t> sums(m_count, 0);
  for (const int rank : ranks) {
    const std::vector<std::int64_t> values = of(rank, element);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
  }
  return sums;
}

std::vector<std::byte> spread(const std::vector<std::int64_t>& values, Element element, const VectorPart& part) {
  std::vector<std::byte> vector(part.elements() * sizeOf(element));
  element == Element::Float32 ? fill<float>(vector, values, part) : fill<std::int64_t>(vector, values, part);
  return vector;
}

std::int64_t countWrong(const std::vector<std::byte>& vector, const std::vector<std::int64_t>& values, Element element,
                        const VectorPart& part) {
  return element == Element::Float32 ? differing<float>(vector, values, part)
                                     : differing<std::int64_t>(vector, values, part);
}

}  // namespace p2::runner
