// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/model_graph.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/counted.h"
#include "base/numbers.h"
#include "graphs/operator_block.h"

namespace p2 {
namespace {

constexpr double kRounding = 1e-12;

class ModelGraph {
 public:
  ModelGraph(const ModelShape& model, const StepShape& step) : m_model(model), m_step(step) {
    m_graph.name = model.name.empty() ? "transformer" : model.name;
    m_graph.source = countedText(model.layers, "layer") + " of width " + std::to_string(model.hidden) + ", ";
    if (model.experts > 0) {
      m_graph.source += std::to_string(model.expertsPerToken) + " of " + countedText(model.experts, "expert") + ", ";
    }
    m_graph.source += countedText(step.sequences, "sequence") + " of " + countedText(step.tokens, "token");
  }

  ComputationGraph make() {
    embed();
    for (std::int64_t layer = 1; layer <= m_model.layers; ++layer) {
      m_prefix = "layer" + std::to_string(layer) + "_";
      m_model.kvRank > 0 ? latentAttention() : attention();
      const Port normal = norm("norm2", m_at);
      const bool routed = m_model.experts > 0 && layer > m_model.denseLayers;
      m_at = sum("add2", routed ? experts(normal) : mlp("", m_model.ffn, normal), m_at);
    }
    m_prefix.clear();
    head();
    if (m_model.experts > 0) {
      m_graph.assumed = {"tokens go to all experts alike, and none is dropped" +
                             std::string(m_step.capacityFactor == 1 ? "" : " for want of room"),
                         "a token with several experts on one device is sent there as often"};
    }
    return std::move(m_graph);
  }

 private:
  /// An output of an operator.
  struct Port {
    std::size_t op = 0;
    std::string tensor;
  };

  [[nodiscard]] OperatorBlock block(const std::string& name, OperatorKind kind) const {
    OperatorBlock block(m_prefix + name, kind);
    block.dimension('b', m_step.sequences).dimension('s', m_step.tokens);
    return block;
  }

  Port add(OperatorBlock block, std::initializer_list<std::pair<Port, const char*>> inputs) {
    const std::size_t op = m_graph.operators.size();
    m_graph.operators.push_back(block.take());
    for (const auto& [from, input] : inputs) connect(from, op, input);
    return {op, "y"};
  }

  void connect(const Port& from, std::size_t op, const char* input) {
    m_graph.edges.push_back({from.op, tensorOf(from.op, from.tensor), op, tensorOf(op, input)});
  }

  [[nodiscard]] std::size_t tensorOf(std::size_t op, const std::string& name) const {
    const auto& tensors = m_graph.operators[op].tensors;
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
    return static_cast<std::size_t>(found - tensors.begin());
  }

  Port norm(const char* name, const Port& from) { return norm(name, from, m_model.hidden); }

  Port norm(const char* name, const Port& from, std::int64_t width) {
    OperatorBlock norm = block(name, OperatorKind::Normalisation);
    norm.dimension('e', width).input("x", "bse").parameter("scale", "e");
    if (m_model.biases) norm.parameter("shift", "e").statistics({"mean", "mean_gradient"}, "bs");
    norm.statistics({"variance", "variance_gradient"}, "bs").output("y", "bse");
    return add(norm, {{from, "x"}});
  }

  Port sum(const char* name, const Port& from, const Port& residual) {
    OperatorBlock sum = block(name, OperatorKind::Elementwise);
    sum.dimension('e', m_model.hidden).input("x", "bse").input("residual", "bse").output("y", "bse");
    return add(sum, {{from, "x"}, {residual, "residual"}});
  }

  void embed() {
    OperatorBlock table = block("embedding", OperatorKind::Embedding);
    table.dimension('v', m_model.vocabulary).dimension('e', m_model.hidden);
    table.input("tokens", "bs").parameter("w", "ve").output("y", "bse");
    m_at = add(table, {});
    if (m_model.positions == 0) return;
    OperatorBlock positions = block("positions", OperatorKind::Elementwise);
    positions.dimension('e', m_model.hidden).input("x", "bse").parameter("w", "se").output("y", "bse");
    m_at = add(positions, {{m_at, "x"}});
  }

