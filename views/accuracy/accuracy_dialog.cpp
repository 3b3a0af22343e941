// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/accuracy/accuracy_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "training_answer/interval_evidence.h"
#include "views/common/accessible_items.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/ratio_text.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/common/wrap_layout.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

constexpr std::int64_t kEnoughSteps = 20;  // steps of one framework that are enough to show alone

QString generationOf(const System& system) {
  const auto accelerator = trainingAcceleratorOf(system);
  return accelerator.ok() ? qs(accelerator->generation) : QString();
}

/// "H100, H100-PCIe, H800": the accelerators of a generation.
QString membersText(const std::string& generation) {
  QStringList names;
  for (const TrainingAccelerator& each : trainingAccelerators()) {
    if (each.generation == generation) names << qs(each.begins);
  }
  names.sort();
  return names.join(QStringLiteral(", "));
}

/// Errors of mostly one sign are no scatter around the prediction.
QString sideText(const AccuracySummary& summary) {
  constexpr std::size_t kFewSteps = 5;
  constexpr double kOneSided = 0.75;
  if (summary.steps < kFewSteps) return {};
  const double share = double(summary.tooLong) / double(summary.steps);
  if (share >= kOneSided) {
    return ' ' + AccuracyDialog::tr("%1 of %2 predictions are too long, so yours may be as well.")
                     .arg(summary.tooLong)
                     .arg(summary.steps);
  }
  if (share > 1 - kOneSided) return {};
  return ' ' + AccuracyDialog::tr("%1 of %2 predictions are too short, so yours may be as well.")
                   .arg(summary.steps - summary.tooLong)
                   .arg(summary.steps);
}

/// Number of runs within their intervals.
std::int64_t insideOf(const AccuracySummary& summary) {
  return std::llround(summary.withinInterval * double(summary.steps));
}

/// The page of a reference: an address, "owner/repository@commit path:line", or the number of an arXiv paper. Empty for
/// others, as for a book.
QUrl addressIn(const QString& reference) {
  static const QRegularExpression kAddress(QStringLiteral("https?://[^\\s,;]+"));
  static const QRegularExpression kFile(QStringLiteral("^([\\w.-]+/[\\w.-]+)@([0-9a-f]+) ([^\\s:]+)(?::(\\d+))?"));
  static const QRegularExpression kPaper(QStringLiteral("\\b(\\d{4}\\.\\d{4,5})\\b"));
  if (const auto address = kAddress.match(reference); address.hasMatch()) return QUrl(address.captured());
  if (const auto file = kFile.match(reference); file.hasMatch()) {
    const QString line = file.captured(4).isEmpty() ? QString() : "#L" + file.captured(4);
    return QUrl("https://github.com/" + file.captured(1) + "/blob/" + file.captured(2) + '/' + file.captured(3) + line);
  }
  if (const auto paper = kPaper.match(reference); paper.hasMatch())
    return QUrl("https://arxiv.org/abs/" + paper.captured(1));
  return {};
}

/// The family of the best configuration's framework; a question for all frameworks has others as well.
FrameworkFamily familyOf(const PlannerAnswer& found) {
  const auto& listed = found.answer.configurations;
  return (listed.empty() ? found.question.frameworks.front() : listed.front().framework)->family;
}

/// Why the interval of the best configuration is wider than others; else empty.
QString widerIntervalOf(const PlannerAnswer& found) {
  const auto& listed = found.answer.configurations;
  if (listed.empty()) return {};
  return qs(describeWiderInterval(found.question.model, listed.front().configuration));
}

}  // namespace

