// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_comparison.h"

#include <QLabel>
#include <QVBoxLayout>

#include "base/units.h"
#include "cost/ranking_quality.h"
#include "views/runs/comparison_plot.h"

namespace p2::views {
namespace {

QString qualityText(const std::vector<RunRow>& rows) {
  std::vector<Comparison> all;
  for (const RunRow& row : rows) all.push_back({*row.predicted, row.result->seconds.median});
  if (all.size() < 2) return RunComparison::tr("Two runs or more are compared here.");
  const std::size_t top = std::min<std::size_t>(10, all.size());
  return RunComparison::tr(
             "%1 runs · predicted and measured differ by %2 % (median) · top-%3 F1 %4 · Spearman %5 · "
             "the best predicted takes %6 of the best measured")
      .arg(all.size())
      .arg(100 * medianError(all), 0, 'f', 0)
      .arg(top)
      .arg(topKF1(all, top), 0, 'f', 2)
      .arg(spearman(all), 0, 'f', 2)
      .arg(QString::fromStdString(formatFactor(regret(all))));
}

}  // namespace

RunComparison::RunComparison(QWidget* parent) : QWidget(parent) {
  m_plot = new ComparisonPlot;
  m_plot->setObjectName("comparisonPlot");
  m_plot->setMinimumHeight(160);
  connect(m_plot, &ComparisonPlot::runClicked, this, &RunComparison::runClicked);
  m_quality = new QLabel;
  m_quality->setObjectName("runQuality");
  m_quality->setWordWrap(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_plot, 1);
  layout->addWidget(m_quality);
}

void RunComparison::show(std::vector<RunRow> rows, std::size_t of, qint64 marked) {
  if (rows.size() > kMost) rows.resize(kMost);
  const std::size_t taken = rows.size();
  m_plot->setRows(std::move(rows));
  m_plot->setSelected(marked);
  QString text = qualityText(m_plot->rows());
  if (taken < of) text = tr("The first %1 of %2: ").arg(taken).arg(of) + text;
  m_quality->setText(text);
}

}  // namespace p2::views
