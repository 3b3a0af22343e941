// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/sequences.h"

#include "graphs/onnx/attributes.h"
#include "graphs/onnx/folding_rules.h"

namespace p2::inline graphs {
namespace {

constexpr std::int64_t kMostParts = 256;

onnx::NodeProto nodeOf(const std::string& type, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs) {
  onnx::NodeProto node;
  node.set_op_type(type);
  for (const std::string& name : inputs) node.add_input(name);
  for (const std::string& name : outputs) node.add_output(name);
  return node;
}

/// Operators of version 13 and newer take a list as an input, older ones as an attribute. A model that names no version
/// means the newest one.
bool takesListsAsInputs(const OnnxOpsets& opsets) {
  const auto version = opsets.find("");
  return version == opsets.end() || version->second >= 13;
}

}  // namespace

std::string OnnxFreshNames::prefixOf(const onnx::NodeProto& node) {
  return after(node.name().empty() ? firstOutput(node) : node.name()) + "/";
}

OnnxReplacement stacked(const std::vector<std::string>& parts, const std::string& result, std::int64_t axis,
                        const OnnxOpsets& opsets, OnnxFreshNames& fresh) {
  OnnxReplacement made;
  std::vector<std::string> raised;
  for (const std::string& part : parts) {
    raised.push_back(fresh.after(result));
    onnx::NodeProto node = nodeOf("Unsqueeze", {part}, {raised.back()});
    if (takesListsAsInputs(opsets)) {
      node.add_input(raised.back() + "/axes");
      made.numbers.emplace_back(raised.back() + "/axes", p2::listOf({axis}));
    } else {
      setWholes(node, "axes", {axis});
    }
    made.nodes.push_back(std::move(node));
  }
  made.nodes.push_back(nodeOf("Concat", raised, {result}));
  setWhole(made.nodes.back(), "axis", axis);
  return made;
}

std::optional<OnnxReplacement> OnnxSequences::follow(const onnx::NodeProto& node, const OnnxModel& model,
                                                     const OnnxOpsets& opsets, OnnxFreshNames& fresh) {
  OnnxReplacement made;
  const std::string& type = node.op_type();
  const std::string output = firstOutput(node);
  const auto first = node.input_size() > 0 ? m_parts.find(node.input(0)) : m_parts.end();
  if (type == "SequenceEmpty" || type == "SequenceConstruct") {
    m_parts[output] = std::vector<std::string>(node.input().begin(), node.input().end());
    return made;
  }
  if (type == "SplitToSequence") return split(node, model, opsets, fresh);
  if (first == m_parts.end()) return std::nullopt;
  std::vector<std::string> parts = first->second;
  const auto count = static_cast<std::int64_t>(parts.size());
  if (type == "Identity") {
    m_parts[output] = std::move(parts);
  } else if (type == "SequenceLength") {
    made.numbers.push_back({output, {onnx::TensorProto::INT64, {}, {static_cast<double>(count)}}});
  } else if (type == "SequenceInsert" && hasInput(node, 1)) {
    const auto given = hasInput(node, 2) ? model.wholeAt(node, 2) : std::optional(count);
    const std::int64_t place = given.value_or(-1 - count) < 0 ? given.value_or(-1 - count) + count : *given;
    if (place < 0 || place > count) return std::nullopt;
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(place), node.input(1));
    m_parts[output] = std::move(parts);
  } else if (type == "SequenceAt") {
    const auto given = model.wholeAt(node, 1);
    const auto place = given ? axisOf(*given, parts.size()) : std::nullopt;
    if (!place) return std::nullopt;
    made.aliases[output] = parts[*place];
  } else if (type == "ConcatFromSequence" && !parts.empty()) {
    const std::int64_t axis = wholeOf(node, "axis", 0);
    if (wholeOf(node, "new_axis", 0) != 0) return stacked(parts, output, axis, opsets, fresh);
    onnx::NodeProto joined = nodeOf("Concat", parts, {output});
    setWhole(joined, "axis", axis);
    made.nodes.push_back(std::move(joined));
  } else {
    return std::nullopt;
  }
  return made;
}

/// Into parts of one size, or of those that are given.
std::optional<OnnxReplacement> OnnxSequences::split(const onnx::NodeProto& node, const OnnxModel& model,
                                                    const OnnxOpsets& opsets, OnnxFreshNames& fresh) {
  const Shape* shape = hasInput(node, 0) ? model.shapeOf(node.input(0)) : nullptr;
  const auto axis = shape == nullptr ? std::nullopt : axisOf(wholeOf(node, "axis", 0), shape->size());
  if (!axis || (!hasInput(node, 1) && wholeOf(node, "keepdims", 1) == 0)) return std::nullopt;
  const OnnxNumbers* given = hasInput(node, 1) ? model.numbersOf(node.input(1)) : nullptr;
  if (hasInput(node, 1) && given == nullptr) return std::nullopt;
  Shape sizes = given == nullptr ? Shape{1} : wholesFrom(*given);
  if (given == nullptr || given->shape.empty()) {
    const std::int64_t whole = (*shape)[*axis];
    const std::int64_t part = sizes.empty() ? 0 : sizes[0];
    if (part < 1 || whole / part > kMostParts) return std::nullopt;
    sizes.assign(static_cast<std::size_t>(whole / part), part);
    if (whole % part != 0) sizes.push_back(whole % part);
  }
  const std::string prefix = fresh.prefixOf(node);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < sizes.size(); ++i) parts.push_back(prefix + std::to_string(i));
  m_parts[firstOutput(node)] = parts;
  onnx::NodeProto split = nodeOf("Split", {node.input(0)}, parts);
  setWhole(split, "axis", static_cast<std::int64_t>(*axis));
  OnnxReplacement made;
  if (takesListsAsInputs(opsets)) {
    split.add_input(prefix + "sizes");
    made.numbers.emplace_back(prefix + "sizes", p2::listOf(sizes));
  } else {
    setWholes(split, "split", sizes);
  }
  made.nodes.push_back(std::move(split));
  return made;
}

}  // namespace p2::inline graphs
