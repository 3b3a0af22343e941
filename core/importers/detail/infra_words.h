// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers: the words of InfraGraph documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "importers/detail/infra_graph.h"

namespace YAML {
class Node;
}

namespace p2::inline importers {

/// "line 12": the place of a node in its text.
[[nodiscard]] std::string lineText(const YAML::Node& node);
/// The scalar of a key; empty if it is missing or not a scalar.
[[nodiscard]] std::string scalarAt(const YAML::Node& node, const char* key);
/// The items of a list that may be missing.
[[nodiscard]] std::vector<YAML::Node> itemsAt(const YAML::Node& node, const char* key);
/// A link with its bandwidth and latency. Errors: a quantity that is not a number of 0 or more, with its line.
[[nodiscard]] Result<InfraLink> linkFrom(const YAML::Node& node);
/// The kind of a component: "xpu", "nic" …
[[nodiscard]] InfraPart partOf(const std::string& choice);

/// "xpu[0:8:2]" as a name and its indices in Python's slice notation.
struct NamedSlice {
  std::string name;
  std::int64_t first = 0;
  std::int64_t end = -1;  ///< behind the last; −1 for all
  std::int64_t step = 1;
};
/// A name with its slice. None for a text that is not a slice of at most 1,000,000.
[[nodiscard]] std::optional<NamedSlice> sliceIn(std::string_view word);
/// "host.nic.0" at its dots.
[[nodiscard]] std::vector<std::string_view> piecesOf(std::string_view path);

}  // namespace p2::inline importers