  void attention() {
    const std::int64_t shared = m_model.heads / m_model.kvHeads;
    const Port normal = norm("norm1", m_at);
    // What a group of heads shares is one slice: its queries, its keys and its values.
    OperatorBlock qkv = block("qkv", OperatorKind::Gemm);
    qkv.dimension('g', m_model.kvHeads).whole('r', shared + 2).whole('d', m_model.headSize);
    qkv.dimension('e', m_model.hidden).input("x", "bse").parameter("w", "egrd");
    if (m_model.biases || m_model.qkvBias) qkv.parameter("bias", "grd");
    qkv.output("query", "bsgrd").sized('r', shared).output("key", "bsgd").output("value", "bsgd");
    const std::size_t fused = add(qkv, {{normal, "x"}}).op;

    Port query{fused, "query"};
    Port key{fused, "key"};
    if (m_model.qkNorm) {
      query = headNorm("query_norm", query, shared);
      key = headNorm("key_norm", key, 0);
    }

    OperatorBlock scores(m_prefix + "attention", OperatorKind::Attention);
    scores.dimension('b', m_step.sequences).dimension('g', m_model.kvHeads).whole('r', shared);
    scores.dimension('q', m_step.tokens).dimension('k', m_step.tokens).whole('d', m_model.headSize);
    scores.input("query", "bqgrd").input("key", "bkgd").input("value", "bkgd");
    scores.statistics({"maximum", "sum"}, "bgrq").output("y", "bqgrd");
    const Port mixed = add(scores, {{query, "query"}, {key, "key"}, {{fused, "value"}, "value"}});

    OperatorBlock merge = block("merge", OperatorKind::Gemm);
    merge.dimension('e', m_model.hidden).dimension('g', m_model.kvHeads).whole('r', shared);
    merge.whole('d', m_model.headSize).input("x", "bsgrd").parameter("w", "grde");
    if (m_model.biases) merge.parameter("bias", "e");
    merge.output("y", "bse");
    m_at = sum("add1", add(merge, {{mixed, "x"}}), m_at);
  }

  /// Of queries or keys, head by head; `shared` heads of a group, 0 for one without a dimension of its own.
  Port headNorm(const char* name, const Port& from, std::int64_t shared) {
    OperatorBlock norm = block(name, OperatorKind::Normalisation);
    norm.dimension('g', m_model.kvHeads);
    if (shared > 0) norm.whole('r', shared);
    norm.whole('d', m_model.headSize);
    const std::string_view all = shared > 0 ? "bsgrd" : "bsgd";
    norm.input("x", all).parameter("scale", "d");
    norm.statistics({"variance", "variance_gradient"}, all.substr(0, all.size() - 1)).output("y", all);
    return add(norm, {{from, "x"}});
  }

  Port gemm(const char* name, const Port& from, std::int64_t in, std::int64_t out) {
    OperatorBlock product = block(name, OperatorKind::Gemm);
    product.dimension('n', out).dimension('k', in).input("x", "bsk").parameter("w", "kn").output("y", "bsn");
    return add(product, {{from, "x"}});
  }

