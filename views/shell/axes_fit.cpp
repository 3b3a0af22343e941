// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/axes_fit.h"

#include <QCoreApplication>
#include <QStringList>

#include "base/numbers.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("AxesFit", text); }

QString factorsOf(std::int64_t number) {
  QStringList factors;
  for (std::int64_t prime = 2; number > 1; ++prime) {
    if (prime * prime > number) prime = number;
    int power = 0;
    for (; number % prime == 0; number /= prime) ++power;
    if (power == 1) factors += QString::number(prime);
    if (power > 1) factors += QStringLiteral("%1^%2").arg(prime).arg(power);
  }
  return factors.join(QStringLiteral("·"));
}

QString remedy(const std::vector<Axis>& axes, const AxesFit& fit, std::int64_t devices) {
  if (fit.suggestions.empty()) {
    return tr("choose sizes that multiply to %1 = %2").arg(devices).arg(factorsOf(devices));
  }
  QStringList ways;
  for (const auto& [axis, size] : fit.suggestions) {
    ways += qs(axes[axis].name) + QStringLiteral(" = ") + QString::number(size);
  }
  return tr("%1 would fit").arg(ways.join(tr(" or ")));
}

}  // namespace

bool isMisfit(const System& system, const std::vector<Axis>& axes) {
  return checkParts(system).ok() && !checkAxes(system, axes).ok();
}

AxesFit fitOf(const System& system, const std::vector<Axis>& axes) {
  AxesFit fit;
  const std::int64_t devices = system.deviceCount();
  if (system.levels.empty() || devices > kMostDevices) {
    fit.sentence =
        tr("the system has %1; %2")
            .arg(qs(devicesText(system)), system.levels.empty() ? tr("add a level") : tr("lower its counts"));
    return fit;
  }
  const std::vector<std::int64_t> sizes = sizesOf(axes);
  const auto product = checkedProduct(sizes);
  QStringList factors;
  for (const std::int64_t size : sizes) factors += QString::number(size);
  const QString terms = factors.join(QStringLiteral("·"));
  fit.fits = !axes.empty() && product == devices;
  if (fit.fits) {
    fit.sentence = tr("fits: %1 = %2").arg(devices).arg(terms);
    return fit;
  }
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (const std::int64_t size = fittingSize(system, axes, axis); size > 0) fit.suggestions.push_back({axis, size});
  }
  const QString result = product ? QString::number(*product) : tr("over 2^63");
  const QString equation = axes.size() == 1 && product ? terms : QStringLiteral("%1 = %2").arg(terms, result);
  fit.sentence = tr("no axes yet; add one");
  if (!axes.empty()) {
    fit.sentence = QStringLiteral("%1 ≠ %2; %3").arg(equation, QString::number(devices), remedy(axes, fit, devices));
  }
  return fit;
}

}  // namespace p2::views
