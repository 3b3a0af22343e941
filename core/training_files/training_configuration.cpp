// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "base/counted.h"
#include "base/numbers.h"
#include "training/accelerator_data.h"
#include "training/step_estimate.h"
#include "training_files/detail/stated_stages.h"

namespace p2::inline training_files {
namespace {

/// Fills in a configuration from a statement.
class Completion {
 public:
  Completion(StatedTraining& stated, const ModelShape& model, const System& system, const GivenSizes& given)
      : m_stated(stated), m_model(model), m_system(system), m_given(given), m_devices(system.deviceCount()) {}

  Result<TrainingConfiguration> run() {
    if (!m_stated.refused.empty()) return Error{m_stated.refused};
    if (!m_stated.open.empty()) return Error{m_stated.open.front() + "; write its value into the file"};
    m_made.family = m_stated.framework->family;
    m_made.precision = m_stated.precision.value_or(ProductPrecision::Bf16);
    P2_TRY(degrees());
    P2_TRY(dataDegrees());
    P2_TRY(sizes());
    P2_TRY(batches());
    P2_TRY(completeStages(m_stated, m_model, m_made));
    m_made.predictedTokens = m_stated.predictedTokens.value_or(0);
    choices();
    overlap();
    P2_TRY(checkConfiguration(m_model, m_made));
    const auto accelerator = trainingAcceleratorOf(m_system);
    if (!accelerator.ok()) return m_made;
    TrainingConfiguration runs = runnableOn(m_made, *accelerator);
    noteMissing(runs, accelerator->generation);
    return runs;
  }

 private:
  TrainingPlan& plan() { return m_made.plan; }

  /// Notes choices of the file that the device does not have.
  void noteMissing(const TrainingConfiguration& runs, const std::string& device) {
    if (m_stated.fusedAttention.value_or(false) && !runs.fusedAttention) {
      m_stated.assumed.push_back(
          "attention is not fused, although the file asks for it: its fused kernels do not run "
          "on " +
          device);
    }
    if (runs.precision != m_made.precision) {
      m_stated.assumed.push_back("products in " + std::string(nameOf(runs.precision)) + ": " + device + " has no " +
                                 std::string(nameOf(m_made.precision)));
    }
  }

  Result<void> degrees() {
    TrainingPlan& made = plan();
    made.devices = m_devices;
    const std::array<std::pair<std::optional<std::int64_t>, std::int64_t*>, 4> each{
        {{m_stated.tensor, &made.tensor},
         {m_stated.pipeline, &made.pipeline},
         {m_stated.context, &made.context},
         {m_stated.expert, &made.expert}}};
    std::int64_t* rest = nullptr;
    for (const auto& [value, degree] : each) {
      *degree = value.value_or(1);
      if (*degree != -1) continue;
      if (rest != nullptr) return Error{"two degrees are -1; only one can be the remaining devices"};
      rest = degree;
      *degree = 1;
    }
    made.expertTensor = m_stated.expertTensor.value_or(1);
    if (rest != nullptr) {
      const std::int64_t used = made.tensor * made.pipeline * made.context * m_stated.data.value_or(1);
      if (m_devices % used != 0) return undivided(used);
      *rest = m_devices / used;
    }
    // Without a value experts are cut as the rest is.
    const bool cuts = m_model.experts > 0 && m_stated.framework->expertTensor;
    if (!m_stated.expertTensor && cuts) made.expertTensor = made.tensor;
    return expertDegrees();
  }

  /// Experts share the devices of a stage.
  [[nodiscard]] Result<void> expertDegrees() const {
    const TrainingPlan& made = m_made.plan;
    const std::int64_t used = made.expertTensor * made.expert * made.pipeline;
    if (m_model.experts == 0 || m_devices % used == 0) return {};
    const bool assumed = !m_stated.expertTensor && made.expertTensor > 1;
    return Error{"etp " + std::to_string(made.expertTensor) + " · ep " + std::to_string(made.expert) + " · pp " +
                 std::to_string(made.pipeline) + " are " + countedText(used, "device") + ", which do not divide the " +
                 std::to_string(m_devices) + " of the system; use " +
                 (assumed ? "expert_tensor_parallel_size 1, which is tp where the file states none, or " : "") +
                 "other degrees"};
  }

