// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <string>
#include <vector>

namespace p2::inline graphs {

/// An equation of Einsum with a letter for each dimension; an ellipsis gives digits, its last dimension '0'.
struct EinsumEquation {
  std::vector<std::string> operands;
  std::string result;
  /// False if it does not fit its operands, or if a letter occurs twice in one of them.
  bool understood = true;
};

/// The equation for operands of these ranks, as in "bhqd,bhkd->bhqk". Without an arrow the result has the letters that
/// come once.
[[nodiscard]] EinsumEquation einsumEquation(std::string text, const std::vector<std::size_t>& ranks);

}  // namespace p2::inline graphs
