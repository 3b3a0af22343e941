// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/protobuf_wire.h"

namespace p2::inline workload {
namespace {

std::uint64_t littleEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

std::optional<std::uint64_t> takeVarint(std::string_view& bytes) {
  constexpr std::size_t kMostBytes = 10;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size() && i < kMostBytes; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    value |= std::uint64_t{byte & 0x7FU} << 7 * i;
    if ((byte & 0x80U) == 0) {
      bytes.remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

std::optional<WireField> WireReader::failed() {
  m_damaged = true;
  m_left = {};
  return std::nullopt;
}

std::optional<WireField> WireReader::next() {
  if (m_left.empty()) return std::nullopt;
  const auto tag = takeVarint(m_left);
  if (!tag || *tag >> 3 == 0 || *tag >> 3 > 0x1FFFFFFF) return failed();
  WireField field;
  field.number = static_cast<std::uint32_t>(*tag >> 3);
  std::size_t fixed = 0;
  switch (*tag & 7) {
    case 0: {
      const auto value = takeVarint(m_left);
      if (!value) return failed();
      field.value = *value;
      return field;
    }
    case 2: {
      const auto size = takeVarint(m_left);
      if (!size || *size > m_left.size()) return failed();
      field.type = WireField::Type::Bytes;
      field.bytes = m_left.substr(0, *size);
      m_left.remove_prefix(*size);
      return field;
    }
    case 1:
      field.type = WireField::Type::Fixed64;
      fixed = 8;
      break;
    case 5:
      field.type = WireField::Type::Fixed32;
      fixed = 4;
      break;
    default:
      return failed();
  }
  if (m_left.size() < fixed) return failed();
  field.value = littleEndian(m_left.substr(0, fixed));
  m_left.remove_prefix(fixed);
  return field;
}

}  // namespace p2::inline workload
