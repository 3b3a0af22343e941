// SPDX-License-Identifier: GPL-3.0-or-later
// The page without a configuration: why there is none, other frameworks, and the page on which it can be solved.
#include <algorithm>
#include <array>

#include "training_answer/training_request.h"
#include "views/common/empty_page.h"
#include "views/common/text.h"
#include "views/plan/plan_perspective.h"
#include "views/shell/framework_list.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

/// Whether a problem names a setting of the command line, which is a field of the page Model.
bool isOfOption(const Error& problem) {
  constexpr std::array<std::string_view, 4> kOptions{"fix", "batch", "reserve", "framework"};
  const auto isOption = [&](const std::string& place) { return std::ranges::find(kOptions, place) != kOptions.end(); };
  return isOption(problem.where.position) || isOption(problem.where.document);
}

/// The page on which a problem can be solved.
QString pageFor(const Error& problem) {
  const bool ofSettings = !problem.where.document.empty() || problem.kind == ErrorKind::TooLarge || isOfOption(problem);
  return ofSettings ? QString(kModelPage) : QString(kSystemPage);
}

}  // namespace

void PlanPerspective::sayProblem(const Error& problem) {
  const bool ofCluster = pageFor(problem) == kSystemPage;
  QString text = qs(isOfOption(problem) ? problem.message : problem.text());
  const auto workspace = m_session.workspace();
  const auto framework = trainingFrameworkFrom(frameworkNameOf(workspace->system, workspace->training));
  if (!ofCluster && framework.ok() && !text.contains(qs((*framework)->label))) {
    text = tr("With %1: %2").arg(qs((*framework)->label), text);
  }
  m_otherFramework->setVisible(!ofCluster);
  m_empty->say(text, ofCluster ? tr("Change the cluster") : tr("Change the model"));
}

void PlanPerspective::leaveEmptyPage() {
  StepPlanner& planner = m_session.planner();
  if (planner.wasCancelled()) return planner.planAgain();
  const auto problem = planner.problem();
  emit perspectiveWanted(planner.hasModel() && problem ? pageFor(*problem) : QString(kModelPage));
}

}  // namespace p2::views
