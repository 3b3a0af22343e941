// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace p2::inline graphs {

using Shape = std::vector<std::int64_t>;

/// The numbers of a small tensor: exporters compute shapes, bounds and indices in the graph, and their values decide
/// the shapes of other tensors. Whole numbers are exact up to 2^53; larger ones stand for "to the end".
struct OnnxNumbers {
  std::int32_t type = onnx::TensorProto::INT64;  ///< of onnx::TensorProto
  Shape shape;                                   ///< empty for a single number
  std::vector<double> values;                    ///< the outermost dimension first
};

/// Largest number of elements of a tensor that is followed.
inline constexpr std::int64_t kMostNumbers = std::int64_t{1} << 14;

/// ∏ of the sizes; nothing when it is over kMostNumbers, or a size is negative.
[[nodiscard]] std::optional<std::int64_t> smallCount(const Shape& shape);

[[nodiscard]] bool isWholeType(std::int32_t type);
[[nodiscard]] bool isFloatingType(std::int32_t type);

/// Whole numbers as they are, saturated at the ends of 64 bits; nothing is 0.
[[nodiscard]] std::int64_t wholeFrom(double number);
/// All of them.
[[nodiscard]] Shape wholesFrom(const OnnxNumbers& numbers);
/// A list of whole numbers.
[[nodiscard]] OnnxNumbers listOf(const Shape& numbers);

/// The numbers of a tensor. None if it is large, is in another file, or has a type other than the common numbers.
[[nodiscard]] std::optional<OnnxNumbers> numbersFrom(const onnx::TensorProto& tensor);
[[nodiscard]] onnx::TensorProto tensorFrom(const OnnxNumbers& numbers);

}  // namespace p2::inline graphs
