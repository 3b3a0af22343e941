// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/model_graph.h"

#include <algorithm>
#include <initializer_list>

#include "base/counted.h"

namespace p2 {
namespace {

using Role = Tensor::Role;

/// One operator on its way; dimensions are named by single letters.
class Block {
 public:
  Block(std::string name, OperatorKind kind) { m_op = {std::move(name), kind, {}, {}}; }

  Block& dimension(char name, std::int64_t size) { return add(name, size, true); }
  Block& whole(char name, std::int64_t size) { return add(name, size, false); }
  Block& input(std::string name, std::string_view dimensions) {
    return tensor(std::move(name), Role::Input, dimensions);
  }
  Block& output(std::string name, std::string_view dimensions) {
    return tensor(std::move(name), Role::Output, dimensions);
  }
  Block& parameter(std::string name, std::string_view dimensions) {
    return tensor(std::move(name), Role::Parameter, dimensions);
  }
  Block& statistics(std::initializer_list<const char*> names, std::string_view dimensions) {
    for (const char* name : names) tensor(name, Role::Statistic, dimensions);
    return *this;
  }
  /// Elements along a dimension of the last tensor, where they are not the dimension's own.
  Block& sized(char dimension, std::int64_t size) {
    Tensor& tensor = m_op.tensors.back();
    for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
      const Dimension& along = m_op.dimensions[tensor.dimensions[i]];
      tensor.sizes.push_back(along.name[0] == dimension ? size : along.size);
    }
    return *this;
  }
  [[nodiscard]] Operator take() { return std::move(m_op); }

