// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "strategy/computation_graph.h"

namespace p2::inline graphs {

/// One operator on its way; dimensions are named by single letters.
class OperatorBlock {
 public:
  OperatorBlock(std::string name, OperatorKind kind) { m_op = {std::move(name), kind, {}, {}}; }

  OperatorBlock& dimension(char name, std::int64_t size) { return add(name, size, true); }
  /// One that counts experts.
  OperatorBlock& experts(char name, std::int64_t count) {
    m_op.dimensions.push_back({std::string(1, name), count, true, true});
    return *this;
  }
  OperatorBlock& whole(char name, std::int64_t size) { return add(name, size, false); }
  OperatorBlock& input(std::string name, std::string_view dimensions) {
    return tensor(std::move(name), Tensor::Role::Input, dimensions);
  }
  OperatorBlock& output(std::string name, std::string_view dimensions) {
    return tensor(std::move(name), Tensor::Role::Output, dimensions);
  }
  OperatorBlock& parameter(std::string name, std::string_view dimensions) {
    return tensor(std::move(name), Tensor::Role::Parameter, dimensions);
  }
  OperatorBlock& statistics(std::initializer_list<const char*> names, std::string_view dimensions) {
    for (const char* name : names) tensor(name, Tensor::Role::Statistic, dimensions);
    return *this;
  }
  OperatorBlock& causal() {
    m_op.causal = true;
    return *this;
  }
  /// Elements along a dimension of the last tensor, where they are not the dimension's own.
  OperatorBlock& sized(char dimension, std::int64_t size) {
    Tensor& tensor = m_op.tensors.back();
    const auto own = [&](std::size_t d) {
      return m_op.dimensions[d].name[0] != dimension || m_op.dimensions[d].size == size;
    };
    if (std::all_of(tensor.dimensions.begin(), tensor.dimensions.end(), own)) return *this;
    for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
      const Dimension& along = m_op.dimensions[tensor.dimensions[i]];
      tensor.sizes.push_back(along.name[0] == dimension ? size : along.size);
    }
    return *this;
  }
  [[nodiscard]] Operator take() { return std::move(m_op); }

 private:
  OperatorBlock& add(char name, std::int64_t size, bool splittable) {
    m_op.dimensions.push_back({std::string(1, name), size, splittable, false});
    return *this;
  }
  OperatorBlock& tensor(std::string name, Tensor::Role role, std::string_view dimensions) {
    Tensor tensor{std::move(name), role, {}, {}};
    for (const char letter : dimensions) {
      const auto found = std::find_if(m_op.dimensions.begin(), m_op.dimensions.end(),
                                      [&](const Dimension& d) { return d.name[0] == letter; });
      tensor.dimensions.push_back(static_cast<std::size_t>(found - m_op.dimensions.begin()));
    }
    m_op.tensors.push_back(std::move(tensor));
    return *this;
  }

  Operator m_op;
};

}  // namespace p2::inline graphs
