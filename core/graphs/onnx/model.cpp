// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/model.h"

#include <algorithm>

#include "graphs/onnx/attributes.h"

namespace p2::inline graphs {

const Shape* OnnxModel::shapeOf(const std::string& tensor) const {
  const auto found = shapes.find(tensor);
  return found == shapes.end() ? nullptr : &found->second;
}

const OnnxNumbers* OnnxModel::numbersOf(const std::string& tensor) const {
  const auto found = numbers.find(tensor);
  return found == numbers.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> OnnxModel::wholeAt(const onnx::NodeProto& node, int input) const {
  const OnnxNumbers* found = hasInput(node, input) ? numbersOf(node.input(input)) : nullptr;
  if (found == nullptr || found->values.size() != 1) return std::nullopt;
  return wholeFrom(found->values[0]);
}

bool OnnxModel::isParameter(const std::string& tensor) const {
  if (!learnt.contains(tensor)) return false;
  const Shape* shape = shapeOf(tensor);
  return shape == nullptr || std::any_of(shape->begin(), shape->end(), [](std::int64_t size) { return size != 1; });
}

}  // namespace p2::inline graphs
