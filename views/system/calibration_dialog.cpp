// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/calibration_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>

#include "cost/calibration/library_calibration.h"
#include "views/common/file_field.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/system/calibration_tables.h"
#include "workspace/workspace.h"

namespace p2::views {
namespace {

constexpr int kFolds = 5;
constexpr int kRowsHeight = 96;
constexpr QSize kFirstSize{760, 520};

Result<FittedFiles> fitted(const std::string& model, const System& system, const std::vector<std::string>& paths,
                           const std::stop_token& stop, const Progress& progress) {
  P2_TRY_ASSIGN(auto files, measurementsFromFiles(paths, system));
  P2_TRY_ASSIGN(auto calibration,
                calibrateUnder(model, system, files.measurements, HoldOut::Auto, kFolds, stop, progress));
  return FittedFiles{std::move(calibration), std::move(files)};
}

QString rowsText(const MeasuredFiles& files) {
  QStringList lines;
  for (const std::string& text : files.used) lines << QObject::tr("Used: %1").arg(qs(text));
  for (const std::string& text : files.left) lines << QObject::tr("Not used: %1").arg(qs(text));
  return lines.join('\n');
}

QLabel* errorLabel(const QString& name) {
  auto* label = new QLabel;
  label->setObjectName(name);
  label->setFont(Theme::tabularFont());
  return label;
}

}  // namespace

CalibrationDialog::CalibrationDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_parameters(parameterColumns()),
      m_bands(bandColumns()),
      m_ranges(rangeColumns()),
      m_calibration(session.jobs(),
                    [](const Question& question, const std::stop_token& stop, const Progress& progress) {
                      return fitted(question.model, question.system, question.paths, stop, progress);
                    }) {
  setObjectName(QStringLiteral("calibrationDialog"));
  setWindowTitle(tr("Calibrate from measurements"));
  m_file =
      new FileField(QStringLiteral("calibration"), tr("Measurements: CSV, nccl-tests, OSU benchmarks or exported runs"),
                    {tr("Measurements (*.csv *.txt *.log *.out *.json)"), tr("All files (*)")});
  m_message = named(new InlineMessage, "calibrationMessage");
  makeTable();
  makeTabs();
  makeRows();
  QVBoxLayout* layout = panelLayout(this);
  auto* form = new QFormLayout;
  form->setSpacing(Theme::kGrid);
  form->addRow(tr("&Measurements"), m_file);
  layout->addLayout(form);
  layout->addWidget(m_message);
  layout->addWidget(makeProgress());
  layout->addWidget(m_tabs, 1);
  layout->addWidget(m_rows);
  layout->addLayout(makeErrors());
  layout->addWidget(makeButtons());
  resize(kFirstSize);
  connect(&m_calibration, &DerivedBase::changed, this, &CalibrationDialog::follow);
  connect(&m_calibration, &DerivedBase::progressed, this,
          [this](double done) { m_progress->setValue(int(done * m_progress->maximum())); });
  connect(m_file, &FileField::edited, this, &CalibrationDialog::forget);
  connect(m_file, &FileField::chosen, this, &CalibrationDialog::fit);
  forget();
}

void CalibrationDialog::readFiles(const QStringList& paths) { m_file->choose(paths); }

void CalibrationDialog::makeTable() {
  m_table = new QTableView;
  m_table->setModel(&m_model);
  TableSetup setup;
  setup.name = QStringLiteral("calibrationTable");
  setup.accessible = tr("Nominal and fitted figures");
  setup.toolTip = tr("Fitted figures next to nominal ones");
  setup.selection = QAbstractItemView::ExtendedSelection;
  setup.stretched = CalibrationModel::Name;
  setup.fitted = true;
  setUpTable(*m_table, setup);
}

void CalibrationDialog::addTab(TextRowsModel& rows, const QString& name, const QString& title, const QString& toolTip) {
  auto* table = new QTableView;
  table->setModel(&rows);
  TableSetup setup;
  setup.name = name;
  setup.accessible = title;
  setup.accessible.remove('&');
  setup.toolTip = toolTip;
  setup.selection = QAbstractItemView::ExtendedSelection;
  setup.stretched = 0;
  setup.fitted = true;
  setUpTable(*table, setup);
  m_tabs->addTab(table, title);
}

void CalibrationDialog::makeTabs() {
  m_tabs = named(new QTabWidget, "calibrationTabs", tr("Results"));
  m_tabs->addTab(m_table, tr("&Interconnects"));
  addTab(m_parameters, QStringLiteral("calibrationParameters"), tr("&Parameters"),
         tr("All fitted parameters, and how well the measurements determine them"));
  addTab(m_bands, QStringLiteral("calibrationBands"), tr("&Errors by size"),
         tr("Prediction errors before and after, and on held-out measurements"));
  addTab(m_ranges, QStringLiteral("calibrationRanges"), tr("&Ranges"),
         tr("The 80 % interval of measured times; predictions get it once this is applied"));
}

void CalibrationDialog::makeRows() {
  m_rows = named(new QTextBrowser, "calibrationRows", tr("Rows used"),
                 tr("Rows of the files that the figures are fitted to, and rows not used"));
  m_rows->setTabChangesFocus(true);
  m_rows->setMaximumHeight(kRowsHeight);
}

QWidget* CalibrationDialog::makeProgress() {
  m_running = new QWidget;
  m_progress = named(new QProgressBar, "calibrationProgress", tr("Fitting"));
  m_progress->setTextVisible(false);
  auto* stop = named(new QPushButton(tr("&Stop")), "calibrationStop", tr("Stop"), tr("Stop fitting (Alt+S)"));
  stop->setAutoDefault(false);
  auto* layout = bareLayout<QHBoxLayout>(m_running, Theme::kGrid);
  layout->addWidget(new QLabel(tr("Fitting…")));
  layout->addWidget(m_progress, 1);
  layout->addWidget(stop);
  connect(stop, &QPushButton::clicked, &m_calibration, &DerivedBase::cancel);
  return m_running;
}

QFormLayout* CalibrationDialog::makeErrors() {
  m_before = errorLabel(QStringLiteral("calibrationBefore"));
  m_after = errorLabel(QStringLiteral("calibrationAfter"));
  m_heldOut = errorLabel(QStringLiteral("calibrationHeldOut"));
  m_heldOut->setToolTip(tr("Each measurement predicted from a fit to the others: the error to expect for new ones"));
  auto* form = new QFormLayout;
  form->setSpacing(Theme::kGrid / 2);
  form->addRow(tr("Nominal figures"), m_before);
  form->addRow(tr("Fitted figures"), m_after);
  form->addRow(tr("Held-out measurements"), m_heldOut);
  return form;
}

QWidget* CalibrationDialog::makeButtons() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  m_apply = buttons->addButton(tr("&Apply"), QDialogButtonBox::AcceptRole);
  named(m_apply, "calibrationApply", {}, tr("Predict with the fitted figures. Undo reverts"));
  m_apply->setDefault(true);
  buttons->button(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("calibrationCancel"));
  connect(buttons, &QDialogButtonBox::accepted, this, &CalibrationDialog::apply);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  return buttons;
}

