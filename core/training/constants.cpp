// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/constants.h"

#include <algorithm>
#include <cassert>
#include <sstream>

#include "text/json_document.h"
#include "text/json_value.h"
#include "training/detail/training_files.h"

namespace p2::inline training {
namespace {

/// Scope of a constant.
enum class Scope {
  All,
  Generation,
  GenerationAndPrecision,
  GenerationIn16Bits,
  Family,
  FamilyAndTensorOverlap,
  Routing,
  ExpertOverlap,
  PipelineEngine
};

struct ConstantKind {
  std::string_view name;
  Scope scope;
};

/// In the order of StepConstant.
constexpr std::array<ConstantKind, kStepConstants> kKinds{{
    {"products", Scope::GenerationAndPrecision},
    {"products", Scope::GenerationIn16Bits},
    {"depth-half", Scope::All},
    {"wave-power", Scope::All},
    {"align-64", Scope::All},
    {"align-8", Scope::All},
    {"power-exponent", Scope::All},
    {"grouped", Scope::Routing},
    {"attention", Scope::Generation},
    {"attention-older", Scope::All},
    {"attention-backward", Scope::All},
    {"memory-share", Scope::All},
    {"elementwise", Scope::All},
    {"scores", Scope::All},
    {"casts", Scope::All},
    {"kernel-floor", Scope::All},
    {"kernel-launch", Scope::Family},
    {"collective-launch", Scope::All},
    {"launch-jitter", Scope::All},
    {"expert-passes", Scope::Routing},
    {"expert-kernels", Scope::Routing},
    {"expert-launches", Scope::All},
    {"link-share", Scope::All},
    {"link-delay", Scope::All},
    {"nic-share", Scope::All},
    {"hop-delay", Scope::All},
    {"nic-scale", Scope::All},
    {"all-to-all-share", Scope::All},
    {"stage-delay", Scope::All},
    {"tensor-hidden", Scope::FamilyAndTensorOverlap},
    {"data-hidden", Scope::Family},
    {"shard-hidden", Scope::Family},
    {"shard-bandwidth", Scope::Family},
    {"expert-hidden", Scope::ExpertOverlap},
    {"stage-hidden", Scope::All},
    {"step-floor", Scope::Family},
    {"microbatch-floor", Scope::Family},
    {"jitter", Scope::All},
    {"stage-jitter", Scope::PipelineEngine},
    {"optimizer", Scope::All},
    {"deterministic", Scope::All},
    {"owner-broadcast", Scope::All},
}};

std::string tensorOverlapWord(const TrainingConfiguration& configuration) {
  return configuration.plan.tensorOverlap ? ":overlapped" : ":plain";
}

std::string routingWord(const TrainingConfiguration& configuration) {
  if (hasFusedExperts(configuration)) return ":fused";
  const bool waits = configuration.dispatch == ExpertDispatch::AllToAll && !configuration.padsExperts;
  return waits ? ":alltoall" : ":flex";
}

bool hasBlockingPipeline(const TrainingConfiguration& configuration) {
  return configuration.blockingPipeline || configuration.family == FrameworkFamily::DeepSpeed;
}

std::string keyOf(const ConstantKind& kind, std::string_view generation, const TrainingConfiguration& configuration) {
  std::string key(kind.name);
  switch (kind.scope) {
    case Scope::All:
      break;
    case Scope::Generation:
      key += ":" + std::string(generation);
      break;
    case Scope::GenerationAndPrecision:
      key += ":" + std::string(generation) + ":" + std::string(nameOf(configuration.precision));
      break;
    case Scope::GenerationIn16Bits:
      key += ":" + std::string(generation) + ":bf16";
      break;
    case Scope::Routing:
      key += routingWord(configuration);
      break;
    case Scope::ExpertOverlap:
      key += configuration.plan.expertOverlap ? ":overlapped" : ":plain";
      break;
    case Scope::PipelineEngine:
      key += hasBlockingPipeline(configuration) ? ":blocking" : ":batched";
      break;
    case Scope::Family:
      key += ":" + std::string(nameOf(configuration.family));
      break;
    case Scope::FamilyAndTensorOverlap:
      key += ":" + std::string(nameOf(configuration.family)) + tensorOverlapWord(configuration);
      break;
  }
  return key;
}

std::string anyKeyOf(const ConstantKind& kind, const TrainingConfiguration& configuration) {
  if (kind.scope == Scope::Family) return std::string(kind.name) + ":any";
  if (kind.scope == Scope::FamilyAndTensorOverlap)
    return std::string(kind.name) + ":any" + tensorOverlapWord(configuration);
  return keyOf(kind, "any", configuration);
}

}  // namespace

TrainingConstants::TrainingConstants(std::vector<TrainingConstant> constants) : m_all(std::move(constants)) {
  std::sort(m_all.begin(), m_all.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
}

int TrainingConstants::find(std::string_view key) const {
  const auto at =
      std::lower_bound(m_all.begin(), m_all.end(), key,
                       [](const TrainingConstant& constant, std::string_view k) { return constant.key < k; });
  return at != m_all.end() && at->key == key ? static_cast<int>(at - m_all.begin()) : -1;
}

TrainingConstants::Numbers TrainingConstants::numbersFor(std::string_view generation,
                                                         const TrainingConfiguration& configuration) const {
  Numbers numbers{};
  for (std::size_t i = 0; i < kStepConstants; ++i) {
    int number = find(keyOf(kKinds[i], generation, configuration));
    if (number < 0) number = find(anyKeyOf(kKinds[i], configuration));
    assert(number >= 0);  // trainingConstantsFrom() has asked for them
    numbers[i] = std::max(number, 0);
  }
  return numbers;
}

Result<TrainingConstants> trainingConstantsFrom(std::string_view text) {
  P2_TRY_ASSIGN(const Json json, parseJson(text));
  std::optional<Error> problem;
  const JsonValue file(json, problem);
  std::vector<TrainingConstant> constants;
  for (const JsonValue& each : file.at("constants", "a model has constants").items("constants are a list")) {
    TrainingConstant constant;
    constant.key = each.at("key", "a constant has a key").text("a key is a word");
    constant.prior = each.at("prior", "a constant has a prior").number(1e-12, 1e9, "a prior is above 0");
    constant.spread = each.at("spread", "a prior has a spread").number(1e-6, 10, "a spread is above 0");
    constant.value = each.at("value", "a constant has a value").number(1e-12, 1e9, "a value is above 0");
    constant.reason = each.at("reason", "a constant has a reason").text("a reason is a sentence");
    if (problem) return *problem;
    constants.push_back(std::move(constant));
  }
  if (problem) return *problem;
  TrainingConstants made(std::move(constants));
  for (const ConstantKind& kind : kKinds) {
    for (std::size_t family = 0; family < kFrameworkFamilies.size(); ++family) {
      TrainingConfiguration configuration;
      configuration.family = static_cast<FrameworkFamily>(family);
      for (const ExpertDispatch dispatch :
           {ExpertDispatch::AllToAll, ExpertDispatch::DeepEp, ExpertDispatch::HybridEp}) {
        const bool overlaps = dispatch == ExpertDispatch::HybridEp;
        configuration.dispatch = dispatch;
        configuration.graphs = overlaps ? GraphScope::All : GraphScope::None;
        configuration.plan.tensorOverlap = configuration.plan.expertOverlap = configuration.blockingPipeline = overlaps;
        const std::string key = keyOf(kind, "any", configuration);
        if (made.find(key) < 0 && made.find(anyKeyOf(kind, configuration)) < 0) {
          return Error{"the constant \"" + key + "\" is missing", "/constants"};
        }
      }
    }
  }
  return made;
}

std::string trainingConstantsText(const TrainingConstants& constants) {
  std::ostringstream out;
  out << "{\n  \"description\": \"Constants of the model of a training step. prior: an engineer's estimate before any "
         "run; spread: standard deviation of its logarithm; value: fitted to steps.csv by fit_training. "
         "Each "
         "belongs to a generation, a number type or a framework family, none to a run.\",\n  \"constants\": [\n";
  const auto digits = [](double value) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text.precision(5);
    text << value;
    return text.str();
  };
  for (std::size_t i = 0; i < constants.all().size(); ++i) {
    const TrainingConstant& each = constants.all()[i];
    out << "    {\"key\": " << Json(each.key).dump() << ", \"prior\": " << digits(each.prior)
        << ", \"spread\": " << digits(each.spread) << ", \"value\": " << digits(each.value)
        << ", \"reason\": " << Json(each.reason).dump() << "}" << (i + 1 < constants.all().size() ? ",\n" : "\n");
  }
  out << "  ]\n}\n";
  return out.str();
}

const TrainingConstants& trainingConstants() {
  static const TrainingConstants kConstants = [] {
    auto constants = trainingConstantsFrom(trainingConstantsFile());
    assert(constants.ok());
    return std::move(constants).value();
  }();
  return kConstants;
}

}  // namespace p2::inline training
