// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/workload_sources.h"

#include <QAction>
#include <QPointer>

#include "text/text_file.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/workload/model_form_dialog.h"
#include "views/workload/workload_sources_dialog.h"

namespace p2::views {
namespace {

QString baseNameOf(const Workload& workload) {
  QString name;
  for (const QChar c : qs(workload.name).simplified()) {
    name += c.isLetterOrNumber() || c == '.' ? c.toLower() : QChar('-');
  }
  while (name.contains(QStringLiteral("--"))) name.replace(QStringLiteral("--"), QStringLiteral("-"));
  return (name.isEmpty() ? QStringLiteral("workload") : name) + QStringLiteral(".p2-workload");
}

QAction* actionOf(QObject* parent, const QString& name, const QString& text, const QString& toolTip) {
  auto* action = new QAction(text, parent);
  action->setObjectName(name);
  action->setToolTip(toolTip);
  return action;
}

/// Above its parent, and gone once it is closed.
void show(QDialog* dialog) {
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

}  // namespace

WorkloadActions::WorkloadActions(Session& session, QWidget* parent)
    : QObject(parent), m_session(session), m_parent(parent) {
  m_fromModel = actionOf(this, QStringLiteral("workloadFromModelAction"), tr("Start from a &model…"),
                         tr("Communication of a training step, from the model's sizes and its degrees of parallelism"));
  m_open =
      actionOf(this, QStringLiteral("workloadOpenAction"), tr("Open a &workload…"),
               tr("A workload from a file: a list of collectives, a trace, or the description of another program"));
  m_save = actionOf(this, QStringLiteral("workloadSaveAction"), tr("Save the wor&kload…"),
                    tr("Write the workload of this document as a file of its own"));
  connect(m_fromModel, &QAction::triggered, this, [this] { startFromModel(); });
  connect(m_open, &QAction::triggered, this, [this] { openFile(); });
  connect(m_save, &QAction::triggered, this, &WorkloadActions::askForFile);
  const auto refresh = [this] { m_save->setEnabled(m_session.workspace()->workload.has_value()); };
  connect(&session, &Session::workspaceChanged, this, refresh);
  refresh();
}

void WorkloadActions::startFromModel(const QString& configPath) {
  auto* dialog = new ModelFormDialog(m_session, m_parent);
  show(dialog);
  if (!configPath.isEmpty()) dialog->readConfig(configPath);
}

void WorkloadActions::openFile(const QString& path) {
  auto* dialog = new WorkloadSourcesDialog(m_session, m_parent);
  connect(dialog, &WorkloadSourcesDialog::modelFound, this, &WorkloadActions::startFromModel);
  show(dialog);
  if (!path.isEmpty()) dialog->read(path);
}

void WorkloadActions::askForFile() {
  const auto& workload = m_session.workspace()->workload;
  if (!workload) return;
  const SaveWish wish{QStringLiteral("workloadSaveDialog"),
                      tr("Save the workload"),
                      {tr("P² workloads (*.json)"), tr("All files (*)")},
                      baseNameOf(*workload)};
  askWhereToSave(m_parent, wish, [self = QPointer(this)](const QString& path) {
    if (self) self->write(path);
  });
}

void WorkloadActions::write(const QString& path) {
  const auto& workload = m_session.workspace()->workload;
  if (!workload) return;
  m_session.jobs().start<bool>(
      tr("Saving the workload"), QStringLiteral("workload-save"),
      [workload = *workload, file = path.toStdString()](std::stop_token, const Progress&) -> Result<bool> {
        P2_TRY(writeTextFile(file, workloadToJson(workload)));
        return true;
      },
      [self = QPointer(this), path](const Result<bool>& written) {
        if (self) emit self->saved(written.ok() ? QString() : qs(written.error().text()), path);
      },
      [self = QPointer(this), path] {
        if (self) emit self->saved(tr("Saving was stopped."), path);
      });
}

}  // namespace p2::views
