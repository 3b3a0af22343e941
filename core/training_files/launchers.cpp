// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "training_files/detail/file_format.h"

namespace p2::inline training_files {
namespace {

/// "4", "2:8" of an elastic launch; templates hold other texts.
template <auto Field>
bool count(std::string_view value, StatedTraining& stated) {
  const auto number = wholeOf(value.substr(0, value.find(':')));
  if (number && *number > 0) stated.*Field = *number;
  return true;
}

constexpr std::array kKnown{
    KnownSetting{"nnodes", "nodes", count<&StatedTraining::nodes>},
    KnownSetting{"num_nodes", "nodes", count<&StatedTraining::nodes>},
    KnownSetting{"nodes", "nodes", count<&StatedTraining::nodes>},
    KnownSetting{"N", "nodes", count<&StatedTraining::nodes>},
    KnownSetting{"nproc_per_node", "devices of a node", count<&StatedTraining::devicesOfNode>},
    KnownSetting{"ntasks_per_node", "devices of a node", count<&StatedTraining::devicesOfNode>},
    KnownSetting{"gpus_per_node", "devices of a node", count<&StatedTraining::devicesOfNode>},
    KnownSetting{"num_gpus_per_node", "devices of a node", count<&StatedTraining::devicesOfNode>},
    KnownSetting{"num_gpus", "devices of a node", count<&StatedTraining::devicesOfNode>},
    KnownSetting{"trainer.devices", "devices of a node", count<&StatedTraining::devicesOfNode>},
};

constexpr std::array<std::string_view, 38> kOther{"node_rank",     "master_addr",     "master_port",
                                                  "rdzv_backend",  "rdzv_endpoint",   "rdzv_id",
                                                  "rdzv_conf",     "max_restarts",    "role",
                                                  "tee",           "log_dir",         "redirects",
                                                  "standalone",    "module",          "hostfile",
                                                  "include",       "exclude",         "force_multi",
                                                  "launcher",      "no_python",       "local_ranks_filter",
                                                  "job_name",      "partition",       "account",
                                                  "time",          "exclusive",       "mem",
                                                  "output",        "error",           "gres",
                                                  "cpus_per_task", "container_image", "container_mounts",
                                                  "mpi",           "distribution",    "qos",
                                                  "no_local_rank", "config_file"};

}  // namespace

std::span<const KnownSetting> launcherSettings() { return kKnown; }

bool isLauncherSetting(std::string_view key) {
  return key.size() == 1 || std::find(kOther.begin(), kOther.end(), key) != kOther.end();
}

std::optional<std::int64_t> StatedTraining::devices() const {
  if (processes) return processes;
  if (nodes && devicesOfNode) return *nodes * *devicesOfNode;
  return std::nullopt;
}

}  // namespace p2::inline training_files
