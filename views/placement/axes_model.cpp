// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/axes_model.h"

#include <algorithm>

#include "base/numbers.h"
#include "views/common/cell_delegate.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

bool hasName(const std::vector<Axis>& axes, const std::string& name) {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
}

}  // namespace

void AxesModel::show(const System& system, const std::vector<Axis>& axes) {
  const bool sameLevels =
      std::equal(system.levels.begin(), system.levels.end(), m_system.levels.begin(), m_system.levels.end(),
                 [](const Level& a, const Level& b) { return a.name == b.name; });
  m_system = system;
  if (axes == m_axes && sameLevels) return;
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
  if (role == Qt::DisplayRole) return QStringList{tr("Axis"), tr("Size"), tr("Reduce"), tr("Stays in")}.at(section);
  if (role == Qt::ToolTipRole) {
    return QStringList{tr("A dimension by which the work is split, such as data or shards"), tr("Number of parts"),
                       tr("Whether results are reduced over this axis"),
                       tr("Lists only placements that keep this axis inside one node (or rack)")}
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
      if (text) return qs(axis.name);
      break;
    case Size:
      if (text) return QString::number(axis.size);
      if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
      break;
    case Reduce:
      if (role == Qt::CheckStateRole) return int(axis.reduce ? Qt::Checked : Qt::Unchecked);
      if (role == Qt::AccessibleTextRole) return tr("reduce over %1").arg(qs(axis.name));
      break;
    case Inside:
      if (text) return axis.inside.empty() ? tr("anywhere") : qs(axis.inside);
      if (role == CellDelegate::kChoicesRole) return placesToStay();
      if (role == Qt::ForegroundRole && axis.inside.empty()) return Theme::mutedText();
      break;
    default:
      break;
  }
  return {};
}

QStringList AxesModel::placesToStay() const {
  QStringList places{tr("anywhere")};
  for (std::size_t level = 0; level + 1 < m_system.levels.size(); ++level) {
    places += qs(m_system.levels[level].name);
  }
  return places;
}

std::optional<QString> AxesModel::keepInside(std::size_t row, const QString& place) {
  const QStringList places = placesToStay();
  if (!places.contains(place)) {
    return tr("Axis %2 cannot stay inside \"%1\"; choose %3.")
        .arg(place, qs(m_axes[row].name), places.join(QStringLiteral(", ")));
  }
  m_axes[row].inside = place == places[0] ? std::string() : place.toStdString();
  return std::nullopt;
}

bool AxesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != Reduce) return DraftTableModel::setData(index, value, role);
  if (role != Qt::CheckStateRole) return false;
  Axis& axis = m_axes[std::size_t(index.row())];
  axis.reduce = value.toInt() == Qt::Checked;
  axis.replicate = axis.replicate && axis.reduce;
  emit dataChanged(index, index);
  const QString name = qs(axis.name);
  emit edited(axis.reduce ? tr("Reduce over %1").arg(name) : tr("Do not reduce over %1").arg(name));
  return true;
}

std::optional<QString> AxesModel::rename(std::size_t row, const std::string& name) {
  if (name.empty()) return tr("An axis needs a name, such as data.");
  if (m_axes[row].name != name && hasName(m_axes, name)) {
    return tr("The name \"%1\" is taken; choose another.").arg(qs(name));
  }
  m_axes[row].name = name;
  return std::nullopt;
}

std::optional<QString> AxesModel::take(const QModelIndex& index, const QString& text) {
  const auto row = std::size_t(index.row());
  if (index.column() == Name) return rename(row, text.toStdString());
  if (index.column() == Inside) return keepInside(row, text);
  const auto size = parseInteger(text.toStdString());
  if (!size || *size < 1) {
    return tr("\"%1\" is not a size for axis %2; enter a whole number of 1 or more.").arg(text, qs(m_axes[row].name));
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
