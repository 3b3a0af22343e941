// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/workload_sources_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTableView>
#include <QTextBrowser>
#include <fstream>

#include "views/common/file_field.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/shell/session.h"
#include "views/shell/taken_workload.h"

namespace p2::views {
namespace {

constexpr QSize kSourcesDialogSize{880, 680};
constexpr int kSourceLines = 2;
/// More entries than one would read are shown as kinds of them.
constexpr std::size_t kMostSingleEntries = 100;

/// Whether the first format that recognises the file is the one whose files say nothing of degrees.
bool isModelConfig(const std::string& path) {
  std::string head(kWorkloadHead, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  for (const WorkloadFormat& format : workloadFormats()) {
    if (format.recognises(head)) return format.name.find("config.json") != std::string_view::npos;
  }
  return false;
}

}  // namespace

Result<WorkloadSourcesDialog::Found> WorkloadSourcesDialog::found(const std::string& path,
                                                                  const std::stop_token& stop) {
  if (!QFileInfo(QString::fromStdString(path)).isFile()) {
    return Error{"there is no such file; choose one", path, ErrorKind::Failed};
  }
  if (isModelConfig(path)) return Found{true, {}};
  P2_TRY_ASSIGN(auto source, workloadFromArgument(path, {{}, stop}));
  const std::size_t entries = source.workload.collectives.size();
  if (entries <= kMostSingleEntries) return Found{false, std::move(source)};
  source.workload = collapsed(source.workload);
  source.understood.push_back(std::to_string(entries) + " entries, of which alike ones became one: " +
                              std::to_string(source.workload.collectives.size()));
  return Found{false, std::move(source)};
}

WorkloadSourcesDialog::WorkloadSourcesDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_found(session.jobs(),
              [](const std::string& path, const std::stop_token& stop, const Progress&) { return found(path, stop); }) {
  setObjectName(QStringLiteral("workloadDialog"));
  setWindowTitle(tr("Open a workload"));
  m_file = new FileField(QStringLiteral("workloadFile"), tr("The file that says what a training step communicates"),
                         {tr("Workloads and traces (*.json *.json.gz *.csv *.txt *.et *.0.et)"), tr("All files (*)")},
                         FileField::Takes::OneFile);
  auto* label = new QLabel(tr("F&ile"));
  label->setBuddy(m_file);
  m_stop = new QPushButton(tr("&Stop"));
  m_stop->setObjectName(QStringLiteral("workloadFileStop"));
  m_stop->setToolTip(tr("Stop reading"));
  m_stop->setAutoDefault(false);
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::kGrid);
  row->addWidget(label);
  row->addWidget(m_file, 1);
  row->addWidget(m_stop);
  m_message = new InlineMessage;
  m_message->setObjectName(QStringLiteral("workloadFileMessage"));
  QVBoxLayout* layout = panelLayout(this);
  layout->addLayout(row);
  layout->addWidget(m_message);
  layout->addWidget(makeList(), 1);
  layout->addWidget(makeButtons());
  resize(kSourcesDialogSize);
  connect(m_file, &FileField::edited, this, [this] { m_found.forget(); });
  connect(m_file, &FileField::chosen, this, &WorkloadSourcesDialog::ask);
  connect(m_stop, &QPushButton::clicked, this, [this] { m_found.cancel(); });
  connect(&m_found, &DerivedBase::changed, this, &WorkloadSourcesDialog::present);
  present();
}

// Left to ~QDialog, hiding would have a field that loses the focus read by what is already gone.
WorkloadSourcesDialog::~WorkloadSourcesDialog() { hide(); }

QWidget* WorkloadSourcesDialog::makeList() {
  m_finding = new QLabel;
  m_finding->setObjectName(QStringLiteral("workloadFileFinding"));
  m_finding->setWordWrap(true);
  m_list = new QTableView;
  m_list->setModel(&m_entries);
  TableSetup setup;
  setup.name = QStringLiteral("workloadFileEntries");
  setup.accessible = tr("What a step communicates");
  setup.linesPerRow = kSourceLines;
  setup.stretched = ModelFormEntries::Formula;
  setup.fitted = true;
  setUpTable(*m_list, setup);
  m_told = new QTextBrowser;
  m_told->setObjectName(QStringLiteral("workloadFileTold"));
  m_told->setAccessibleName(tr("What was understood, assumed and ignored"));
  m_told->document()->setDocumentMargin(Theme::kGrid);
  auto* list = new QWidget;
  QVBoxLayout* layout = panelLayout(list);
  layout->setContentsMargins({});
  layout->addWidget(m_finding);
  layout->addWidget(m_list, 3);
  layout->addWidget(m_told, 2);
  return list;
}

QWidget* WorkloadSourcesDialog::makeButtons() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  m_take = buttons->addButton(tr("&Use this workload"), QDialogButtonBox::AcceptRole);
  m_take->setObjectName(QStringLiteral("workloadFileAccept"));
  m_take->setDefault(true);
  buttons->button(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("workloadFileCancel"));
  connect(buttons, &QDialogButtonBox::accepted, this, &WorkloadSourcesDialog::goOn);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  return buttons;
}

