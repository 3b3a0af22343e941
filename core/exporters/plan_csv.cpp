// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/numbers.h"
#include "exporters/exporters.h"
#include "text/csv.h"

namespace p2 {
namespace {

std::string listed(const DeviceGroup& devices) {
  std::string text;
  for (const Device device : devices) text += (text.empty() ? "" : " ") + std::to_string(device);
  return text;
}

/// One number when all members agree, as in the plan file.
std::string listed(const std::vector<double>& shares, double bytes) {
  const bool same = std::all_of(shares.begin(), shares.end(), [&](double share) { return share == shares[0]; });
  if (same) return exactNumber(shares[0] * bytes);
  std::string text;
  for (const double share : shares) text += (text.empty() ? "" : " ") + exactNumber(share * bytes);
  return text;
}

}  // namespace

std::string planToCsv(const Plan& plan) {
  const double bytes = plan.workspace.options.cost.bytes;
  std::string text = "step,collective,group,devices,bytes_before,bytes_after,step_seconds,step_link,step_link_bytes\n";
  for (std::size_t i = 0; i < plan.lowered.size(); ++i) {
    const LoweredStep& step = plan.lowered[i];
    const std::string head = std::to_string(i + 1) + "," + std::string(nameOf(step.collective)) + ",";
    const std::string tail = "," + exactNumber(plan.steps[i].seconds) + "," + csvCell(plan.links[i]) + "," +
                             exactNumber(plan.steps[i].linkBytes) + "\n";
    for (std::size_t g = 0; g < step.groups.size(); ++g) {
      const LoweredGroup& group = step.groups[g];
      text += head + std::to_string(g) + "," + listed(group.devices) + "," + listed(group.before, bytes) + "," +
              listed(group.after, bytes) + tail;
    }
  }
  return text;
}

}  // namespace p2
