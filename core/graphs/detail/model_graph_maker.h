// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs: graphOf() at work.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "graphs/detail/model_graph.h"
#include "graphs/detail/operator_block.h"

namespace p2::inline graphs {

/// Builds the operators of a transformer, layer by layer. Model and step must outlive it.
class ModelGraph {
 public:
  ModelGraph(const ModelShape& model, const StepShape& step);
  /// Once. Errors: more than kMostOperators, as soon as there are.
  [[nodiscard]] Result<ComputationGraph> make();

 private:
  /// An output of an operator.
  struct Port {
    std::size_t op = 0;
    std::string tensor;
  };

  [[nodiscard]] OperatorBlock block(const std::string& name, OperatorKind kind) const;
  Port add(OperatorBlock block, std::initializer_list<std::pair<Port, const char*>> inputs);
  void connect(const Port& from, std::size_t op, const char* input);
  [[nodiscard]] std::size_t tensorOf(std::size_t op, const std::string& name) const;

  Port norm(const char* name, const Port& from) { return norm(name, from, m_model.hidden); }
  Port norm(const char* name, const Port& from, std::int64_t width);
  Port sum(const char* name, const Port& from, const Port& residual);
  /// Adds the output of attention or an MLP to its residual input, through a norm if the model has one.
  void rejoin(const char* normName, const char* sumName, const Port& from);
  Port gemm(const char* name, const Port& from, std::int64_t in, std::int64_t out);
  Port mlp(const std::string& name, std::int64_t inner, const Port& from);

  void embed();
  void attention();
  /// Adds the norm of queries or keys, head by head or over all of them; `shared` heads of a group, 0 for one without a
  /// dimension of its own.
  Port headNorm(const char* name, const Port& from, std::int64_t shared);
  /// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1), as it is trained: queries, and keys and
  /// values together, pass through a narrow vector each. Keys have a rotary part that all heads share.
  void latentAttention();
  void head();

  /// Dispatch, an MLP for every expert, combine; shared experts next to them as one MLP. A strategy that cuts tokens
  /// before the dispatch and experts behind it is an all-to-all along the edge between: see operator_costs.h.
  Port experts(const Port& from);
  /// Rows of a sequence that an expert has room for.
  [[nodiscard]] std::int64_t rowsPerExpert() const;
  /// An operator on the rows of every expert.
  [[nodiscard]] OperatorBlock ofExperts(const char* name, OperatorKind kind) const;
  [[nodiscard]] OperatorBlock expertProduct(const char* name, bool expands) const;
  Port sharedExperts(const Port& from);

  const ModelShape& m_model;
  const StepShape& m_step;
  ComputationGraph m_graph;
  std::string m_prefix;  // prefix of the operators' names, layer by layer
  Port m_at;             // input of the next layer
};

}  // namespace p2::inline graphs
