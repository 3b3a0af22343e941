// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/log_ticker.h"

#include <QRegularExpression>
#include <cmath>

#include "base/near.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

constexpr double kManyDecades = 4;
constexpr int kFewTicks = 2;

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

LogTicker::LogTicker(std::function<QString(double)> label) : m_label(std::move(label)) {}

QVector<double> LogTicker::createTickVector(double tickStep, const QCPRange& range) {
  if (!(range.lower > 0)) return {};
  const bool many = std::log10(range.upper / range.lower) > kManyDecades;
  const QVector<double> ticks = many ? multiplesIn(range, {1}) : multiplesIn(range, {1, 2, 5});
  return ticks.size() >= kFewTicks ? ticks : QCPAxisTicker::createTickVector(tickStep, range);
}

QVector<double> LogTicker::createSubTickVector(int, const QVector<double>& ticks) {
  if (ticks.size() < kFewTicks) return {};
  QVector<double> between = multiplesIn({ticks.front() / 10, ticks.back() * 10}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  between.removeIf([&](double tick) { return ticks.contains(tick); });
  return between;
}

QString LogTicker::getTickLabel(double tick, const QLocale&, QChar, int) { return m_label(tick); }

QString roundLabel(const std::string& figure) {
  static const QRegularExpression kZeros(QStringLiteral("(\\.\\d*?)0+(?= |$)"));
  static const QRegularExpression kPoint(QStringLiteral("\\.(?= |$)"));
  return qs(figure).replace(kZeros, QStringLiteral("\\1")).remove(kPoint);
}

}  // namespace p2::views
