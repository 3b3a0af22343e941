// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/frameworks.h"

#include <algorithm>
#include <array>

#include "training/frameworks/all.h"

namespace p2::inline training {
namespace {

constexpr std::array<const TrainingFramework*, 5> kFrameworks{&kMegatron, &kTorchTitan, &kDeepSpeed, &kFsdp, &kMaxText};

}  // namespace

std::span<const TrainingFramework* const> trainingFrameworks() { return kFrameworks; }

Result<const TrainingFramework*> trainingFrameworkFrom(std::string_view name) {
  std::string known;
  for (const TrainingFramework* framework : kFrameworks) {
    if (framework->name == name) return framework;
    known += (known.empty() ? "" : ", ") + std::string(framework->name);
  }
  return Error{"\"" + std::string(name) + "\" is not a training framework; use one of " + known + ", any"};
}

const FrameworkRule* brokenRule(const TrainingFramework& framework, const ModelShape& model,
                                const TrainingConfiguration& configuration) {
  const auto broken = std::find_if(framework.rules.begin(), framework.rules.end(), [&](const FrameworkRule& rule) {
    return rule.broken(model, configuration).has_value();
  });
  return broken == framework.rules.end() ? nullptr : &*broken;
}

Result<void> checkFramework(const TrainingFramework& framework, const ModelShape& model,
                            const TrainingConfiguration& configuration) {
  const FrameworkRule* rule = brokenRule(framework, model, configuration);
  if (rule == nullptr) return {};
  return Error{std::string(framework.label) + " refuses this: " + rule->broken(model, configuration).value_or("") +
               " (" + std::string(rule->source) + ")"};
}

}  // namespace p2::inline training
