// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/plan_line.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

#include "training_answer/plan_reduction.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/pages.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

constexpr int kEntryCharacters = 24;

/// "layer gradients over data and context, 3.42 GB".
QString entryText(const WorkloadEntry& entry) {
  QStringList axes;
  for (const std::string& name : entry.axes) axes << qs(name);
  return PlanLine::tr("%1 over %2, %3")
      .arg(qs(entry.name), axes.join(PlanLine::tr(" and ")), bytesText(Bytes(double(entry.bytes))));
}

/// "tp 4 · pp 4" of "tp=4,pp=4".
QString choicesText(const ChosenConfiguration& plan) {
  return qs(plan.choices).replace('=', ' ').replace(QStringLiteral(","), QStringLiteral(" · "));
}

}  // namespace

PlanLine::PlanLine(Session& session, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_text(new QLabel),
      m_entries(new QComboBox),
      m_take(new QToolButton),
      m_own(new QToolButton) {
  setObjectName("planLine");
  m_text->setObjectName("planLineText");
  m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  named(m_entries, "planLineEntries", tr("Collective of the plan"),
        tr("The collective of the training step that these pages are about"));
  m_entries->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_entries->setMinimumContentsLength(kEntryCharacters);
  m_take->setObjectName("planLineTake");
  m_own->setObjectName("planLineOwn");
  m_own->setText(tr("Back to my axes"));
  m_own->setToolTip(tr("The axes, placement and workload that were here before the plan's"));
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(Theme::kGrid, Theme::kGrid / 2, Theme::kGrid, 0);
  line->setSpacing(Theme::kGrid);
  line->addWidget(m_entries, 2);
  line->addWidget(m_text, 3);
  for (QToolButton* button : {m_take, m_own}) {
    button->setFocusPolicy(Qt::TabFocus);
    line->addWidget(button);
  }
  connect(m_entries, &QComboBox::activated, this, &PlanLine::chooseEntry);
  connect(m_take, &QToolButton::clicked, this, &PlanLine::takePlan);
  connect(m_own, &QToolButton::clicked, this, &PlanLine::takeOwn);
  connect(&session, &Session::workspaceChanged, this, &PlanLine::refresh);
  connect(&session, &Session::trainingChanged, this, &PlanLine::refresh);
  session.planner().follow(*this);
  refresh();
}

void PlanLine::setSeen(bool seen) {
  m_seen = seen;
  refresh();
}

void PlanLine::refresh() {
  const auto workspace = m_session.workspace();
  const StepPlanner& planner = m_session.planner();
  setVisible(m_seen && (planner.hasModel() || workspace->planned));
  if (workspace->planned) return refreshPlanned();
  const PlannedConfiguration* shown = planner.shown();
  m_entries->hide();
  m_own->hide();
  m_text->setText(tr("These axes are your own, not the plan's."));
  m_text->setToolTip(m_text->text());
  m_take->show();
  m_take->setText(shown ? tr("Use the plan's axes") : tr("Plan the step"));
  m_take->setToolTip(shown ? tr("The axes of %1; yours are kept").arg(degreesText(shown->configuration))
                           : tr("Go to the plan, to see its axes here"));
}

void PlanLine::refreshPlanned() {
  const auto workspace = m_session.workspace();
  const StepPlanner& planner = m_session.planner();
  const PlannedConfiguration* shown = planner.shown();
  const bool isShown = shown && chosenFrom(*shown) == workspace->planned->plan;
  const QString degrees = isShown ? degreesText(shown->configuration) : choicesText(workspace->planned->plan);
  const bool other = shown && !isShown && planner.isCurrent();
  fillEntries();
  m_text->setText(other ? tr("from another plan: %1").arg(degrees) : tr("from the plan: %1").arg(degrees));
  m_text->setToolTip(m_text->text());
  m_take->setVisible(other);
  m_take->setText(tr("Use the plan's axes"));
  if (other) m_take->setToolTip(tr("The plan is now %1").arg(degreesText(shown->configuration)));
  m_own->setVisible(workspace->planned->own.has_value());
}

void PlanLine::fillEntries() {
  const auto workspace = m_session.workspace();
  const QSignalBlocker quiet(m_entries);
  m_entries->clear();
  m_entries->setVisible(workspace->workload.has_value());
  if (!workspace->workload) return;
  const auto reduced = reducedEntry(*workspace);
  if (!reduced) m_entries->addItem(tr("changed by hand"), -1);
  const auto& entries = workspace->workload->collectives;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].kind == CommunicationKind::Shift) continue;
    m_entries->addItem(entryText(entries[i]), int(i));
  }
  m_entries->setCurrentIndex(std::max(0, m_entries->findData(reduced ? int(*reduced) : -1)));
  m_entries->setToolTip(m_entries->currentText());
}

void PlanLine::chooseEntry(int row) {
  const int place = m_entries->itemData(row).toInt();
  const auto workspace = m_session.workspace();
  if (place < 0 || !workspace->workload) return;
  auto next = withEntry(*workspace, workspace->workload->collectives[std::size_t(place)]);
  if (next.ok()) m_session.edit(tr("Choose collective"), std::move(*next), QStringLiteral("choose collective"));
}

void PlanLine::takePlan() {
  if (m_session.planner().shown() == nullptr) return emit perspectiveWanted(kPlanPage);
  m_session.takePlan();
}

void PlanLine::takeOwn() { m_session.edit(tr("Back to my axes"), withOwnReduction(*m_session.workspace())); }

}  // namespace p2::views