AccuracyDialog::AccuracyDialog(JobQueue& jobs, const PlannerAnswer& found, QWidget* parent)
    : QDialog(parent),
      m_generation(generationOf(found.question.system).toStdString()),
      m_mixture(found.question.model.experts > 0),
      m_family(familyOf(found)),
      m_widerInterval(widerIntervalOf(found)),
      m_finding(new QLabel),
      m_sameMachine(new QCheckBox(tr("&%1 only").arg(membersText(m_generation)))),
      m_sameKind(new QCheckBox(m_mixture ? tr("&Mixtures of experts only") : tr("&Dense models only"))),
      m_sameFamily(new QCheckBox(tr("&Framework like %1 only").arg(qs(nameOf(m_family))))),
      m_runs(new QComboBox),
      m_problem(new InlineMessage),
      m_table(new QTableView),
      m_steps(jobs, [](int, const std::stop_token& stop, const Progress&) { return comparedSteps(stop); }),
      m_opened(jobs,
               [](const QString& path, const std::stop_token& stop, const Progress&) { return openRuns(path, stop); }) {
  setObjectName("accuracyDialog");
  setWindowTitle(tr("How good is this here?"));
  wrapped(named(m_finding, "accuracyFinding"));
  m_problem->setObjectName("accuracyProblem");
  m_problem->setWordWrap(true);
  m_table->setModel(&m_model);
  setUpTable(*m_table, {.name = "accuracyTable",
                        .accessible = tr("Training steps next to their predictions"),
                        .toolTip = tr("Enter opens the publication of a step"),
                        .striped = true,
                        .stretched = AccuracyModel::Source,
                        .fitted = true});
  connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
    const QUrl address = addressIn(qs(m_model.at(index.row()).run->reference));
    if (!address.isEmpty()) QDesktopServices::openUrl(address);
  });
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QPushButton* openTable = buttons->addButton(tr("&Open a table of runs…"), QDialogButtonBox::ActionRole);
  openTable->setObjectName("accuracyOpen");
  openTable->setAutoDefault(false);
  openTable->setToolTip(
      tr("Compare your own runs with predictions: a CSV file with the columns model, gpu_type, gpus, seq, "
         "global_batch_sequences and step_seconds, and others that the manual names"));
  connect(openTable, &QPushButton::clicked, this, &AccuracyDialog::askForFile);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_finding);
  layout->addWidget(makeChoices());
  layout->addWidget(m_table, 1);
  layout->addWidget(m_problem);
  layout->addWidget(buttons);
  resize(fontMetrics().averageCharWidth() * 180, fontMetrics().lineSpacing() * 36);
  connect(&m_steps, &DerivedBase::changed, this, &AccuracyDialog::fill);
  connect(&m_opened, &DerivedBase::changed, this, &AccuracyDialog::showOpened);
  m_finding->setText(tr("Predicting published training steps …"));
  m_steps.ask(tr("Predicting published training steps"), 0);
}

QWidget* AccuracyDialog::makeChoices() {
  named(m_sameMachine, "accuracyMachine", {}, tr("Only steps that were measured on this generation of accelerators"));
  named(m_sameKind, "accuracyKind", {}, tr("Only steps of models of this kind"));
  named(m_sameFamily, "accuracyFamily", {},
        tr("Only steps of frameworks whose steps cost the same beyond their kernels"));
  m_sameMachine->setChecked(true);
  m_sameKind->setChecked(true);
  named(m_runs, "accuracyRuns", tr("Runs"), tr("Published runs, or the runs of the opened table"));
  m_runs->addItem(tr("Published runs"));
  m_runs->hide();
  connect(m_runs, &QComboBox::activated, this, &AccuracyDialog::fill);
  auto* choices = new QWidget;
  auto* line = new WrapLayout(choices);
  line->addWidget(m_runs);
  for (QCheckBox* box : {m_sameMachine, m_sameKind, m_sameFamily}) {
    line->addWidget(box);
    connect(box, &QCheckBox::toggled, this, &AccuracyDialog::fill);
  }
  return choices;
}

void AccuracyDialog::askForFile() {
  auto* dialog = new QFileDialog(this, tr("Open a table of runs"), {}, tr("Tables (*.csv);;All files (*)"));
  dialog->setObjectName("accuracyFileDialog");
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& path) { m_opened.askAgain(tr("Predicting the runs of a table"), path); });
  dialog->open();
}

void AccuracyDialog::showOpened() {
  const auto& problem = m_opened.problem();
  m_problem->showProblem(problem ? qs(problem->text()) : QString());
  const auto opened = m_opened.current();
  if (!opened) return;
  if (m_runs->count() < 2) m_runs->addItem({});
  m_runs->setItemText(1, opened->name);
  m_runs->setCurrentIndex(1);
  m_runs->show();
  fill();
}

