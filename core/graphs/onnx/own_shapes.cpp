// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "graphs/onnx/attributes.h"
#include "graphs/onnx/einsum.h"
#include "graphs/onnx/folding_rules.h"
#include "graphs/onnx/inference.h"

namespace p2::inline graphs {
namespace {

/// Kinds whose output is like their first input: ONNX Runtime's own, ONNX's later than libonnx, and ONNX's in models of
/// a version before they came.
constexpr std::string_view kLikeFirst[] = {
    "BiasGelu",
    "BiasSoftmax",
    "DequantizeLinear",
    "FastGelu",
    "Gelu",
    "GroupNorm",
    "GroupNormalization",
    "HardSwish",
    "InstanceNormalization",
    "LayerNormalization",
    "Mish",
    "QLinearLeakyRelu",
    "QLinearSigmoid",
    "QLinearSoftmax",
    "QuantizeLinear",
    "QuickGelu",
    "RMSNormalization",
    "RotaryEmbedding",
    "SimplifiedLayerNormalization",
    "Swish",
};

/// Where a kind of attention has its inputs, and the attribute with its heads.
struct AttentionKind {
  std::string_view type;
  int pastKey;
  int totalLength;  ///< an input; 0 for none
  const char* heads;
  const char* groups;
};
constexpr AttentionKind kAttentions[] = {
    {"Attention", 4, 0, "q_num_heads", "kv_num_heads"},
    {"GroupQueryAttention", 3, 6, "num_heads", "kv_num_heads"},
    {"MultiHeadAttention", 6, 0, "num_heads", "num_heads"},
};

const AttentionKind* attentionKind(const onnx::NodeProto& node) {
  const auto found = std::find_if(std::begin(kAttentions), std::end(kAttentions),
                                  [&](const AttentionKind& each) { return each.type == node.op_type(); });
  return found == std::end(kAttentions) ? nullptr : found;
}

const Shape* shapeAt(const onnx::NodeProto& node, const OnnxModel& model, int index) {
  return hasInput(node, index) ? model.shapeOf(node.input(index)) : nullptr;
}

/// Tokens and width of one head of keys or values.
bool readSide(const Shape& shape, std::int64_t heads, std::int64_t& tokens, std::int64_t& width) {
  if (heads < 1) return false;
  if (shape.size() == 4) {
    tokens = shape[2];
    width = shape[3];
    return shape[1] == heads;
  }
  if (shape.size() != 3 || shape[2] % heads != 0) return false;
  tokens = shape[1];
  width = shape[2] / heads;
  return true;
}

std::optional<std::vector<Shape>> attentionShapes(const onnx::NodeProto& node, const OnnxModel& model) {
  const auto sizes = attentionSizes(node, model);
  if (!sizes) return std::nullopt;
  const AttentionSizes& s = *sizes;
  std::vector<Shape> shapes{
      s.flat ? Shape{s.batch, s.queries, s.heads * s.values} : Shape{s.batch, s.heads, s.queries, s.values},
      {s.batch, s.groups, s.keys, s.width},
      {s.batch, s.groups, s.keys, s.values}};
  shapes.resize(std::min(shapes.size(), static_cast<std::size_t>(node.output_size())));
  return shapes;
}

std::optional<std::vector<Shape>> einsumShapes(const onnx::NodeProto& node, const OnnxModel& model) {
  std::vector<std::size_t> ranks;
  for (int i = 0; i < node.input_size(); ++i) {
    if (shapeAt(node, model, i) == nullptr) return std::nullopt;
    ranks.push_back(shapeAt(node, model, i)->size());
  }
  const EinsumEquation equation = einsumEquation(textOf(node, "equation"), ranks);
  if (!equation.understood) return std::nullopt;
  std::map<char, std::int64_t> sizes;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Shape& shape = *shapeAt(node, model, static_cast<int>(i));
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::int64_t& size = sizes.emplace(equation.operands[i][d], 1).first->second;
      if (size != 1 && shape[d] != 1 && size != shape[d]) return std::nullopt;
      if (shape[d] != 1) size = shape[d];
    }
  }
  Shape result;
  for (const char letter : equation.result) result.push_back(sizes[letter]);
  return std::vector<Shape>{result};
}

}  // namespace

std::optional<AttentionSizes> attentionSizes(const onnx::NodeProto& node, const OnnxModel& model) {
  const AttentionKind* kind = attentionKind(node);
  const Shape* query = shapeAt(node, model, 0);
  const Shape* key = shapeAt(node, model, 1);
  const Shape* value = shapeAt(node, model, 2);
  if (kind == nullptr || query == nullptr || key == nullptr || value == nullptr) return std::nullopt;
  AttentionSizes sizes;
  sizes.flat = query->size() == 3;
  sizes.heads = wholeOf(node, kind->heads, query->size() == 4 ? (*query)[1] : 0);
  sizes.groups = wholeOf(node, kind->groups, key->size() == 4 ? (*key)[1] : sizes.heads);
  std::int64_t tokens = 0;
  if (!readSide(*query, sizes.heads, sizes.queries, sizes.width)) return std::nullopt;
  if (!readSide(*key, sizes.groups, sizes.keys, sizes.width)) return std::nullopt;
  if (!readSide(*value, sizes.groups, tokens, sizes.values) || tokens != sizes.keys) return std::nullopt;
  sizes.batch = (*query)[0];
  const Shape* past = shapeAt(node, model, kind->pastKey);
  if (past != nullptr && past->size() == 4) sizes.keys += (*past)[2];
  const OnnxNumbers* total = kind->totalLength > 0 && hasInput(node, kind->totalLength)
                                 ? model.numbersOf(node.input(kind->totalLength))
                                 : nullptr;
  if (total != nullptr && total->values.size() == 1)
    sizes.keys = std::max<std::int64_t>(wholeFrom(total->values[0]), 1);
  return sizes;
}

std::optional<std::vector<Shape>> ownShapes(const onnx::NodeProto& node, const OnnxModel& model) {
  const Shape* first = shapeAt(node, model, 0);
  if (first == nullptr) return std::nullopt;
  if (std::find(std::begin(kLikeFirst), std::end(kLikeFirst), node.op_type()) != std::end(kLikeFirst)) {
    return std::vector<Shape>{*first};
  }
  if (node.op_type().starts_with("Bitwise")) {
    const Shape* second = shapeAt(node, model, 1);
    const auto both = broadcast(*first, second == nullptr ? Shape{} : *second);
    return both ? std::optional(std::vector<Shape>{*both}) : std::nullopt;
  }
  if (node.op_type() == "Einsum") return einsumShapes(node, model);
  return attentionShapes(node, model);
}

}  // namespace p2::inline graphs
