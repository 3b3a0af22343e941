// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graphs/onnx/inference.h"

namespace p2::inline graphs {

/// Replaces a node.
struct OnnxReplacement {
  std::vector<std::pair<std::string, OnnxNumbers>> numbers;  ///< of tensors that the nodes take
  std::vector<onnx::NodeProto> nodes;                        ///< in the order in which they run
  std::map<std::string, std::string> aliases;                ///< tensors that are others by another name
};

/// Makes names that no tensor of the model has; each differs from all before.
class OnnxFreshNames {
 public:
  [[nodiscard]] std::string after(const std::string& name) { return name + "/" + std::to_string(++m_made); }
  /// For the tensors inside of a node.
  [[nodiscard]] std::string prefixOf(const onnx::NodeProto& node);

 private:
  std::size_t m_made = 0;
};

/// One tensor of the parts, which get a dimension in front of `axis`, one behind the other.
[[nodiscard]] OnnxReplacement stacked(const std::vector<std::string>& parts, const std::string& result,
                                      std::int64_t axis, const OnnxOpsets& opsets, OnnxFreshNames& fresh);

/// Sequences of tensors whose length is known.
class OnnxSequences {
 public:
  /// Replaces a node that makes, changes or reads such a sequence; none for all others.
  [[nodiscard]] std::optional<OnnxReplacement> follow(const onnx::NodeProto& node, const OnnxModel& model,
                                                      const OnnxOpsets& opsets, OnnxFreshNames& fresh);

 private:
  [[nodiscard]] std::optional<OnnxReplacement> split(const onnx::NodeProto& node, const OnnxModel& model,
                                                     const OnnxOpsets& opsets, OnnxFreshNames& fresh);

  std::map<std::string, std::vector<std::string>> m_parts;  // names of tensors by the sequence's name
};

}  // namespace p2::inline graphs
