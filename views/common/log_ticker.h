// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <functional>

namespace p2::views {

/// Ticks of a logarithmic axis at 1, 2 and 5 of every decade, at 1 alone where there are many; evenly spaced ones where
/// less than such a step is shown. Labels are what `label` makes of a value.
class LogTicker : public QCPAxisTicker {
 public:
  explicit LogTicker(std::function<QString(double)> label);

 protected:
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QVector<double> createSubTickVector(int subTickCount, const QVector<double>& ticks) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

 private:
  std::function<QString(double)> m_label;
};

/// "10 MB" for "10.0 MB": a figure as axes are labelled with it.
[[nodiscard]] QString roundLabel(const std::string& figure);

}  // namespace p2::views
