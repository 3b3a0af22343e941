// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/attributes.h"

#include <algorithm>

namespace p2::inline graphs {

const onnx::AttributeProto* attributeOf(const onnx::NodeProto& node, std::string_view name) {
  const auto found =
      std::find_if(node.attribute().begin(), node.attribute().end(), [&](const auto& a) { return a.name() == name; });
  return found == node.attribute().end() ? nullptr : &*found;
}

bool hasAttribute(const onnx::NodeProto& node, std::string_view name) { return attributeOf(node, name) != nullptr; }

std::vector<std::int64_t> wholesOf(const onnx::NodeProto& node, std::string_view attribute) {
  const onnx::AttributeProto* found = attributeOf(node, attribute);
  return found == nullptr ? std::vector<std::int64_t>()
                          : std::vector<std::int64_t>(found->ints().begin(), found->ints().end());
}

std::int64_t wholeOf(const onnx::NodeProto& node, std::string_view attribute, std::int64_t otherwise) {
  const onnx::AttributeProto* found = attributeOf(node, attribute);
  return found == nullptr ? otherwise : found->i();
}

std::string textOf(const onnx::NodeProto& node, std::string_view attribute, const std::string& otherwise) {
  const onnx::AttributeProto* found = attributeOf(node, attribute);
  return found == nullptr ? otherwise : found->s();
}

void setWhole(onnx::NodeProto& node, const std::string& attribute, std::int64_t value) {
  removeAttribute(node, attribute);
  onnx::AttributeProto* added = node.add_attribute();
  added->set_name(attribute);
  added->set_type(onnx::AttributeProto::INT);
  added->set_i(value);
}

void setWholes(onnx::NodeProto& node, const std::string& attribute, const std::vector<std::int64_t>& values) {
  removeAttribute(node, attribute);
  onnx::AttributeProto* added = node.add_attribute();
  added->set_name(attribute);
  added->set_type(onnx::AttributeProto::INTS);
  added->mutable_ints()->Add(values.begin(), values.end());
}

void setText(onnx::NodeProto& node, const std::string& attribute, const std::string& value) {
  onnx::AttributeProto* added = node.add_attribute();
  added->set_name(attribute);
  added->set_type(onnx::AttributeProto::STRING);
  added->set_s(value);
}

void removeAttribute(onnx::NodeProto& node, std::string_view name) {
  auto& attributes = *node.mutable_attribute();
  attributes.erase(
      std::remove_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.name() == name; }),
      attributes.end());
}

std::string firstOutput(const onnx::NodeProto& node) {
  const auto named =
      std::find_if(node.output().begin(), node.output().end(), [](const std::string& name) { return !name.empty(); });
  return named == node.output().end() ? std::string() : *named;
}

bool hasInput(const onnx::NodeProto& node, int index) {
  return index < node.input_size() && !node.input(index).empty();
}

std::string titleOf(const onnx::NodeProto& node) {
  return node.op_type() + (node.name().empty() ? "" : " \"" + node.name() + "\"");
}

}  // namespace p2::inline graphs
