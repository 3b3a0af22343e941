// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/bridge_presets.h"

#include <array>
#include <string>

namespace p2::inline training_files {
namespace {

/// The last value of a setting; empty for none.
std::string valueOf(const Settings& settings, std::string_view key) {
  const Setting* last = settingOf(settings, key);
  return last == nullptr || isNone(last->value) ? std::string() : last->value;
}

}  // namespace

void completePreset(std::string_view name, Settings& settings) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPrecisions{
      {{"_BF16", "bf16"}, {"_FP8", "fp8"}, {"_NVFP4", "nvfp4"}}};
  for (const auto& [part, precision] : kPrecisions) {
    if (name.find(part) != std::string_view::npos) settings.all.push_back({"mixed_precision", std::string(precision)});
  }
  const auto add = [&](const char* key, const std::string& value) { settings.all.push_back({key, value}); };
  if (!valueOf(settings, "recompute_num_layers").empty()) {
    add("recompute_granularity", "full");
    add("recompute_method", "block");
  }
  if (!valueOf(settings, "recompute_modules").empty()) add("recompute_granularity", "selective");
  if (!valueOf(settings, "moe_flex_dispatcher_backend").empty()) add("moe_token_dispatcher_type", "flex");
  if (const auto on = valueOf(settings, "moe_a2a_overlap"); !on.empty()) add("overlap_moe_expert_parallel_comm", on);
  if (const auto layout = valueOf(settings, "pp_layout"); !layout.empty()) {
    add("pipeline_model_parallel_layout", layout);
  }
}

}  // namespace p2::inline training_files
