// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "graphs/onnx/numbers.h"

namespace p2::inline graphs {

/// The known facts of an ONNX model's tensors, and the nodes that are left to become operators: functions and branches
/// written out, without those whose results follow from weights, constants and shapes. What OnnxExpander and OnnxTracer
/// find out.
struct OnnxModel {
  std::string name;                      ///< the model's own, may be empty
  std::vector<onnx::NodeProto> nodes;    ///< in an order in which they can run
  std::vector<std::string> assumptions;  ///< one sentence each
  double elementBytes = 0;               ///< of most numbers of its weights, where these are floating-point

  std::unordered_map<std::string, onnx::TypeProto> types;
  std::unordered_map<std::string, Shape> shapes;         ///< of tensors all of whose sizes are known
  std::unordered_map<std::string, OnnxNumbers> numbers;  ///< of small tensors that are the same in every run
  std::set<std::string> constants;                       ///< what follows from weights, constants and shapes alone
  std::set<std::string> learnt;                          ///< constants that are, or follow from, weights
  /// Tensors whose sizes are not known before the model runs, and the type of the node with which that begins.
  std::map<std::string, std::string> open;

  /// Shape of a tensor by its name; null when it is not known.
  [[nodiscard]] const Shape* shapeOf(const std::string& tensor) const;
  [[nodiscard]] const OnnxNumbers* numbersOf(const std::string& tensor) const;
  /// The single whole number that a node takes as an input; none where it is not one, or not known.
  [[nodiscard]] std::optional<std::int64_t> wholeAt(const onnx::NodeProto& node, int input) const;
  [[nodiscard]] bool isConstant(const std::string& tensor) const { return constants.contains(tensor); }
  /// Whether training changes it: true of weights; false of masks, bounds and scalars.
  [[nodiscard]] bool isParameter(const std::string& tensor) const;
};

}  // namespace p2::inline graphs
