// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/run_setting.h"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace p2::inline remote {
namespace {

// Variables of libraries and drivers that set how data moves.
constexpr std::array<std::string_view, 14> kKept{"NCCL_", "RCCL_", "UCX_", "UCC_", "OMPI_", "PMIX_",  "PRTE_",
                                                 "FI_",   "CUDA_", "HIP_", "HSA_", "ROCR_", "SLURM_", "OMP_"};

bool isKept(std::string_view name) {
  return std::any_of(kKept.begin(), kKept.end(), [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

RunSetting settingOf(const Target& target) {
  std::array<char, 256> here{};
  ::gethostname(here.data(), here.size() - 1);
  RunSetting setting{P2_VERSION, here.data(), target.host, target.launch.launcher, target.launch.arguments, {}};
  for (const auto& [name, value] : target.launch.environment) {
    setting.environment.emplace_back(name, isKept(name) ? value : std::string());
  }
  return setting;
}

}  // namespace p2::inline remote
