// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "base/near.h"
#include "graphs/detail/model_graph_maker.h"

namespace p2::inline graphs {
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
