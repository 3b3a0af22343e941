// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/heat_model.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <set>

#include "base/near.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/plan/plan_words.h"

namespace p2::views {
namespace {

/// Relative luminance above which black has more contrast than white (WCAG 2).
constexpr double kDarkInk = 0.179;

std::size_t placeIn(const std::vector<std::int64_t>& values, std::int64_t value) {
  return std::size_t(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

}  // namespace

QColor inkOn(const QColor& fill) {
  const auto linear = [](double part) {
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  const double light = 0.2126 * linear(fill.redF()) + 0.7152 * linear(fill.greenF()) + 0.0722 * linear(fill.blueF());
  return light > kDarkInk ? QColor(Qt::black) : QColor(Qt::white);
}

const std::vector<HeatAxes>& heatAxes() {
  static const std::vector<HeatAxes> kAxes{
      {"tp-pp", "tp", "pp", [](const TrainingPlan& plan) { return plan.tensor; },
       [](const TrainingPlan& plan) { return plan.pipeline; }},
      {"dp-microbatch", "dp", "microbatch", [](const TrainingPlan& plan) { return plan.data; },
       [](const TrainingPlan& plan) { return plan.microbatch; }}};
  return kAxes;
}

void HeatModel::setConfigurations(std::vector<PlannedConfiguration> all, const HeatAxes& axes) {
  beginResetModel();
  m_axes = &axes;
  m_all = std::move(all);
  std::set<std::int64_t> columns;
  std::set<std::int64_t> rows;
  for (const PlannedConfiguration& each : m_all) {
    columns.insert(axes.columnOf(each.configuration.plan));
    rows.insert(axes.rowOf(each.configuration.plan));
  }
  m_columns.assign(columns.begin(), columns.end());
  m_rows.assign(rows.begin(), rows.end());
  m_cells.assign(m_columns.size() * m_rows.size(), -1);
  m_fastest = m_slowest = 0;
  for (std::size_t i = 0; i < m_all.size(); ++i) {
    const TrainingPlan& plan = m_all[i].configuration.plan;
    int& cell = m_cells[placeIn(m_rows, axes.rowOf(plan)) * m_columns.size() + placeIn(m_columns, axes.columnOf(plan))];
    if (cell < 0 || m_all[i].estimate.seconds < m_all[std::size_t(cell)].estimate.seconds) cell = int(i);
  }
  for (const int cell : m_cells) {
    if (cell < 0) continue;
    const double seconds = m_all[std::size_t(cell)].estimate.seconds;
    m_fastest = m_fastest == 0 ? seconds : std::min(m_fastest, seconds);
    m_slowest = std::max(m_slowest, seconds);
  }
  endResetModel();
}

const PlannedConfiguration* HeatModel::at(const QModelIndex& index) const {
  if (!index.isValid()) return nullptr;
  const int cell = m_cells[std::size_t(index.row()) * m_columns.size() + std::size_t(index.column())];
  return cell < 0 ? nullptr : &m_all[std::size_t(cell)];
}

QModelIndex HeatModel::indexOf(const PlannedConfiguration& planned) const {
  if (m_axes == nullptr) return {};
  const TrainingPlan& plan = planned.configuration.plan;
  const std::size_t row = placeIn(m_rows, m_axes->rowOf(plan));
  const std::size_t column = placeIn(m_columns, m_axes->columnOf(plan));
  if (row >= m_rows.size() || column >= m_columns.size()) return {};
  if (m_rows[row] != m_axes->rowOf(plan) || m_columns[column] != m_axes->columnOf(plan)) return {};
  return index(int(row), int(column));
}

double HeatModel::heatAt(const QModelIndex& index) const {
  const PlannedConfiguration* planned = at(index);
  if (planned == nullptr || m_slowest <= m_fastest) return 0;
  return std::log(planned->estimate.seconds / m_fastest) / std::log(m_slowest / m_fastest);
}

bool HeatModel::isBest(const QModelIndex& index) const {
  const PlannedConfiguration* planned = at(index);
  return planned != nullptr && !definitelyLess(m_fastest, planned->estimate.seconds, kDisplayTolerance);
}

void HeatModel::setStale(bool stale) {
  if (std::exchange(m_stale, stale) == stale || m_cells.empty()) return;
  emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int HeatModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }
int HeatModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_columns.size()); }

QVariant HeatModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const PlannedConfiguration* planned = at(index);
  switch (role) {
    case Qt::DisplayRole:
      if (planned == nullptr) return QStringLiteral("–");
      return (isBest(index) ? QStringLiteral("★ ") : QString()) + secondsText(planned->estimate.seconds);
    case Qt::ToolTipRole:
      if (planned == nullptr) return tr("No configuration with these degrees fits and is allowed");
      return tr("%1, microbatch %2: %3, %4 MFU")
          .arg(degreesText(planned->configuration), batchText(planned->configuration), intervalText(planned->estimate),
               shareText(planned->estimate.mfu));
    case Qt::TextAlignmentRole:
      return int(Qt::AlignCenter);
    default:
      return {};
  }
}

QVariant HeatModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || m_axes == nullptr) return {};
  const bool ofColumns = orientation == Qt::Horizontal;
  const auto& values = ofColumns ? m_columns : m_rows;
  return QStringLiteral("%1 %2")
      .arg(QLatin1String(ofColumns ? m_axes->column : m_axes->row))
      .arg(values[std::size_t(section)]);
}

Qt::ItemFlags HeatModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  return at(index) == nullptr ? Qt::ItemIsEnabled : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

HeatDelegate::HeatDelegate(const HeatModel& model, QObject* parent) : QStyledItemDelegate(parent), m_model(model) {}

void HeatDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const bool known = m_model.at(index) != nullptr;
  painter->save();
  painter->setOpacity(m_model.isStale() ? 0.4 : 1);
  const QColor fill = known ? Theme::load(m_model.heatAt(index)) : Theme::surface();
  painter->fillRect(option.rect.adjusted(0, 0, -1, -1), fill);
  QFont font = Theme::tabularFont();
  font.setBold(m_model.isBest(index));
  painter->setFont(font);
  painter->setPen(known ? inkOn(fill) : Theme::mutedText());
  painter->drawText(option.rect, Qt::AlignCenter, index.data().toString());
  if ((option.state & QStyle::State_Selected) != 0 || (option.state & QStyle::State_HasFocus) != 0) {
    painter->setPen(QPen(Theme::surface(), 1));
    painter->drawRect(option.rect.adjusted(3, 3, -5, -5));
    painter->setPen(QPen(Theme::accent(), 3));
    painter->drawRect(option.rect.adjusted(1, 1, -3, -3));
  }
  painter->restore();
}

}  // namespace p2::views