  /// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1), as it is trained: queries, and keys and
  /// values together, pass through a narrow vector each. Keys have a rotary part that all heads share.
  void latentAttention() {
    const std::int64_t keySize = m_model.nopeSize + m_model.ropeSize;
    const Port normal = norm("norm1", m_at);
    Port narrow = normal;
    if (m_model.qRank > 0) {
      narrow = norm("query_norm", gemm("query_down", normal, m_model.hidden, m_model.qRank), m_model.qRank);
    }
    OperatorBlock query = block("query_up", OperatorKind::Gemm);
    query.dimension('g', m_model.heads).whole('d', keySize);
    query.dimension('k', m_model.qRank > 0 ? m_model.qRank : m_model.hidden);
    query.input("x", "bsk").parameter("w", "kgd").output("y", "bsgd");
    const Port queries = add(query, {{narrow, "x"}});

    OperatorBlock down = block("kv_down", OperatorKind::Gemm);
    down.dimension('n', m_model.kvRank + m_model.ropeSize).dimension('k', m_model.hidden).input("x", "bsk");
    down.parameter("w", "kn").output("y", "bsn").sized('n', m_model.kvRank);
    if (m_model.ropeSize > 0) down.output("rotary", "bsn").sized('n', m_model.ropeSize);
    const Port latent = add(down, {{normal, "x"}});

    OperatorBlock up = block("kv_up", OperatorKind::Gemm);
    up.dimension('g', m_model.heads).whole('d', m_model.nopeSize + m_model.valueSize).dimension('k', m_model.kvRank);
    up.input("x", "bsk").parameter("w", "kgd");
    if (m_model.nopeSize > 0) up.output("key", "bsgd").sized('d', m_model.nopeSize);
    up.output("value", "bsgd").sized('d', m_model.valueSize);
    const std::size_t heads = add(up, {{norm("kv_norm", latent, m_model.kvRank), "x"}}).op;

    // Two products of different depth: points as deep as they are on average.
    OperatorBlock scores(m_prefix + "attention", OperatorKind::Attention);
    scores.dimension('b', m_step.sequences).dimension('g', m_model.heads).dimension('q', m_step.tokens);
    scores.dimension('k', m_step.tokens).whole('d', (keySize + m_model.valueSize + 1) / 2);
    scores.input("query", "bqgd").sized('d', keySize);
    if (m_model.nopeSize > 0) scores.input("key", "bkgd").sized('d', m_model.nopeSize);
    if (m_model.ropeSize > 0) scores.input("rotary", "bkd").sized('d', m_model.ropeSize);
    scores.input("value", "bkgd").sized('d', m_model.valueSize);
    scores.statistics({"maximum", "sum"}, "bgq").output("y", "bqgd").sized('d', m_model.valueSize);
    const Port mixed = add(scores, {{queries, "query"}, {{heads, "value"}, "value"}});
    if (m_model.nopeSize > 0) connect({heads, "key"}, mixed.op, "key");
    if (m_model.ropeSize > 0) connect({latent.op, "rotary"}, mixed.op, "rotary");

    OperatorBlock merge = block("merge", OperatorKind::Gemm);
    merge.dimension('e', m_model.hidden).dimension('g', m_model.heads).whole('d', m_model.valueSize);
    merge.input("x", "bsgd").parameter("w", "gde").output("y", "bse");
    m_at = sum("add1", add(merge, {{mixed, "x"}}), m_at);
  }

  Port mlp(const std::string& name, std::int64_t inner, const Port& from) {
    const std::int64_t halves = m_model.gatedMlp ? 2 : 1;
    OperatorBlock expand = block(name + "expand", OperatorKind::Gemm);
    expand.whole('t', halves).dimension('n', inner).dimension('k', m_model.hidden);
    expand.input("x", "bsk").parameter("w", "ktn");
    if (m_model.biases) expand.parameter("bias", "tn");
    expand.output("y", "bstn");
    const Port wide = add(expand, {{from, "x"}});

    OperatorBlock activate = block(name + "activate", OperatorKind::Elementwise);
    activate.whole('t', halves).dimension('n', inner).input("x", "bstn").output("y", "bsn");
    const Port active = add(activate, {{wide, "x"}});

    OperatorBlock contract = block(name + "contract", OperatorKind::Gemm);
    contract.dimension('n', m_model.hidden).dimension('k', inner).input("x", "bsk").parameter("w", "kn");
    if (m_model.biases) contract.parameter("bias", "n");
    contract.output("y", "bsn");
    return add(contract, {{active, "x"}});
  }

  /// Rows of a sequence that an expert has room for.
  [[nodiscard]] std::int64_t rowsPerExpert() const {
    const double copies = static_cast<double>(m_step.tokens * m_model.expertsPerToken) * m_step.capacityFactor;
    return static_cast<std::int64_t>(std::ceil(copies / static_cast<double>(m_model.experts) * (1 - kRounding)));
  }

