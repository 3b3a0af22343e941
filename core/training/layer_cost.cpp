// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/layer_cost.h"

#include <algorithm>
#include <cmath>

#include "training/detail/kernels.h"
#include "training/detail/real.h"

namespace p2::inline training {
namespace {

using C = StepConstant;

/// Kernels of a compiled layer over the kernels of an eager one: a compiler joins all but products and attention.
constexpr double kCompiledKernels = .6;

constexpr double kExpertTile = 64;  // rows

/// Kernels of a layer's router, and of the preparation of its tokens for their experts.
constexpr double kRoutingKernels = 12;
/// Kernels of the backward pass for each kernel of the forward pass.
constexpr double kBackwardKernels = 1.9;

/// The part of a kernel's time on the host that is left where a recorded graph starts it.
constexpr double kGraphLaunch = .15;

/// kGraphLaunch or 1, by the part of a layer: dense kernels, the router, experts.
struct HostShares {
  double layer = 1;
  double routing = 1;
  double experts = 1;
};

HostShares hostShares(GraphScope graphs) {
  HostShares shares;
  if (graphs != GraphScope::None) shares.routing = kGraphLaunch;
  if (graphs == GraphScope::Layers || graphs == GraphScope::All) shares.layer = kGraphLaunch;
  if (graphs == GraphScope::All) shares.experts = kGraphLaunch;
  return shares;
}

/// Launches of the host that a layer costs to be done again, where the framework has its own checkpoint function: it
/// keeps and restores the states of random numbers, and runs a backward pass inside the backward pass
/// (megatron/core/tensor_parallel/random.py, CheckpointFunction; DeepSpeed's is a copy).
constexpr double kCheckpointLaunches = 8;

/// Ring attention adds up its output from every part of keys and values: it reads the part's in 16 bits, and reads and
/// writes the sum in fp32; in the backward pass parts of all gradients are added in 16 bits (Transformer Engine,
/// attention/dot_product_attention/context_parallel.py).
constexpr double kRingForwardBytes = 2 + 4 + 4;
constexpr double kRingBackwardBytes = 2 + 2 + 2;
/// Gathered keys and values are put in their order, and their gradients back.
constexpr double kGatheredBytes = 2 + 2;
/// Launches of the host that each part costs beyond the first: attention, send, receive and the sum.
constexpr double kRingLaunches = 4;

bool hasOwnCheckpoint(FrameworkFamily family) {
  return family == FrameworkFamily::MegatronEager || family == FrameworkFamily::MegatronCore ||
         family == FrameworkFamily::DeepSpeed;
}

/// Adds up the kernels of one layer.
class LayerCounter {
 public:
  explicit LayerCounter(const CostContext& context)
      : m(context.model),
        m_configuration(context.configuration),
        m_plan(context.configuration.plan),
        m_context(context),
        m_constants(context.constants),
        m_kernels(context.accelerator, context.constants, context.configuration) {
    t = real(m_plan.tensor);
    c = real(m_plan.context);
    s = real(m_plan.sequence);
    h = real(m.hidden);
    tokens = real(m_plan.microbatch) * s / c;
    hShare = m_plan.sequenceParallel != SequenceParallelism::None ? h / t : h;
    queries = real(querySize(m));
    keysAndValues = real(keyValueSize(m));
    if (context.products != nullptr) context.products->setRates(m_kernels);
  }

  CountedLayer count(bool hasExperts) {
    attentionProducts();
    attentionCore();
    double width = real(m.ffn);
    if (hasExperts) {
      width = real(m.sharedFfn);
      const double before = m_cost.forward.kernels;
      experts();
      module(RecomputedModule::Experts).kernels = m_cost.forward.kernels - before;
    }
    if (width > 0) mlp(width, hasExperts ? RecomputedModule::SharedExperts : RecomputedModule::Mlp);
    modules(hasExperts, width);
    elementwise(hasExperts ? width + real(m.expertsPerToken * m.expertFfn) : width);
    host(hasExperts);
    m_cost.parameters = real(hasExperts ? sharedLayerParameters(m) : denseLayerParameters(m)) / t;
    if (hasExperts) {
      m_cost.expertParameters = real(expertParameters(m)) * real(m.experts) / real(m_plan.expert * m_plan.expertTensor);
    }
    const double last = hasExperts ? 0 : m_lastProduct;
    return {m_cost, m_modules, m_core, m_coreBack, m_elementwise, m_again, last, m_products, m_productFlop};
  }

