// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/pipeline_stages_model.h"

#include <QFont>

#include "mapping/axis_names.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {

void PipelineStagesModel::show(std::shared_ptr<const PipelineAnswer> answer) {
  reset([&] { m_answer = std::move(answer); });
}

QVariant PipelineStagesModel::special(int row, int column, int role) const {
  if (role != Qt::FontRole || column != CostColumn) return {};
  QFont font = Theme::tabularDigits();
  font.setBold(std::size_t(row) == m_answer->pipeline.slowest());
  return font;
}

std::vector<TableColumn> PipelineStagesModel::columns() const {
  return {
      {tr("Stage"), {}, true},
      {tr("Operators"), tr("The first and the last operator, and their number")},
      {tr("Cost"), tr("Slots × slot time plus one-off work; the largest value is the time of the step"), true},
      {tr("Memory"), tr("Of each device"), true},
      {tr("Slot"), tr("One microbatch forward and backward, with its messages"), true},
      {tr("Sends"), tr("Messages of a slot: activations to the next stage, gradients to the previous one"), true},
      {tr("Once"), tr("After the last microbatch: sums of gradients"), true},
      {tr("In flight"), tr("Microbatches whose activations the stage holds at once"), true},
      {tr("Mesh"), tr("Mesh of the stage's devices")},
  };
}

QString PipelineStagesModel::text(int row, int column) const {
  const PipelineStage& stage = m_answer->pipeline.stages[std::size_t(row)];
  const auto seconds = [](double value) { return secondsText(value); };
  const auto nameAt = [&](std::size_t v) { return qs(stage.part.graph.operators[v].name); };
  switch (column) {
    case StageColumn:
      return QString::number(row + 1);
    case OperatorsColumn:
      return tr("%1 … %2 (%3)")
          .arg(nameAt(0), nameAt(stage.part.operators.size() - 1))
          .arg(stage.part.operators.size());
    case StageTimeColumn:
      return seconds(stage.times.slot());
    case SendsColumn:
      return seconds(stage.sends.forwardSeconds + stage.sends.backwardSeconds);
    case OnceColumn:
      return seconds(stage.times.once);
    case CostColumn:
      return seconds(stage.answer->cost());
    case FlightColumn:
      return QString::number(stage.inFlight);
    case MemoryColumn:
      return bytesText(stage.memory.total());
    case MeshColumn:
      return qs(meshText(stage.mapped().mesh, stage.mapping.axisNames) + ", " + stage.mapped().mesh.matrix.text());
    default:
      return {};
  }
}

QString PipelineStagesModel::toolTip(int row, int) const {
  const PipelineStage& stage = m_answer->pipeline.stages[std::size_t(row)];
  const auto bytes = [](Bytes value) { return bytesText(value); };
  QString text = tr("Each device: parameters %1, gradients %2, optimizer %3, activations %4")
                     .arg(bytes(stage.memory.parameters), bytes(stage.memory.gradients), bytes(stage.memory.optimizer),
                          bytes(stage.memory.activations));
  if (stage.memory.rebuilt > Bytes(0)) text += tr(", one recomputed layer %1").arg(bytes(stage.memory.rebuilt));
  if (stage.sends.forward > Bytes(0)) text += tr("; sends %1 on").arg(bytes(stage.sends.forward));
  if (stage.sends.backward > Bytes(0)) text += tr("; sends %1 back").arg(bytes(stage.sends.backward));
  return text;
}

}  // namespace p2::views
