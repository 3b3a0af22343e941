// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/compare_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "system/valid_system.h"
#include "training_answer/document_training.h"
#include "views/common/accessible_items.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/shell/training_text.h"
#include "views/whatif/step_bars.h"
#include "workspace/presets.h"

namespace p2::views {
namespace {

constexpr QSize kCompareSize{760, 560};

Result<StepComparison> comparedOn(const CompareDialog::Question& question, const std::stop_token& stop,
                                  const Progress& progress) {
  P2_TRY_ASSIGN(const auto other, systemFromArgument(question.other));
  P2_TRY(validated(other).within(question.other));
  P2_TRY_ASSIGN(const auto input, trainingInputOf(question.document->system, question.document->training));
  return compareSteps(input, other, question.document->training.chosen, stop, progress);
}

StepBars::Step stepOf(const QString& name, const PlannedConfiguration& planned, bool stale) {
  return {name, QObject::tr("%1, %2 MFU").arg(intervalText(planned.estimate), shareText(planned.estimate.mfu)),
          degreesText(planned.configuration) + QObject::tr(" · microbatch %1").arg(batchText(planned.configuration)),
          waterfallOf(planned.estimate), stale};
}

/// A row for each part of the step on either machine, as a table of rich text.
QString partsText(const StepComparison& comparison) {
  const auto cell = [](const QString& text) {
    return QStringLiteral("<td style=\"padding-right:16px\">%1</td>").arg(text.toHtmlEscaped());
  };
  const auto linkOf = [](const StepSide& side, const PartPair& part) {
    return part.axis ? qs(side.links[std::size_t(*part.axis)]) : QString();
  };
  const auto timeOf = [](double seconds) { return seconds > 0 ? secondsText(seconds) : QStringLiteral("–"); };
  const bool isKept = comparison.kept.has_value();
  QString rows;
  for (const PartPair& part : comparison.parts()) {
    rows += QStringLiteral("<tr>%1%2%3%4%5</tr>")
                .arg(cell(qs(part.name)), cell(timeOf(part.a)), cell(isKept ? timeOf(part.b) : QStringLiteral("–")),
                     cell(linkOf(comparison.a, part)), cell(isKept ? linkOf(*comparison.kept, part) : QString()));
  }
  return QStringLiteral("<table><tr>%1%2%3%4%5</tr>%6</table>")
      .arg(cell(QObject::tr("part")), cell(QObject::tr("here")), cell(QObject::tr("there")),
           cell(QObject::tr("busiest link here")), cell(QObject::tr("busiest link there")), rows);
}

}  // namespace

QString comparisonFinding(const StepComparison& comparison) {
  if (!comparison.kept) {
    return QObject::tr("This plan does not run there: %1").arg(qs(comparison.keptProblem));
  }
  const StepEstimate& here = comparison.a.planned.estimate;
  const StepEstimate& there = comparison.kept->planned.estimate;
  QString text = (comparison.isChosen ? QObject::tr("The step of the chosen configuration is %1 there")
                                      : QObject::tr("The step of the best configuration is %1 there"))
                     .arg(slowerThan(there.seconds, here.seconds));
  if (const auto part = comparison.decidingPart()) {
    const auto axis = part->axis ? std::size_t(*part->axis) : 0;
    text += part->axis ? QObject::tr(", mostly because of %1 communication").arg(qs(std::string(kExposedAxes[axis])))
                       : QObject::tr(", mostly because of %1").arg(qs(part->name));
    const QString link = part->axis ? qs(comparison.kept->links[axis]) : QString();
    if (!link.isEmpty()) text += QObject::tr(" over %1").arg(link);
  }
  if (comparison.bestChanges()) return text + QObject::tr(". Another configuration is best there.");
  if (!comparison.bestB) return text + '.';
  return text + QObject::tr(". The best there: %1.")
                    .arg(qs(describeBest(comparison.kept->planned, comparison.bestB->planned)));
}

CompareDialog::CompareDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_compared(session.jobs(), comparedOn),
      m_message(new InlineMessage),
      m_finding(panelTitle({})),
      m_parts(new QLabel),
      m_bars(new StepBars) {
  setObjectName(QStringLiteral("compareMachinesDialog"));
  setWindowTitle(tr("Compare with another machine"));
  m_message->setObjectName(QStringLiteral("compareMachinesMessage"));
  m_message->setWordWrap(true);
  wrapped(named(m_finding, "compareMachinesFinding"));
  m_parts->setObjectName(QStringLiteral("compareMachinesParts"));
  m_parts->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_bars->setObjectName(QStringLiteral("compareMachinesBars"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  // Enter in the field compares.
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  QVBoxLayout* layout = panelLayout(this);
  layout->addLayout(makeField());
  layout->addWidget(m_message);
  layout->addWidget(m_finding);
  layout->addWidget(m_bars);
  layout->addWidget(m_parts);
  layout->addStretch(1);
  layout->addWidget(buttons);
  resize(kCompareSize);
  connect(&m_compared, &DerivedBase::changed, this, &CompareDialog::present);
  connect(&session, &Session::workspaceChanged, this, [this] {
    if (m_compared.question()) ask();
  });
  present();
}

QLayout* CompareDialog::makeField() {
  m_other = named(new QComboBox, "compareMachinesOther", tr("Other machine"),
                  tr("A preset, such as dgx-h100:16, levels as text, or a file (Enter compares)"));
  m_other->setEditable(true);
  m_other->setInsertPolicy(QComboBox::NoInsert);
  const System& system = m_session.workspace()->system;
  const QString nodes = QString::number(system.levels.empty() ? 1 : nodeCount(system));
  for (const Preset& preset : presets()) m_other->addItem(qs(preset.name) + QLatin1Char(':') + nodes);
  m_other->setCurrentIndex(-1);
  m_other->lineEdit()->setPlaceholderText(tr("dgx-b200:16, or a file"));
  connect(m_other, &QComboBox::activated, this, &CompareDialog::ask);
  connect(m_other->lineEdit(), &QLineEdit::returnPressed, this, &CompareDialog::ask);
  auto* open = named(new QPushButton(tr("&Open file…")), "compareMachinesOpen", {},
                     tr("Compare with the machine of a system file or a document"));
  open->setAutoDefault(false);
  connect(open, &QPushButton::clicked, this, &CompareDialog::askForFile);
  auto* compare =
      named(new QPushButton(tr("&Compare")), "compareMachinesCompare", {}, tr("Plan the step on the other machine"));
  compare->setAutoDefault(false);
  connect(compare, &QPushButton::clicked, this, &CompareDialog::ask);
  auto* label = new QLabel(tr("Compare &with"));
  label->setBuddy(m_other);
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::kGrid);
  row->addWidget(label);
  row->addWidget(m_other, 1);
  row->addWidget(compare);
  row->addWidget(open);
  return row;
}

void CompareDialog::ask() {
  const std::string other = m_other->currentText().trimmed().toStdString();
  if (other.empty()) return m_message->showProblem(tr("Name a machine: a preset such as dgx-b200:16, or a file."));
  m_compared.ask(tr("Comparing with %1").arg(qs(other)), {m_session.workspace(), other});
  present();
}

void CompareDialog::askForFile() {
  auto* dialog =
      named(new QFileDialog(this, tr("Open a machine"), {}, tr("Systems and documents (*.json);;All files (*)")),
            "compareMachinesFileDialog");
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    m_other->setEditText(path);
    ask();
  });
  dialog->open();
}

