// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/ratio_text.h"

#include <QObject>
#include <cmath>

#include "base/near.h"
#include "views/common/text.h"

namespace p2::views {
QString slowerThan(double seconds, double other) {
  if (!(seconds > 0) || !(other > 0) || !std::isfinite(seconds) || !std::isfinite(other)) return {};
  const double ratio = seconds / other;
  if (nearlyEqual(seconds, other, kDisplayTolerance)) return QObject::tr("as fast");
  const auto times = [](double factor) { return factorText(factor); };
  return ratio > 1 ? QObject::tr("%1 slower").arg(times(ratio)) : QObject::tr("%1 faster").arg(times(1 / ratio));
}

QString counted(std::int64_t count, const QString& one, const QString& many) {
  return count == 1 ? QStringLiteral("1 ") + one : QStringLiteral("%L1 ").arg(count) + many;
}

QString ofRuns(int repeat) { return repeat == 1 ? QString() : QObject::tr(" for %L1 runs").arg(repeat); }

}  // namespace p2::views
