// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/train_configuration.h"

#include "app/cli/answer_keys.h"
#include "base/units.h"
#include "training_answer/configuration_comparison.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kMemoryParts{
    "memory_parts", "Bytes of the fullest device: parameters, gradients, optimizer, activations, buffers, reserve"};
constexpr AnswerKey kParts{
    "parts", "s, of the step: compute, inefficiency, recompute, exposed (by axis), bubble, imbalance, optimizer, host"};

std::string matrixText(const PlannedConfiguration& each) {
  if (each.matrix.empty()) return "";
  return each.matrix.text();
}

Value exposedValue(const StepParts& parts) {
  Document axes;
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    axes.field(kExposedAxes[axis], Value::number(parts.exposed[axis]));
  }
  return Value::object(std::move(axes));
}

Value partsValue(const StepParts& parts) {
  Document fields;
  fields.field("compute", Value::number(parts.compute))
      .field("inefficiency", Value::number(parts.inefficiency))
      .field("recompute", Value::number(parts.recompute))
      .field("exposed", exposedValue(parts))
      .field("bubble", Value::number(parts.bubble))
      .field("imbalance", Value::number(parts.imbalance))
      .field("optimizer", Value::number(parts.optimizer))
      .field("host", Value::number(parts.host));
  return Value::object(std::move(fields));
}

Value memoryValue(const TrainingMemory& memory, double reserve) {
  Document fields;
  fields.field("parameters", Value::number(memory.parameters))
      .field("gradients", Value::number(memory.gradients))
      .field("optimizer", Value::number(memory.optimizer))
      .field("activations", Value::number(memory.activations))
      .field("buffers", Value::number(memory.buffers))
      .field("reserve", Value::number(reserve));
  return Value::object(std::move(fields));
}

std::vector<std::string> moduleNames(const RecomputedModules& modules) {
  const auto names = modules.names();
  return {names.begin(), names.end()};
}

Value axesValue(const std::vector<Axis>& axes) {
  Document fields;
  for (const Axis& axis : axes) fields.named(axis.name, Value::whole(axis.size));
  return Value::object(std::move(fields));
}

}  // namespace

std::vector<AnswerKey> configurationKeys() { return {kMemoryParts, kParts}; }

std::string neededMemoryText(double needed, double reserve, double memory) {
  const auto text = [](double bytes) { return formatBytes(Bytes(static_cast<std::int64_t>(bytes))); };
  return "needs " + text(needed) + " + " + text(reserve) + " kept free = " + text(needed + reserve) + " of " +
         text(memory);
}

Document configurationDocument(const ModelShape& model, const PlannedConfiguration& each, double reserve) {
  const TrainingPlan& plan = each.configuration.plan;
  Document fields;
  fields.field("framework", Value::text(each.framework->name))
      .field("tp", Value::whole(plan.tensor))
      .field("sp", Value::flag(plan.tensor > 1 && plan.sequenceParallel != SequenceParallelism::None))
      .field("tp_overlap", Value::flag(plan.tensorOverlap))
      .field("cp", Value::whole(plan.context))
      .field("cp_kind", Value::text(nameOf(plan.contextCollective)))
      .field("pp", Value::whole(plan.pipeline))
      .field("vpp", Value::whole(plan.chunks))
      .field("ep", Value::whole(plan.expert))
      .field("ep_overlap", Value::flag(plan.expertOverlap))
      .field("dispatch", Value::text(nameOf(each.configuration.dispatch)))
      .field("graphs", Value::text(nameOf(each.configuration.graphs)))
      .field("etp", Value::whole(plan.expertTensor))
      .field("dp", Value::whole(plan.data))
      .field("replicas", Value::whole(plan.replicas))
      .field("zero", Value::whole(plan.zero))
      .field("reshard", Value::flag(plan.zero == 3 && plan.reshard))
      .field("mtp", Value::whole(each.configuration.predictedTokens))
      .field("fused_attention", Value::flag(each.configuration.fusedAttention))
      .field("fp8_param_gather", Value::flag(each.configuration.fp8Parameters))
      .field("microbatch", Value::whole(plan.microbatch))
      .field("microbatches", Value::whole(plan.microbatches))
      .field("recompute", Value::text(nameOf(each.configuration.recomputation)))
      .field("recompute_modules", Value::texts(moduleNames(each.configuration.recomputedModules)))
      .field("schedule", Value::text(scheduleText(each.configuration)))
      .field("layers_per_stage", Value::wholes(stageLayers(model, each.configuration)))
      .field("layers_per_chunk", Value::wholes(chunkLayers(model, each.configuration)))
      .field("layout", Value::text(plan.pipeline > 1 ? layoutText(model, each.configuration) : std::string()))
      .field("axes", axesValue(each.axes))
      .field("matrix", Value::digits(each.matrix.empty() ? "[]" : matrixText(each)))
      .field("orders", Value::texts(each.orders))
      .field("rank_file", Value::flag(each.needsRankFile()))
      .field("seconds", Value::number(each.estimate.seconds))
      .field("seconds_low", Value::number(each.estimate.low))
      .field("seconds_high", Value::number(each.estimate.high))
      .field("tokens_per_second", Value::number(each.estimate.tokensPerSecond))
      .field("mfu", Value::number(each.estimate.mfu))
      .field("memory", Value::number(each.memory.total() + reserve))
      .field(kMemoryParts, memoryValue(each.memory, reserve))
      .field(kParts, partsValue(each.estimate.parts));
  return fields;
}

}  // namespace p2::cli
