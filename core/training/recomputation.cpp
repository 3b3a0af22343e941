// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/recomputation.h"

#include "base/lists.h"
#include "training/detail/choice_names.h"

namespace p2::inline training {

std::vector<std::string_view> RecomputedModules::names() const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kRecomputedModules.size(); ++i) {
    if (has(static_cast<RecomputedModule>(i))) names.push_back(kRecomputedModules[i]);
  }
  return names;
}

std::string_view nameOf(RecomputeKind recomputation) {
  return kRecomputeKinds[static_cast<std::size_t>(recomputation)];
}

Result<RecomputeKind> recomputeKindFrom(std::string_view name) {
  return choiceNamed<RecomputeKind>(name, kRecomputeKinds, "recomputation");
}

Result<RecomputedModule> recomputedModuleFrom(std::string_view name) {
  return choiceNamed<RecomputedModule>(name, kRecomputedModules, "module that is recomputed");
}

Result<RecomputeChoice> recomputeChoiceFrom(std::string_view text) {
  if (const auto kind = recomputeKindFrom(text); kind.ok()) return RecomputeChoice(*kind);
  RecomputeChoice made(RecomputeKind::Selective);
  std::string_view rest = text;
  while (true) {
    const std::size_t end = rest.find('+');
    const auto module = recomputedModuleFrom(rest.substr(0, end));
    if (!module.ok()) {
      return Error{"\"" + std::string(text) +
                   "\" is not a recomputation; use none, selective, full, or modules as in " +
                   "moe_act+layernorm, of " + joined(kRecomputedModules)};
    }
    made.modules.add(*module);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (made.modules == RecomputedModules{RecomputedModule::CoreAttention}) made.modules = {};
  return made;
}

std::string recomputationName(const RecomputeChoice& recomputation) {
  if (recomputation.kind != RecomputeKind::Selective || recomputation.modules.empty()) {
    return std::string(nameOf(recomputation.kind));
  }
  return joined(recomputation.modules.names(), "+");
}

std::string recomputationText(const RecomputeChoice& recomputation) {
  if (recomputation.kind == RecomputeKind::None) return "no recomputation";
  if (recomputation.kind != RecomputeKind::Selective || recomputation.modules.empty()) {
    return std::string(nameOf(recomputation.kind)) + " recomputation";
  }
  return "recomputation of " + andList(recomputation.modules.names());
}

}  // namespace p2::inline training
