// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "graphs/onnx/folding_rules.h"

namespace p2::inline graphs {
namespace {

using Binary = std::optional<double> (*)(double a, double b, bool whole);

struct BinaryRule {
  std::string_view type;
  Binary apply;
  bool answersYesOrNo;
};

double yesOrNo(bool is) { return is ? 1 : 0; }

std::optional<double> divided(double a, double b, bool whole) {
  if (b == 0) return std::nullopt;
  return whole ? std::trunc(a / b) : a / b;
}

std::optional<double> remainder(double a, double b, bool /*whole*/) {
  if (b == 0) return std::nullopt;
  return a - b * std::floor(a / b);
}

constexpr BinaryRule kBinary[] = {
    {"Add", [](double a, double b, bool) -> std::optional<double> { return a + b; }, false},
    {"Sum", [](double a, double b, bool) -> std::optional<double> { return a + b; }, false},
    {"Sub", [](double a, double b, bool) -> std::optional<double> { return a - b; }, false},
    {"Mul", [](double a, double b, bool) -> std::optional<double> { return a * b; }, false},
    {"Div", divided, false},
    {"Mod", remainder, false},
    {"Pow", [](double a, double b, bool) -> std::optional<double> { return std::pow(a, b); }, false},
    {"Min", [](double a, double b, bool) -> std::optional<double> { return std::min(a, b); }, false},
    {"Max", [](double a, double b, bool) -> std::optional<double> { return std::max(a, b); }, false},
    {"Equal", [](double a, double b, bool) -> std::optional<double> { return yesOrNo(a == b); }, true},
    {"Less", [](double a, double b, bool) -> std::optional<double> { return yesOrNo(a < b); }, true},
    {"LessOrEqual", [](double a, double b, bool) -> std::optional<double> { return yesOrNo(a <= b); }, true},
    {"Greater", [](double a, double b, bool) -> std::optional<double> { return yesOrNo(a > b); }, true},
    {"GreaterOrEqual", [](double a, double b, bool) -> std::optional<double> { return yesOrNo(a >= b); }, true},
    {"And", [](double a, double b, bool) -> std::optional<double> { return yesOrNo(a != 0 && b != 0); }, true},
    {"Or", [](double a, double b, bool) -> std::optional<double> { return yesOrNo(a != 0 || b != 0); }, true},
    {"Xor", [](double a, double b, bool) -> std::optional<double> { return yesOrNo((a != 0) != (b != 0)); }, true},
};

struct UnaryRule {
  std::string_view type;
  double (*apply)(double x);
};

constexpr UnaryRule kUnary[] = {
    {"Abs", [](double x) { return std::abs(x); }},
    {"Ceil", [](double x) { return std::ceil(x); }},
    {"Exp", [](double x) { return std::exp(x); }},
    {"Floor", [](double x) { return std::floor(x); }},
    {"Log", [](double x) { return std::log(x); }},
    {"Neg", [](double x) { return -x; }},
    {"Not", [](double x) { return yesOrNo(x == 0); }},
    {"Reciprocal", [](double x) { return 1 / x; }},
    {"Round", [](double x) { return std::nearbyint(x); }},
    {"Sign", [](double x) { return yesOrNo(x > 0) - yesOrNo(x < 0); }},
    {"Sqrt", [](double x) { return std::sqrt(x); }},
};

std::optional<OnnxNumbers> combined(const OnnxNumbers& a, const OnnxNumbers& b, const BinaryRule& rule) {
  const auto shape = broadcast(a.shape, b.shape);
  if (!shape) return std::nullopt;
  const auto left = broadcastTo(a, *shape);
  const auto right = broadcastTo(b, *shape);
  if (!left || !right) return std::nullopt;
  OnnxNumbers result{rule.answersYesOrNo ? onnx::TensorProto::BOOL : a.type, *shape, {}};
  for (std::size_t i = 0; i < left->values.size(); ++i) {
    const auto value = rule.apply(left->values[i], right->values[i], isWholeType(a.type));
    if (!value || std::isnan(*value)) return std::nullopt;
    result.values.push_back(*value);
  }
  return result;
}

/// A reduction's operation on the numbers along its axes.
double reduced(std::string_view type, double sum, double value) {
  if (type == "ReduceProd") return sum * value;
  if (type == "ReduceMax") return std::max(sum, value);
  if (type == "ReduceMin") return std::min(sum, value);
  return sum + value;
}

std::optional<std::vector<bool>> reducedAxes(const FoldingNode& node, std::size_t rank) {
  const auto axes = node.list(1, "axes");
  if (!axes) return std::nullopt;
  const bool all = axes->empty() && wholeOf(node.node(), "noop_with_empty_axes", 0) == 0;
  std::vector<bool> is(rank, all);
  for (const std::int64_t each : *axes) {
    const auto axis = axisOf(each, rank);
    if (!axis) return std::nullopt;
    is[*axis] = true;
  }
  return is;
}

}  // namespace

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (std::size_t right = 1; right <= shape.size(); ++right) {
    const std::int64_t left = right <= a.size() ? a[a.size() - right] : 1;
    const std::int64_t other = right <= b.size() ? b[b.size() - right] : 1;
    if (left != other && left != 1 && other != 1) return std::nullopt;
    shape[shape.size() - right] = left == 1 ? other : left;
  }
  return shape;
}

