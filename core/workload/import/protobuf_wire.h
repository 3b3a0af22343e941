// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace p2::inline workload {

/// One field of a protocol buffer as encoded.
struct WireField {
  std::uint32_t number = 0;
  enum class Type { Varint, Fixed64, Bytes, Fixed32 } type = Type::Varint;
  std::uint64_t value = 0;  ///< but of Bytes
  std::string_view bytes;   ///< of Bytes

  /// Value of an int32, int64, uint32, uint64 or bool; sint32 and sint64 are zigzag.
  [[nodiscard]] std::int64_t whole() const { return static_cast<std::int64_t>(value); }
  [[nodiscard]] std::int64_t zigzag() const {
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
};

/// Reads the fields of a message one behind the other. Never beyond its bytes; bytes that are not a field end it.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : m_left(message) {}
  /// The next field; nothing at the end, and where the message is damaged.
  [[nodiscard]] std::optional<WireField> next();
  [[nodiscard]] bool damaged() const { return m_damaged; }

 private:
  [[nodiscard]] std::optional<WireField> failed();
  std::string_view m_left;
  bool m_damaged = false;
};

/// A number of 7 bits a byte at the beginning of `bytes`, which are taken off; none if it does not end, or within
/// ten bytes.
[[nodiscard]] std::optional<std::uint64_t> takeVarint(std::string_view& bytes);

}  // namespace p2::inline workload