void CompareDialog::present() {
  const auto& problem = m_compared.problem();
  m_message->say(problem ? InlineMessage::Kind::Problem : InlineMessage::Kind::Note,
                 problem                  ? qs(problem->text())
                 : m_compared.isRunning() ? tr("Planning the step on both machines …")
                                          : QString());
  const auto answer = m_compared.answer();
  const bool stale = !m_compared.isCurrent();
  m_finding->setVisible(answer != nullptr);
  m_bars->setVisible(answer != nullptr);
  m_parts->setVisible(answer != nullptr);
  if (answer == nullptr) return;
  const QString finding = comparisonFinding(*answer);
  if (m_finding->text() != finding) announce(*this, finding);
  m_finding->setText(finding);
  m_finding->setForegroundRole(stale ? QPalette::PlaceholderText : QPalette::WindowText);
  m_parts->setText(partsText(*answer));
  m_parts->setEnabled(!stale);
  std::vector<StepBars::Step> steps{stepOf(tr("here"), answer->a.planned, stale)};
  steps.push_back(answer->kept ? stepOf(tr("there"), answer->kept->planned, stale)
                               : StepBars::Step{tr("there"), {}, qs(answer->keptProblem), {}, stale});
  const QString best = answer->bestChanges() || !answer->kept || !answer->bestB
                           ? tr("best there")
                           : tr("best there: %1").arg(qs(describeBest(answer->kept->planned, answer->bestB->planned)));
  steps.push_back(answer->bestB ? stepOf(best, answer->bestB->planned, stale)
                                : StepBars::Step{tr("best there"), {}, qs(answer->bestProblem), {}, stale});
  m_bars->setSteps(std::move(steps));
}

}  // namespace p2::views
