// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace p2 {

using Shape = std::vector<std::int64_t>;

/// An ONNX model whose shapes are all known, as far as they can be.
class OnnxModel {
 public:
  /// Errors as importOnnx().
  [[nodiscard]] static Result<OnnxModel> read(std::istream& bytes, std::optional<std::int64_t> batch);

  [[nodiscard]] const onnx::GraphProto& graph() const { return m_model.graph(); }
  /// Of a tensor by its name; nothing when it cannot be inferred.
  [[nodiscard]] const Shape* shapeOf(const std::string& tensor) const;
  /// Whether a tensor follows from weights and constants alone.
  [[nodiscard]] bool isConstant(const std::string& tensor) const { return m_constants.contains(tensor); }

 private:
  [[nodiscard]] Result<void> fixInputs(std::optional<std::int64_t> batch);
  [[nodiscard]] Result<void> checkWindows() const;
  Result<void> rememberShapes();
  void rememberConstants();

  onnx::ModelProto m_model;
  std::map<std::string, Shape> m_shapes;
  std::set<std::string> m_constants;
};

/// An attribute's list of whole numbers; empty when it is not given.
[[nodiscard]] std::vector<std::int64_t> wholesOf(const onnx::NodeProto& node, const std::string& attribute);
[[nodiscard]] std::int64_t wholeOf(const onnx::NodeProto& node, const std::string& attribute, std::int64_t otherwise);

}  // namespace p2