 private:
  /// A product of the layer, with both of its gradients.
  void product(double rows, double depth, double columns, double count = 1) {
    const Product forward{rows, depth, columns, count};
    const Product input{rows, columns, depth, count};
    const Product weights{depth, rows, columns, count, m_configuration.fullPrecisionSums ? 4.0 : 2.0};
    const auto seconds = [&](const Product& p) {
      m_productFlop += p.flop();
      const double taken = m_context.products != nullptr ? m_context.products->seconds(p)
                           : count > 1                   ? m_kernels.grouped(p)
                                                         : m_kernels.product(p);
      m_products += taken;
      return taken;
    };
    m_cost.forward.kernels += seconds(forward);
    m_cost.backward.kernels += seconds(input);
    if (m_configuration.adapters) return;
    const double last = seconds(weights);
    m_cost.backward.kernels += last;
    m_cost.backward.weights += last;
  }

  void attentionProducts() {
    if (m.kvRank > 0) return latentProducts();
    product(tokens, h, (queries + keysAndValues) / t);
    product(tokens, queries / t, h);
  }

  /// Of multi-head latent attention: low-rank projections, whole on every device, then heads.
  void latentProducts() {
    const double heads = real(m.heads) / t;
    const double queryHead = real(m.nopeSize + m.ropeSize);
    if (m.qRank > 0) product(tokens, h, real(m.qRank));
    const double before = m_cost.forward.kernels;
    product(tokens, m.qRank > 0 ? real(m.qRank) : h, heads * queryHead);
    const double between = m_cost.forward.kernels;
    product(tokens, h, real(m.kvRank + m.ropeSize));
    const double after = m_cost.forward.kernels;
    product(tokens, real(m.kvRank), heads * real(m.nopeSize + m.valueSize));
    module(RecomputedModule::LatentUpProjection) = {between - before + m_cost.forward.kernels - after, 4};
    product(tokens, heads * real(m.valueSize), h);
  }

  void attentionCore() {
    const double heads = real(m.heads) / t;
    const double sizes = m.kvRank > 0 ? real(m.nopeSize + m.ropeSize + m.valueSize) : 2 * real(m.headSize);
    const double flop = 2 * tokens * attendedTokens(m, m_plan.sequence) * heads * sizes;
    double forward = 0;
    double backward = 0;
    if (m_configuration.fusedAttention) {
      const double share = m_configuration.causal ? .5 : 1;
      forward = m_kernels.fusedAttention(flop * share, false);
      backward = m_kernels.fusedAttention(2.5 * flop * share, true);
    } else {
      const double count = real(m_plan.microbatch) * heads;
      const Product scores{s / c, real(m.headSize), s, count};
      const double one = m_kernels.product(scores, true);
      const double bytes = 2 * count * s * s / c * m_constants[C::Scores] * (fusesPasses() ? .5 : 1);
      forward = 2 * one + m_kernels.passes(7 * bytes);
      backward = 4 * one + m_kernels.passes(9 * bytes);
    }
    m_core = forward;
    m_coreBack = backward;
    m_cost.forward.kernels += forward;
    m_cost.backward.kernels += backward;
    if (c > 1) contextPasses();
  }

  /// Passes over memory that context parallelism adds to attention.
  void contextPasses() {
    if (m_plan.contextCollective == ContextCollective::Ring) {
      // Half of the parts are empty where attention is causal.
      const double parts = m_configuration.causal ? (c + 1) / 2 : c;
      m_cost.forward.kernels += m_kernels.passes(kRingForwardBytes * parts * tokens * queries / t);
      m_cost.backward.kernels += m_kernels.passes(kRingBackwardBytes * parts * tokens * (queries + keysAndValues) / t);
    } else if (m_plan.contextCollective == ContextCollective::AllGather) {
      const double ordered = m_kernels.passes(kGatheredBytes * tokens * c * keysAndValues / t);
      m_cost.forward.kernels += ordered;
      m_cost.backward.kernels += 2 * ordered;
    }
  }

