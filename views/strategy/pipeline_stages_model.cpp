// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/pipeline_stages_model.h"

#include <utility>

#include "base/units.h"
#include "mapping/axis_names.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

bool isNumber(int column) {
  return column != PipelineStagesModel::OperatorsColumn && column != PipelineStagesModel::MeshColumn;
}

}  // namespace

void PipelineStagesModel::show(std::shared_ptr<const PipelineAnswer> answer) {
  beginResetModel();
  m_answer = std::move(answer);
  endResetModel();
}

void PipelineStagesModel::setStale(bool stale) {
  if (std::exchange(m_stale, stale) == stale || rowCount() == 0) return;
  emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

int PipelineStagesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_answer ? 0 : int(m_answer->pipeline.stages.size());
}
int PipelineStagesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant PipelineStagesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto stage = std::size_t(index.row());
  const bool slowest = stage == m_answer->pipeline.slowest();
  switch (role) {
    case Qt::DisplayRole:
      return cellText(stage, index.column());
    case Qt::ToolTipRole:
      return toolTip(stage);
    case Qt::ForegroundRole:
      return m_stale ? QVariant(Theme::mutedText()) : QVariant();
    case Qt::FontRole: {
      QFont font = Theme::tabularFont();
      font.setBold(slowest && index.column() == CostColumn);
      return isNumber(index.column()) ? QVariant(font) : QVariant();
    }
    case Qt::TextAlignmentRole:
      return isNumber(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
      return {};
  }
}

QVariant PipelineStagesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
  if (role == Qt::TextAlignmentRole) {
    return QVariant((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  struct Heading {
    QString text;
    QString toolTip;
  };
  const Heading headings[ColumnCount]{
      {tr("Stage"), {}},
      {tr("Operators"), tr("The first and the last operator, and their number")},
      {tr("Cost"), tr("Slots × slot time, plus one-off work; the largest is the step's")},
      {tr("Memory"), tr("Of each device")},
      {tr("Slot"), tr("One microbatch forward and backward, with its messages")},
      {tr("Sends"), tr("Messages of a slot: activations to the next stage, gradients to the previous one")},
      {tr("Once"), tr("After the last microbatch: sums of gradients")},
      {tr("In flight"), tr("Microbatches whose activations it holds at once")},
      {tr("Mesh"), tr("Mesh of the stage's devices")},
  };
  if (role == Qt::ToolTipRole) return headings[section].toolTip;
  return role == Qt::DisplayRole ? QVariant(headings[section].text) : QVariant();
}

QString PipelineStagesModel::cellText(std::size_t number, int column) const {
  const PipelineStage& stage = m_answer->pipeline.stages[number];
  const auto seconds = [](double value) { return QString::fromStdString(formatSeconds(value)); };
  const auto nameAt = [&](std::size_t v) { return QString::fromStdString(stage.part.graph.operators[v].name); };
  switch (column) {
    case StageColumn:
      return QString::number(number + 1);
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
      return QString::fromStdString(formatBytes(stage.memory.total()));
    case MeshColumn:
      return QString::fromStdString(meshText(stage.mapped().mesh, stage.mapping.axisNames) + ", " +
                                    stage.mapped().mesh.matrix.text());
    default:
      return {};
  }
}

QString PipelineStagesModel::toolTip(std::size_t number) const {
  const PipelineStage& stage = m_answer->pipeline.stages[number];
  const auto bytes = [](Bytes value) { return QString::fromStdString(formatBytes(value)); };
  QString text = tr("Each device: parameters %1, gradients %2, optimizer %3, activations %4")
                     .arg(bytes(stage.memory.parameters), bytes(stage.memory.gradients), bytes(stage.memory.optimizer),
                          bytes(stage.memory.activations));
  if (stage.memory.rebuilt > Bytes(0)) text += tr(", one recomputed layer %1").arg(bytes(stage.memory.rebuilt));
  if (stage.sends.forward > Bytes(0)) text += tr("; sends %1 on").arg(bytes(stage.sends.forward));
  if (stage.sends.backward > Bytes(0)) text += tr("; sends %1 back").arg(bytes(stage.sends.backward));
  return text;
}

}  // namespace p2::views
