// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/log_ticker.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "base/near.h"
#include "base/units.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

constexpr double kManyDecades = 4;
constexpr int kFewTicks = 2;
constexpr double kLabelsOfThree = 1 / 0.3;  // 1 and 2 stand 0.3 of a decade apart

QVector<double> multiplesIn(const QCPRange& range, std::initializer_list<double> multiples) {
  QVector<double> ticks;
  const int last = int(std::ceil(std::log10(range.upper)));
  for (int decade = int(std::floor(std::log10(range.lower))); decade <= last; ++decade) {
    for (const double multiple : multiples) {
      const double tick = multiple * std::pow(10.0, decade);
      if (!definitelyLess(tick, range.lower) && !definitelyLess(range.upper, tick)) ticks.append(tick);
    }
  }
  return ticks;
}

}  // namespace

LogTicker::LogTicker(std::function<QString(double)> label, const QCPAxis& axis)
    : m_label(std::move(label)), m_axis(axis) {}

/// Pixels of a decade over those that a label needs. Layouts are made after their ticks, with the margins from before.
double LogTicker::labelsPerDecade(const QCPRange& range) const {
  const QFontMetrics metrics(m_axis.tickLabelFont());
  const QMargins margins = m_axis.axisRect()->margins();
  const QSize room = m_axis.parentPlot()->viewport().marginsRemoved(margins).size();
  const double decades = std::log10(range.upper / range.lower);
  if (m_axis.orientation() == Qt::Vertical) return room.height() / decades / metrics.lineSpacing();
  int widest = 1;
  for (const double tick : multiplesIn(range, {1, 2, 5})) {
    widest = std::max(widest, metrics.horizontalAdvance(QStringLiteral("  ") + m_label(tick)));
  }
  return room.width() / decades / widest;
}

QVector<double> LogTicker::createTickVector(double tickStep, const QCPRange& range) {
  if (!(range.lower > 0)) return {};
  const double labels = labelsPerDecade(range);
  const bool many = std::log10(range.upper / range.lower) > kManyDecades || labels < kLabelsOfThree;
  QVector<double> ticks = multiplesIn(range, {1});
  if (!many || ticks.size() < kFewTicks) ticks = multiplesIn(range, {1, 2, 5});
  const int every = labels > 0 ? std::min(int(std::ceil(1 / labels)), int(ticks.size()) / kFewTicks) : 1;
  if (many && every > 1) {
    ticks.removeIf([every](double tick) { return std::lround(std::log10(tick)) % every != 0; });
  }
  return ticks.size() >= kFewTicks ? ticks : QCPAxisTicker::createTickVector(tickStep, range);
}

QVector<double> LogTicker::createSubTickVector(int, const QVector<double>& ticks) {
  if (ticks.size() < kFewTicks) return {};
  QVector<double> between = multiplesIn({ticks.front() / 10, ticks.back() * 10}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  between.removeIf([&](double tick) { return ticks.contains(tick); });
  return between;
}

QString LogTicker::getTickLabel(double tick, const QLocale&, QChar, int) { return m_label(tick); }

void setLogTicks(QCPAxis& axis, std::function<QString(double)> label) {
  axis.setTicker(QSharedPointer<LogTicker>::create(std::move(label), axis));
}

void setSecondsTicks(QCPAxis& axis) {
  setLogTicks(axis, [](double seconds) { return roundLabel(formatSeconds(seconds)); });
}

QString roundLabel(const std::string& figure) {
  static const QRegularExpression kZeros(QStringLiteral("(\\.\\d*?)0+(?= |$)"));
  static const QRegularExpression kPoint(QStringLiteral("\\.(?= |$)"));
  return qs(figure).replace(kZeros, QStringLiteral("\\1")).remove(kPoint);
}

}  // namespace p2::views