std::optional<OnnxNumbers> broadcastTo(const OnnxNumbers& numbers, const Shape& shape) {
  if (numbers.shape.size() > shape.size()) return std::nullopt;
  const std::size_t missing = shape.size() - numbers.shape.size();
  Shape source(numbers.shape.size(), 0);
  return rearranged(numbers, shape, [&](const Shape& place) {
    for (std::size_t d = 0; d < source.size(); ++d) source[d] = numbers.shape[d] == 1 ? 0 : place[missing + d];
    return offsetOf(numbers.shape, source);
  });
}

Folded foldConstant(const FoldingNode& node) {
  const onnx::NodeProto& constant = node.node();
  if (const auto* value = attributeOf(constant, "value"); value != nullptr && value->has_t()) {
    return one(numbersFrom(value->t()));
  }
  if (const auto* value = attributeOf(constant, "value_int"); value != nullptr) {
    return one(OnnxNumbers{onnx::TensorProto::INT64, {}, {static_cast<double>(value->i())}});
  }
  if (const auto* value = attributeOf(constant, "value_float"); value != nullptr) {
    return one(OnnxNumbers{onnx::TensorProto::FLOAT, {}, {static_cast<double>(value->f())}});
  }
  if (hasAttribute(constant, "value_ints")) return one(listOf(wholesOf(constant, "value_ints")));
  if (const auto* value = attributeOf(constant, "value_floats"); value != nullptr) {
    return one(OnnxNumbers{onnx::TensorProto::FLOAT,
                           {static_cast<std::int64_t>(value->floats_size())},
                           std::vector<double>(value->floats().begin(), value->floats().end())});
  }
  return std::nullopt;
}

Folded foldConstantOfShape(const FoldingNode& node) {
  if (node.in(0) == nullptr) return std::nullopt;
  OnnxNumbers single{onnx::TensorProto::FLOAT, {}, {0}};
  if (const auto* value = attributeOf(node.node(), "value"); value != nullptr && value->has_t()) {
    const auto given = numbersFrom(value->t());
    if (!given || given->values.size() != 1) return std::nullopt;
    single = {given->type, {}, given->values};
  }
  return one(broadcastTo(single, wholesFrom(*node.in(0))));
}

Folded foldRange(const FoldingNode& node) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (node.in(i) == nullptr || node.in(i)->values.size() != 1) return std::nullopt;
  }
  const double start = node.in(0)->values[0];
  const double step = node.in(2)->values[0];
  if (step == 0) return std::nullopt;
  const double count = std::max(std::ceil((node.in(1)->values[0] - start) / step), 0.0);
  if (!(count <= static_cast<double>(kMostNumbers))) return std::nullopt;
  OnnxNumbers result{node.in(0)->type, {static_cast<std::int64_t>(count)}, {}};
  for (std::int64_t i = 0; i < result.shape[0]; ++i) result.values.push_back(start + static_cast<double>(i) * step);
  return one(std::move(result));
}

Folded foldIdentity(const FoldingNode& node) { return node.in(0) == nullptr ? std::nullopt : one(*node.in(0)); }

Folded foldCast(const FoldingNode& node) {
  if (node.in(0) == nullptr) return std::nullopt;
  OnnxNumbers result = *node.in(0);
  result.type = static_cast<std::int32_t>(wholeOf(node.node(), "to", 0));
  if (!isWholeType(result.type) && !isFloatingType(result.type)) return std::nullopt;
  for (double& value : result.values) {
    if (std::isnan(value)) return std::nullopt;
    if (isWholeType(result.type)) value = std::trunc(value);
    if (result.type == onnx::TensorProto::BOOL) value = yesOrNo(value != 0);
  }
  return one(std::move(result));
}

