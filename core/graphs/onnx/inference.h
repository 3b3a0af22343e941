// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "graphs/onnx/model.h"

namespace p2::inline graphs {

/// The version of each domain's operators; "" is ONNX's own.
using OnnxOpsets = std::unordered_map<std::string, int>;

/// Outputs of a node, inferred from its inputs.
struct OnnxInferred {
  std::vector<onnx::TypeProto> outputs;  ///< as far as they are known; one for each output
  std::string problem;                   ///< why its inputs do not fit together; empty when they do
};

/// By libonnx, and for unknown kinds by rules of our own: fused kinds of ONNX Runtime, kinds newer than it.
/// The model is left as it is (askLibrary()).
[[nodiscard]] OnnxInferred inferred(const onnx::NodeProto& node, OnnxModel& model, const OnnxOpsets& opsets);

/// A tensor's sizes; nothing when not all are known.
[[nodiscard]] std::optional<Shape> fixedShape(const onnx::TypeProto& type);
[[nodiscard]] onnx::TypeProto tensorType(std::int32_t elementType, const Shape& shape);

/// The outputs of kinds that libonnx does not know; none for others, or when their inputs are not known.
[[nodiscard]] std::optional<std::vector<Shape>> ownShapes(const onnx::NodeProto& node, const OnnxModel& model);

/// The sizes of scaled dot products, which the fused kinds name differently.
struct AttentionSizes {
  std::int64_t batch = 0;
  std::int64_t heads = 0;    ///< heads of the queries
  std::int64_t groups = 0;   ///< heads of the keys and values
  std::int64_t queries = 0;  ///< tokens
  std::int64_t keys = 0;     ///< tokens, past ones included
  std::int64_t width = 0;    ///< of one head of queries and keys
  std::int64_t values = 0;   ///< width of one head of values
  bool flat = true;          ///< heads are part of the last dimension, not one of their own
};
/// Sizes of MultiHeadAttention, GroupQueryAttention and Attention (ONNX 23); none when their inputs are not
/// known, or packed into one tensor.
[[nodiscard]] std::optional<AttentionSizes> attentionSizes(const onnx::NodeProto& node, const OnnxModel& model);

}  // namespace p2::inline graphs
