// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/device_state.h"

#include <algorithm>

namespace p2::inline collective {

DeviceState DeviceState::initial(int k, int member) {
  DeviceState state(k);
  for (int row = 0; row < k; ++row) state.set(row, member);
  return state;
}

DeviceState DeviceState::complete(int k) {
  DeviceState state(k);
  std::fill(state.m_words.begin(), state.m_words.end(), ~std::uint64_t{0});
  if (k % 64 == 0) return state;
  const auto perRow = std::size_t(state.m_wordsPerRow);
  for (std::size_t last = perRow; last <= state.m_words.size(); last += perRow) state.m_words[last - 1] >>= 64 - k % 64;
  return state;
}

bool DeviceState::test(int row, int column) const { return (rowWords(row)[column / 64] >> (column % 64) & 1) != 0; }

void DeviceState::set(int row, int column) {
  m_words[std::size_t(row) * m_wordsPerRow + column / 64] |= std::uint64_t{1} << (column % 64);
}

bool DeviceState::empty() const {
  return std::all_of(m_words.begin(), m_words.end(), [](std::uint64_t word) { return word == 0; });
}

bool DeviceState::rowEmpty(int row) const {
  std::uint64_t any = 0;
  for (int word = 0; word < m_wordsPerRow; ++word) any |= rowWords(row)[word];
  return any == 0;
}

std::vector<int> DeviceState::rows() const {
  std::vector<int> result;
  for (int row = 0; row < m_k; ++row) {
    if (!rowEmpty(row)) result.push_back(row);
  }
  return result;
}

int DeviceState::rowCount() const {
  int count = 0;
  for (int row = 0; row < m_k; ++row) count += rowEmpty(row) ? 0 : 1;
  return count;
}

std::vector<int> DeviceState::columns(int row) const {
  std::vector<int> result;
  for (int column = 0; column < m_k; ++column) {
    if (test(row, column)) result.push_back(column);
  }
  return result;
}

bool DeviceState::subsetOf(const DeviceState& other) const {
  for (std::size_t i = 0; i < m_words.size(); ++i) {
    if ((m_words[i] & ~other.m_words[i]) != 0) return false;
  }
  return true;
}

int DeviceState::firstOverlap(const DeviceState& other) const {
  for (std::size_t i = 0; i < m_words.size(); ++i) {
    if ((m_words[i] & other.m_words[i]) != 0) return static_cast<int>(i) / m_wordsPerRow;
  }
  return -1;
}

void DeviceState::unite(const DeviceState& other) {
  for (std::size_t i = 0; i < m_words.size(); ++i) m_words[i] |= other.m_words[i];
}

DeviceState DeviceState::keepingRows(const std::vector<int>& rows, std::size_t from, std::size_t count) const {
  DeviceState kept(m_k);
  for (std::size_t i = from; i < from + count; ++i) {
    std::copy_n(rowWords(rows[i]), m_wordsPerRow, kept.m_words.begin() + std::ptrdiff_t(rows[i]) * m_wordsPerRow);
  }
  return kept;
}

std::string DeviceState::text() const {
  std::string text;
  for (int row = 0; row < m_k; ++row) {
    if (row > 0) text += '/';
    for (int column = 0; column < m_k; ++column) text += test(row, column) ? '1' : '.';
  }
  return text;
}

Result<DeviceState> DeviceState::fromText(std::string_view text) {
  int k = static_cast<int>(std::min(text.find('/'), text.size()));
  const std::size_t wanted = std::size_t(k) * (k + 1) - (k > 0 ? 1 : 0);
  const Error wrong{"\"" + std::string(text) + "\" is not a state; write k rows of k '1' or '.', joined by '/'"};
  if (k == 0 || text.size() != wanted) return wrong;
  DeviceState state(k);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int row = static_cast<int>(i) / (k + 1);
    const int column = static_cast<int>(i) % (k + 1);
    if (column == k ? text[i] != '/' : text[i] != '1' && text[i] != '.') return wrong;
    if (text[i] == '1') state.set(row, column);
  }
  return state;
}

}  // namespace p2::inline collective