Folded foldBinary(const FoldingNode& node) {
  const auto rule = std::find_if(std::begin(kBinary), std::end(kBinary),
                                 [&](const BinaryRule& each) { return each.type == node.type(); });
  if (rule == std::end(kBinary) || node.inputs() == 0 || node.in(0) == nullptr) return std::nullopt;
  OnnxNumbers result = *node.in(0);
  for (std::size_t i = 1; i < node.inputs(); ++i) {
    if (node.in(i) == nullptr) return std::nullopt;
    auto next = combined(result, *node.in(i), *rule);
    if (!next) return std::nullopt;
    result = std::move(*next);
  }
  return one(std::move(result));
}

Folded foldUnary(const FoldingNode& node) {
  const auto rule = std::find_if(std::begin(kUnary), std::end(kUnary),
                                 [&](const UnaryRule& each) { return each.type == node.type(); });
  if (rule == std::end(kUnary) || node.in(0) == nullptr) return std::nullopt;
  OnnxNumbers result = *node.in(0);
  for (double& value : result.values) {
    value = rule->apply(value);
    if (!std::isfinite(value)) return std::nullopt;
  }
  return one(std::move(result));
}

Folded foldWhere(const FoldingNode& node) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (node.in(i) == nullptr) return std::nullopt;
  }
  const auto chosen = broadcast(node.in(1)->shape, node.in(2)->shape);
  if (!chosen) return std::nullopt;
  const auto shape = broadcast(node.in(0)->shape, *chosen);
  if (!shape) return std::nullopt;
  const auto condition = broadcastTo(*node.in(0), *shape);
  const auto yes = broadcastTo(*node.in(1), *shape);
  const auto no = broadcastTo(*node.in(2), *shape);
  if (!condition || !yes || !no) return std::nullopt;
  OnnxNumbers result{yes->type, *shape, {}};
  for (std::size_t i = 0; i < condition->values.size(); ++i) {
    result.values.push_back(condition->values[i] != 0 ? yes->values[i] : no->values[i]);
  }
  return one(std::move(result));
}

Folded foldReduction(const FoldingNode& node) {
  const OnnxNumbers* from = node.in(0);
  if (from == nullptr || from->values.empty()) return std::nullopt;
  const auto gone = reducedAxes(node, from->shape.size());
  if (!gone) return std::nullopt;
  Shape kept = from->shape;
  Shape shape;
  for (std::size_t d = 0; d < kept.size(); ++d) {
    if ((*gone)[d]) kept[d] = 1;
    if (!(*gone)[d] || wholeOf(node.node(), "keepdims", 1) != 0) shape.push_back(kept[d]);
  }
  OnnxNumbers result{from->type, shape, std::vector<double>(static_cast<std::size_t>(smallCount(kept).value_or(0)))};
  std::vector<double> counts(result.values.size(), 0);
  Shape place(kept.size(), 0);
  for (const double value : from->values) {
    Shape to = place;
    for (std::size_t d = 0; d < to.size(); ++d) to[d] = (*gone)[d] ? 0 : to[d];
    const std::size_t at = *offsetOf(kept, to);
    result.values[at] = counts[at] == 0 ? value : reduced(node.type(), result.values[at], value);
    ++counts[at];
    for (std::size_t d = place.size(); d-- > 0;) {
      if (++place[d] < from->shape[d]) break;
      place[d] = 0;
    }
  }
  if (node.type() == "ReduceMean") {
    for (std::size_t i = 0; i < counts.size(); ++i) result.values[i] /= counts[i];
  }
  return one(std::move(result));
}

Folded foldNonZero(const FoldingNode& node) {
  const OnnxNumbers* from = node.in(0);
  if (from == nullptr || from->shape.empty()) return std::nullopt;
  const std::size_t rank = from->shape.size();
  std::vector<std::vector<double>> rows(rank);
  Shape place(rank, 0);
  for (const double value : from->values) {
    for (std::size_t d = 0; d < rank && value != 0; ++d) rows[d].push_back(static_cast<double>(place[d]));
    for (std::size_t d = rank; d-- > 0;) {
      if (++place[d] < from->shape[d]) break;
      place[d] = 0;
    }
  }
  OnnxNumbers result{
      onnx::TensorProto::INT64, {static_cast<std::int64_t>(rank), static_cast<std::int64_t>(rows[0].size())}, {}};
  for (const auto& row : rows) result.values.insert(result.values.end(), row.begin(), row.end());
  if (!smallCount(result.shape)) return std::nullopt;
  return one(std::move(result));
}

}  // namespace p2::inline graphs
