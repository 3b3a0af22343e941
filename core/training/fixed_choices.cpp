// SPDX-License-Identifier: GPL-3.0-or-later
// Choices of a user as text, and those that a configuration has made.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "base/counted.h"
#include "base/numbers.h"
#include "training/detail/search_space.h"
#include "training/parameter_gathering.h"

namespace p2::inline training {
namespace {

struct WholeKey {
  std::string_view key;
  std::optional<std::int64_t> FixedChoices::*value;
  std::int64_t least;
  std::int64_t most;
};
constexpr std::array kWholeKeys{WholeKey{"tp", &FixedChoices::tensor, 1, 1 << 16},
                                WholeKey{"pp", &FixedChoices::pipeline, 1, 1 << 16},
                                WholeKey{"vpp", &FixedChoices::chunks, 1, 1 << 16},
                                WholeKey{"cp", &FixedChoices::context, 1, 1 << 16},
                                WholeKey{"ep", &FixedChoices::expert, 1, 1 << 16},
                                WholeKey{"etp", &FixedChoices::expertTensor, 1, 1 << 16},
                                WholeKey{"dp", &FixedChoices::data, 1, 1 << 24},
                                WholeKey{"replicas", &FixedChoices::replicas, 1, 1 << 24},
                                WholeKey{"mtp", &FixedChoices::predictedTokens, 0, 16},
                                WholeKey{"zero", &FixedChoices::zero, 0, 3},
                                WholeKey{"microbatch", &FixedChoices::microbatch, 1, 1 << 19}};

struct SwitchKey {
  std::string_view key;
  std::optional<bool> FixedChoices::*value;
};
constexpr std::array kSwitchKeys{SwitchKey{"sp", &FixedChoices::sequenceParallel},
                                 SwitchKey{"tp_overlap", &FixedChoices::tensorOverlap},
                                 SwitchKey{"ep_overlap", &FixedChoices::expertOverlap},
                                 SwitchKey{"reshard", &FixedChoices::reshard},
                                 SwitchKey{"fp8_param_gather", &FixedChoices::fp8Parameters},
                                 SwitchKey{"fused_attention", &FixedChoices::fusedAttention}};

/// Keys as they are spoken.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kFullNames{
    {{"tensor", "tp"}, {"pipeline", "pp"}, {"context", "cp"}, {"expert", "ep"}, {"data", "dp"}, {"sequence", "sp"}}};

std::string_view shortKey(std::string_view key) {
  for (const auto& [name, made] : kFullNames) {
    if (key == name) return made;
  }
  return key;
}

constexpr std::array kContextKinds{ContextCollective::Ring, ContextCollective::AllGather, ContextCollective::AllToAll,
                                   ContextCollective::Hierarchy};

Result<ContextCollective> contextKindFrom(std::string_view text) {
  std::string known;
  for (const ContextCollective each : kContextKinds) {
    if (nameOf(each) == text) return each;
    known += (known.empty() ? "" : ", ") + std::string(nameOf(each));
  }
  return Error{"\"" + std::string(text) + "\" is not a kind of context parallelism; use one of " + known};
}

Error unknownKey(std::string_view key) {
  std::string known;
  for (const WholeKey& each : kWholeKeys) known += std::string(each.key) + ", ";
  for (const SwitchKey& each : kSwitchKeys) known += std::string(each.key) + ", ";
  return Error{"\"" + std::string(key) + "\" is not a choice that can be fixed; use " + known +
               "cp_kind, dispatch, graphs, recompute, schedule or layers"};
}

Result<void> fix(FixedChoices& choices, std::string_view key, std::string_view value) {
  for (const WholeKey& each : kWholeKeys) {
    if (each.key != key) continue;
    const auto number = parseInteger(value);
    if (!number || *number < each.least || *number > each.most) {
      return Error{"\"" + std::string(value) + "\" is not a value of " + std::string(key) + "; use " +
                   std::to_string(each.least) + " to " + std::to_string(each.most)};
    }
    choices.*each.value = *number;
    return {};
  }
  for (const SwitchKey& each : kSwitchKeys) {
    if (each.key != key) continue;
    if (value != "yes" && value != "no") {
      return Error{std::string(key) + " is yes or no, not \"" + std::string(value) + "\""};
    }
    choices.*each.value = value == "yes";
    return {};
  }
  if (key == "cp_kind") {
    P2_TRY_ASSIGN(choices.contextKind, contextKindFrom(value));
    return {};
  }
  if (key == "dispatch") {
    P2_TRY_ASSIGN(choices.dispatch, expertDispatchFrom(value));
    return {};
  }
  if (key == "graphs") {
    P2_TRY_ASSIGN(choices.graphs, graphScopeFrom(value));
    return {};
  }
  if (key == "recompute") {
    P2_TRY_ASSIGN(choices.recomputation, recomputeChoiceFrom(value));
    return {};
  }
  if (key == "schedule") {
    P2_TRY_ASSIGN(choices.schedule, scheduleKindFrom(value));
    return {};
  }
  if (key == "layers") {
    P2_TRY_ASSIGN(choices.layout, stageLayoutFrom(value));
    return {};
  }
  return unknownKey(key);
}

/// "tp=8", "tp8" and "tensor=8"; no value where there is neither.
std::pair<std::string_view, std::string_view> keyAndValue(std::string_view part) {
  if (const std::size_t equals = part.find('='); equals != std::string_view::npos) {
    return {shortKey(part.substr(0, equals)), part.substr(equals + 1)};
  }
  for (const WholeKey& each : kWholeKeys) {
    const std::string_view value = part.substr(std::min(each.key.size(), part.size()));
    if (part.starts_with(each.key) && parseInteger(value)) return {each.key, value};
  }
  return {part, {}};
}

/// The text without blanks, but for those between two digits, which no value has.
std::string withoutBlanks(std::string_view typed) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  std::string text;
  bool blank = false;
  for (const char c : typed) {
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      blank = true;
      continue;
    }
    if (blank && !text.empty() && isDigit(text.back()) && isDigit(c)) text += ' ';
    blank = false;
    text += c;
  }
  return text;
}

}  // namespace

