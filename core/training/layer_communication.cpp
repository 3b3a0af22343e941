// SPDX-License-Identifier: GPL-3.0-or-later
// A layer's communication on a placement, and its recomputation.
#include <algorithm>

#include "training/detail/layer_cost.h"
#include "training/detail/real.h"

namespace p2::inline training {
namespace {

using C = StepConstant;

/// Completes a counted layer at the prices of a placement.
class LayerCompletion {
 public:
  LayerCompletion(const CostContext& context, const CountedLayer& counted)
      : m_context(context),
        m(context.model),
        m_configuration(context.configuration),
        m_plan(context.configuration.plan),
        m_prices(context.prices),
        m_constants(context.constants),
        m_again(counted.again),
        m_lastProduct(counted.lastProduct),
        m_modules(counted.modules),
        m_core(counted.attention),
        m_coreBack(counted.attentionBack),
        m_elementwise(counted.elementwise),
        m_cost(counted.cost) {
    t = real(m_plan.tensor);
    c = real(m_plan.context);
    h = real(m.hidden);
    tokens = real(m_plan.microbatch) * real(m_plan.sequence) / c;
    queries = real(querySize(m));
    keysAndValues = real(keyValueSize(m));
    perToken = real(m.expertsPerToken);
  }

  LayerCost complete(bool hasExperts) {
    communication(hasExperts);
    recomputed(hasExperts);
    return m_cost;
  }

 private:
  /// Share of communication that computation hides.
  [[nodiscard]] double hidden(C constant) const {
    return m_configuration.overlaps ? std::min(1.0, m_constants[constant]) : 0;
  }

  /// The overlap pairs a forward pass with the backward pass of another microbatch. While a pipeline fills and drains,
  /// passes have no partner: p of m microbatches in the mean of the stages (Megatron-Core,
  /// get_pp_rank_microbatches()).
  [[nodiscard]] double hiddenOfExperts() const {
    const double most = hidden(C::ExpertHidden);
    return m_plan.expertOverlap ? most * std::max(0.0, 1 - real(m_plan.pipeline) / real(m_plan.microbatches)) : most;
  }

  void communication(bool hasExperts) {
    const double activations = 2 * tokens * h;
    if (m_plan.tensor > 1) {
      const double shown = 1 - hidden(C::TensorHidden);
      const double one = m_prices.seconds(TrainingGroup::Tensor, CommunicationKind::AllReduce, activations);
      const double count = hasExperts && m.sharedFfn == 0 ? 1 : 2;
      m_cost.forward.tensor = m_cost.backward.tensor = count * one * shown;
    }
    if (m_plan.context > 1) contextCommunication();
    if (hasExperts) expertCommunication(m_configuration.expertImbalance * activations * perToken);
  }

  /// `copies`: bytes of all copies of a microbatch's tokens, one for each expert that a token goes to.
  void expertCommunication(double copies) {
    const bool haveSameTokens = m_plan.tensor > 1 && m_plan.sequenceParallel == SequenceParallelism::None;
    // Experts that are split among devices with the same tokens get all of them from each.
    const double sent = haveSameTokens && m_plan.expertTensor > 1 ? copies : copies / t;
    if (m_plan.expert > 1) {
      const double one = m_prices.seconds(TrainingGroup::Expert, CommunicationKind::Dispatch, sent);
      m_cost.forward.expert = m_cost.backward.expert = 2 * one * (1 - hiddenOfExperts());
    }
    m_expertWays = expertTensorSeconds(copies, haveSameTokens);
    m_cost.forward.tensor += m_expertWays;
    m_cost.backward.tensor += m_expertWays;
  }

  /// Of one way through the experts, among devices of tensor parallelism. With the same tokens on all of them, these
  /// send their part and gather the outputs, or add up the outputs of split experts (DeepSpeed's MOELayer.forward);
  /// otherwise split experts gather their inputs and scatter the sums of their outputs (Megatron-Core).
  [[nodiscard]] double expertTensorSeconds(double copies, bool haveSameTokens) const {
    const auto price = [&](TrainingGroup group, CommunicationKind kind, double bytes) {
      return m_prices.seconds(group, kind, bytes);
    };
    if (haveSameTokens) {
      return m_plan.expertTensor > 1 ? price(TrainingGroup::ExpertTensor, CommunicationKind::AllReduce, copies)
                                     : price(TrainingGroup::Tensor, CommunicationKind::AllGather, copies);
    }
    const double gathered = copies / t * static_cast<double>(m_plan.expertTensor);
    return price(TrainingGroup::ExpertTensor, CommunicationKind::AllGather, gathered) +
           price(TrainingGroup::ExpertTensor, CommunicationKind::ReduceScatter, gathered);
  }

  void contextCommunication() {
    if (m_plan.contextCollective == ContextCollective::AllToAll) {
      const double bytes = 2 * tokens * (2 * queries + keysAndValues) / t;
      const double one = m_prices.seconds(TrainingGroup::Context, CommunicationKind::AllToAll, bytes);
      m_cost.forward.context = one;
      m_cost.backward.context = one;
      return;
    }
    const double kept = m.kvRank > 0 ? queries : keysAndValues;
    const double gathered = 2 * tokens * c * kept / t;
    const double forward = m_prices.seconds(TrainingGroup::Context, CommunicationKind::AllGather, gathered);
    const double backward =
        forward + m_prices.seconds(TrainingGroup::Context, CommunicationKind::ReduceScatter, gathered);
    const auto shown = [](double communication, double attention) {
      return std::max(communication - .7 * attention, .1 * communication);
    };
    // Attention begins when all keys and values are there.
    const bool gathers = m_plan.contextCollective == ContextCollective::AllGather;
    m_cost.forward.context = gathers ? forward : shown(forward, m_core);
    m_cost.backward.context = gathers ? backward : shown(backward, m_coreBack);
  }

