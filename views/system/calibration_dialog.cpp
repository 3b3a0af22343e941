// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/calibration_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QTextBrowser>

#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/shell/session.h"
#include "views/system/file_field.h"
#include "workspace/workspace.h"

namespace p2::views {
namespace {

constexpr int kFolds = 5;
constexpr int kRowsHeight = 96;
constexpr QSize kFirstSize{720, 440};

Result<std::shared_ptr<const FittedFiles>> fitted(const System& system, const std::vector<std::string>& paths,
                                                  const std::stop_token& stop, const Progress& progress) {
  if (auto usable = checkSystem(system); !usable.ok()) return usable.error();
  auto files = measurementsFromFiles(paths, system);
  if (!files.ok()) return files.error();
  auto calibration = calibrate(system, files->measurements, kFolds, stop, progress);
  if (!calibration.ok()) return calibration.error();
  return std::make_shared<const FittedFiles>(FittedFiles{std::move(calibration).value(), std::move(files).value()});
}

QString rowsText(const MeasuredFiles& files) {
  QStringList lines;
  for (const std::string& text : files.used) lines << QObject::tr("Used: %1").arg(QString::fromStdString(text));
  for (const std::string& text : files.left) lines << QObject::tr("Left out: %1").arg(QString::fromStdString(text));
  return lines.join('\n');
}

QLabel* errorLabel(const QString& name) {
  auto* label = new QLabel;
  label->setObjectName(name);
  label->setFont(Theme::tabularFont());
  return label;
}

}  // namespace

CalibrationDialog::CalibrationDialog(Session& session, QWidget* parent) : QDialog(parent), m_session(session) {
  setObjectName(QStringLiteral("calibrationDialog"));
  setWindowTitle(tr("Calibrate from measurements"));
  m_file =
      new FileField(QStringLiteral("calibration"), tr("Measurements: CSV, nccl-tests, OSU benchmarks or exported runs"),
                    {tr("Measurements (*.csv *.txt *.log *.out *.json)"), tr("All files (*)")});
  m_message = new InlineMessage;
  m_message->setObjectName(QStringLiteral("calibrationMessage"));
  makeTable();
  makeRows();
  QVBoxLayout* layout = panelLayout(this);
  auto* form = new QFormLayout;
  form->setSpacing(Theme::kGrid);
  form->addRow(tr("&Measurements"), m_file);
  layout->addLayout(form);
  layout->addWidget(m_message);
  layout->addWidget(makeProgress());
  layout->addWidget(m_table, 1);
  layout->addWidget(m_rows);
  layout->addLayout(makeErrors());
  layout->addWidget(makeButtons());
  resize(kFirstSize);
  connect(m_file, &FileField::edited, this, &CalibrationDialog::forget);
  connect(m_file, &FileField::chosen, this, &CalibrationDialog::fit);
  forget();
}

CalibrationDialog::~CalibrationDialog() { m_session.jobs().cancel(m_job); }

void CalibrationDialog::makeTable() {
  m_table = new QTableView;
  m_table->setObjectName(QStringLiteral("calibrationTable"));
  m_table->setAccessibleName(tr("Nominal and fitted figures"));
  m_table->setToolTip(tr("What is fitted to the measurements, beside what the system says"));
  m_table->setModel(&m_model);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setTabKeyNavigation(false);
  m_table->setShowGrid(false);
  m_table->verticalHeader()->hide();
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(CalibrationModel::Name, QHeaderView::Stretch);
}

void CalibrationDialog::makeRows() {
  m_rows = new QTextBrowser;
  m_rows->setObjectName(QStringLiteral("calibrationRows"));
  m_rows->setAccessibleName(tr("Rows that were used"));
  m_rows->setToolTip(tr("Which rows of the files the figures are fitted to, and which were left out"));
  m_rows->setTabChangesFocus(true);
  m_rows->setMaximumHeight(kRowsHeight);
}

QWidget* CalibrationDialog::makeProgress() {
  m_running = new QWidget;
  m_progress = new QProgressBar;
  m_progress->setObjectName(QStringLiteral("calibrationProgress"));
  m_progress->setAccessibleName(tr("Fitting"));
  m_progress->setTextVisible(false);
  auto* stop = new QPushButton(tr("&Stop"));
  stop->setObjectName(QStringLiteral("calibrationStop"));
  stop->setAccessibleName(tr("Stop"));
  stop->setToolTip(tr("Stop fitting (Alt+S)"));
  stop->setAutoDefault(false);
  auto* layout = new QHBoxLayout(m_running);
  layout->setContentsMargins({});
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(new QLabel(tr("Fitting…")));
  layout->addWidget(m_progress, 1);
  layout->addWidget(stop);
  connect(stop, &QPushButton::clicked, this, [this] {
    forget();
    m_message->say(InlineMessage::Kind::Note, tr("Stopped."));
  });
  connect(&m_session.jobs(), &JobQueue::progressed, this, [this](int id, double done) {
    if (id == m_job) m_progress->setValue(int(done * m_progress->maximum()));
  });
  return m_running;
}

QFormLayout* CalibrationDialog::makeErrors() {
  m_before = errorLabel(QStringLiteral("calibrationBefore"));
  m_after = errorLabel(QStringLiteral("calibrationAfter"));
  m_heldOut = errorLabel(QStringLiteral("calibrationHeldOut"));
  m_heldOut->setToolTip(tr("Every measurement predicted by a fit to others: what to expect of new ones"));
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
  m_apply->setObjectName(QStringLiteral("calibrationApply"));
  m_apply->setToolTip(tr("Predict with the fitted figures; Undo takes them back"));
  m_apply->setDefault(true);
  buttons->button(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("calibrationCancel"));
  connect(buttons, &QDialogButtonBox::accepted, this, &CalibrationDialog::apply);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  return buttons;
}

void CalibrationDialog::forget() {
  m_session.jobs().cancel(m_job);
  m_fitted.reset();
  m_rows->clear();
  m_model.setInterconnects({});
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
  m_running->show();
  m_job = m_session.jobs().start<std::shared_ptr<const FittedFiles>>(
      tr("Fitting to measurements"), QStringLiteral("calibrate"),
      [system = m_session.workspace()->system, paths](const std::stop_token& stop, const Progress& progress) {
        return fitted(system, paths, stop, progress);
      },
      [self = QPointer(this)](auto result) {
        if (self) self->present(std::move(result));
      });
}

void CalibrationDialog::present(Result<std::shared_ptr<const FittedFiles>> result) {
  m_running->hide();
  if (!result.ok()) {
    m_message->showProblem(QString::fromStdString(result.error().text()));
    return;
  }
  m_fitted = std::move(result).value();
  const Calibration& calibration = m_fitted->calibration;
  m_model.setInterconnects(calibration.interconnects);
  m_before->setText(errorText(calibration.before));
  m_after->setText(errorText(calibration.after));
  m_heldOut->setText(calibration.heldOut.rows > 0 ? errorText(calibration.heldOut)
                                                  : tr("one measurement is too few to hold any out"));
  m_rows->setPlainText(rowsText(m_fitted->files));
  m_apply->setEnabled(true);
}

void CalibrationDialog::apply() {
  Workspace next = *m_session.workspace();
  next.system = m_fitted->calibration.system;
  m_session.edit(tr("Calibrate"), std::move(next));
  accept();
}

}  // namespace p2::views
