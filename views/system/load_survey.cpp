// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/load_survey.h"

#include "base/units.h"
#include "cost/flows/link_loads.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

LoadSurvey surveyOf(const LinkLoads& loads) {
  LoadSurvey survey;
  for (const LinkLoad& load : loads.busiestLinks()) survey.mostSeconds = std::max(survey.mostSeconds, load.seconds());
  const Topology& topology = loads.topology();
  for (const LinkId link : topology.links()) {
    const Bytes bytes = loads.bytes(link);
    if (bytes == Bytes(0)) continue;
    const double seconds = loads.seconds(link);
    const std::string text = formatBytes(bytes) + ", " + formatSeconds(seconds);
    survey.loads[topology.linkName(link)] = {seconds / survey.mostSeconds, qs(text)};
  }
  return survey;
}

}  // namespace

Result<LoadSurvey> surveyLoads(const LoadQuestion& question, const std::stop_token& stop, const Progress& progress) {
  const Workspace& workspace = question.exploration->workspace;
  const std::int64_t devices = workspace.system.deviceCount();
  if (devices > kMostSurveyedDevices) {
    return Error{"the load of every link is shown for at most " + std::to_string(kMostSurveyedDevices) +
                     " devices; this system has " + std::to_string(devices),
                 {},
                 ErrorKind::TooLarge};
  }
  const PlacementResult& chosen = question.exploration->placements[question.placement];
  const Placement placement(workspace.axes, chosen.matrix);
  P2_TRY_ASSIGN(const auto lowered,
                lower(placement, *chosen.hierarchy, question.program, workspace.options.rules, workspace.options.goal));
  const Topology& topology = *question.exploration->topology;
  LinkLoads sum(topology);
  for (const StepId step : IdRange<StepId>(std::ssize(lowered))) {
    const bool isAsked = question.step.isNone() || question.step == step;
    if (isAsked) sum.add(linkLoads(topology, lowered[step.index()], workspace.options.cost, stop));
    if (stop.stop_requested()) return cancelledError();
    if (progress) progress(double(step.value() + 1) / double(lowered.size()));
  }
  return surveyOf(sum);
}

}  // namespace p2::views
