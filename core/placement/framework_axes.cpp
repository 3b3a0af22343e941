// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/framework_axes.h"

#include <algorithm>

#include "base/names.h"

namespace p2::inline placement {

const std::vector<FrameworkAxis>& frameworkAxes() {
  // Where experts split the devices differently, data parallelism replicates experts, and experts split the rest of it:
  // "expert-data" and "data-expert".
  static const std::vector<FrameworkAxis> kAxes{
      {"diloco", "", {}},
      {"data", "dp", {"replica", "replicate", "dp_replicate", "batch", "expert-data"}},
      {"pipeline", "pp", {"pipe", "stage", "stages"}},
      {"fsdp", "dp", {"shard", "shards", "dp_shard", "zero"}},
      {"fsdp_transpose", "", {}},
      {"sequence", "", {}},
      {"context", "cp", {"context-ring"}},
      {"context_autoregressive", "", {}},
      {"tensor", "tp", {"model", "mp"}},
      {"tensor_transpose", "", {}},
      {"tensor_sequence", "", {}},
      {"expert", "ep", {"experts", "data-expert"}},
      {"autoregressive", "", {}},
  };
  return kAxes;
}

std::optional<std::size_t> frameworkAxisOf(std::string_view name) {
  const std::vector<FrameworkAxis>& forms = frameworkAxes();
  const auto found = std::find_if(forms.begin(), forms.end(), [&](const FrameworkAxis& form) {
    const bool also =
        std::any_of(form.also.begin(), form.also.end(), [&](std::string_view other) { return sameName(name, other); });
    return also || sameName(name, form.maxtext) || (!form.megatron.empty() && sameName(name, form.megatron));
  });
  if (found == forms.end()) return std::nullopt;
  return static_cast<std::size_t>(found - forms.begin());
}

}  // namespace p2::inline placement