  void recomputed(bool hasExperts) {
    switch (m_configuration.recomputation) {
      case RecomputeKind::None:
        return;
      case RecomputeKind::Full:
        m_cost.again = m_cost.forward;
        m_cost.again.busy = m_again;
        if (m_configuration.family == FrameworkFamily::Jax && m_lastProduct > 0) dropLastProduct(m_cost.again);
        return;
      case RecomputeKind::Selective:
        if (m_configuration.recomputedModules.empty()) {
          m_cost.again.kernels = repeatsCore(m_configuration) ? m_core : m_elementwise / 2;
          m_cost.again.busy = m_cost.again.kernels;
        } else {
          recomputedModules(hasExperts);
        }
    }
  }

  [[nodiscard]] bool recomputes(RecomputedModule module) const { return m_configuration.recomputedModules.has(module); }

  void recomputedModules(bool hasExperts) {
    ModuleWork sum;
    for (std::size_t i = 0; i < m_modules.size(); ++i) {
      const auto module = static_cast<RecomputedModule>(i);
      const bool inExperts = module == RecomputedModule::SharedExperts || module == RecomputedModule::ExpertActivation;
      if (!recomputes(module) || (inExperts && recomputes(RecomputedModule::Experts))) continue;
      sum.kernels += m_modules[i].kernels;
      sum.launches += m_modules[i].launches;
      sum.started += m_modules[i].started;
    }
    const double collectives = repeatedCommunication(hasExperts);
    m_cost.again.kernels = sum.kernels;
    m_cost.again.busy =
        sum.kernels > 0 ? busySeconds(m_context, sum.kernels, sum.launches, sum.started, collectives) : 0;
  }

  /// Communication inside recomputed modules. Returns how many collectives there are.
  double repeatedCommunication(bool hasExperts) {
    PassCost& again = m_cost.again;
    double count = 0;
    const bool experts = hasExperts && recomputes(RecomputedModule::Experts);
    const bool shared = hasExperts && (experts || recomputes(RecomputedModule::SharedExperts)) && m.sharedFfn > 0;
    const double shown = 1 - hidden(C::TensorHidden);
    if (m_plan.tensor > 1 && (shared || (!hasExperts && recomputes(RecomputedModule::Mlp)))) {
      again.tensor += shown * m_prices.seconds(TrainingGroup::Tensor, CommunicationKind::AllReduce, 2 * tokens * h);
      count += 1;
    }
    if (experts) {
      again.expert = m_cost.forward.expert;
      again.tensor += m_expertWays;
      count += m_plan.expert > 1 ? 2 : 0;
    }
    // With sequence parallelism each product gathers its low-rank input.
    const bool gathers = m_plan.tensor > 1 && m_plan.sequenceParallel != SequenceParallelism::None;
    if (gathers && m.kvRank > 0 && recomputes(RecomputedModule::LatentUpProjection)) {
      const double bytes = 2 * tokens * real(m.qRank + m.kvRank);
      again.tensor += shown * m_prices.seconds(TrainingGroup::Tensor, CommunicationKind::AllGather, bytes);
      count += 2;
    }
    return count;
  }

  /// XLA leaves repeated work out that no gradient needs: the last product and the sum of its parts.
  void dropLastProduct(PassCost& again) const {
    const double left = 1 - m_lastProduct / again.kernels;
    again.kernels *= left;
    again.busy *= left;
    again.tensor /= 2;
  }

  const CostContext& m_context;
  const ModelShape& m;
  const TrainingConfiguration& m_configuration;
  const TrainingPlan& m_plan;
  const CommunicationPrices& m_prices;
  const StepConstants& m_constants;
  double t = 1;
  double c = 1;
  double h = 0;
  double tokens = 0;  // in a microbatch on a device
  double queries = 0;
  double keysAndValues = 0;
  double perToken = 0;
  double m_again;
  double m_lastProduct;
  double m_expertWays = 0;  // seconds of a way through the experts, among devices of tensor parallelism
  const std::array<ModuleWork, kRecomputedModules.size()>& m_modules;
  double m_core;
  double m_coreBack;
  double m_elementwise;
  LayerCost m_cost;
};

}  // namespace

LayerCost costOfLayer(const CostContext& context, const CountedLayer& counted, bool hasExperts) {
  return LayerCompletion(context, counted).complete(hasExperts);
}

LayerCost costOfHead(const CostContext& context, LayerCost counted) {
  const TrainingPlan& plan = context.configuration.plan;
  if (plan.tensor == 1) return counted;
  const double tokens =
      static_cast<double>(plan.microbatch) * static_cast<double>(plan.sequence) / static_cast<double>(plan.context);
  counted.backward.tensor = context.prices.seconds(TrainingGroup::Tensor, CommunicationKind::AllReduce,
                                                   2 * tokens * static_cast<double>(context.model.hidden));
  return counted;
}

}  // namespace p2::inline training
