// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace p2::test {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(0x80 | (value & 0x7F));
  return bytes + static_cast<char>(value);
}
inline std::string wholeField(int number, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(number) << 3) + varint(value);
}
inline std::string bytesField(int number, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(bytes.size()) + bytes;
}
inline std::string delimited(const std::string& message) { return varint(message.size()) + message; }

/// Attributes of et_def.proto: int64_val is 9, uint64_val 13, bool_list 28, string_val 29.
inline std::string wholeAttribute(const std::string& name, std::uint64_t value, int field = 9) {
  return bytesField(10, bytesField(1, name) + wholeField(field, value));
}
inline std::string textAttribute(const std::string& name, const std::string& value) {
  return bytesField(10, bytesField(1, name) + bytesField(29, value));
}
/// A communication node: 7 a collective, 5 a send.
inline std::string communicationNode(int type, std::uint64_t kind, std::uint64_t bytes, const std::string& group) {
  std::string node = wholeField(1, 1) + bytesField(2, "nccl") + wholeField(3, static_cast<std::uint64_t>(type));
  node += wholeAttribute("comm_type", kind) + wholeAttribute("comm_size", bytes, 13);
  node += bytesField(10, bytesField(1, "involved_dim") + bytesField(28, bytesField(1, std::string("\1\1", 2))));
  return node + (group.empty() ? "" : textAttribute("pg_name", group));
}
/// A trace of three AllReduces of everybody, an AllGather of group 1, a call without a size, and computation.
inline std::string chakraTrace() {
  std::string text = delimited(bytesField(1, "0.0.4"));
  text += delimited(wholeField(1, 2) + bytesField(2, "aten::mm") + wholeField(3, 4));
  text += delimited(bytesField(2, "c10d::allreduce_") + wholeField(3, 7));
  for (int i = 0; i < 3; ++i) text += delimited(communicationNode(7, 0, 4096, ""));
  text += delimited(communicationNode(7, 2, 1024, "1"));
  return text;
}

}  // namespace p2::test
