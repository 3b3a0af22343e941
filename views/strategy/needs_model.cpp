// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/needs_model.h"

#include <algorithm>

#include "base/counted.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostNamed = 12;
constexpr const char* kCopies = "copies";

QString named(const std::vector<Axis>& axes, bool reducedOnly) {
  QStringList texts;
  for (const Axis& axis : axes) {
    if (!reducedOnly || axis.reduce) texts << qs(axis.name) + " " + QString::number(axis.size);
  }
  return texts.join(QStringLiteral(" · "));
}

}  // namespace

void NeedsModel::show(std::vector<StrategyNeed> needs) {
  reset([&] { m_needs = std::move(needs); });
}

const StrategyNeed* NeedsModel::at(int row) const {
  return row >= 0 && row < rowCount() ? &m_needs[std::size_t(row)] : nullptr;
}

QVariant NeedsModel::special(int row, int column, int role) const {
  const auto& matrix = m_needs[std::size_t(row)].matrix;
  const bool drawn = role == Qt::UserRole && column == PlacementColumn && !matrix.empty();
  return drawn ? QVariant(qs(matrix.text())) : QVariant();
}

std::vector<TableColumn> NeedsModel::columns() const {
  return {{tr("Axes")},
          {tr("Collective")},
          {tr("Bytes"), tr("Bytes of the largest collective on each device"), true},
          {tr("Times"), tr("Collectives in a step, all operators together"), true},
          {tr("Time of one"), tr("Time of one such collective with its best program, as on the Placements page"), true},
          {tr("Placement")},
          {tr("Operators"), {}, true}};
}

QString NeedsModel::text(int row, int column) const {
  const StrategyNeed& need = m_needs[std::size_t(row)];
  switch (column) {
    case AxesColumn:
      return named(need.axes, false);
    case CollectiveColumn:
      return tr("%1 over %2").arg(qs(need.collective), named(need.axes, true));
    case BytesColumn:
      return bytesText(need.largest);
    case TimesColumn:
      return tr("%1×").arg(need.times, 0, 'f', 0);
    case TimeColumn:
      return secondsText(need.once);
    case PlacementColumn:
      return need.matrix.empty() ? QStringLiteral("–") : qs(need.matrix.text());
    case OperatorsColumn:
      return QString::number(need.operators.size());
    default:
      return {};
  }
}

QString NeedsModel::toolTip(int row, int) const {
  const StrategyNeed& need = m_needs[std::size_t(row)];
  QStringList names;
  for (const std::string& name : need.operators) {
    if (std::size_t(names.size()) < kMostNamed) names << qs(name);
  }
  QString text = tr("%1 for %2").arg(qs(need.collective), names.join(QStringLiteral(", ")));
  if (need.operators.size() > kMostNamed) text += tr(" and %1 more").arg(need.operators.size() - kMostNamed);
  text += tr("\nIn a step %1 on each device, %2 in all").arg(bytesText(need.bytes), secondsText(need.seconds));
  if (!need.program.empty()) text += tr("\nBest program: %1").arg(qs(need.program));
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
