// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline collective {

/// The data of one device (paper §3.2, Fig. 7): a k×k bit matrix over the k devices of its reduction group and the k
/// chunks of the data. Bit (r, c) means that chunk r, as held here, contains the contribution of member c.
class DeviceState {
 public:
  DeviceState() = default;
  /// An empty state of k chunks.
  explicit DeviceState(int k) : m_k(k), m_wordsPerRow((k + 63) / 64), m_words(std::size_t(k) * m_wordsPerRow, 0) {}
  /// The state every device starts from: its own contribution, in every chunk.
  [[nodiscard]] static DeviceState initial(int k, int member);
  /// The state every device ends in: every contribution, in every chunk.
  [[nodiscard]] static DeviceState complete(int k);

  [[nodiscard]] int size() const { return m_k; }
  [[nodiscard]] bool test(int row, int column) const;
  void set(int row, int column);

  [[nodiscard]] bool empty() const;
  [[nodiscard]] bool rowEmpty(int row) const;
  /// Indices of the non-empty rows, ascending.
  [[nodiscard]] std::vector<int> rows() const;
  [[nodiscard]] int rowCount() const;
  /// Columns set in one row, ascending.
  [[nodiscard]] std::vector<int> columns(int row) const;

  /// Whether every bit here is also set there.
  [[nodiscard]] bool subsetOf(const DeviceState& other) const;
  /// The first row in which both have the same column set, or −1.
  [[nodiscard]] int firstOverlap(const DeviceState& other) const;
  void unite(const DeviceState& other);
  /// Empties every row but those listed.
  [[nodiscard]] DeviceState keepingRows(const std::vector<int>& rows, std::size_t from, std::size_t count) const;

  /// Rows of '1' and '.', joined by '/': "11../....": the notation of the tests.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] static Result<DeviceState> fromText(std::string_view text);
  friend auto operator<=>(const DeviceState&, const DeviceState&) = default;

 private:
  [[nodiscard]] const std::uint64_t* rowWords(int row) const {
    return m_words.data() + std::size_t(row) * m_wordsPerRow;
  }

  int m_k = 0;
  int m_wordsPerRow = 0;
  std::vector<std::uint64_t> m_words;
};

}  // namespace p2::inline collective