  [[nodiscard]] Error undivided(std::int64_t used) const {
    return Error{"tp·cp·pp " + std::to_string(used) + " does not divide the " + countedText(m_devices, "device") +
                 " of the system; use a system whose number of devices is a multiple of " + std::to_string(used)};
  }

  Result<void> dataDegrees() {
    TrainingPlan& made = plan();
    const std::int64_t used = made.tensor * made.context * made.pipeline;
    if (m_devices % used != 0) return undivided(used);
    const std::int64_t data = m_devices / used;
    made.data = data;
    made.replicas = m_stated.replicas.value_or(1);
    if (m_stated.slices) return sliceDegrees(data);
    if (m_stated.shards && *m_stated.shards > 0) {
      const std::int64_t stated = *m_stated.shards * made.replicas;
      if (!m_stated.replicas && data % *m_stated.shards == 0 &&
          m_stated.framework->family == FrameworkFamily::DeepSpeed) {
        made.replicas = data / *m_stated.shards;
      } else if (stated != data) {
        return differs(stated, data);
      }
    }
    if (m_stated.data && *m_stated.data != data) return differs(*m_stated.data, data);
    if (data % made.replicas != 0) {
      return Error{countedText(made.replicas, "replica") + ": they do not divide dp " + std::to_string(data)};
    }
    if (m_stated.zero == 0 && m_stated.framework->family != FrameworkFamily::MegatronCore) made.replicas = 1;
    return {};
  }

  [[nodiscard]] Error differs(std::int64_t stated, std::int64_t data) const {
    const std::int64_t devices = stated * (m_devices / data);
    return Error{"the file states dp " + std::to_string(stated) + ", which makes " + countedText(devices, "device") +
                 " with its other degrees, and the system has " + std::to_string(m_devices) + "; use a system of " +
                 std::to_string(devices) + ", or dp " + std::to_string(data)};
  }

  /// MaxText: degrees inside a slice, which is a node, and across slices. −1 is the remainder there.
  /// Experts have an axis of the same mesh.
  Result<void> sliceDegrees(std::int64_t whole) {
    const std::int64_t experts = plan().expert;
    if (whole % experts != 0) return differs(experts, whole);
    const std::int64_t data = whole / experts;
    const std::int64_t node = devicesPerNode(m_system);
    const std::int64_t replicasInside = m_stated.replicasInside.value_or(1);
    const std::int64_t shardsInside = m_stated.shardsInside.value_or(-1);
    const std::int64_t replicasAcross = m_stated.replicasAcross.value_or(-1);
    const std::int64_t shardsAcross = m_stated.shardsAcross.value_or(1);
    std::int64_t shards = 1;
    std::int64_t replicas = 1;
    // The other degrees leave a part of a node only where they fit into it.
    const std::int64_t others = plan().tensor * plan().context * plan().pipeline * experts;
    const std::int64_t inside = others <= node ? node / others : 1;
    const auto known = [](std::int64_t value) { return value < 0 ? 1 : value; };
    shards = known(shardsInside) * known(shardsAcross);
    replicas = known(replicasInside) * known(replicasAcross);
    if (shardsInside < 0 && replicasAcross < 0) {
      shards *= std::max<std::int64_t>(1, inside / known(replicasInside));
    } else if (shardsInside < 0 || shardsAcross < 0) {
      shards = data % replicas == 0 ? data / replicas : shards;
    }
    if (replicasAcross < 0 || replicasInside < 0) replicas = data % shards == 0 ? data / shards : replicas;
    if (shards * replicas != data) return differs(shards * replicas * experts, whole);
    m_stated.zero = shards > 1 || replicas == 1 ? 3 : 0;
    plan().replicas = m_stated.zero == 3 ? replicas : 1;
    return {};
  }

