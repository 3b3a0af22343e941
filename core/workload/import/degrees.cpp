// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/degrees.h"

#include <array>
#include <string>

#include "base/counted.h"
#include "base/numbers.h"
#include "workload/axis_names.h"

namespace p2::inline workload {
namespace {

std::string productOf(const Degrees& degrees) {
  return "tensor " + std::to_string(degrees.tensor) + " × data " + std::to_string(degrees.data) + " × pipeline " +
         std::to_string(degrees.pipeline);
}

}  // namespace

Result<NamedGroups> groupsOf(Degrees degrees, bool findData) {
  const std::array<std::int64_t, 2> others{degrees.tensor, degrees.pipeline};
  const auto model = checkedProduct(others);
  if (!model) return Error{"the degrees " + productOf(degrees) + " are more devices than can be counted"};
  if (degrees.devices > 0 && degrees.devices % *model != 0) {
    return Error{"tensor " + std::to_string(degrees.tensor) + " × pipeline " + std::to_string(degrees.pipeline) +
                 " does not divide the " + countedText(degrees.devices, "device")};
  }
  if (findData && degrees.devices > 0) degrees.data = degrees.devices / *model;
  const auto world = checkedProduct(*model, degrees.data);
  if (!world) return Error{"the degrees " + productOf(degrees) + " are more devices than can be counted"};
  if (degrees.devices > 0 && *world != degrees.devices) {
    return Error{productOf(degrees) + " = " + std::to_string(*world) + " is not the " +
                 countedText(degrees.devices, "device") + "; data " + std::to_string(degrees.devices / *model) +
                 " would be"};
  }
  if (degrees.data % degrees.expert != 0) {
    return Error{"expert parallelism " + std::to_string(degrees.expert) + " does not divide the " +
                 countedText(degrees.data, "data rank") + "; use a divisor"};
  }
  const std::int64_t t = degrees.tensor;
  const std::int64_t experts = t * degrees.expert;
  NamedGroups groups;
  groups.world = *world;
  groups.groups = {{"tp_group", {{1, t}}},
                   {"ep_tp_group", {{1, t}}},
                   {"dp_group", {{t, degrees.data}}},
                   {"pp_group", {{t * degrees.data, degrees.pipeline}}},
                   {"ep_group", {{t, degrees.expert}}},
                   {"ep_dp_group", {{experts, degrees.data / degrees.expert}}},
                   {"all", {{1, *world}}}};
  groups.axisNames = {{"tp_group", std::string(kTensorAxis)},
                      {"ep_tp_group", std::string(kTensorAxis)},
                      {"dp_group", std::string(kDataAxis)},
                      {"pp_group", std::string(kPipelineAxis)},
                      {"ep_group", std::string(kExpertAxis)},
                      {"ep_dp_group", std::string(kExpertDataAxis)},
                      {"all", ""}};
  return groups;
}

}  // namespace p2::inline workload
