// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace p2::inline workload {

/// The fields of a node of a Chakra execution trace that concern communication.
struct ChakraNode {
  enum class Type { Other, Collective, Send, Receive };
  Type type = Type::Other;
  std::string name;
  std::int64_t kind = -1;  ///< CollectiveCommType of et_def.proto: 0 ALL_REDUCE … 9 BARRIER; −1 where it is not told
  std::int64_t bytes = -1;     ///< comm_size; −1 where it is missing
  std::string group;           ///< pg_name
  bool everyDimension = true;  ///< involved_dim, of the simulated network
  std::string groups;          ///< of "process_group:init": JSON of all process groups
};

/// A Node message of et_def.proto. Errors: not a message.
[[nodiscard]] Result<ChakraNode> chakraNodeFrom(std::string_view message);
/// A node as JSON, from Chakra's own tools ("NodeType": 7) and of symbolic_tensor_graph ("node_type":
/// "coll_comm_node").
[[nodiscard]] Result<ChakraNode> chakraNodeFromJson(std::string_view json);

}  // namespace p2::inline workload