bool AccuracyDialog::showsOpened() const { return m_runs->currentIndex() > 0 && m_opened.answer() != nullptr; }

AccuracyFilter AccuracyDialog::filter() const {
  AccuracyFilter filter;
  if (m_sameMachine->isChecked()) filter.generation = m_generation;
  if (m_sameKind->isChecked()) filter.mixture = m_mixture;
  if (m_sameFamily->isChecked()) filter.family = m_family;
  return filter;
}

std::int64_t AccuracyDialog::ownSteps() const {
  std::int64_t own = 0;
  for (int row = 0; row < m_model.rowCount(); ++row) {
    if (m_model.at(row).run->configuration.family == m_family) ++own;
  }
  return own;
}

void AccuracyDialog::fill() {
  const bool opens = showsOpened();
  for (QCheckBox* box : {m_sameMachine, m_sameKind, m_sameFamily}) box->setEnabled(!opens);
  QString text;
  if (opens) {
    const auto opened = m_opened.answer();
    m_model.setSteps(std::shared_ptr<const std::vector<ComparedStep>>(opened, &opened->steps), {});
    text = openedText(*opened);
  } else {
    const auto steps = m_steps.current();
    if (!steps) return;
    m_model.setSteps(steps, filter());
    if (!std::exchange(m_hasSteps, true) && ownSteps() >= kEnoughSteps) return m_sameFamily->setChecked(true);
    text = publishedText();
  }
  m_finding->setText(text);
  announce(*this, text);
}

QString AccuracyDialog::publishedText() const {
  const AccuracySummary summary = m_model.summary();
  if (summary.steps == 0) {
    return tr(
        "No published step is like this: the prediction rests on data sheets and other machines, and its "
        "interval is wider. Untick a box to see more steps.");
  }
  QString text =
      tr("%1 like this: the median error is %2. %3 used to fit the model's constants, which makes their errors look "
         "smaller. %4")
          .arg(counted(std::int64_t(summary.steps), tr("published step is"), tr("published steps are")),
               shareText(summary.medianError),
               counted(std::int64_t(summary.fitted), tr("of them was"), tr("of them were")),
               qs(describeIntervalFor(insideOf(summary), std::int64_t(summary.steps))));
  if (!m_widerInterval.isEmpty()) text += ' ' + m_widerInterval + '.';
  if (summary.unseen > 0) {
    text += ' ' + tr("%1 kept to test the model: no constant was fitted to them, and their median error is %2.")
                      .arg(counted(std::int64_t(summary.unseen), tr("step is"), tr("steps are")),
                           shareText(summary.unseenError));
  }
  text += sideText(summary);
  if (m_sameFamily->isChecked()) return text;
  const std::int64_t own = ownSteps();
  return text + ' ' +
         (own > 0 ? tr("%1 measured with a framework like %2.")
                        .arg(counted(own, tr("step was"), tr("steps were")), qs(nameOf(m_family)))
                  : tr("None was measured with a framework like %1.").arg(qs(nameOf(m_family))));
}

QString AccuracyDialog::openedText(const OpenedRuns& opened) const {
  const AccuracySummary summary = m_model.summary();
  const QString all = counted(std::int64_t(opened.steps.size()), tr("run"), tr("runs"));
  QString text = tr("%1: %2 of %3 can be predicted").arg(opened.name).arg(summary.steps).arg(all);
  if (summary.steps > 0) {
    text += tr(", and the median error is %1: %2 too long, %3 too short. %4 within the 80 % interval. No constant was "
               "fitted to them")
                .arg(shareText(summary.medianError))
                .arg(counted(std::int64_t(summary.tooLong), tr("prediction is"), tr("predictions are")))
                .arg(summary.steps - summary.tooLong)
                .arg(counted(insideOf(summary), tr("run is"), tr("runs are")));
  }
  text += '.';
  QStringList columns;
  for (const std::string& each : opened.table.unknownColumns) columns << qs(each);
  if (columns.isEmpty()) return text;
  return text + ' ' + tr("Columns that are not read: %1.").arg(columns.join(QStringLiteral(", ")));
}

}  // namespace p2::views
