// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/pipeline_export_button.h"

#include <QFileDialog>

#include "pipeline/pipeline_plan.h"
#include "text/text_file.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/strategy/pipeline_answer.h"

namespace p2::views {

PipelineExportButton::PipelineExportButton(Session& session, QWidget* parent)
    : QToolButton(parent), m_session(session) {
  setObjectName(QStringLiteral("strategyStagesExport"));
  setText(tr("Export"));
  setIcon(Theme::icon(QStringLiteral("export")));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(tr("Export the pipeline"));
  setToolTip(
      tr("Export: save the stages, their devices and what every operator does as JSON; p2 strategy --evaluate prices "
         "it again"));
  connect(this, &QToolButton::clicked, this, &PipelineExportButton::askForFile);
  setEnabled(false);
}

void PipelineExportButton::setPipeline(std::shared_ptr<const PipelineAnswer> pipeline) {
  m_pipeline = std::move(pipeline);
  setEnabled(m_pipeline != nullptr);
}

void PipelineExportButton::askForFile() {
  delete m_dialog;
  m_dialog = new QFileDialog(this, tr("Export the pipeline"), {}, QStringLiteral("*.json"));
  m_dialog->setObjectName(QStringLiteral("pipelineExportDialog"));
  m_dialog->setAttribute(Qt::WA_DeleteOnClose);
  m_dialog->setAcceptMode(QFileDialog::AcceptSave);
  m_dialog->setDefaultSuffix(QStringLiteral("json"));
  m_dialog->selectFile(QStringLiteral("pipeline.json"));
  connect(m_dialog, &QFileDialog::fileSelected, this, &PipelineExportButton::write);
  m_dialog->open();
}

void PipelineExportButton::write(const QString& path) {
  if (!m_pipeline) return;
  m_session.jobs().start<bool>(
      tr("Exporting the pipeline"), QStringLiteral("strategy-export"),
      [answer = m_pipeline, file = path.toStdString()](std::stop_token, const Progress&) -> Result<bool> {
        P2_TRY(writeTextFile(file, pipelineToJson(answer->graph, answer->pipeline)));
        return true;
      },
      [self = QPointer(this), path](const Result<bool>& saved) {
        if (self) emit self->written(saved.ok() ? QString() : QString::fromStdString(saved.error().text()), path);
      },
      [self = QPointer(this), path] {
        if (self) emit self->written(tr("Exporting was stopped."), path);
      });
}

}  // namespace p2::views