void WorkloadSourcesDialog::read(const QString& path) { m_file->choose(path); }

void WorkloadSourcesDialog::ask() {
  const std::vector<std::string> paths = m_file->fileNames();
  if (paths.empty()) return m_found.forget();
  const std::string path = QFileInfo(QString::fromStdString(paths.front())).absoluteFilePath().toStdString();
  m_found.askAgain(tr("Reading a workload"), path);
}

void WorkloadSourcesDialog::present() {
  const auto found = m_found.current();
  m_stop->setEnabled(m_found.isRunning());
  m_take->setEnabled(found && found->isModel);
  m_take->setText(found && found->isModel ? tr("&Give the degrees…") : tr("&Use this workload"));
  m_take->setToolTip(found && found->isModel
                         ? tr("The form in which the degrees of parallelism are given")
                         : tr("Workload and axes of the document become these; Undo brings the old ones back"));
  m_entries.setEntries(found ? found->source.workload.collectives : std::vector<WorkloadEntry>{});
  m_finding->clear();
  m_told->clear();
  if (const auto& problem = m_found.problem()) {
    m_message->showProblem(QString::fromStdString(problem->text()));
  } else if (m_found.wasCancelled()) {
    m_message->say(InlineMessage::Kind::Note, tr("Stopped; choose the file again to read it."));
  } else if (m_found.isRunning()) {
    m_message->say(InlineMessage::Kind::Note, tr("Reading…"));
  } else if (found && found->isModel) {
    m_message->say(InlineMessage::Kind::Note,
                   tr("This is the shape of a model. What its training communicates follows from the degrees of "
                      "parallelism, which the file does not give."));
  } else {
    m_message->showProblem({});
    if (found) presentSource(found->source);
  }
}

void WorkloadSourcesDialog::presentSource(const WorkloadSource& source) {
  m_finding->setText(bytesByAxes(source.workload));
  m_told->setHtml(htmlOf({{}, source.understood, source.assumed, source.ignored}));
  const auto fits = checkWorkspace(withWorkload(*m_session.workspace(), source.workload));
  m_take->setEnabled(fits.ok());
  if (!fits.ok()) m_message->showProblem(QString::fromStdString(fits.error().text()));
}

void WorkloadSourcesDialog::goOn() {
  const auto found = m_found.current();
  if (!found) return;
  accept();
  if (found->isModel) return emit modelFound(QString::fromStdString(*m_found.answered()));
  const QString name = QString::fromStdString(found->source.workload.name);
  m_session.edit(name.isEmpty() ? tr("Workload from a file") : tr("Workload of %1").arg(name),
                 withWorkload(*m_session.workspace(), found->source.workload));
}

}  // namespace p2::views
