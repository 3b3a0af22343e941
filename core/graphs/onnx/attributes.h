// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace p2::inline graphs {

/// The attribute of that name; null if the node has none.
[[nodiscard]] const onnx::AttributeProto* attributeOf(const onnx::NodeProto& node, std::string_view name);
[[nodiscard]] bool hasAttribute(const onnx::NodeProto& node, std::string_view name);

/// An attribute's list of whole numbers; empty when it is not given.
[[nodiscard]] std::vector<std::int64_t> wholesOf(const onnx::NodeProto& node, std::string_view attribute);
[[nodiscard]] std::int64_t wholeOf(const onnx::NodeProto& node, std::string_view attribute, std::int64_t otherwise);
[[nodiscard]] std::string textOf(const onnx::NodeProto& node, std::string_view attribute,
                                 const std::string& otherwise = {});

void setWhole(onnx::NodeProto& node, const std::string& attribute, std::int64_t value);
void setWholes(onnx::NodeProto& node, const std::string& attribute, const std::vector<std::int64_t>& values);
void setText(onnx::NodeProto& node, const std::string& attribute, const std::string& value);
void removeAttribute(onnx::NodeProto& node, std::string_view name);

/// A node's first output that has a name, since unused ones may be left out; empty when all are.
[[nodiscard]] std::string firstOutput(const onnx::NodeProto& node);
/// Whether it has an input at this place that is not left out.
[[nodiscard]] bool hasInput(const onnx::NodeProto& node, int index);

/// "Conv "name"", for people.
[[nodiscard]] std::string titleOf(const onnx::NodeProto& node);

}  // namespace p2::inline graphs
