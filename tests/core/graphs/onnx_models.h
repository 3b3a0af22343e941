// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <onnx/onnx_pb.h>

#include <QString>
#include <QStringList>
#include <string>
#include <utility>
#include <vector>

namespace p2::test {

/// Writes small models: weights are shapes without values, as in files whose data lies elsewhere.
class Model {
 public:
  Model() {
    m_model.set_ir_version(8);
    auto* opset = m_model.add_opset_import();
    opset->set_version(17);
    m_model.mutable_graph()->set_name("test");
  }
  Model& input(const char* name, const std::vector<std::int64_t>& shape, const char* openName = nullptr) {
    auto* value = m_model.mutable_graph()->add_input();
    value->set_name(name);
    auto* type = value->mutable_type()->mutable_tensor_type();
    type->set_elem_type(onnx::TensorProto::FLOAT);
    type->mutable_shape();
    for (const std::int64_t size : shape) {
      auto* dimension = type->mutable_shape()->add_dim();
      if (size > 0) dimension->set_dim_value(size);
      if (size == 0 && openName != nullptr) dimension->set_dim_param(openName);
    }
    return *this;
  }
  Model& output(const char* name, const std::vector<std::int64_t>& shape) {
    input(name, shape);
    auto* inputs = m_model.mutable_graph()->mutable_input();
    *m_model.mutable_graph()->add_output() = *inputs->rbegin();
    inputs->RemoveLast();
    return *this;
  }
  Model& indices(const char* name, const std::vector<std::int64_t>& shape, const char* openName = nullptr) {
    input(name, shape, openName);
    m_model.mutable_graph()->mutable_input()->rbegin()->mutable_type()->mutable_tensor_type()->set_elem_type(
        onnx::TensorProto::INT64);
    return *this;
  }
  Model& weight(const char* name, const std::vector<std::int64_t>& shape,
                const std::vector<std::int64_t>& values = {}) {
    auto* tensor = m_model.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(values.empty() ? onnx::TensorProto::FLOAT : onnx::TensorProto::INT64);
    tensor->mutable_dims()->Add(shape.begin(), shape.end());
    tensor->mutable_int64_data()->Add(values.begin(), values.end());
    return *this;
  }
  Model& node(const char* type, const QStringList& inputs, const QStringList& outputs,
              const std::vector<std::pair<const char*, std::vector<std::int64_t>>>& attributes = {}) {
    auto* node = m_model.mutable_graph()->add_node();
    node->set_op_type(type);
    for (const QString& name : inputs) node->add_input(name.toStdString());
    for (const QString& name : outputs) node->add_output(name.toStdString());
    for (const auto& [name, values] : attributes) {
      auto* attribute = node->add_attribute();
      attribute->set_name(name);
      const bool list = values.size() > 1;
      attribute->set_type(list ? onnx::AttributeProto::INTS : onnx::AttributeProto::INT);
      if (list) attribute->mutable_ints()->Add(values.begin(), values.end());
      if (!list) attribute->set_i(values[0]);
    }
    return *this;
  }
  /// A node that does what the other model does if it likes.
  Model& branch(const Model& other) { return node("If", {"x"}, {"z"}).graph("then_branch", other); }
  /// Of the node before.
  Model& domain(const char* name) {
    last()->set_domain(name);
    return *this;
  }
  Model& text(const char* name, const char* value) {
    auto* attribute = last()->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::STRING);
    attribute->set_s(value);
    return *this;
  }
  Model& list(const char* name, const std::vector<std::int64_t>& values) {
    auto* attribute = last()->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::INTS);
    attribute->mutable_ints()->Add(values.begin(), values.end());
    return *this;
  }
  Model& graph(const char* name, const Model& other) {
    auto* attribute = last()->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::GRAPH);
    *attribute->mutable_g() = other.m_model.graph();
    return *this;
  }
  /// The nodes of another model as a kind of node.
  Model& function(const char* name, const Model& body, const QStringList& inputs, const QStringList& outputs) {
    auto* function = m_model.add_functions();
    function->set_domain("test");
    function->set_name(name);
    for (const QString& each : inputs) function->add_input(each.toStdString());
    for (const QString& each : outputs) function->add_output(each.toStdString());
    *function->mutable_node() = body.m_model.graph().node();
    *function->add_opset_import() = m_model.opset_import(0);
    return *this;
  }
  Model& typed(const char* weight, int type) {
    for (auto& tensor : *m_model.mutable_graph()->mutable_initializer()) {
      if (tensor.name() == weight) tensor.set_data_type(type);
    }
    return *this;
  }
  [[nodiscard]] std::string bytes() const { return m_model.SerializeAsString(); }

 private:
  onnx::NodeProto* last() { return &*m_model.mutable_graph()->mutable_node()->rbegin(); }

  onnx::ModelProto m_model;
};

}  // namespace p2::test
