// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "base/counted.h"
#include "training/planner.h"
#include "workload/axis_names.h"

namespace p2::inline training {

std::string launchGap(const ModelShape& model, const TrainingFramework& framework) {
  if (!framework.describesModel) return {};
  if (model.otherBlocks.empty() && model.windowLayers > 0) {
    return "these options give a window of attention to every layer, and " + countedText(model.windowLayers, "layer") +
           " of " + model.name + " have one: take --window-attn-skip-freq from its own recipe";
  }
  if (model.otherBlocks.empty()) return {};
  return "these options describe layers with attention, and some layers of " + model.name + " have " +
         model.otherBlocks + ": take the options of the model from its own recipe";
}

std::string launchTextOf(const ModelShape& model, const System& system, const PlannedConfiguration& planned) {
  constexpr std::pair<std::string_view, LaunchAxis> kNames[] = {
      {kPipelineAxis, LaunchAxis::Pipeline},   {kReplicaAxis, LaunchAxis::Replica},
      {kDataAxis, LaunchAxis::Data},           {kContextAxis, LaunchAxis::Context},
      {kContextRingAxis, LaunchAxis::Context}, {kTensorAxis, LaunchAxis::Tensor},
      {kExpertAxis, LaunchAxis::Expert},       {kExpertDataAxis, LaunchAxis::Data},
      {kExpertTensorAxis, LaunchAxis::Tensor}};
  std::array<std::int64_t, kLaunchAxes> inside;
  inside.fill(1);
  for (std::size_t axis = 0; axis < planned.axes.size(); ++axis) {
    for (const auto& [name, launched] : kNames) {
      if (planned.axes[axis].name != name) continue;
      for (std::size_t level = nodeDepth(system); level < planned.matrix.columns(); ++level) {
        inside[static_cast<std::size_t>(launched)] *= planned.matrix.at(axis, level);
      }
    }
  }
  const std::string_view order = planned.orders.empty() ? std::string_view() : std::string_view(planned.orders.front());
  return planned.framework->launchText({model, planned.configuration, order, inside});
}

}  // namespace p2::inline training