  /// Dispatch, an MLP for every expert, combine; shared experts beside them as one MLP. Whatever cuts tokens before the
  /// dispatch and experts behind it is an all-to-all along the edge between: see operator_costs.h.
  Port experts(const Port& from) {
    OperatorBlock router = block("router", OperatorKind::Gemm);
    router.whole('n', m_model.experts).whole('k', m_model.hidden).input("x", "bsk").parameter("w", "kn");
    if (m_model.routerBias) router.parameter("bias", "n");
    router.output("y", "bsn");
    OperatorBlock routes = block("routes", OperatorKind::Softmax);
    routes.whole('n', m_model.experts).input("x", "bsn").statistics({"maximum", "sum", "gradient"}, "bs");
    routes.output("y", "bsn");
    const Port weights = add(routes, {{add(router, {{from, "x"}}), "x"}});

    const std::int64_t rows = rowsPerExpert();
    OperatorBlock dispatch = block("dispatch", OperatorKind::Dispatch);
    dispatch.experts('e', m_model.experts).dimension('h', m_model.hidden).input("x", "bsh").input("routes", "bse");
    dispatch.output("y", "ebsh").sized('s', rows);
    Port at = add(dispatch, {{from, "x"}, {weights, "routes"}});
    at = add(expertProduct("expand", true), {{at, "x"}});
    OperatorBlock activate = ofExperts("activate", OperatorKind::Elementwise);
    activate.whole('t', m_model.gatedMlp ? 2 : 1).dimension('n', m_model.expertFfn);
    activate.input("x", "ebstn").output("y", "ebsn");
    at = add(activate, {{at, "x"}});
    at = add(expertProduct("contract", false), {{at, "x"}});

    OperatorBlock combine = block("combine", OperatorKind::Combine);
    combine.experts('e', m_model.experts).dimension('h', m_model.hidden).input("x", "ebsh").sized('s', rows);
    combine.input("routes", "bse").output("y", "bsh");
    at = add(combine, {{at, "x"}, {weights, "routes"}});
    return m_model.sharedFfn > 0 ? sum("add_shared", sharedExperts(from), at) : at;
  }

  /// Of every expert's rows.
  [[nodiscard]] OperatorBlock ofExperts(const char* name, OperatorKind kind) const {
    OperatorBlock block(m_prefix + name, kind);
    block.dimension('b', m_step.sequences).dimension('s', rowsPerExpert()).experts('e', m_model.experts);
    return block;
  }

  [[nodiscard]] OperatorBlock expertProduct(const char* name, bool expands) const {
    OperatorBlock product = ofExperts(name, OperatorKind::Experts);
    if (expands) product.whole('t', m_model.gatedMlp ? 2 : 1);
    product.dimension('n', m_model.expertFfn).dimension('h', m_model.hidden);
    product.input("x", expands ? "ebsh" : "ebsn").parameter("w", expands ? "ehtn" : "enh");
    if (m_model.biases) product.parameter("bias", expands ? "etn" : "eh");
    product.output("y", expands ? "ebstn" : "ebsh");
    return product;
  }

  Port sharedExperts(const Port& from) {
    const Port all = mlp("shared_", m_model.sharedFfn, from);
    if (!m_model.sharedGate) return all;
    OperatorBlock gate = block("shared_gate", OperatorKind::Gemm);
    gate.dimension('k', m_model.hidden).input("x", "bsk").parameter("w", "k").output("y", "bs");
    const Port open = add(gate, {{from, "x"}});
    OperatorBlock weigh = block("shared_weigh", OperatorKind::Elementwise);
    weigh.dimension('n', m_model.hidden).input("x", "bsn").input("gate", "bs").output("y", "bsn");
    return add(weigh, {{all, "x"}, {open, "gate"}});
  }

  void head() {
    if (m_model.finalNorm) m_at = norm("norm", m_at);
    OperatorBlock output = block("output", OperatorKind::Gemm);
    output.dimension('n', m_model.vocabulary).dimension('k', m_model.hidden);
    output.input("x", "bsk").parameter("w", "kn").output("y", "bsn");
    const Port logits = add(output, {{m_at, "x"}});
    OperatorBlock loss = block("loss", OperatorKind::Loss);
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
  if (model.heads % model.kvHeads != 0) {
    return Error{countedText(model.heads, "head") + " cannot share " + std::to_string(model.kvHeads) +
                 " keys and values evenly; use a divisor"};
  }
  if (step.sequences < 1 || step.sequences > kMostSequences || step.tokens < 1 || step.tokens > kMostTokens) {
    return Error{"a step has 1 to " + std::to_string(kMostSequences) + " sequences of as many tokens"};
  }
  if (!(step.capacityFactor >= kLeastCapacity && step.capacityFactor <= kMostCapacity)) {
    return Error{exactNumber(step.capacityFactor) + " is no capacity factor; use 1 to 64"};
  }
  return validated(ModelGraph(model, step).make());
}

}  // namespace p2
