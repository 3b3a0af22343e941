// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/accuracy/accuracy_mark.h"

#include "cost/cost_model.h"
#include "views/accuracy/accuracy_dialog.h"
#include "views/accuracy/paper_dialog.h"
#include "views/accuracy/quality_dialog.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

/// "27.0–36.1 s".
QString rangeOfText(double low, double high) {
  const QString from = secondsText(low);
  const QString to = secondsText(high);
  const qsizetype unit = from.lastIndexOf(' ');
  const bool sameUnit = unit > 0 && to.endsWith(from.mid(unit));
  return QStringLiteral("%1–%2").arg(sameUnit ? from.left(unit) : from, to);
}

}  // namespace

AccuracyMark::AccuracyMark(Session& session, Of of, QWidget* parent)
    : QToolButton(parent),
      m_session(session),
      m_of(of),
      m_oneSided(session.jobs(),
                 [](const std::shared_ptr<const PlannerAnswer>& found, std::stop_token,
                    const Progress&) -> Result<OneSidedRuns> { return oneSidedRunsOf(found->question); }) {
  setObjectName(QStringLiteral("accuracyMark"));
  setFocusPolicy(Qt::TabFocus);
  connect(this, &QToolButton::clicked, this, &AccuracyMark::showMeasurements);
  if (of == Of::Step) {
    connect(&session, &Session::trainingChanged, this, &AccuracyMark::refresh);
    connect(&m_oneSided, &DerivedBase::changed, this, &AccuracyMark::refresh);
  } else {
    connect(&session, &Session::explorationChanged, this, &AccuracyMark::refresh);
    connect(&session, &Session::freshnessChanged, this, &AccuracyMark::refresh);
    connect(&session, &Session::selectionChanged, this, &AccuracyMark::refresh);
  }
  refresh();
}

QString AccuracyMark::interval() const {
  if (m_of == Of::Step) {
    const PlannedConfiguration* shown = m_session.planner().shown();
    return shown ? rangeOfText(shown->estimate.low, shown->estimate.high) : QString();
  }
  const ProgramResult* program = m_of == Of::Program ? m_session.program() : nullptr;
  const auto range = program ? rangeOf(program->steps) : std::nullopt;
  return range ? rangeOfText(range->low, range->high) : QString();
}

/// "▲ Published runs took 1.9–2.4×": of this model, all on one side of their intervals; else empty.
QString AccuracyMark::oneSidedText() const {
  const auto found = m_oneSided.current();
  if (!found || found->runs == 0) return {};
  return tr("▲ Published runs took %1–%2×").arg(found->least, 0, 'f', 1).arg(found->most, 0, 'f', 1);
}

void AccuracyMark::showEvent(QShowEvent* event) {
  QToolButton::showEvent(event);
  refresh();
}

void AccuracyMark::refresh() {
  const bool step = m_of == Of::Step;
  const auto answer = m_session.planner().answer();
  if (step && answer && answer->isComplete && isVisible()) {
    m_oneSided.ask(tr("Comparing with published runs"), answer);
  }
  const QString range = interval();
  // The sentence next to a step has its interval.
  const QString oneSided = step ? oneSidedText() : QString();
  setText(!oneSided.isEmpty()       ? oneSided
          : range.isEmpty() || step ? tr("How good is this here?")
                                    : tr("%1 · how good?").arg(range));
  const QString what = step ? tr("the chosen configuration's step") : tr("the selected program");
  const auto sided = oneSided.isEmpty() ? nullptr : m_oneSided.current();
  const QString warning =
      sided ? tr("All %1 published runs of this model took %2 to %3 times as long as predicted, outside of their "
                 "intervals. ")
                  .arg(sided->runs)
                  .arg(sided->least, 0, 'f', 1)
                  .arg(sided->most, 0, 'f', 1)
            : QString();
  const QString opens = step ? tr("Published training steps like this one, next to their predictions")
                             : tr("Published measurements of machines like this one, next to their predictions");
  setToolTip(warning + (range.isEmpty()
                            ? opens
                            : tr("80 % of measured times of %1 are expected within %2. %3").arg(what, range, opens)));
  setAccessibleName(tr("How good is this here?"));
  setAccessibleDescription(toolTip());
  setEnabled(step ? m_session.planner().answer() != nullptr : !m_session.workspace()->system.levels.empty());
}

void AccuracyMark::showMeasurements() {
  QDialog* dialog = nullptr;
  if (m_of == Of::Step) {
    const auto found = m_session.planner().answer();
    if (found == nullptr) return;
    dialog = new AccuracyDialog(m_session.jobs(), *found, window());
  } else {
    const Workspace& document = *m_session.workspace();
    if (modelOf(document.options.cost).isPapers() && isPaperMachine(document.system)) {
      dialog = new PaperDialog(m_session.jobs(), document.system, window());
    } else {
      dialog = new QualityDialog(m_session.jobs(), document.system, document.options.cost.model, window());
    }
  }
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

}  // namespace p2::views