void CalibrationDialog::forget() {
  m_calibration.forget();
  m_rows->clear();
  m_model.setFigures({}, {});
  for (TextRowsModel* rows : {&m_parameters, &m_bands, &m_ranges}) rows->setRows({});
  for (QLabel* label : {m_before, m_after, m_heldOut}) label->setText(QStringLiteral("–"));
  m_message->showProblem({});
  m_running->hide();
  m_apply->setEnabled(false);
}

void CalibrationDialog::fit() {
  forget();
  const std::vector<std::string> paths = m_file->fileNames();
  if (paths.empty()) return;
  m_progress->setValue(0);
  m_calibration.ask(tr("Fitting to measurements"),
                    {m_session.workspace()->system, m_session.workspace()->options.cost.model, paths});
}

void CalibrationDialog::follow() {
  m_running->setVisible(m_calibration.isRunning());
  if (const auto& problem = m_calibration.problem()) m_message->showProblem(qs(problem->text()));
  if (m_calibration.wasCancelled()) m_message->say(InlineMessage::Kind::Note, tr("Stopped."));
  if (const auto fitted = m_calibration.current()) present(*fitted);
}

void CalibrationDialog::present(const FittedFiles& fitted) {
  const Calibration& calibration = fitted.calibration;
  m_model.setFigures(calibration.interconnects, calibration.caps);
  m_parameters.setRows(parameterRows(calibration));
  m_tabs->setTabVisible(1, !calibration.parameters.empty());
  m_bands.setRows(bandRows(calibration));
  m_ranges.setRows(rangeRows(calibration));
  m_before->setText(errorText(calibration.before));
  m_after->setText(errorText(calibration.after));
  m_heldOut->setText(calibration.heldOut.rows > 0 ? errorText(calibration.heldOut)
                                                  : tr("one measurement is too few to hold one out"));
  m_rows->setPlainText(rowsText(fitted.files));
  m_apply->setEnabled(true);
}

void CalibrationDialog::apply() {
  Workspace next = *m_session.workspace();
  next.system = m_calibration.current()->calibration.system;
  m_session.edit(tr("Calibrate"), std::move(next));
  accept();
}

}  // namespace p2::views