  void mlp(double width, RecomputedModule name) {
    const double first = m_cost.forward.kernels;
    product(tokens, h, (m.gatedMlp ? 2 : 1) * width / t);
    const double before = m_cost.forward.kernels;
    product(tokens, width / t, h);
    m_lastProduct = m_cost.forward.kernels - before;
    module(name) = {m_cost.forward.kernels - first, 2};
  }

  void experts() {
    const double local = real(m.experts) / real(m_plan.expert);
    const double all = m_configuration.expertImbalance * tokens / t * real(m.expertsPerToken);
    // Devices that split an expert compute on the tokens of all of them.
    const double gathered = all * real(m_plan.expertTensor);
    const double width = real(m.expertFfn) / real(m_plan.expertTensor);
    double rows = gathered / local;
    // Grouped products take experts of any number of tokens, in whole tiles.
    if (m_configuration.expertImbalance > 1) rows = std::ceil(rows / kExpertTile) * kExpertTile;
    // A single expert of a device is one product, as of a dense layer.
    product(rows, h, (m.gatedMlp ? 2 : 1) * width, local);
    product(rows, width, h, local);
    const double bytes = 2 * all * h * m_constants[C::ExpertPasses];
    m_cost.forward.kernels += m_kernels.passes(4 * bytes);
    m_cost.backward.kernels += m_kernels.passes(6 * bytes);
    if (m.sinks) clampedActivation(2 * gathered * 3 * width * m_constants[C::Elementwise]);
  }

  /// GPT-OSS clamps gate and value of every expert, scales, and adds biases: operator by operator unless fused.
  void clampedActivation(double bytes) {
    const double operators = hasFusedExperts(m_configuration) ? 5 : 15;
    m_cost.forward.kernels += m_kernels.passes(operators * bytes);
    m_cost.backward.kernels += m_kernels.passes(2 * operators * bytes);
  }

  void elementwise(double width) {
    const double hp = hShare;
    const double heads = queries + keysAndValues;
    double forward = 11 * hp + 6 * h / t + 2 * width / t;
    double backward = 18 * hp + 9 * h / t + 3 * width / t;
    if (m.gatedMlp) {
      forward = 10 * hp + 2 * heads / t + 3 * width / t;
      backward = 16 * hp + 3 * heads / t + 5 * width / t;
    }
    const double fused = fusesPasses() ? .5 : 1;
    const double scale = 2 * tokens * m_constants[C::Elementwise] * fused;
    m_elementwise = m_kernels.passes(forward * scale);
    m_cost.forward.kernels += m_elementwise;
    m_cost.backward.kernels += m_kernels.passes(backward * scale);
    if (m_configuration.precision == ProductPrecision::Bf16) return;
    const double casts = 4 * tokens * m_constants[C::Casts] * fused;
    m_cost.forward.kernels += m_kernels.passes(casts * (2 * hp + queries / t + width / t));
    m_cost.backward.kernels += m_kernels.passes(casts * (hp + heads / t + (m.gatedMlp ? 2 : 1) * width / t));
  }

  ModuleWork& module(RecomputedModule name) { return m_modules[static_cast<std::size_t>(name)]; }

  /// Completes the products of modules with their passes over memory and their launches. `width`: of the layer's MLP,
  /// or of its shared experts. A norm reads and writes the hidden size, an activation function reads what elementwise()
  /// counts for its width.
  void modules(bool hasExperts, double width) {
    const double scale = 2 * tokens * m_constants[C::Elementwise] * (fusesPasses() ? .5 : 1);
    const auto passes = [&](double elements) { return m_kernels.passes(elements * scale); };
    const auto activation = [&](double of) { return passes((m.gatedMlp ? 3 : 2) * of / t); };
    const double norm = passes(2 * hShare);
    module(RecomputedModule::CoreAttention) = {m_core, m_configuration.fusedAttention ? 1.0 : 5.0};
    // Transformer Engine fuses the other norms with the product that follows (gpt_layer_specs.py).
    const double norms = (m.kvRank > 0 ? 1 : 0) + (hasExperts ? 1 : 0);
    module(RecomputedModule::LayerNorm) = {norms * norm, norms};
    if (m.kvRank > 0) module(RecomputedModule::LatentUpProjection).kernels += passes(2 * (queries + keysAndValues) / t);
    if (!hasExperts) {
      module(RecomputedModule::Mlp).kernels += activation(width) + norm;
      module(RecomputedModule::Mlp).launches += 2;
    } else {
      ModuleWork& shared = module(RecomputedModule::SharedExperts);
      if (width > 0) shared = {shared.kernels + activation(width), shared.launches + 1};
      const double inside = activation(real(m.expertsPerToken * m.expertFfn));
      module(RecomputedModule::ExpertActivation) = {inside, 1};
      ModuleWork& all = module(RecomputedModule::Experts);
      all = {all.kernels + inside + shared.kernels, kRoutingKernels + expertKernels() + shared.launches};
    }
    const double checkpoint = hasOwnCheckpoint(m_configuration.family) ? kCheckpointLaunches : 0;
    const HostShares launched = hostShares(m_configuration.graphs);
    for (ModuleWork& each : m_modules) {
      if (each.kernels > 0) each.launches += checkpoint * (&each == &module(RecomputedModule::LayerNorm) ? norms : 1);
      each.started = each.launches * launched.layer;
    }
    for (const RecomputedModule each : {RecomputedModule::ExpertActivation, RecomputedModule::Experts}) {
      module(each).started = module(each).launches * launched.experts;
    }
  }

