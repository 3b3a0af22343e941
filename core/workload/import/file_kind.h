// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <string_view>

namespace p2::inline workload {

/// The kind of a file, by its beginning.
enum class FileKind {
  Unknown,
  Kineto,
  ChakraBinary,        ///< messages of protocol buffers
  ChakraJson,          ///< {"workload_graph": […]} or {"nodes": […]}
  CommunicatorGroups,  ///< comm_group.json, {"0": [0, 1]}
  Aicb,
  SimAi,
  CalculonModel,
  CalculonExecution,
};

[[nodiscard]] FileKind fileKindOf(std::string_view beginning);
[[nodiscard]] inline bool isChakra(FileKind kind) {
  return kind == FileKind::ChakraBinary || kind == FileKind::ChakraJson;
}

}  // namespace p2::inline workload
