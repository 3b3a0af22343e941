// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/workload_sources_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "base/counted.h"
#include "views/common/file_field.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/workload/workload_list.h"

namespace p2::views {
namespace {

constexpr QSize kSourcesDialogSize{880, 680};
/// Long lists are shown by kinds of entries.
constexpr std::size_t kMostSingleEntries = 100;

}  // namespace

Result<WorkloadSourcesDialog::Found> WorkloadSourcesDialog::found(const std::string& path,
                                                                  const std::stop_token& stop) {
  if (!QFileInfo(qs(path)).isFile()) {
    return Error{"there is no such file; choose one", path, ErrorKind::Failed};
  }
  const auto format = workloadFormatOf(path);
  P2_TRY(format);
  if (needsDegrees(**format)) return Found{true, {}};
  P2_TRY_ASSIGN(auto source, workloadFromArgument(path, {{}, stop}));
  const std::size_t entries = source.workload.collectives.size();
  if (entries <= kMostSingleEntries) return Found{false, std::move(source)};
  source.workload = collapsed(source.workload);
  source.understood.push_back(countedText(entries, "entry", "entries") +
                              ", equal ones merged: " + std::to_string(source.workload.collectives.size()));
  return Found{false, std::move(source)};
}

WorkloadSourcesDialog::WorkloadSourcesDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      m_found(session.jobs(),
              [](const std::string& path, const std::stop_token& stop, const Progress&) { return found(path, stop); }) {
  setObjectName(QStringLiteral("workloadDialog"));
  setWindowTitle(tr("Open a workload"));
  m_file = new FileField(QStringLiteral("workloadFile"), tr("The file that lists the communication of a training step"),
                         {tr("Workloads and traces (*.json *.json.gz *.csv *.txt *.et *.0.et)"), tr("All files (*)")},
                         FileField::Takes::OneFile);
  auto* label = new QLabel(tr("F&ile"));
  label->setBuddy(m_file);
  m_stop = new QPushButton(tr("&Stop"));
  named(m_stop, "workloadFileStop", {}, tr("Stop reading"));
  m_stop->setAutoDefault(false);
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::kGrid);
  row->addWidget(label);
  row->addWidget(m_file, 1);
  row->addWidget(m_stop);
  m_list = new WorkloadList(session, QStringLiteral("workloadFile"));
  QDialogButtonBox* buttons = m_list->makeButtons(*this);
  QVBoxLayout* layout = panelLayout(this);
  layout->addLayout(row);
  layout->addWidget(m_list, 1);
  layout->addWidget(buttons);
  resize(kSourcesDialogSize);
  connect(buttons, &QDialogButtonBox::accepted, this, &WorkloadSourcesDialog::goOn);
  connect(m_file, &FileField::edited, this, [this] { m_found.forget(); });
  connect(m_file, &FileField::chosen, this, &WorkloadSourcesDialog::ask);
  connect(m_stop, &QPushButton::clicked, this, [this] { m_found.cancel(); });
  connect(&m_found, &DerivedBase::changed, this, &WorkloadSourcesDialog::present);
  present();
}

void WorkloadSourcesDialog::read(const QString& path) { m_file->choose(path); }

void WorkloadSourcesDialog::ask() {
  const std::vector<std::string> paths = m_file->fileNames();
  if (paths.empty()) return m_found.forget();
  const std::string path = QFileInfo(qs(paths.front())).absoluteFilePath().toStdString();
  m_found.askAgain(tr("Reading a workload"), path);
}

void WorkloadSourcesDialog::present() {
  const auto found = m_found.current();
  const bool isModel = found && found->isModel;
  QPushButton& take = m_list->takeButton();
  InlineMessage& message = m_list->message();
  m_stop->setEnabled(m_found.isRunning());
  take.setEnabled(isModel);
  take.setText(isModel ? tr("&Give the degrees…") : WorkloadList::takeText());
  take.setToolTip(isModel ? tr("How the degrees of parallelism are written") : WorkloadList::takeToolTip());
  m_list->clear();
  if (const auto& problem = m_found.problem()) {
    message.showProblem(qs(problem->text()));
  } else if (m_found.wasCancelled()) {
    message.say(InlineMessage::Kind::Note, tr("Stopped; choose the file again to read it."));
  } else if (m_found.isRunning()) {
    message.say(InlineMessage::Kind::Note, tr("Reading…"));
  } else if (isModel) {
    message.say(InlineMessage::Kind::Note, tr("This file describes the shape of a model. Its communication also "
                                              "depends on degrees of parallelism, which the file does not have."));
  } else {
    message.showProblem({});
    if (!found) return;
    const WorkloadSource& source = found->source;
    m_list->present(source, {{}, source.understood, source.assumed, source.ignored});
  }
}

void WorkloadSourcesDialog::goOn() {
  const auto found = m_found.current();
  if (!found) return;
  accept();
  if (found->isModel) return emit modelFound(qs(*m_found.answered()));
  m_list->takeOver(found->source, tr("Workload from a file"));
}

}  // namespace p2::views
