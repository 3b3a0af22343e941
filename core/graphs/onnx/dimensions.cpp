// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/dimensions.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace p2::inline graphs {
namespace {

using Dimension = onnx::TensorShapeProto::Dimension;

bool isFixed(const Dimension& dimension) { return dimension.has_dim_value() && dimension.dim_value() > 0; }

std::string nameOf(const onnx::ValueInfoProto& input, int axis) {
  const Dimension& dimension = input.type().tensor_type().shape().dim(axis);
  if (dimension.has_dim_param() && !dimension.dim_param().empty()) return dimension.dim_param();
  return input.name() + "." + std::to_string(axis);
}

/// Common sizes of dimensions whose names hold a word.
struct CommonSize {
  std::string_view word;
  std::int64_t size;
};
constexpr CommonSize kCommonSizes[] = {{"past", 128},   {"batch", 1},  {"seq", 128},   {"token", 128},
                                       {"len", 128},    {"time", 128}, {"frame", 128}, {"sample", 16'000},
                                       {"height", 224}, {"width", 224}};

std::int64_t suggestionFor(std::string name, const onnx::ValueInfoProto& input, int axis) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const CommonSize& common : kCommonSizes) {
    if (name.find(common.word) != std::string::npos) return common.size;
  }
  // Pictures are taken as N × C × H × W.
  const bool picture = input.type().tensor_type().shape().dim_size() == 4;
  return picture && axis >= 2 ? 224 : axis == 0 ? 1 : picture ? 3 : 128;
}

std::set<std::string> weightNames(const onnx::GraphProto& graph) {
  std::set<std::string> names;
  for (const onnx::TensorProto& weight : graph.initializer()) names.insert(weight.name());
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) names.insert(weight.values().name());
  return names;
}

template <class Visit>
void visitInputs(const onnx::GraphProto& graph, Visit visit) {
  const std::set<std::string> weights = weightNames(graph);
  for (const onnx::ValueInfoProto& input : graph.input()) {
    if (!weights.contains(input.name()) && input.type().has_tensor_type()) visit(input);
  }
}

/// The size of every open dimension, by name.
std::map<std::string, std::int64_t> sizesOf(const onnx::ModelProto& model, const OnnxSizes& given) {
  std::map<std::string, std::int64_t> sizes = given.dimensions;
  if (!given.batch) return sizes;
  visitInputs(model.graph(), [&](const onnx::ValueInfoProto& input) {
    const auto& shape = input.type().tensor_type().shape();
    if (shape.dim_size() > 0 && !isFixed(shape.dim(0))) sizes.emplace(nameOf(input, 0), *given.batch);
  });
  return sizes;
}

std::string listOf(const std::vector<OpenDimension>& open) {
  std::string text;
  for (const OpenDimension& each : open) text += (text.empty() ? "\"" : ", \"") + each.name + "\"";
  return text;
}

Result<void> checkSizes(const OnnxSizes& given, const std::vector<OpenDimension>& open) {
  for (const auto& dimension : given.dimensions) {
    const std::string& name = dimension.first;
    const bool known = std::any_of(open.begin(), open.end(), [&](const auto& each) { return each.name == name; });
    if (known) continue;
    return Error{"no open dimension is called \"" + name + "\"; " +
                 (open.empty() ? "the model has none" : "there is " + listOf(open))};
  }
  return {};
}

Result<void> checkAllGiven(const std::map<std::string, std::int64_t>& sizes, std::vector<OpenDimension> open) {
  std::erase_if(open, [&](const OpenDimension& each) { return sizes.contains(each.name); });
  if (open.empty()) return {};
  std::string example;
  for (const OpenDimension& each : open) {
    const bool plain = std::all_of(each.name.begin(), each.name.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-' || c == ':' || c == '/';
    });
    const std::string text = each.name + "=" + std::to_string(each.suggestion);
    example += plain ? " --dim " + text : " --dim '" + text + "'";
  }
  if (open.size() == 1) {
    return Error{"dimension " + std::to_string(open[0].axis) + " of the input \"" + open[0].input +
                 "\" is open; give it a size, as in" + example};
  }
  return Error{"the inputs leave " + listOf(open) + " open; give each a size, as in" + example};
}

void fix(google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& values,
         const std::map<std::string, std::int64_t>& sizes) {
  for (onnx::ValueInfoProto& value : values) {
    if (!value.type().has_tensor_type() || !value.type().tensor_type().has_shape()) continue;
    auto& shape = *value.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (int axis = 0; axis < shape.dim_size(); ++axis) {
      if (isFixed(shape.dim(axis))) continue;
      const auto size = sizes.find(nameOf(value, axis));
      if (size != sizes.end()) shape.mutable_dim(axis)->set_dim_value(size->second);
    }
  }
}

}  // namespace

std::vector<OpenDimension> openDimensionsOf(const onnx::ModelProto& model) {
  std::vector<OpenDimension> open;
  std::set<std::string> seen;
  visitInputs(model.graph(), [&](const onnx::ValueInfoProto& input) {
    const auto& shape = input.type().tensor_type().shape();
    for (int axis = 0; axis < shape.dim_size(); ++axis) {
      const std::string name = isFixed(shape.dim(axis)) ? std::string() : nameOf(input, axis);
      if (name.empty() || !seen.insert(name).second) continue;
      open.push_back({name, input.name(), axis, suggestionFor(name, input, axis)});
    }
  });
  return open;
}

Result<void> fixDimensions(onnx::ModelProto& model, const OnnxSizes& given) {
  const std::vector<OpenDimension> open = openDimensionsOf(model);
  P2_TRY(checkSizes(given, open));
  const auto sizes = sizesOf(model, given);
  P2_TRY(checkAllGiven(sizes, open));
  const onnx::ValueInfoProto* shapeless = nullptr;
  visitInputs(model.graph(), [&](const onnx::ValueInfoProto& input) {
    if (shapeless == nullptr && !input.type().tensor_type().has_shape()) shapeless = &input;
  });
  if (shapeless != nullptr) {
    return Error{"the input \"" + shapeless->name() + "\" has no shape; save the model with one"};
  }
  fix(*model.mutable_graph()->mutable_input(), sizes);
  fix(*model.mutable_graph()->mutable_output(), sizes);
  fix(*model.mutable_graph()->mutable_value_info(), sizes);
  return {};
}

}  // namespace p2::inline graphs
