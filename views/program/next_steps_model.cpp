// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/next_steps_model.h"

#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/program/pictograms.h"

namespace p2::views {
namespace {

constexpr int kPictogramHeight = 20;
constexpr double kPictogramRatio = 2;  // sharp on screens of either scale

QColor colourOf(NextStepsModel::Kind kind) {
  switch (kind) {
    case NextStepsModel::Kind::Possible:
      return Theme::text();
    case NextStepsModel::Kind::Goal:
      return Theme::good();
    case NextStepsModel::Kind::DeadEnd:
      return Theme::bad();
    case NextStepsModel::Kind::Forbidden:
    case NextStepsModel::Kind::Unknown:
      break;
  }
  return Theme::mutedText();
}

QString signOf(NextStepsModel::Kind kind) {
  switch (kind) {
    case NextStepsModel::Kind::Possible:
      return "✓";
    case NextStepsModel::Kind::Goal:
      return "⚑";
    case NextStepsModel::Kind::DeadEnd:
      return "⚠";
    case NextStepsModel::Kind::Forbidden:
      return "✗";
    case NextStepsModel::Kind::Unknown:
      break;
  }
  return "?";
}

}  // namespace

void NextStepsModel::show(std::shared_ptr<const Composing> composing) {
  const auto columnsOf = [](const Composing* shown) {
    if (shown == nullptr || shown->all.next.steps.empty()) return 0;
    const auto& steps = shown->all.next.steps;
    int columns = 1;
    while (columns < int(steps.size()) &&
           steps[std::size_t(columns)].instruction.pattern == steps[0].instruction.pattern) {
      ++columns;
    }
    return columns;
  };
  const int columns = columnsOf(composing.get());
  const bool sameShape = m_composing && composing && columns == m_columns &&
                         composing->all.next.steps.size() == m_composing->all.next.steps.size() &&
                         composing->hierarchy == m_composing->hierarchy;
  if (sameShape) {
    m_composing = std::move(composing);
    emit dataChanged(index(0, 0), index(rowCount() - 1, m_columns - 1));
    return;
  }
  beginResetModel();
  m_composing = std::move(composing);
  m_columns = columns;
  endResetModel();
}

std::optional<std::size_t> NextStepsModel::choiceAt(const QModelIndex& index) const {
  if (!m_composing || !index.isValid()) return std::nullopt;
  return std::size_t(index.row() * m_columns + index.column());
}

NextStepsModel::Kind NextStepsModel::kindOf(std::size_t choice) const {
  const NextStep& step = m_composing->all.next.steps[choice];
  if (step.unknown) return Kind::Unknown;
  if (step.failure) return Kind::Forbidden;
  if (step.deadEnd) return Kind::DeadEnd;
  return step.reachesGoal ? Kind::Goal : Kind::Possible;
}

int NextStepsModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || m_columns == 0) return 0;
  return int(m_composing->all.next.steps.size()) / m_columns;
}

int NextStepsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_columns; }

QVariant NextStepsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const std::size_t choice = *choiceAt(index);
  const Kind kind = kindOf(choice);
  switch (role) {
    case Qt::DisplayRole:
      return signOf(kind);
    case Qt::DecorationRole:
      return collectivePictogram(m_composing->all.next.steps[choice].instruction.collective, kPictogramHeight,
                                 kPictogramRatio, colourOf(kind));
    case Qt::ForegroundRole:
      return colourOf(kind);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
    case Qt::AccessibleDescriptionRole:
      return choiceText(*m_composing, choice);
    case kKindRole:
      return int(kind);
    default:
      return {};
  }
}

QVariant NextStepsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (!m_composing) return {};
  const bool across = orientation == Qt::Horizontal;
  const Instruction& instruction =
      m_composing->all.next.steps[std::size_t(across ? section : section * m_columns)].instruction;
  if (across) {
    const std::string_view name = nameOf(instruction.collective);
    return role == Qt::DisplayRole ? qs(name) : QVariant();
  }
  if (role == Qt::DecorationRole) {
    return groupsPictogram(*m_composing->hierarchy, instruction.pattern, kPictogramHeight, kPictogramRatio,
                           Theme::text());
  }
  if (role != Qt::DisplayRole) return {};
  return groupsText(*m_composing->hierarchy, instruction.pattern);
}

}  // namespace p2::views
