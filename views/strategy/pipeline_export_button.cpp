// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/pipeline_export_button.h"

#include "pipeline/pipeline_plan.h"
#include "views/strategy/pipeline_answer.h"

namespace p2::views {

PipelineExportButton::PipelineExportButton(Session& session, QWidget* parent) : FileButton(session, parent) {
  setObjectName(QStringLiteral("strategyStagesExport"));
  setText(tr("Export"));
  setAccessibleName(tr("Export the pipeline"));
  setToolTip(
      tr("Export: save the stages, their devices and what every operator does as JSON; p2 strategy --evaluate prices "
         "it again"));
  connect(this, &QToolButton::clicked, this, &PipelineExportButton::ask);
  setEnabled(false);
}

void PipelineExportButton::setPipeline(std::shared_ptr<const PipelineAnswer> pipeline) {
  m_pipeline = std::move(pipeline);
  setEnabled(m_pipeline != nullptr);
}

void PipelineExportButton::ask() {
  askForFile({tr("Export the pipeline"), QStringLiteral("pipelineExportDialog"), QStringLiteral("pipeline"),
              QStringLiteral("json"), tr("Exporting the pipeline")},
             [this] { return contents(); });
}

FileButton::Contents PipelineExportButton::contents() const {
  if (!m_pipeline) return {};
  return [answer = m_pipeline]() -> Result<std::string> { return pipelineToJson(answer->graph(), answer->pipeline); };
}

}  // namespace p2::views