  Result<void> sizes() {
    const auto stated = m_stated.sequence;
    if (stated && m_given.sequence && *stated != *m_given.sequence) {
      return Error{"these settings have sequences of " + countedText(*stated, "token") + ", and the question has " +
                   std::to_string(*m_given.sequence) + "; set one to the other, or leave one out"};
    }
    const std::int64_t defaultSequence = unsaidPlan(m_model).sequence;
    plan().sequence = stated ? *stated : m_given.sequence.value_or(defaultSequence);
    if (!stated && !m_given.sequence) {
      m_stated.assumed.push_back("sequences of " + countedText(defaultSequence, "token") + " (--sequence)");
    }
    return checkSequence(m_model, plan().sequence);
  }

  Result<void> batches() {
    TrainingPlan& made = plan();
    const std::int64_t accumulation = m_stated.accumulation.value_or(1);
    auto batch = m_stated.globalBatch;
    if (m_stated.deviceBatch) {
      const double whole = *m_stated.deviceBatch * static_cast<double>(m_devices * accumulation);
      batch = static_cast<std::int64_t>(std::llround(whole));
      // Shares of a sequence are written with some six decimals.
      if (std::abs(whole - static_cast<double>(*batch)) > 1e-6 || *batch < 1) {
        return Error{exactNumber(*m_stated.deviceBatch) + " sequences per device do not make a whole batch on " +
                     countedText(m_devices, "device")};
      }
      made.microbatches = accumulation * (made.pipeline > 1 ? m_stated.microbatches.value_or(made.pipeline) : 1);
    } else if (m_stated.microbatches) {
      made.microbatches = *m_stated.microbatches * accumulation;
    }
    made.microbatch = m_stated.microbatch.value_or(0);
    const std::int64_t product = made.microbatch * made.microbatches * made.data;
    if (!batch && product > 0) batch = product;
    if (batch && m_given.batch && *batch != *m_given.batch) {
      return Error{"these settings have a batch of " + countedText(*batch, "sequence") +
                   " on this system, and the question has " + std::to_string(*m_given.batch) +
                   "; set one to the other, or leave one out"};
    }
    if (!batch) batch = m_given.batch;
    if (!batch) return Error{"the file states no global batch; give it with --batch"};
    made.globalBatch = *batch;
    return shareBatch();
  }

  /// b·m·dp is the batch: the values that are not stated follow.
  Result<void> shareBatch() {
    TrainingPlan& made = plan();
    if (made.globalBatch % made.data != 0) {
      return made.microbatch > 1 ? batchError("dp·microbatch", made.data * made.microbatch)
                                 : batchError("dp", made.data);
    }
    const std::int64_t each = made.globalBatch / made.data;
    if (made.microbatch == 0 && made.microbatches == 0) {
      made.microbatch = 1;
      m_stated.assumed.push_back("microbatches of 1 sequence; the file states none");
    }
    if (made.microbatch == 0) {
      if (each % made.microbatches != 0) return batchError("dp·microbatches", made.data * made.microbatches);
      made.microbatch = each / made.microbatches;
    }
    if (each % made.microbatch != 0) return batchError("dp·microbatch", made.data * made.microbatch);
    const std::int64_t count = each / made.microbatch;
    if (made.microbatches != 0 && made.microbatches != count) {
      return Error{"a batch of " + std::to_string(made.globalBatch) + " is not microbatch " +
                   std::to_string(made.microbatch) + " · microbatches " + std::to_string(made.microbatches) + " · dp " +
                   std::to_string(made.data) + "; leave one of them out"};
    }
    made.microbatches = count;
    return {};
  }

  [[nodiscard]] Error batchError(std::string_view what, std::int64_t divisor) const {
    const std::int64_t batch = m_made.plan.globalBatch;
    const std::int64_t below = batch / divisor * divisor;
    return Error{"a batch of " + countedText(batch, "sequence") + " does not divide by " + std::string(what) + " " +
                 std::to_string(divisor) + "; use " + (below > 0 ? std::to_string(below) + " or " : "") +
                 std::to_string(below + divisor)};
  }

