// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/needs_model.h"

#include <QFont>
#include <algorithm>

#include "base/counted.h"
#include "base/units.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostNamed = 12;
constexpr const char* kCopies = "copies";

QString named(const std::vector<Axis>& axes, bool reducedOnly) {
  QStringList texts;
  for (const Axis& axis : axes) {
    if (!reducedOnly || axis.reduce) texts << QString::fromStdString(axis.name) + " " + QString::number(axis.size);
  }
  return texts.join(QStringLiteral(" · "));
}

}  // namespace

void NeedsModel::show(std::vector<StrategyNeed> needs) {
  beginResetModel();
  m_needs = std::move(needs);
  endResetModel();
}

void NeedsModel::setStale(bool stale) {
  if (std::exchange(m_stale, stale) == stale || m_needs.empty()) return;
  emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

const StrategyNeed* NeedsModel::at(int row) const {
  return row >= 0 && row < rowCount() ? &m_needs[std::size_t(row)] : nullptr;
}

int NeedsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_needs.size()); }
int NeedsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant NeedsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const StrategyNeed& need = m_needs[std::size_t(index.row())];
  const int column = index.column();
  const bool number =
      column == BytesColumn || column == TimesColumn || column == TimeColumn || column == OperatorsColumn;
  switch (role) {
    case Qt::DisplayRole:
      return cellText(need, column);
    case Qt::ToolTipRole:
      return toolTip(need);
    case Qt::ForegroundRole:
      return m_stale ? QVariant(Theme::mutedText()) : QVariant();
    case Qt::FontRole:
      return number ? QVariant(Theme::tabularFont()) : QVariant();
    case Qt::TextAlignmentRole:
      return number ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::UserRole:
      return column == PlacementColumn && !need.matrix.empty() ? QVariant(QString::fromStdString(need.matrix.text()))
                                                               : QVariant();
    default:
      return {};
  }
}

QVariant NeedsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
  const bool number =
      section == BytesColumn || section == TimesColumn || section == TimeColumn || section == OperatorsColumn;
  if (role == Qt::TextAlignmentRole) return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == BytesColumn) return tr("Bytes of the largest collective on each device");
  if (role == Qt::ToolTipRole && section == TimesColumn) return tr("Collectives in a step, all operators together");
  if (role == Qt::ToolTipRole && section == TimeColumn) {
    return tr("Time of one such collective with its best program, as on the Placements page");
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case AxesColumn:
      return tr("Axes");
    case CollectiveColumn:
      return tr("Collective");
    case BytesColumn:
      return tr("Bytes");
    case TimesColumn:
      return tr("Times");
    case TimeColumn:
      return tr("Time of one");
    case PlacementColumn:
      return tr("Placement");
    case OperatorsColumn:
      return tr("Operators");
    default:
      return {};
  }
}

QString NeedsModel::cellText(const StrategyNeed& need, int column) const {
  switch (column) {
    case AxesColumn:
      return named(need.axes, false);
    case CollectiveColumn:
      return tr("%1 over %2").arg(QString::fromStdString(need.collective), named(need.axes, true));
    case BytesColumn:
      return QString::fromStdString(formatBytes(need.largest));
    case TimesColumn:
      return tr("%1×").arg(need.times, 0, 'f', 0);
    case TimeColumn:
      return QString::fromStdString(formatSeconds(need.once));
    case PlacementColumn:
      return need.matrix.empty() ? QStringLiteral("–") : QString::fromStdString(need.matrix.text());
    case OperatorsColumn:
      return QString::number(need.operators.size());
    default:
      return {};
  }
}

QString NeedsModel::toolTip(const StrategyNeed& need) const {
  QStringList names;
  for (const std::string& name : need.operators) {
    if (std::size_t(names.size()) < kMostNamed) names << QString::fromStdString(name);
  }
  QString text = tr("%1 for %2").arg(QString::fromStdString(need.collective), names.join(QStringLiteral(", ")));
  if (need.operators.size() > kMostNamed) text += tr(" and %1 more").arg(need.operators.size() - kMostNamed);
  text +=
      tr("\nIn a step %1 on each device, %2 in all")
          .arg(QString::fromStdString(formatBytes(need.bytes)), QString::fromStdString(formatSeconds(need.seconds)));
  if (!need.program.empty()) text += tr("\nBest program: %1").arg(QString::fromStdString(need.program));
  return text;
}

Result<std::vector<Axis>> axesOn(const StrategyNeed& need, std::int64_t devices) {
  std::vector<Axis> axes = need.axes;
  std::int64_t used = 1;
  for (const Axis& axis : axes) used *= axis.size;
  if (devices % used != 0) {
    return Error{"axes of " + countedText(used, "device") + " cannot be placed on the system's " +
                 std::to_string(devices) + "; choose a number of devices that divides them"};
  }
  if (used == devices) return axes;
  const auto copies = std::find_if(axes.begin(), axes.end(), [](const Axis& axis) { return axis.name == kCopies; });
  if (copies == axes.end()) {
    axes.push_back({kCopies, devices / used, false});
  } else {
    copies->size *= devices / used;
  }
  return axes;
}

}  // namespace p2::views
