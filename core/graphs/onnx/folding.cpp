// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/folding.h"

#include <algorithm>
#include <string_view>

#include "graphs/onnx/folding_rules.h"

namespace p2::inline graphs {
namespace {

struct FoldingRule {
  std::string_view type;
  Folded (*fold)(const FoldingNode& node);
};

constexpr FoldingRule kRules[] = {
    {"Abs", foldUnary},
    {"Add", foldBinary},
    {"And", foldBinary},
    {"Cast", foldCast},
    {"Ceil", foldUnary},
    {"Concat", foldConcat},
    {"Constant", foldConstant},
    {"ConstantOfShape", foldConstantOfShape},
    {"Div", foldBinary},
    {"Equal", foldBinary},
    {"Exp", foldUnary},
    {"Expand", foldExpand},
    {"Flatten", foldReshape},
    {"Floor", foldUnary},
    {"Gather", foldGather},
    {"Greater", foldBinary},
    {"GreaterOrEqual", foldBinary},
    {"Identity", foldIdentity},
    {"Less", foldBinary},
    {"LessOrEqual", foldBinary},
    {"Log", foldUnary},
    {"Max", foldBinary},
    {"Min", foldBinary},
    {"Mod", foldBinary},
    {"Mul", foldBinary},
    {"Neg", foldUnary},
    {"NonZero", foldNonZero},
    {"Not", foldUnary},
    {"Or", foldBinary},
    {"Pow", foldBinary},
    {"Range", foldRange},
    {"Reciprocal", foldUnary},
    {"ReduceMax", foldReduction},
    {"ReduceMean", foldReduction},
    {"ReduceMin", foldReduction},
    {"ReduceProd", foldReduction},
    {"ReduceSum", foldReduction},
    {"Reshape", foldReshape},
    {"Round", foldUnary},
    {"Shape", foldShape},
    {"Sign", foldUnary},
    {"Size", foldShape},
    {"Slice", foldSlice},
    {"Split", foldSplit},
    {"Sqrt", foldUnary},
    {"Squeeze", foldSqueeze},
    {"Sub", foldBinary},
    {"Sum", foldBinary},
    {"Tile", foldTile},
    {"Transpose", foldTranspose},
    {"Unsqueeze", foldUnsqueeze},
    {"Where", foldWhere},
    {"Xor", foldBinary},
};

}  // namespace

Folded folded(const onnx::NodeProto& node, const std::vector<FoldingInput>& inputs) {
  if (!node.domain().empty() && node.domain() != "ai.onnx") return std::nullopt;
  const auto rule = std::lower_bound(std::begin(kRules), std::end(kRules), node.op_type(),
                                     [](const FoldingRule& a, const std::string& type) { return a.type < type; });
  if (rule == std::end(kRules) || rule->type != node.op_type()) return std::nullopt;
  Folded result = rule->fold(FoldingNode(node, inputs));
  if (!result || result->size() != static_cast<std::size_t>(node.output_size())) return std::nullopt;
  return result;
}

}  // namespace p2::inline graphs
