// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/frameworks.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "training/frameworks/all.h"

namespace p2::inline training {
namespace {

constexpr std::array<const TrainingFramework*, 6> kFrameworks{&kMegatron, &kTorchTitan, &kDeepSpeed,
                                                              &kFsdp,     &kMaxText,    &kNeuronx};

/// Names that users and the projects themselves have for a framework.
struct OtherName {
  std::string_view name;
  const TrainingFramework* framework;
};
constexpr std::array kOtherNames{OtherName{"megatron-lm", &kMegatron}, OtherName{"megatron-core", &kMegatron},
                                 OtherName{"nxdt", &kNeuronx}};

bool isSameWithoutCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool isCalled(const TrainingFramework& framework, std::string_view name) {
  return isSameWithoutCase(name, framework.name) || isSameWithoutCase(name, framework.label) ||
         std::any_of(kOtherNames.begin(), kOtherNames.end(), [&](const OtherName& other) {
           return other.framework == &framework && isSameWithoutCase(name, other.name);
         });
}

}  // namespace

std::span<const TrainingFramework* const> trainingFrameworks() { return kFrameworks; }

std::vector<const TrainingFramework*> frameworksOn(AcceleratorPlatform platform,
                                                   std::span<const TrainingFramework* const> frameworks) {
  std::vector<const TrainingFramework*> found;
  std::ranges::copy_if(frameworks, std::back_inserter(found), [platform](const TrainingFramework* each) {
    return std::ranges::find(each->platforms, platform) != each->platforms.end();
  });
  return found;
}

std::string missingPlatform(const TrainingFramework& framework, AcceleratorPlatform platform) {
  const TrainingFramework* const one = &framework;
  if (!frameworksOn(platform, {&one, 1}).empty()) return {};
  const std::string devices(devicesOf(platform));
  std::string others;
  for (const TrainingFramework* each : frameworksOn(platform, kFrameworks)) {
    others += (others.empty() ? "" : ", ") + std::string(each->name);
  }
  return "does not run on " + devices + "; " +
         (others.empty() ? "none of the frameworks that can be planned does" : "use " + others);
}

Result<void> checkPlatform(const TrainingFramework& framework, AcceleratorPlatform platform) {
  const std::string missing = missingPlatform(framework, platform);
  if (missing.empty()) return {};
  return Error{std::string(framework.label) + " " + missing};
}

Result<const TrainingFramework*> trainingFrameworkFrom(std::string_view name) {
  std::string known;
  for (const TrainingFramework* framework : kFrameworks) {
    if (isCalled(*framework, name)) return framework;
    known += (known.empty() ? "" : ", ") + std::string(framework->name);
  }
  return Error{"\"" + std::string(name) + "\" is not a training framework; use one of " + known + ", any"};
}

std::vector<RecomputeChoice> recomputationsOf(const TrainingFramework& framework, const ModelShape& model) {
  std::vector<RecomputeChoice> made;
  for (const RecomputeKind kind : framework.recomputations) {
    made.emplace_back(kind);
    if (kind != RecomputeKind::Selective || framework.recomputedModules == nullptr) continue;
    for (const RecomputedModules& modules : framework.recomputedModules(model)) made.emplace_back(kind, modules);
  }
  return made;
}

const FrameworkRule* brokenRule(const TrainingFramework& framework, const ModelShape& model,
                                const TrainingConfiguration& configuration) {
  const auto broken = std::find_if(framework.rules.begin(), framework.rules.end(), [&](const FrameworkRule& rule) {
    return rule.broken(model, configuration).has_value();
  });
  return broken == framework.rules.end() ? nullptr : &*broken;
}

bool searchesTensorOverlap(const TrainingFramework& framework, const ModelShape& model,
                           const TrainingConfiguration& configuration, const TrainingAccelerator& accelerator) {
  const OverlapOption& overlap = framework.tensorOverlap;
  const TrainingPlan& plan = configuration.plan;
  const bool splits = plan.tensor > 1 && plan.sequenceParallel != SequenceParallelism::None;
  // Orders of ranks have tensor parallelism innermost: its groups are inside a switch whose devices they divide.
  return !overlap.source.empty() && splits && accelerator.multicast % plan.tensor == 0 && accelerator.multicast > 0 &&
         (overlap.runs == nullptr || overlap.runs(model, configuration));
}

bool searchesExpertOverlap(const TrainingFramework& framework, const ModelShape& model,
                           const TrainingConfiguration& configuration) {
  const OverlapOption& overlap = framework.expertOverlap;
  return !overlap.source.empty() && model.experts > 0 && configuration.plan.expert > 1 &&
         (overlap.runs == nullptr || overlap.runs(model, configuration));
}

Result<void> checkFramework(const TrainingFramework& framework, const ModelShape& model,
                            const TrainingConfiguration& configuration) {
  const FrameworkRule* rule = brokenRule(framework, model, configuration);
  if (rule == nullptr) return {};
  return Error{std::string(framework.label) + " refuses this: " + rule->broken(model, configuration).text() + " (" +
               std::string(rule->source) + ")"};
}

}  // namespace p2::inline training
