// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <functional>

namespace p2::views {

/// Ticks of a logarithmic axis at 1, 2 and 5 of every decade, at 1 alone where there are many; evenly spaced ones where
/// less than such a step is shown. Where labels would overlap on `axis`, only some decades have one. Labels are what
/// `label` makes of a value.
class LogTicker : public QCPAxisTicker {
 public:
  LogTicker(std::function<QString(double)> label, const QCPAxis& axis);

 protected:
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QVector<double> createSubTickVector(int subTickCount, const QVector<double>& ticks) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

 private:
  [[nodiscard]] double labelsPerDecade(const QCPRange& range) const;

  std::function<QString(double)> m_label;
  const QCPAxis& m_axis;
};

/// Gives a logarithmic axis its ticker.
void setLogTicks(QCPAxis& axis, std::function<QString(double)> label);
/// Gives a logarithmic axis of seconds its ticker.
void setSecondsTicks(QCPAxis& axis);

/// "10 MB" for "10.0 MB": a figure as axes are labelled with it.
[[nodiscard]] QString roundLabel(const std::string& figure);

}  // namespace p2::views