  /// Whether a compiler fuses passes over memory: XLA on any device, torch.compile.
  [[nodiscard]] bool fusesPasses() const {
    return m_context.accelerator.fusesElementwise || m_configuration.compiled ||
           m_configuration.family == FrameworkFamily::Jax;
  }

  /// Kernels take a floor each on the device; the host starts them one after the other, and the slower of both decides.
  void host(bool hasExperts) {
    double count = m.gatedMlp ? 20 : 18;
    if (m_configuration.compiled) count *= kCompiledKernels;
    if (!m_configuration.fusedAttention) count += 4;
    if (m_configuration.precision != ProductPrecision::Bf16) count += 8;
    if (m_plan.contextCollective == ContextCollective::Ring) count += kRingLaunches * (c - 1);
    double collectives = m_plan.tensor > 1 ? (hasExperts ? 1 : 2) : 0;
    if (hasExperts && m_plan.expert > 1) collectives += 2;
    if (m_plan.context > 1) collectives += 1;
    if (m_plan.zero == 3) collectives += 1;
    const HostShares launched = hostShares(m_configuration.graphs);
    const double routing = hasExperts ? kRoutingKernels : 0;
    const double expert = hasExperts ? expertKernels() : 0;
    const auto settle = [&](PassCost& pass, double dense, double times) {
      pass.busy = busySeconds(m_context, pass.kernels, dense + times * (routing + expert),
                              launched.layer * dense + times * (launched.routing * routing + launched.experts * expert),
                              launched.experts * collectives);
      pass.weights *= pass.busy / pass.kernels;
    };
    PassCost again = m_cost.forward;
    settle(again, count + (hasOwnCheckpoint(m_configuration.family) ? kCheckpointLaunches : 0), 1);
    m_again = again.busy;
    settle(m_cost.forward, count, 1);
    settle(m_cost.backward, kBackwardKernels * count, kBackwardKernels);
  }

  /// Kernels of the forward pass of a layer's experts. Some are for all experts, some for each expert of the device.
  [[nodiscard]] double expertKernels() const {
    const double each = hasFusedExperts(m_configuration) ? 0 : real(m.experts) / real(m_plan.expert);
    return m_constants[C::ExpertKernels] + m_constants[C::ExpertLaunches] * each;
  }

  const ModelShape& m;
  const TrainingConfiguration& m_configuration;
  const TrainingPlan& m_plan;
  const CostContext& m_context;
  const StepConstants& m_constants;
  Kernels m_kernels;
  double t = 1;
  double c = 1;
  double s = 0;
  double h = 0;
  double tokens = 0;  // tokens of a microbatch on a device
  double hShare = 0;  // share of the hidden size where sequence parallelism splits the sequence
  double queries = 0;
  double keysAndValues = 0;
  double m_core = 0;
  double m_coreBack = 0;
  double m_elementwise = 0;
  double m_again = 0;
  double m_lastProduct = 0;
  double m_products = 0;
  double m_productFlop = 0;
  std::array<ModuleWork, kRecomputedModules.size()> m_modules{};
  LayerCost m_cost;
};

}  // namespace

CountedLayer countLayer(const CostContext& context, bool hasExperts) { return LayerCounter(context).count(hasExperts); }

}  // namespace p2::inline training
