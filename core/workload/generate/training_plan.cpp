// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/training_plan.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <set>

#include "base/counted.h"
#include "base/figures.h"
#include "base/numbers.h"
#include "workload/generate/fields.h"

namespace p2::inline workload {
namespace {

constexpr std::int64_t kMostPlanned = std::int64_t{1} << 24;

struct Degree {
  const char* key;
  std::int64_t TrainingPlan::*value;
};

/// Those whose product is the number of devices, in the order in which one is asked to change.
constexpr std::array kMeshDegrees{Degree{"dp", &TrainingPlan::data}, Degree{"pp", &TrainingPlan::pipeline},
                                  Degree{"cp", &TrainingPlan::context}, Degree{"tp", &TrainingPlan::tensor}};

Error planError(std::string message, const char* key) { return Error{std::move(message)}.at(key); }

/// Of values as they were typed; 0 where one is not positive or the product is too large, which checkPlan() refuses.
std::int64_t productOf(std::initializer_list<std::int64_t> values) {
  std::int64_t product = 1;
  for (const std::int64_t value : values) product = value < 1 ? 0 : checkedProduct(product, value).value_or(0);
  return product;
}

std::string with(const char* key, std::int64_t value) { return std::string(key) + " " + std::to_string(value); }

/// "a of A does not divide into b of B; use a divisor".
Result<void> divides(std::int64_t part, const char* key, std::int64_t whole, const std::string& ofWhat) {
  if (part >= 1 && whole % part == 0) return {};
  return planError(with(key, part) + " does not divide the " + std::to_string(whole) + " " + ofWhat + "; use a divisor",
                   key);
}

/// "dp = 8 would fit", the first degree that the others leave room for.
std::string fittingDegree(const TrainingPlan& plan) {
  for (const Degree& degree : kMeshDegrees) {
    std::optional<std::int64_t> others = 1;
    for (const Degree& other : kMeshDegrees) {
      if (other.key != degree.key && others) others = checkedProduct(*others, plan.*other.value);
    }
    if (others && plan.devices % *others == 0) {
      return "; " + std::string(degree.key) + " = " + std::to_string(plan.devices / *others) + " would fit";
    }
  }
  return "; use degrees that multiply to " + std::to_string(plan.devices);
}

Result<void> checkDegrees(const TrainingPlan& plan) {
  for (const Property<TrainingPlan>& field : planFields()) {
    if (field.info.kind != PropertyKind::Whole) continue;
    const std::string key(field.info.key);
    const std::int64_t value = std::get<std::int64_t>(field.get(plan));
    const auto exactly = static_cast<double>(value);
    if (exactly >= field.info.least && exactly <= field.info.most) continue;
    return Error{key + " " + std::to_string(value) + " is out of range; use " + rangeText(field.info)}.at(key);
  }
  std::optional<std::int64_t> product = 1;
  std::string factors;
  for (std::size_t i = kMeshDegrees.size(); i-- > 0;) {
    product = product ? checkedProduct(*product, plan.*kMeshDegrees[i].value) : std::nullopt;
    factors += (factors.empty() ? "" : " · ") + with(kMeshDegrees[i].key, plan.*kMeshDegrees[i].value);
  }
  if (!product || *product > kMostPlanned) {
    return planError("the degrees " + factors + " multiply to over 2^24 devices; use smaller ones", "dp");
  }
  if (plan.devices != 0 && *product != plan.devices) {
    return planError("the degrees " + factors + " multiply to " + countedText(*product, "device") + ", not to " +
                         std::to_string(plan.devices) + fittingDegree(plan),
                     "devices");
  }
  if (*product > 1) return {};
  return planError("a single device has no communication; give a degree, as in dp = 8", "dp");
}

Result<void> checkExpertDegrees(const ModelShape& model, const TrainingPlan& plan) {
  if (model.experts == 0) {
    if (plan.expert == 1 && plan.expertTensor == 1) return {};
    return planError("a model without experts has nothing to split; leave ep and etp at 1", "ep");
  }
  P2_TRY(divides(plan.expert, "ep", model.experts, "experts"));
  const std::int64_t mesh = plan.tensor * plan.context * plan.data;
  P2_TRY(divides(plan.expertTensor, "etp", mesh, "devices of a stage (tp·cp·dp)"));
  P2_TRY(divides(plan.expert, "ep", mesh / plan.expertTensor, "devices of a stage (tp·cp·dp/etp)"));
  if (plan.sequenceParallel != SequenceParallelism::None || plan.expertTensor == 1 ||
      plan.expertTensor == plan.tensor) {
    return {};
  }
  return planError("without sequence parallelism experts are whole or split as all else is; use etp = 1 or " +
                       std::to_string(plan.tensor) + ", or sp = megatron",
                   "etp");
}

Result<void> checkContext(const ModelShape& model, const TrainingPlan& plan) {
  P2_TRY(divides(plan.context, "cp", plan.sequence, "tokens of a sequence"));
  if (plan.sequenceParallel != SequenceParallelism::None) {
    P2_TRY(divides(plan.tensor, "tp", plan.sequence / plan.context, "tokens of a sequence (s/c)"));
  }
  const bool heads = plan.contextCollective == ContextCollective::AllToAll;
  const bool hierarchy = plan.contextCollective == ContextCollective::Hierarchy;
  if (hierarchy) P2_TRY(divides(plan.contextInner, "cp_inner", plan.context, "devices of cp"));
  const std::int64_t inner = hierarchy ? plan.contextInner : heads ? plan.context : 1;
  const std::int64_t kvHeads = model.kvRank > 0 ? model.heads : model.kvHeads;
  if (inner == 1 || kvHeads % (inner * plan.tensor) == 0) return {};
  return planError("splitting " + countedText(kvHeads, "head") + " of keys and values over " + with("tp", plan.tensor) +
                       " and " + countedText(inner, "device") +
                       " of cp leaves no whole heads; use ring or allgather, or smaller degrees",
                   "cp_kind");
}

Result<void> checkOrder(const std::string& order) {
  std::set<std::string> parts;
  std::size_t count = 0;
  for (std::size_t from = 0; from <= order.size(); ++count) {
    const std::size_t to = std::min(order.find('-', from), order.size());
    parts.insert(order.substr(from, to - from));
    from = to + 1;
  }
  const std::size_t known = parts.count("tp") + parts.count("cp") + parts.count("dp") + parts.count("pp");
  if (known == 4 && count == 4 + parts.count("ep")) return {};
  return planError("\"" + order +
                       "\" is not an order of axes; name tp, cp, dp and pp once each, innermost first, as in " +
                       "tp-cp-ep-dp-pp",
                   "order");
}

}  // namespace

FormatSize sizeOf(NumberFormat format) {
  switch (format) {
    case NumberFormat::Fp32:
      return {4, 0};
    case NumberFormat::Bf16:
    case NumberFormat::Fp16:
      return {2, 0};
    case NumberFormat::Fp8:
      return {1, 0};
    case NumberFormat::Fp8Blocks:
      return {1, 128};
  }
  return {};
}

TrainingPlan unsaidPlan(const ModelShape& model) {
  TrainingPlan plan;
  if (model.positions > 0) plan.sequence = std::min(plan.sequence, model.positions);
  return plan;
}

Result<void> checkSequence(const ModelShape& model, std::int64_t tokens) {
  if (model.positions == 0 || tokens <= model.positions) return {};
  return Error{"a sequence of " + countedText(tokens, "token") + " is longer than the " +
               countedText(model.positions, "position") + " that the model has learned; use at most that many"};
}

TrainingPlan resolved(TrainingPlan plan) {
  if (plan.data == 0) {
    const std::int64_t others = productOf({plan.tensor, plan.context, plan.pipeline});
    plan.data = others > 0 && plan.devices >= others && plan.devices % others == 0 ? plan.devices / others : 1;
  }
  if (plan.microbatches == 0) {
    const std::int64_t perStep = productOf({plan.microbatch, plan.data});
    const bool whole = perStep > 0 && plan.globalBatch >= perStep && plan.globalBatch % perStep == 0;
    plan.microbatches = whole ? plan.globalBatch / perStep : 1;
  }
  if (plan.globalBatch == 0) plan.globalBatch = productOf({plan.microbatch, plan.data, plan.microbatches});
  if (plan.contextCollective != ContextCollective::Hierarchy) plan.contextInner = 0;
  return plan;
}

Result<void> checkPlan(const ModelShape& model, const TrainingPlan& plan) {
  P2_TRY(checkDegrees(plan));
  P2_TRY(checkOrder(plan.order));
  P2_TRY(divides(plan.replicas, "replicas", plan.data, "replicas of data (dp)"));
  if (plan.globalBatch != plan.microbatch * plan.microbatches * plan.data) {
    return planError("a global batch of " + std::to_string(plan.globalBatch) + " is not microbatch " +
                         std::to_string(plan.microbatch) + " · microbatches " + std::to_string(plan.microbatches) +
                         " · dp " + std::to_string(plan.data) + "; leave one of them out",
                     "global_batch");
  }
  // Embedding and head can be stages of their own.
  if (plan.pipeline * plan.chunks > model.layers + (plan.pipeline > 1 ? 2 : 0)) {
    return planError("pp·vpp = " + std::to_string(plan.pipeline * plan.chunks) + " is more than the " +
                         countedText(model.layers, "layer") + " with embedding and head; use fewer stages",
                     "pp");
  }
  P2_TRY(divides(plan.tensor, "tp", model.heads, "heads"));
  P2_TRY(checkExpertDegrees(model, plan));
  if (const auto known = checkSequence(model, plan.sequence); !known.ok()) return known.error().at("sequence");
  P2_TRY(checkContext(model, plan));
  if (plan.zero < 0 || plan.zero > 3)
    return planError("there is no ZeRO stage " + std::to_string(plan.zero) + "; use 0 to 3", "zero");
  if (kTimeRange.holds(plan.computeSeconds)) return {};
  return planError(
      "a step cannot compute for " + exactNumber(plan.computeSeconds) + " s; use " + std::string(kTimeRange.text),
      "compute_seconds");
}

}  // namespace p2::inline workload
