// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that run a known number of times, and sequences of tensors whose length is known.
#include <algorithm>

#include "graphs/onnx/attributes.h"
#include "graphs/onnx/folding_rules.h"
#include "graphs/onnx/tracer.h"

namespace p2::inline graphs {
namespace {

constexpr std::int64_t kMostTrips = 256;

OnnxNumbers single(std::int32_t type, double value) { return {type, {}, {value}}; }

std::optional<std::int64_t> wholeAt(const OnnxModel& model, const onnx::NodeProto& node, int index) {
  const OnnxNumbers* numbers = hasInput(node, index) ? model.numbersOf(node.input(index)) : nullptr;
  if (numbers == nullptr || numbers->values.size() != 1) return std::nullopt;
  return wholeFrom(numbers->values[0]);
}

onnx::NodeProto nodeOf(const std::string& type, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs) {
  onnx::NodeProto node;
  node.set_op_type(type);
  for (const std::string& name : inputs) node.add_input(name);
  for (const std::string& name : outputs) node.add_output(name);
  return node;
}

}  // namespace

void OnnxTracer::setNumbers(const std::string& name, OnnxNumbers numbers) {
  remember(name, tensorType(numbers.type, numbers.shape));
  m_model.numbers[name] = std::move(numbers);
  m_model.constants.insert(name);
}

/// The tensors with a dimension in front, one behind the other.
Result<void> OnnxTracer::stack(const std::vector<std::string>& parts, const std::string& result, std::int64_t axis) {
  std::vector<std::string> raised;
  for (const std::string& part : parts) {
    raised.push_back(result + "/" + std::to_string(++m_written));
    const bool asInput = m_opsets[""] >= 13;
    onnx::NodeProto node = nodeOf("Unsqueeze", {part}, {raised.back()});
    if (asInput) node.add_input(raised.back() + "/axes");
    if (asInput) setNumbers(raised.back() + "/axes", p2::listOf({axis}));
    if (!asInput) setWholes(node, "axes", {axis});
    P2_TRY(visit(std::move(node)));
  }
  onnx::NodeProto joined = nodeOf("Concat", raised, {result});
  setWhole(joined, "axis", axis);
  return visit(std::move(joined));
}

Result<bool> OnnxTracer::followSequence(const onnx::NodeProto& node) {
  const std::string& type = node.op_type();
  const std::string output = firstOutput(node);
  const auto first = node.input_size() > 0 ? m_sequences.find(node.input(0)) : m_sequences.end();
  if (type == "SequenceEmpty" || type == "SequenceConstruct") {
    m_sequences[output] = std::vector<std::string>(node.input().begin(), node.input().end());
    return true;
  }
  if (type == "SplitToSequence") return splitToSequence(node);
  if (first == m_sequences.end()) return false;
  std::vector<std::string> parts = first->second;
  const auto count = static_cast<std::int64_t>(parts.size());
  if (type == "Identity") {
    m_sequences[output] = std::move(parts);
  } else if (type == "SequenceLength") {
    setNumbers(output, single(onnx::TensorProto::INT64, static_cast<double>(count)));
  } else if (type == "SequenceInsert" && hasInput(node, 1)) {
    const auto given = hasInput(node, 2) ? wholeAt(m_model, node, 2) : std::optional(count);
    const std::int64_t place = given.value_or(-1 - count) < 0 ? given.value_or(-1 - count) + count : *given;
    if (place < 0 || place > count) return false;
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(place), node.input(1));
    m_sequences[output] = std::move(parts);
  } else if (type == "SequenceAt") {
    const auto given = wholeAt(m_model, node, 1);
    const auto place = given ? axisOf(*given, parts.size()) : std::nullopt;
    if (!place) return false;
    m_aliases[output] = parts[*place];
  } else if (type == "ConcatFromSequence" && !parts.empty()) {
    const std::int64_t axis = wholeOf(node, "axis", 0);
    if (wholeOf(node, "new_axis", 0) != 0) {
      P2_TRY(stack(parts, output, axis));
      return true;
    }
    onnx::NodeProto joined = nodeOf("Concat", parts, {output});
    setWhole(joined, "axis", axis);
    P2_TRY(visit(std::move(joined)));
  } else {
    return false;
  }
  return true;
}

