// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/detail/model_graph.h"

#include <algorithm>

#include "base/counted.h"
#include "base/numbers.h"
#include "graphs/detail/model_graph_maker.h"
#include "workload/generate/training_plan.h"

namespace p2::inline graphs {

ModelGraph::ModelGraph(const ModelShape& model, const StepShape& step) : m_model(model), m_step(step) {
  m_graph.name = model.name.empty() ? "transformer" : model.name;
  m_graph.source = countedText(model.layers, "layer") + " of width " + std::to_string(model.hidden) + ", ";
  if (model.experts > 0) {
    m_graph.source += std::to_string(model.expertsPerToken) + " of " + countedText(model.experts, "expert") + ", ";
  }
  m_graph.source += countedText(step.sequences, "sequence") + " of " + countedText(step.tokens, "token");
}

Result<ComputationGraph> ModelGraph::make() {
  embed();
  for (std::int64_t layer = 1; layer <= m_model.layers; ++layer) {
    m_prefix = "layer" + std::to_string(layer) + "_";
    m_model.kvRank > 0 ? latentAttention() : attention();
    const Port normal = norm("norm2", m_at);
    const bool routed = expertLayers(m_model, layer) > expertLayers(m_model, layer - 1);
    rejoin("post_norm2", "add2", routed ? experts(normal) : mlp("", m_model.ffn, normal));
    // A file may ask for billions of layers: they are refused before they are made.
    if (m_graph.operators.size() > kMostOperators) {
      return Error{countedText(m_model.layers, "layer") + " are over " + std::to_string(kMostOperators) +
                       " operators, the most that fit; use fewer",
                   "layers", ErrorKind::TooLarge};
    }
  }
  m_prefix.clear();
  head();
  if (m_model.tiedEmbeddings) {
    m_graph.assumed.push_back("the head has a matrix of its own, so the " +
                              exactNumber(double(m_model.vocabulary) * double(m_model.hidden)) +
                              " parameters that it shares with the embedding are counted twice");
  }
  if (windowedLayers(m_model) > 0 && m_model.window < m_step.tokens) {
    m_graph.assumed.push_back("every token attends to all before it, though " +
                              countedText(windowedLayers(m_model), "layer") + " have a window of " +
                              countedText(m_model.window, "token"));
  }
  if (m_model.experts > 0) {
    m_graph.assumed.push_back("all experts get the same number of tokens, and none is dropped" +
                              std::string(m_step.capacityFactor == 1 ? "" : " for want of room"));
    m_graph.assumed.emplace_back("a token with several experts on one device is sent there once per expert");
  }
  return std::move(m_graph);
}

OperatorBlock ModelGraph::block(const std::string& name, OperatorKind kind) const {
  OperatorBlock block(m_prefix + name, kind);
  block.dimension('b', m_step.sequences).dimension('s', m_step.tokens);
  return block;
}

ModelGraph::Port ModelGraph::add(OperatorBlock block, std::initializer_list<std::pair<Port, const char*>> inputs) {
  const std::size_t op = m_graph.operators.size();
  m_graph.operators.push_back(block.take());
  for (const auto& [from, input] : inputs) connect(from, op, input);
  return {op, "y"};
}

void ModelGraph::connect(const Port& from, std::size_t op, const char* input) {
  m_graph.edges.push_back({from.op, tensorOf(from.op, from.tensor), op, tensorOf(op, input)});
}

std::size_t ModelGraph::tensorOf(std::size_t op, const std::string& name) const {
  const auto& tensors = m_graph.operators[op].tensors;
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
  return static_cast<std::size_t>(found - tensors.begin());
}

ModelGraph::Port ModelGraph::norm(const char* name, const Port& from, std::int64_t width) {
  OperatorBlock norm = block(name, OperatorKind::Normalisation);
  norm.dimension('e', width).input("x", "bse").parameter("scale", "e");
  if (m_model.biases) norm.parameter("shift", "e").statistics({"mean", "mean_gradient"}, "bs");
  norm.statistics({"variance", "variance_gradient"}, "bs").output("y", "bse");
  return add(norm, {{from, "x"}});
}

ModelGraph::Port ModelGraph::sum(const char* name, const Port& from, const Port& residual) {
  OperatorBlock sum = block(name, OperatorKind::Elementwise);
  sum.dimension('e', m_model.hidden).input("x", "bse").input("residual", "bse").output("y", "bse");
  return add(sum, {{from, "x"}, {residual, "residual"}});
}

void ModelGraph::rejoin(const char* normName, const char* sumName, const Port& from) {
  m_at = sum(sumName, m_model.postNorms ? norm(normName, from) : from, m_at);
}

ModelGraph::Port ModelGraph::gemm(const char* name, const Port& from, std::int64_t in, std::int64_t out) {
  OperatorBlock product = block(name, OperatorKind::Gemm);
  product.dimension('n', out).dimension('k', in).input("x", "bsk").parameter("w", "kn").output("y", "bsn");
  return add(product, {{from, "x"}});
}

void ModelGraph::embed() {
  OperatorBlock table = block("embedding", OperatorKind::Embedding);
  table.dimension('v', m_model.vocabulary).dimension('e', m_model.hidden);
  table.input("tokens", "bs").parameter("w", "ve").output("y", "bse");
  m_at = add(table, {});
  if (m_model.positions == 0) return;
  OperatorBlock positions = block("positions", OperatorKind::Elementwise);
  positions.dimension('e', m_model.hidden).input("x", "bse").parameter("w", "se").output("y", "bse");
  m_at = add(positions, {{m_at, "x"}});
}

ModelGraph::Port ModelGraph::mlp(const std::string& name, std::int64_t inner, const Port& from) {
  const std::int64_t halves = m_model.gatedMlp ? 2 : 1;
  OperatorBlock expand = block(name + "expand", OperatorKind::Gemm);
  expand.whole('t', halves).dimension('n', inner).dimension('k', m_model.hidden);
  expand.input("x", "bsk").parameter("w", "ktn");
  if (m_model.hasMatrixBiases()) expand.parameter("bias", "tn");
  expand.output("y", "bstn");
  const Port wide = add(expand, {{from, "x"}});

  OperatorBlock activate = block(name + "activate", OperatorKind::Elementwise);
  activate.whole('t', halves).dimension('n', inner).input("x", "bstn").output("y", "bsn");
  const Port active = add(activate, {{wide, "x"}});

  OperatorBlock contract = block(name + "contract", OperatorKind::Gemm);
  contract.dimension('n', m_model.hidden).dimension('k', inner).input("x", "bsk").parameter("w", "kn");
  if (m_model.hasMatrixBiases()) contract.parameter("bias", "n");
  contract.output("y", "bsn");
  return add(contract, {{active, "x"}});
}

void ModelGraph::head() {
  if (m_model.finalNorm) m_at = norm("norm", m_at);
  OperatorBlock output = block("output", OperatorKind::Gemm);
  output.dimension('n', m_model.vocabulary).dimension('k', m_model.hidden);
  output.input("x", "bsk").parameter("w", "kn").output("y", "bsn");
  const Port logits = add(output, {{m_at, "x"}});
  OperatorBlock loss = block("loss", OperatorKind::Loss);
  loss.dimension('n', m_model.vocabulary).input("x", "bsn").statistics({"maximum", "sum"}, "bs");
  add(loss, {{logits, "x"}});
}

Result<ComputationGraph> graphOf(const ModelShape& shape, const StepShape& step) {
  P2_TRY(checkModel(shape));
  const ModelShape model = resolved(shape);
  if (model.heads % model.kvHeads != 0) {
    return Error{countedText(model.heads, "head") + " cannot share " + std::to_string(model.kvHeads) +
                 " keys and values evenly; use a divisor"};
  }
  if (step.sequences < 1 || step.sequences > kMostSequences || step.tokens < 1 || step.tokens > kMostTokens) {
    return Error{"a step has 1 to " + std::to_string(kMostSequences) + " sequences, and as many tokens per sequence"};
  }
  P2_TRY(checkSequence(model, step.tokens));
  if (!(step.capacityFactor >= kLeastCapacity && step.capacityFactor <= kMostCapacity)) {
    return Error{exactNumber(step.capacityFactor) + " is not a capacity factor; use 1 to 64"};
  }
  P2_TRY_ASSIGN(auto graph, ModelGraph(model, step).make());
  return validated(std::move(graph));
}

}  // namespace p2::inline graphs
