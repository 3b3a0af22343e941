// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/axes_model.h"

#include <algorithm>

#include "base/numbers.h"

namespace p2::views {
namespace {

bool hasName(const std::vector<Axis>& axes, const std::string& name) {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
}

}  // namespace

void AxesModel::show(const System& system, const std::vector<Axis>& axes) {
  m_system = system;
  if (axes == m_axes) return;
  beginResetModel();
  m_axes = axes;
  dropDrafts();
  endResetModel();
}

int AxesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_axes.size()); }
int AxesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }
int AxesModel::mostRows() const { return kMostAxes; }
QString AxesModel::noun() const { return tr("axis"); }

QVariant AxesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (role == Qt::TextAlignmentRole) return int((section == Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::DisplayRole) return QStringList{tr("Axis"), tr("Size"), tr("Reduce")}.at(section);
  if (role == Qt::ToolTipRole) {
    return QStringList{tr("What the work is split by, as in data or shards"), tr("Into how many parts it is split"),
                       tr("Whether results are summed over this axis")}
        .at(section);
  }
  return {};
}

Qt::ItemFlags AxesModel::flags(const QModelIndex& index) const {
  if (index.column() != Reduce) return DraftTableModel::flags(index);
  return (DraftTableModel::flags(index) & ~Qt::ItemIsEditable) | Qt::ItemIsUserCheckable;
}

QVariant AxesModel::value(const QModelIndex& index, int role) const {
  const Axis& axis = m_axes[std::size_t(index.row())];
  const bool text = role == Qt::DisplayRole || role == Qt::EditRole;
  switch (index.column()) {
    case Name:
      if (text) return QString::fromStdString(axis.name);
      break;
    case Size:
      if (text) return QString::number(axis.size);
      if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
      break;
    case Reduce:
      if (role == Qt::CheckStateRole) return int(axis.reduce ? Qt::Checked : Qt::Unchecked);
      if (role == Qt::AccessibleTextRole) return tr("reduce over %1").arg(QString::fromStdString(axis.name));
      break;
    default:
      break;
  }
  return {};
}

bool AxesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != Reduce) return DraftTableModel::setData(index, value, role);
  if (role != Qt::CheckStateRole) return false;
  Axis& axis = m_axes[std::size_t(index.row())];
  axis.reduce = value.toInt() == Qt::Checked;
  axis.replicate = axis.replicate && axis.reduce;
  emit dataChanged(index, index);
  const QString name = QString::fromStdString(axis.name);
  emit edited(axis.reduce ? tr("Reduce over %1").arg(name) : tr("Do not reduce over %1").arg(name));
  return true;
}

std::optional<QString> AxesModel::rename(std::size_t row, const std::string& name) {
  if (name.empty()) return tr("An axis needs a name, as in data.");
  if (m_axes[row].name != name && hasName(m_axes, name)) {
    return tr("The name \"%1\" is taken; give every axis its own.").arg(QString::fromStdString(name));
  }
  m_axes[row].name = name;
  return std::nullopt;
}

std::optional<QString> AxesModel::take(const QModelIndex& index, const QString& text) {
  const auto row = std::size_t(index.row());
  if (index.column() == Name) return rename(row, text.toStdString());
  const auto size = parseInteger(text.toStdString());
  if (!size || *size < 1) {
    return tr("\"%1\" is not a size for axis %2; write a whole number of 1 or more.")
        .arg(text, QString::fromStdString(m_axes[row].name));
  }
  m_axes[row].size = *size;
  return std::nullopt;
}

void AxesModel::insertDefault(int row) {
  Axis axis;
  for (int number = row; axis.name.empty() || hasName(m_axes, axis.name); ++number) {
    axis.name = "axis" + std::to_string(number);
  }
  m_axes.insert(m_axes.begin() + row, axis);
  const std::int64_t missing = fittingSize(m_system, m_axes, std::size_t(row));
  m_axes[std::size_t(row)].size = std::max<std::int64_t>(missing, 1);
}

void AxesModel::erase(int row) { m_axes.erase(m_axes.begin() + row); }
void AxesModel::exchange(int a, int b) { std::swap(m_axes[std::size_t(a)], m_axes[std::size_t(b)]); }

}  // namespace p2::views