/// Into parts of one size, or of those that are given.
Result<bool> OnnxTracer::splitToSequence(const onnx::NodeProto& node) {
  const Shape* shape = hasInput(node, 0) ? m_model.shapeOf(node.input(0)) : nullptr;
  const auto axis = shape == nullptr ? std::nullopt : axisOf(wholeOf(node, "axis", 0), shape->size());
  if (!axis || (!hasInput(node, 1) && wholeOf(node, "keepdims", 1) == 0)) return false;
  const OnnxNumbers* given = hasInput(node, 1) ? m_model.numbersOf(node.input(1)) : nullptr;
  if (hasInput(node, 1) && given == nullptr) return false;
  Shape sizes = given == nullptr ? Shape{1} : wholesFrom(*given);
  if (given == nullptr || given->shape.empty()) {
    const std::int64_t whole = (*shape)[*axis];
    const std::int64_t part = sizes.empty() ? 0 : sizes[0];
    if (part < 1 || whole / part > kMostTrips) return false;
    sizes.assign(static_cast<std::size_t>(whole / part), part);
    if (whole % part != 0) sizes.push_back(whole % part);
  }
  const std::string prefix = freshPrefix(node);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < sizes.size(); ++i) parts.push_back(prefix + std::to_string(i));
  m_sequences[firstOutput(node)] = parts;
  onnx::NodeProto split = nodeOf("Split", {node.input(0)}, parts);
  setWhole(split, "axis", static_cast<std::int64_t>(*axis));
  if (m_opsets[""] >= 13) {
    split.add_input(prefix + "sizes");
    setNumbers(prefix + "sizes", p2::listOf(sizes));
  } else {
    setWholes(split, "split", sizes);
  }
  P2_TRY(visit(std::move(split)));
  return true;
}

/// One time after the other, where it is known how often; otherwise nothing has changed.
Result<bool> OnnxTracer::writeOutLoop(const onnx::NodeProto& node) {
  const auto trips = wholeAt(m_model, node, 0);
  const bool goes = !hasInput(node, 1) || wholeAt(m_model, node, 1).value_or(0) != 0;
  const onnx::AttributeProto* body = attributeOf(node, "body");
  if (!trips || *trips < 1 || *trips > kMostTrips || !goes || body == nullptr) return false;
  OnnxTracer trial = *this;
  const auto unrolled = trial.unroll(node, body->g(), *trips);
  if (!unrolled.ok() || !*unrolled) return false;
  *this = std::move(trial);
  return true;
}

Result<bool> OnnxTracer::unroll(const onnx::NodeProto& node, const onnx::GraphProto& body, std::int64_t trips) {
  std::vector<std::string> carried(node.input().begin() + std::min(node.input_size(), 2), node.input().end());
  const std::size_t scans = static_cast<std::size_t>(node.output_size()) -
                            std::min(carried.size(), static_cast<std::size_t>(node.output_size()));
  const auto needed = static_cast<int>(carried.size());
  if (body.input_size() < needed + 2 || body.output_size() < needed + 1 + static_cast<int>(scans)) return false;
  std::vector<std::vector<std::string>> rows(scans);
  for (std::int64_t trip = 0; trip < trips; ++trip) {
    const std::string prefix = freshPrefix(node);
    OnnxNames names = innerNames(body, prefix);
    setNumbers(names[body.input(0).name()] = prefix + "trip",
               single(onnx::TensorProto::INT64, static_cast<double>(trip)));
    setNumbers(names[body.input(1).name()] = prefix + "goes", single(onnx::TensorProto::BOOL, 1));
    for (int i = 0; i < needed; ++i) names[body.input(i + 2).name()] = carried[static_cast<std::size_t>(i)];
    P2_TRY(visitInner(body, names));
    const auto outside = [&](int output) {
      const auto found = names.find(body.output(output).name());
      return resolved(found == names.end() ? body.output(output).name() : found->second);
    };
    const OnnxNumbers* goesOn = m_model.numbersOf(outside(0));
    if (goesOn == nullptr || goesOn->values.size() != 1) return false;
    const bool more = goesOn->values[0] != 0;
    for (int i = 0; i < needed; ++i) carried[static_cast<std::size_t>(i)] = outside(i + 1);
    for (std::size_t i = 0; i < scans; ++i) rows[i].push_back(outside(needed + 1 + static_cast<int>(i)));
    if (!more) break;
  }
  for (int i = 0; i < node.output_size(); ++i) {
    const std::string& output = node.output(i);
    if (output.empty()) continue;
    if (i < needed) m_aliases[output] = carried[static_cast<std::size_t>(i)];
    if (i >= needed) P2_TRY(stack(rows[static_cast<std::size_t>(i - needed)], output, 0));
  }
  return true;
}

}  // namespace p2::inline graphs
