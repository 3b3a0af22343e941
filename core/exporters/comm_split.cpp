// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/formats.h"

namespace p2::inline exporters {
namespace {

struct ColourAndKey {
  std::int64_t colour = -1;  // NCCL_SPLIT_NOCOLOR; MPI calls it MPI_UNDEFINED
  std::size_t key = 0;
};

}  // namespace

Result<std::string> planToCommSplit(const Plan& plan, const ExportOptions&) {
  std::string text = "step,collective,rank,colour,key\n";
  for (std::size_t i = 0; i < plan.steps().size(); ++i) {
    const PlanStep& step = plan.steps()[i];
    std::vector<ColourAndKey> ranks(static_cast<std::size_t>(plan.deviceCount()));
    for (std::size_t group = 0; group < step.groups.size(); ++group) {
      const DeviceGroup& members = step.groups[group].devices;
      for (std::size_t member = 0; member < members.size(); ++member) {
        ranks[members[member].index()] = {static_cast<std::int64_t>(group), member};
      }
    }
    const std::string head = std::to_string(i + 1) + "," + std::string(nameOf(step.collective)) + ",";
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      text += head + std::to_string(rank) + "," + std::to_string(ranks[rank].colour) + "," +
              std::to_string(ranks[rank].key) + "\n";
    }
  }
  return text;
}

}  // namespace p2::inline exporters