  /// Recipes leave it to defaults of their own.
  void overlap() {
    const bool data = plan().data > 1 && m_stated.framework->family == FrameworkFamily::MegatronCore;
    if (m_stated.overlapsData || !data) return;
    m_stated.assumed.push_back("gradients are reduced during the backward pass, as with --overlap-grad-reduce");
  }

  void choices() {
    TrainingPlan& made = plan();
    const TrainingFramework& framework = *m_stated.framework;
    made.zero = m_stated.zero.value_or(framework.zeroStages.empty() ? 0 : framework.zeroStages.front());
    const bool splits = made.tensor > 1 && m_stated.sequenceParallel.value_or(false);
    made.sequenceParallel = !splits                                                   ? SequenceParallelism::None
                            : framework.sequenceParallel == SequenceParallelism::None ? SequenceParallelism::Megatron
                                                                                      : framework.sequenceParallel;
    made.contextCollective =
        made.context > 1 ? m_stated.contextKind.value_or(ContextCollective::Ring) : ContextCollective::Ring;
    if (made.contextCollective == ContextCollective::Hierarchy) made.contextInner = m_stated.contextInner.value_or(0);
    made.tensorOverlap = m_stated.tensorOverlap.value_or(false) && splits;
    made.expertOverlap = m_stated.expertOverlap.value_or(false);
    m_made.recomputation = m_stated.recomputation.value_or(RecomputeKind::None);
    m_made.recomputedModules = m_stated.recomputedModules.value_or(RecomputedModules{});
    m_made.recomputedLayers = m_stated.recomputedLayers.value_or(0);
    // All layers of a stage: the same as without a number.
    const std::int64_t stageLayers = m_model.layers / made.pipeline;
    if (m_made.recomputation != RecomputeKind::Full || m_made.recomputedLayers >= stageLayers) {
      m_made.recomputedLayers = 0;
    }
    if (framework.applyDefaults != nullptr) framework.applyDefaults(m_made);
    if (m_stated.reshard && made.zero == 3) made.reshard = *m_stated.reshard;
    // JAX reduces gradients as often as it gathers parameters: one is the derivative of the other.
    if (framework.family == FrameworkFamily::Jax && made.pipeline > 1) made.accumulate = !made.reshard;
    m_made.overlapsData = m_stated.overlapsData.value_or(m_made.overlapsData);
    if (m_stated.fusedAttention) m_made.fusedAttention = *m_stated.fusedAttention;
    m_made.compiled = m_stated.compiled.value_or(false);
    m_made.graphs = m_stated.graphs.value_or(m_made.graphs);
    if (m_stated.flexDispatch) m_made.dispatch = m_stated.flexBackend.value_or(ExpertDispatch::DeepEp);
    m_made.padsExperts = m_stated.padsExperts.value_or(false);
    m_made.deterministic = m_stated.deterministic.value_or(m_made.deterministic);
    const bool eight = m_made.precision == ProductPrecision::Fp8;
    m_made.fp8Parameters = eight && m_stated.fp8Parameters.value_or(false);
    // Fused experts have such scales anyway.
    m_made.microScales = eight && m_stated.microScales.value_or(false) && !hasFusedExperts(m_made);
    m_made.halfMoments = m_stated.halfMoments.value_or(false);
    m_made.fusedLoss = m_stated.fusedLoss && m_stated.fusesLoss.value_or(false);
    if (m_stated.fullPrecisionSums) m_made.fullPrecisionSums = *m_stated.fullPrecisionSums;
  }

  StatedTraining& m_stated;
  const ModelShape& m_model;
  const System& m_system;
  const GivenSizes& m_given;
  std::int64_t m_devices;
  TrainingConfiguration m_made;
};

}  // namespace

Result<TrainingConfiguration> configurationOf(StatedTraining& stated, const ModelShape& model, const System& system,
                                              const GivenSizes& given) {
  return Completion(stated, model, system, given).run();
}

}  // namespace p2::inline training_files
