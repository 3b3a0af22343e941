// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/step_proposal.h"

#include "step/step_pricer.h"
#include "training/step_computation.h"
#include "views/shell/session.h"

namespace p2::views {

StepProposal::StepProposal(Session& session, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_step(session.jobs(), [pricer = std::make_shared<StepPricer>()](const StepQuestion& question,
                                                                       std::stop_token stop, const Progress& progress) {
        return pricer->rank(withComputation(question), std::move(stop), progress);
      }) {
  connect(&m_step, &DerivedBase::changed, this, &StepProposal::propose);
  connect(&session, &Session::workspaceChanged, this, &StepProposal::ask);
  connect(&session, &Session::freshnessChanged, this, &StepProposal::ask);
  ask();
}

void StepProposal::ask() {
  const Workspace& workspace = *m_session.workspace();
  // A workload's bytes are for its own axes and say nothing about others.
  if (!workspace.workload || !checkWorkloadAxes(*workspace.workload, workspace.axes).ok()) {
    m_step.forget();
    return m_session.propose({});
  }
  if (m_session.problem()) {
    m_step.withdraw();
  } else {
    m_step.ask(tr("Ranking by the training step"), stepQuestionOf(workspace, *workspace.workload));
  }
  propose();
}

// While a step is being priced, the last proposal stays.
void StepProposal::propose() {
  if (m_step.isCurrent() && m_step.answer()) m_session.propose(m_step.answer()->placements[0].matrix);
}

}  // namespace p2::views
