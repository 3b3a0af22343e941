// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/chakra_node.h"

#include <algorithm>
#include <array>

#include "base/names.h"
#include "base/numbers.h"
#include "text/json_stream.h"
#include "workload/import/protobuf_wire.h"

namespace p2::inline workload {
namespace {

/// NodeType of et_def.proto.
ChakraNode::Type typeFrom(std::int64_t type) {
  if (type == 7) return ChakraNode::Type::Collective;
  if (type == 5) return ChakraNode::Type::Send;
  return type == 6 ? ChakraNode::Type::Receive : ChakraNode::Type::Other;
}

ChakraNode::Type typeFrom(std::string_view type) {
  if (sameName(type, "COMM_COLL_NODE") || sameName(type, "COLL_COMM_NODE")) return ChakraNode::Type::Collective;
  if (sameName(type, "COMM_SEND_NODE")) return ChakraNode::Type::Send;
  return sameName(type, "COMM_RECV_NODE") ? ChakraNode::Type::Receive : ChakraNode::Type::Other;
}

std::int64_t kindFrom(std::string_view kind) {
  constexpr std::array<std::string_view, 10> kKinds{
      "ALL_REDUCE", "REDUCE",         "ALL_GATHER",           "GATHER", "SCATTER", "BROADCAST",
      "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER"};
  const auto at = std::find_if(kKinds.begin(), kKinds.end(), [&](std::string_view k) { return sameName(k, kind); });
  return at == kKinds.end() ? parseInteger(kind).value_or(-1) : at - kKinds.begin();
}

bool isFalse(std::string_view boolList) {
  WireReader fields(boolList);
  while (const auto field = fields.next()) {
    if (field->type == WireField::Type::Varint && field->value == 0) return true;
    if (field->bytes.find('\0') != std::string_view::npos) return true;
  }
  return false;
}

/// An AttributeProto: a name, and a value whose field says its type.
void takeAttribute(std::string_view message, ChakraNode& node) {
  std::string_view name;
  std::optional<WireField> value;
  WireReader fields(message);
  while (const auto field = fields.next()) {
    if (field->number == 1) {
      name = field->bytes;
    } else if (field->number > 2) {
      value = field;
    }
  }
  if (!value) return;
  constexpr std::uint32_t kSignedInt32 = 15;
  constexpr std::uint32_t kSignedInt64 = 17;
  const bool zigzag = value->number == kSignedInt32 || value->number == kSignedInt64;
  const bool text = value->type == WireField::Type::Bytes;
  const std::int64_t whole = zigzag ? value->zigzag() : value->whole();
  if (name == "comm_size" && !text) node.bytes = whole;
  if (name == "comm_type") node.kind = text ? kindFrom(value->bytes) : whole;
  if (name == "pg_name") node.group = text ? std::string(value->bytes) : std::to_string(whole);
  if (name == "involved_dim" && text) node.everyDimension = !isFalse(value->bytes);
}

std::string fieldText(JsonStream& in) {
  if (in.kind() == JsonStream::Kind::Text) return in.text("a string");
  if (in.kind() == JsonStream::Kind::Number) return exactNumber(in.number("a number"));
  in.skip();
  return {};
}

std::int64_t jsonWhole(JsonStream& in) { return parseInteger(fieldText(in)).value_or(-1); }

bool allTrue(JsonStream& in) {
  bool all = true;
  if (in.kind() != JsonStream::Kind::List) return in.skip(), all;
  in.list("dimensions", [&](std::size_t) {
    if (in.kind() != JsonStream::Kind::Boolean) return in.skip();
    all = in.boolean("a dimension") && all;
  });
  return all;
}

}  // namespace

Result<ChakraNode> chakraNodeFrom(std::string_view message) {
  ChakraNode node;
  std::string_view inputs;
  WireReader fields(message);
  while (const auto field = fields.next()) {
    const bool text = field->type == WireField::Type::Bytes;
    if (field->number == 2 && text) node.name = field->bytes;
    if (field->number == 3 && !text) node.type = typeFrom(field->whole());
    if (field->number == 8 && text) inputs = field->bytes;
    if (field->number == 10 && text) takeAttribute(field->bytes, node);
  }
  if (fields.damaged()) return Error{"this is not a message of a Chakra trace; the file is damaged"};
  if (node.name.find("process_group:init") == std::string::npos) return node;
  WireReader values(inputs);
  while (const auto field = values.next()) {
    if (field->number == 1) node.groups = field->bytes;
  }
  return node;
}

Result<ChakraNode> chakraNodeFromJson(std::string_view json) {
  ChakraNode node;
  JsonStream in{std::string(json)};
  in.object("a node is an object", [&](std::string_view key) {
    if (sameName(key, "name")) {
      node.name = fieldText(in);
    } else if (sameName(key, "NodeType") || key == "node_type" || key == "type") {
      const std::string type = fieldText(in);
      const auto number = parseInteger(type);
      node.type = number ? typeFrom(*number) : typeFrom(std::string_view(type));
    } else if (key == "comm_type") {
      node.kind = kindFrom(fieldText(in));
    } else if (key == "comm_size") {
      node.bytes = jsonWhole(in);
    } else if (key == "pg_name" || key == "comm_group") {
      node.group = fieldText(in);
    } else if (key == "involved_dim") {
      node.everyDimension = allTrue(in);
    } else {
      in.skip();
    }
  });
  in.finish();
  if (in.failed()) return in.problem();
  return node;
}

}  // namespace p2::inline workload
