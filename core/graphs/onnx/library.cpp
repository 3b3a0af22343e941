// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/library.h"

#include <onnx/shape_inference/implementation.h>

#include <algorithm>

namespace p2::inline graphs {
namespace {

namespace inference = onnx::shape_inference;

constexpr int kNewest = 1000;  // over all versions

std::string domainOf(const onnx::NodeProto& node) { return node.domain() == "ai.onnx" ? "" : node.domain(); }

const onnx::OpSchema* schemaOf(const onnx::NodeProto& node, const OnnxOpsets& opsets) {
  const std::string domain = domainOf(node);
  const auto version = opsets.find(domain);
  // A domain that a model forgets to name is most often ONNX's own.
  const int newest = version == opsets.end() ? kNewest : version->second;
  return onnx::OpSchemaRegistry::Schema(node.op_type(), newest, domain);
}

/// The types of everything a node can see: branches and loops may take any.
std::unordered_map<std::string, onnx::TypeProto*> visibleTypes(const onnx::NodeProto& node, OnnxModel& model) {
  std::unordered_map<std::string, onnx::TypeProto*> types;
  const bool all = std::any_of(node.attribute().begin(), node.attribute().end(),
                               [](const onnx::AttributeProto& a) { return a.has_g() || a.graphs_size() > 0; });
  if (all) {
    for (auto& [name, type] : model.types) types.emplace(name, &type);
    return types;
  }
  for (const std::string& name : node.input()) {
    const auto found = model.types.find(name);
    if (found != model.types.end()) types.emplace(name, &found->second);
  }
  return types;
}

using OnnxConstants = std::unordered_map<std::string, const onnx::TensorProto*>;

/// Version 1.17 of the library wants to know its options, too, 1.12 does not.
template <class Context>
Context contextOf(onnx::NodeProto& node, const std::unordered_map<std::string, onnx::TypeProto*>& types,
                  const OnnxConstants& constants, inference::GraphInferenceContext& graphs) {
  const std::unordered_map<std::string, const onnx::SparseTensorProto*> sparse;
  if constexpr (requires(onnx::ShapeInferenceOptions options) {
                  Context(node, types, constants, sparse, options, nullptr, &graphs);
                }) {
    const onnx::ShapeInferenceOptions options;
    return Context(node, types, constants, sparse, options, nullptr, &graphs);
  } else {
    return Context(node, types, constants, sparse, nullptr, &graphs);
  }
}

/// libonnx takes non-const pointers to objects that it does not change.
OnnxInferred ask(onnx::NodeProto& node, OnnxModel& model, const OnnxOpsets& opsets, const onnx::OpSchema& schema) {
  OnnxInferred result;
  const auto types = visibleTypes(node, model);
  std::unordered_map<std::string, onnx::TensorProto> tensors;
  for (const std::string& name : node.input()) {
    if (const OnnxNumbers* numbers = model.numbersOf(name)) tensors.emplace(name, tensorFrom(*numbers));
  }
  OnnxConstants data;
  for (const auto& [name, tensor] : tensors) data.emplace(name, &tensor);
  inference::SymbolTableImpl symbols;
  const inference::ModelLocalFunctionsMap none;
  inference::GraphInferenceContext graphs(types, opsets, &symbols, none);
  auto context = contextOf<inference::InferenceContextImpl>(node, types, data, graphs);
  try {
    schema.GetTypeAndShapeInferenceFunction()(context);
    result.outputs = context.allOutputTypes_;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    result.problem = error.what();
  }
  return result;
}

}  // namespace

std::optional<OnnxInferred> askLibrary(onnx::NodeProto node, OnnxModel& model, const OnnxOpsets& opsets) {
  const onnx::OpSchema* schema = schemaOf(node, opsets);
  if (schema == nullptr) return std::nullopt;
  return ask(node, model, opsets, *schema);
}

}  // namespace p2::inline graphs