bool hasGatherChoice(const TrainingPlan& plan) {
  return plan.zero == 3 && plan.pipeline > 1 && plan.data / plan.replicas * plan.context > 1;
}

bool hasParametersInFp8(const TrainingConfiguration& configuration) {
  return configuration.family == FrameworkFamily::MegatronCore && configuration.precision == ProductPrecision::Fp8;
}

bool isGatheredOnce(const TrainingPlan& plan) { return hasGatherChoice(plan) && !plan.reshard; }

Result<FixedChoices> fixedChoicesFrom(std::string_view typed) {
  const std::string without = withoutBlanks(typed);
  std::string_view text = without;
  FixedChoices choices;
  std::set<std::string_view> keys;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, end);
    const auto [key, value] = keyAndValue(part);
    if (value.empty()) return Error{"\"" + std::string(part) + "\" is not of the form key=value, as in tp=8,pp=4"};
    if (!keys.insert(key).second) return Error{std::string(key) + " is fixed twice; keep one of its values"};
    P2_TRY(fix(choices, key, value));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return choices;
}

bool isChoiceList(std::string_view typed) {
  if (typed.find('\n') != std::string_view::npos || typed.find("--") != std::string_view::npos) return false;
  const std::string without = withoutBlanks(typed);
  for (std::string_view text = without; !text.empty();) {
    const std::size_t end = std::min(text.find(','), text.size());
    const auto [key, value] = keyAndValue(text.substr(0, end));
    const bool isDegree = std::any_of(std::begin(kWholeKeys), std::end(kWholeKeys),
                                      [&, name = key](const WholeKey& each) { return each.key == name; });
    if (isDegree && !value.empty()) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

std::string undividedDegrees(const FixedChoices& fixed, std::int64_t devices) {
  using Degree = std::pair<const char*, const std::optional<std::int64_t>&>;
  const auto undivided = [devices](std::initializer_list<Degree> list) {
    std::string degrees;
    std::int64_t rest = devices;
    bool divides = true;
    for (const auto& [name, degree] : list) {
      if (degree.value_or(1) == 1) continue;
      degrees += (degrees.empty() ? "" : " × ") + std::string(name) + " " + std::to_string(*degree);
      divides = divides && rest % *degree == 0;
      if (divides) rest /= *degree;
    }
    return divides ? std::string()
                   : degrees + " does not divide " + countedText(devices, "device") + "; change these degrees";
  };
  std::string text =
      undivided({{"tp", fixed.tensor}, {"cp", fixed.context}, {"pp", fixed.pipeline}, {"dp", fixed.data}});
  // Experts are laid out over the same devices.
  if (text.empty()) text = undivided({{"etp", fixed.expertTensor}, {"ep", fixed.expert}, {"pp", fixed.pipeline}});
  return text;
}

std::string fixedChoicesText(const FixedChoices& choices) {
  std::string text;
  const auto add = [&text](std::string_view key, std::string_view value) {
    text += (text.empty() ? "" : ",") + std::string(key) + "=" + std::string(value);
  };
  for (const WholeKey& each : kWholeKeys) {
    if (const auto& value = choices.*each.value) add(each.key, std::to_string(*value));
  }
  for (const SwitchKey& each : kSwitchKeys) {
    if (const auto& value = choices.*each.value) add(each.key, *value ? "yes" : "no");
  }
  if (choices.contextKind) add("cp_kind", nameOf(*choices.contextKind));
  if (choices.dispatch) add("dispatch", nameOf(*choices.dispatch));
  if (choices.graphs) add("graphs", nameOf(*choices.graphs));
  if (choices.recomputation) add("recompute", recomputationName(*choices.recomputation));
  if (choices.schedule) {
    const bool interleaved = *choices.schedule == ScheduleKind::OneF1B && choices.chunks.value_or(1) > 1;
    add("schedule", interleaved ? "interleaved" : nameOf(*choices.schedule));
  }
  if (choices.layout) add("layers", stageLayoutText(*choices.layout));
  return text;
}

FixedChoices choicesOf(const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  FixedChoices choices;
  choices.tensor = plan.tensor;
  choices.pipeline = plan.pipeline;
  choices.chunks = plan.chunks;
  choices.context = plan.context;
  choices.expert = plan.expert;
  choices.expertTensor = plan.expertTensor;
  choices.data = plan.data;
  choices.replicas = plan.replicas;
  choices.zero = plan.zero;
  choices.microbatch = plan.microbatch;
  choices.sequenceParallel = plan.sequenceParallel != SequenceParallelism::None;
  if (plan.tensorOverlap || (plan.tensor > 1 && *choices.sequenceParallel)) choices.tensorOverlap = plan.tensorOverlap;
  if (plan.expert > 1) choices.expertOverlap = plan.expertOverlap;
  if (plan.context > 1) choices.contextKind = plan.contextCollective;
  if (hasGatherChoice(plan)) choices.reshard = plan.reshard;
  if (configuration.predictedTokens > 0) choices.predictedTokens = configuration.predictedTokens;
  if (!configuration.fusedAttention) choices.fusedAttention = false;
  if (hasParametersInFp8(configuration)) choices.fp8Parameters = configuration.fp8Parameters;
  choices.dispatch = configuration.dispatch;
  choices.graphs = configuration.graphs;
  choices.recomputation = recomputationOf(configuration);
  choices.schedule = configuration.schedule;
  if (plan.pipeline > 1) choices.layout = configuration.layersPerStage;
  return choices;
}

}  // namespace p2::inline training
