// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/file_kind.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"
#include "workload/import/csv_rows.h"
#include "workload/import/protobuf_wire.h"

namespace p2::inline workload {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

FileKind jsonKind(std::string_view text) {
  const auto key = [&](std::string_view name) { return contains(text, "\"" + std::string(name) + "\""); };
  if (key("traceEvents") || key("distributedInfo") || key("deviceProperties") || key("traceName")) {
    return FileKind::Kineto;
  }
  if (key("workload_graph") || (key("nodes") && key("node_type"))) {
    return FileKind::ChakraJson;
  }
  if (key("num_blocks") && key("attn_heads")) return FileKind::CalculonModel;
  if (key("tensor_par") && key("pipeline_par")) return FileKind::CalculonExecution;
  // A key of digits, then a list.
  const std::size_t open = text.find('"');
  const std::size_t close = open == std::string_view::npos ? open : text.find('"', open + 1);
  if (close == std::string_view::npos || close == open + 1) return FileKind::Unknown;
  const std::string_view name = text.substr(open + 1, close - open - 1);
  const bool digits = name.find_first_not_of("0123456789") == std::string_view::npos;
  const std::size_t value = text.find_first_not_of(" \t\r\n:", close + 1);
  const bool list = value != std::string_view::npos && text[value] == '[';
  return digits && list ? FileKind::CommunicatorGroups : FileKind::Unknown;
}

/// GlobalMetadata: a version or attributes, field 1 or 2, as long as the number in front says.
bool isChakraBinary(std::string_view text) {
  const auto size = takeVarint(text);
  if (!size || *size > text.size()) return false;
  WireReader fields(text.substr(0, *size));
  bool some = false;
  while (const auto field = fields.next()) {
    if (field->number > 2 || field->type != WireField::Type::Bytes) return false;
    some = true;
  }
  return some && !fields.damaged();
}

}  // namespace

FileKind fileKindOf(std::string_view beginning) {
  if (isChakraBinary(beginning)) return FileKind::ChakraBinary;
  const std::string decoded = withoutMark(std::string(beginning));
  beginning = decoded;
  const std::size_t start = beginning.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return FileKind::Unknown;
  if (beginning[start] == '{') return jsonKind(beginning.substr(start));
  const std::string_view head = beginning.substr(start);
  if (contains(head, "comm_type,") && contains(head, "msg_size")) return FileKind::Aicb;
  const auto words = spacedWords(head.substr(0, head.find('\n')));
  constexpr std::array<std::string_view, 5> kPolicies{"DATA", "MODEL", "MICRO", "DISTRIBUTED_INFERENCE", "HYBRID_"};
  const bool policy = !words.empty() && std::any_of(kPolicies.begin(), kPolicies.end(), [&](std::string_view known) {
    return words[0] == known || (known.ends_with('_') && words[0].starts_with(known));
  });
  return policy ? FileKind::SimAi : FileKind::Unknown;
}

}  // namespace p2::inline workload
