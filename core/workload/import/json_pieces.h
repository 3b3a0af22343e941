// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline workload {

/// Cuts a JSON object that is too large to hold into its members, and one list among them into its items, from front to
/// back. Only brackets, strings and commas between pieces are looked at; the reader of a piece checks its
/// JSON. Memory is the largest piece's.
class JsonPieces {
 public:
  using Member = std::function<Result<void>(std::string_view key, std::string_view value)>;
  using Item = std::function<Result<void>(std::string_view item)>;

  /// `list` is the key of the list whose items come one by one; every other member comes whole.
  JsonPieces(std::string list, Member member, Item item)
      : m_list(std::move(list)), m_member(std::move(member)), m_item(std::move(item)) {}

  /// The next bytes of the text. Errors: no JSON object, a piece of more than kMostPiece bytes, more than kMostDepth
  /// brackets within each other, errors of the functions; each with the item or byte.
  [[nodiscard]] Result<void> feed(std::string_view bytes);
  /// Ends the reading. The error says where an incomplete text breaks off.
  [[nodiscard]] Result<void> finish() const;
  [[nodiscard]] std::int64_t items() const { return m_items; }

  static constexpr std::size_t kMostPiece = std::size_t{32} << 20;
  static constexpr int kMostDepth = 64;

 private:
  enum class Await { Root, Key, KeyEnd, Colon, Value, Comma, Item, ItemComma, Nothing };
  [[nodiscard]] Result<void> take(char c);
  [[nodiscard]] Result<void> begin(char c);
  /// Number of bytes of a piece at the beginning of `bytes`.
  [[nodiscard]] Result<std::size_t> scan(std::string_view bytes);
  [[nodiscard]] Result<void> ended();
  [[nodiscard]] Error wrong(const std::string& message) const;

  std::string m_list;
  Member m_member;
  Item m_item;
  Await m_await = Await::Root;
  std::string m_key;
  std::string m_piece;
  int m_depth = 0;        // brackets open in the piece
  bool m_inside = false;  // whether inside a piece
  bool m_string = false;  // inside a string of the piece
  bool m_escape = false;  // behind a backslash
  bool m_inList = false;
  std::int64_t m_items = 0;
  std::int64_t m_bytes = 0;
};

}  // namespace p2::inline workload
