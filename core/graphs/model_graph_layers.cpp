// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "base/near.h"
#include "graphs/detail/model_graph_maker.h"

namespace p2::inline graphs {

void ModelGraph::attention() {
  const std::int64_t shared = m_model.heads / m_model.kvHeads;
  const Port normal = norm("norm1", m_at);
  // A group of heads is one slice: its queries, its keys and its values.
  OperatorBlock qkv = block("qkv", OperatorKind::Gemm);
  qkv.dimension('g', m_model.kvHeads).whole('r', shared + 2).whole('d', m_model.headSize);
  qkv.dimension('e', m_model.hidden).input("x", "bse").parameter("w", "egrd");
  if (m_model.hasMatrixBiases() || m_model.qkvBias) qkv.parameter("bias", "grd");
  qkv.output("query", "bsgrd").sized('r', shared).output("key", "bsgd").output("value", "bsgd");
  const std::size_t fused = add(qkv, {{normal, "x"}}).op;

  Port query{fused, "query"};
  Port key{fused, "key"};
  if (m_model.qkNorm || m_model.wideQkNorm) {
    query = headNorm("query_norm", query, shared);
    key = headNorm("key_norm", key, 0);
  }

  OperatorBlock scores(m_prefix + "attention", OperatorKind::Attention);
  scores.dimension('b', m_step.sequences).dimension('g', m_model.kvHeads).whole('r', shared);
  scores.dimension('q', m_step.tokens).dimension('k', m_step.tokens).whole('d', m_model.headSize);
  scores.input("query", "bqgrd").input("key", "bkgd").input("value", "bkgd");
  if (m_model.sinks) scores.parameter("sinks", "gr");
  scores.statistics({"maximum", "sum"}, "bgrq").output("y", "bqgrd").causal();
  const Port mixed = add(scores, {{query, "query"}, {key, "key"}, {{fused, "value"}, "value"}});

  OperatorBlock merge = block("merge", OperatorKind::Gemm);
  merge.dimension('e', m_model.hidden).dimension('g', m_model.kvHeads).whole('r', shared);
  merge.whole('d', m_model.headSize).input("x", "bsgrd").parameter("w", "grde");
  if (m_model.hasMatrixBiases()) merge.parameter("bias", "e");
  merge.output("y", "bse");
  rejoin("post_norm1", "add1", add(merge, {{mixed, "x"}}));
}

ModelGraph::Port ModelGraph::headNorm(const char* name, const Port& from, std::int64_t shared) {
  OperatorBlock norm = block(name, OperatorKind::Normalisation);
  norm.dimension('g', m_model.kvHeads);
  if (shared > 0) norm.whole('r', shared);
  norm.whole('d', m_model.headSize);
  const std::string_view all = shared > 0 ? "bsgrd" : "bsgd";
  norm.input("x", all).parameter("scale", m_model.wideQkNorm ? all.substr(2) : "d");
  norm.statistics({"variance", "variance_gradient"}, m_model.wideQkNorm ? "bs" : all.substr(0, all.size() - 1));
  norm.output("y", all);
  return add(norm, {{from, "x"}});
}

void ModelGraph::latentAttention() {
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
  scores.statistics({"maximum", "sum"}, "bgq").output("y", "bqgd").sized('d', m_model.valueSize).causal();
  const Port mixed = add(scores, {{queries, "query"}, {{heads, "value"}, "value"}});
  if (m_model.nopeSize > 0) connect({heads, "key"}, mixed.op, "key");
  if (m_model.ropeSize > 0) connect({latent.op, "rotary"}, mixed.op, "rotary");

  OperatorBlock merge = block("merge", OperatorKind::Gemm);
  merge.dimension('e', m_model.hidden).dimension('g', m_model.heads).whole('d', m_model.valueSize);
  merge.input("x", "bsgd").parameter("w", "gde").output("y", "bse");
  rejoin("post_norm1", "add1", add(merge, {{mixed, "x"}}));
}

std::int64_t ModelGraph::rowsPerExpert() const {
  const double copies = static_cast<double>(m_step.tokens * m_model.expertsPerToken) * m_step.capacityFactor;
  return static_cast<std::int64_t>(std::ceil(safeLowerBound(copies / static_cast<double>(m_model.experts))));
}

ModelGraph::Port ModelGraph::experts(const Port& from) {
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

OperatorBlock ModelGraph::ofExperts(const char* name, OperatorKind kind) const {
  OperatorBlock block(m_prefix + name, kind);
  block.dimension('b', m_step.sequences).dimension('s', rowsPerExpert()).experts('e', m_model.experts);
  return block;
}

OperatorBlock ModelGraph::expertProduct(const char* name, bool expands) const {
  OperatorBlock product = ofExperts(name, OperatorKind::Experts);
  if (expands) product.whole('t', m_model.gatedMlp ? 2 : 1);
  product.dimension('n', m_model.expertFfn).dimension('h', m_model.hidden);
  product.input("x", expands ? "ebsh" : "ebsn").parameter("w", expands ? "ehtn" : "enh");
  if (m_model.hasMatrixBiases()) product.parameter("bias", expands ? "etn" : "eh");
  product.output("y", expands ? "ebstn" : "ebsh");
  return product;
}

ModelGraph::Port ModelGraph::sharedExperts(const Port& from) {
  Port all = mlp("shared_", m_model.sharedFfn, from);
  if (!m_model.sharedGate) return all;
  OperatorBlock gate = block("shared_gate", OperatorKind::Gemm);
  gate.dimension('k', m_model.hidden).input("x", "bsk").parameter("w", "k").output("y", "bs");
  const Port open = add(gate, {{from, "x"}});
  OperatorBlock weigh = block("shared_weigh", OperatorKind::Elementwise);
  weigh.dimension('n', m_model.hidden).input("x", "bsn").input("gate", "bs").output("y", "bsn");
  return add(weigh, {{all, "x"}, {open, "gate"}});
}

}  // namespace p2::inline graphs