 private:
  Block& add(char name, std::int64_t size, bool splittable) {
    m_op.dimensions.push_back({std::string(1, name), size, splittable});
    return *this;
  }
  Block& tensor(std::string name, Role role, std::string_view dimensions) {
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

class ModelGraph {
 public:
  ModelGraph(const ModelShape& model, const StepShape& step) : m_model(model), m_step(step) {
    m_graph.name = model.name.empty() ? "transformer" : model.name;
    m_graph.source = countedText(model.layers, "layer") + " of width " + std::to_string(model.hidden) + ", " +
                     countedText(step.sequences, "sequence") + " of " + countedText(step.tokens, "token");
  }

  ComputationGraph make() {
    embed();
    for (std::int64_t layer = 1; layer <= m_model.layers; ++layer) {
      m_prefix = "layer" + std::to_string(layer) + "_";
      attention();
      mlp();
    }
    m_prefix.clear();
    head();
    return std::move(m_graph);
  }

 private:
  /// An output of an operator.
  struct Port {
    std::size_t op = 0;
    std::string tensor;
  };

  [[nodiscard]] Block block(const char* name, OperatorKind kind) const {
    Block block(m_prefix + name, kind);
    block.dimension('b', m_step.sequences).dimension('s', m_step.tokens);
    return block;
  }

  Port add(Block& block, std::initializer_list<std::pair<Port, const char*>> inputs) {
    const std::size_t op = m_graph.operators.size();
    m_graph.operators.push_back(block.take());
    for (const auto& [from, input] : inputs) {
      m_graph.edges.push_back({from.op, tensorOf(from.op, from.tensor), op, tensorOf(op, input)});
    }
    return {op, "y"};
  }

  [[nodiscard]] std::size_t tensorOf(std::size_t op, const std::string& name) const {
    const auto& tensors = m_graph.operators[op].tensors;
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
    return static_cast<std::size_t>(found - tensors.begin());
  }

  Port norm(const char* name, const Port& from) {
    Block norm = block(name, OperatorKind::Normalisation);
    norm.dimension('e', m_model.hidden).input("x", "bse").parameter("scale", "e");
    if (m_model.biases) norm.parameter("shift", "e").statistics({"mean", "mean_gradient"}, "bs");
    norm.statistics({"variance", "variance_gradient"}, "bs").output("y", "bse");
    return add(norm, {{from, "x"}});
  }

  Port sum(const char* name, const Port& from, const Port& residual) {
    Block sum = block(name, OperatorKind::Elementwise);
    sum.dimension('e', m_model.hidden).input("x", "bse").input("residual", "bse").output("y", "bse");
    return add(sum, {{from, "x"}, {residual, "residual"}});
  }

  void embed() {
    Block table = block("embedding", OperatorKind::Embedding);
    table.dimension('v', m_model.vocabulary).dimension('e', m_model.hidden);
    table.input("tokens", "bs").parameter("w", "ve").output("y", "bse");
    m_at = add(table, {});
    if (m_model.positions == 0) return;
    Block positions = block("positions", OperatorKind::Elementwise);
    positions.dimension('e', m_model.hidden).input("x", "bse").parameter("w", "se").output("y", "bse");
    m_at = add(positions, {{m_at, "x"}});
  }

  void attention() {
    const std::int64_t shared = m_model.heads / m_model.kvHeads;
    const Port normal = norm("norm1", m_at);
    // What a group of heads shares is one slice: its queries, its keys and its values.
    Block qkv = block("qkv", OperatorKind::Gemm);
    qkv.dimension('g', m_model.kvHeads).whole('r', shared + 2).whole('d', m_model.headSize);
    qkv.dimension('e', m_model.hidden).input("x", "bse").parameter("w", "egrd");
    if (m_model.biases || m_model.qkvBias) qkv.parameter("bias", "grd");
    qkv.output("query", "bsgrd").sized('r', shared).output("key", "bsgd").output("value", "bsgd");
    const std::size_t fused = add(qkv, {{normal, "x"}}).op;

    Block scores(m_prefix + "attention", OperatorKind::Attention);
    scores.dimension('b', m_step.sequences).dimension('g', m_model.kvHeads).whole('r', shared);
    scores.dimension('q', m_step.tokens).dimension('k', m_step.tokens).whole('d', m_model.headSize);
    scores.input("query", "bqgrd").input("key", "bkgd").input("value", "bkgd");
    scores.statistics({"maximum", "sum"}, "bgrq").output("y", "bqgrd");
    const Port mixed = add(scores, {{{fused, "query"}, "query"}, {{fused, "key"}, "key"}, {{fused, "value"}, "value"}});

    Block merge = block("merge", OperatorKind::Gemm);
    merge.dimension('e', m_model.hidden).dimension('g', m_model.kvHeads).whole('r', shared);
    merge.whole('d', m_model.headSize).input("x", "bsgrd").parameter("w", "grde");
    if (m_model.biases) merge.parameter("bias", "e");
    merge.output("y", "bse");
    m_at = sum("add1", add(merge, {{mixed, "x"}}), m_at);
  }

  void mlp() {
    const std::int64_t halves = m_model.gatedMlp ? 2 : 1;
    const Port normal = norm("norm2", m_at);
    Block expand = block("expand", OperatorKind::Gemm);
    expand.whole('t', halves).dimension('n', m_model.ffn).dimension('k', m_model.hidden);
    expand.input("x", "bsk").parameter("w", "ktn");
    if (m_model.biases) expand.parameter("bias", "tn");
    expand.output("y", "bstn");
    const Port wide = add(expand, {{normal, "x"}});

    Block activate = block("activate", OperatorKind::Elementwise);
    activate.whole('t', halves).dimension('n', m_model.ffn).input("x", "bstn").output("y", "bsn");
    const Port active = add(activate, {{wide, "x"}});

    Block contract = block("contract", OperatorKind::Gemm);
    contract.dimension('n', m_model.hidden).dimension('k', m_model.ffn).input("x", "bsk").parameter("w", "kn");
    if (m_model.biases) contract.parameter("bias", "n");
    contract.output("y", "bsn");
    m_at = sum("add2", add(contract, {{active, "x"}}), m_at);
  }

  void head() {
    if (m_model.finalNorm) m_at = norm("norm", m_at);
    Block output = block("output", OperatorKind::Gemm);
    output.dimension('n', m_model.vocabulary).dimension('k', m_model.hidden);
    output.input("x", "bsk").parameter("w", "kn").output("y", "bsn");
    const Port logits = add(output, {{m_at, "x"}});
    Block loss = block("loss", OperatorKind::Loss);
    loss.dimension('n', m_model.vocabulary).input("x", "bsn").statistics({"maximum", "sum"}, "bs");
    add(loss, {{logits, "x"}});
  }

  const ModelShape& m_model;
  const StepShape& m_step;
  ComputationGraph m_graph;
  std::string m_prefix;
  Port m_at;
};

}  // namespace

Result<ComputationGraph> graphOf(const ModelShape& shape, const StepShape& step) {
  P2_TRY(checkModel(shape));
  const ModelShape model = resolved(shape);
  if (model.experts > 0) {
    return Error{"experts are no operator of a graph yet; use a dense model, or the workload of this one"};
  }
  if (model.kvRank > 0) return Error{"compressed attention is no operator of a graph yet; use the model's workload"};
  if (model.heads % model.kvHeads != 0) {
    return Error{countedText(model.heads, "head") + " cannot share " + std::to_string(model.kvHeads) +
                 " keys and values evenly; use a divisor"};
  }
  if (step.sequences < 1 || step.sequences > kMostSequences || step.tokens < 1 || step.tokens > kMostTokens) {
    return Error{"a step has 1 to " + std::to_string(kMostSequences) + " sequences of as many tokens"};
  }
  return validated(ModelGraph(model, step).make());
}

}  // namespace p2
