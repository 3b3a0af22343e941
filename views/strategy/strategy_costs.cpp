// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_costs.h"

#include <QObject>

#include "base/near.h"
#include "views/common/text.h"

namespace p2::views {

QString splitText(const StrategyInstance& instance, const CostSplit& split) {
  const double total = split.total();
  if (total <= 0) return {};
  QStringList parts;
  const auto add = [&](const QString& name, double cost) {
    if (cost > 0) parts << name + ' ' + qs(formatPercent(cost / total));
  };
  add(instance.graph ? QObject::tr("compute") : QObject::tr("vertices"), split.compute);
  add(QObject::tr("reduce"), split.reduce);
  add(instance.graph ? QObject::tr("reshard") : QObject::tr("edges"), split.resharding);
  return parts.join(QStringLiteral(" · "));
}

QString overFreeText(double cost, double free) {
  if (!definitelyLess(free, cost)) return QObject::tr("costs nothing");
  if (free <= 0) return QObject::tr("more than nothing");
  return QObject::tr("+%1 over free").arg(qs(formatPercent(cost / free - 1)));
}

}  // namespace p2::views
