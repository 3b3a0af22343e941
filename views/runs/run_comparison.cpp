// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_comparison.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QObject>
#include <algorithm>
#include <map>
#include <tuple>

#include "base/median.h"
#include "cost/ranking_quality.h"
#include "views/common/panel.h"
#include "views/common/quantity_text.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/runs/comparison_plot.h"

namespace p2::views {

namespace {

constexpr std::size_t kTop = 10;

QString runsText(std::size_t runs) { return counted(std::int64_t(runs), QObject::tr("run"), QObject::tr("runs")); }

/// The text of the system in a plan file, by which its predictions were made; empty without a plan. O(its length).
QString systemIn(const QString& plan) {
  const qsizetype key = plan.indexOf(QLatin1String("\"system\""));
  const qsizetype begin = key < 0 ? -1 : plan.indexOf('{', key);
  int depth = 0;
  bool inText = false;
  for (qsizetype at = begin; begin >= 0 && at < plan.size(); ++at) {
    const QChar c = plan[at];
    if (inText && c == '\\') ++at;
    if (c == '"') inText = !inText;
    if (!inText && c == '{') ++depth;
    if (!inText && c == '}' && --depth == 0) return plan.mid(begin, at - begin + 1);
  }
  return {};
}

constexpr int kLeastPanelWidth = 320;
constexpr int kLeastPlotHeight = 180;
constexpr int kQualityLines = 3;

}  // namespace

QString RunGroup::title() const {
  const QString title = QObject::tr("%1 · %2 · %3 on %4").arg(system, shownBytes(bytes), backend, target);
  const QString steps = overlaps ? QObject::tr("%1 · overlapping").arg(title) : title;
  return fitted ? QObject::tr("%1 · fitted figures").arg(steps) : steps;
}

QString RunGroup::quality() const {
  if (rows.empty()) return {};
  std::vector<Comparison> all;
  std::vector<double> ratios;
  for (const RunRow& row : rows) {
    all.push_back({*row.predicted, row.result->seconds.median});
    ratios.push_back(row.result->seconds.median / *row.predicted);
  }
  const QString than = QObject::tr("%1 than predicted").arg(slowerThan(upperMedianOf(ratios), 1));
  if (all.size() < 2) return QObject::tr("1 run, %1; run a second program to compare rankings.").arg(than);
  // The best of all runs are found by any prediction; half of the runs can be missed.
  const std::size_t top = std::clamp<std::size_t>(all.size() / 2, 1, kTop);
  return QObject::tr("%1 · %2 (median) · top-%3 F1 %4 · Spearman %5 · the best predicted takes %6 of the best measured")
      .arg(runsText(all.size()), than)
      .arg(top)
      .arg(topKF1(all, top), 0, 'f', 2)
      .arg(spearman(all), 0, 'f', 2)
      .arg(factorText(regret(all)));
}

std::vector<RunGroup> groupsOf(const std::vector<RunRow>& rows) {
  std::vector<RunGroup> groups;
  std::map<std::tuple<QString, double, QString, QString, bool, QString>, std::size_t> known;
  for (const RunRow& row : rows) {
    if (row.failed() || !row.isCompared() || !(*row.predicted > 0)) continue;
    const QString backend = qs(row.result->backend);
    const bool overlaps = row.result->pieces > 1;
    const QString figures = systemIn(row.plan);
    const auto key = std::tuple(row.system, row.result->bytes.value(), backend, row.target, overlaps, figures);
    const auto [at, isNew] = known.emplace(key, groups.size());
    const bool fitted = figures.contains(QLatin1String("\"calibrated\": true"));
    if (isNew) groups.push_back({row.system, row.result->bytes, backend, row.target, overlaps, fitted, {}});
    groups[at->second].rows.push_back(row);
  }
  return groups;
}

RunComparison::RunComparison(QWidget* parent) : QScrollArea(parent) {
  setObjectName(QStringLiteral("runComparison"));
  setAccessibleName(tr("Measured against predicted, by group"));
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  auto* page = new QWidget;
  auto* column = bareLayout<QVBoxLayout>(page);
  m_row = new QHBoxLayout;
  m_row->setSpacing(2 * Theme::kGrid);
  m_note = new QLabel;
  wrapped(named(m_note, "runGroupsNote"));
  column->addLayout(m_row, 1);
  column->addWidget(m_note);
  setWidget(page);
  addPanel();
}

void RunComparison::addPanel() {
  const QString number = m_panels.empty() ? QString() : QString::number(m_panels.size());
  Panel panel;
  panel.widget = new QWidget;
  panel.widget->setMinimumWidth(kLeastPanelWidth);
  panel.title = panelTitle({});
  panel.title->setObjectName("runGroupTitle" + number);
  panel.title->setWordWrap(true);
  panel.plot = new ComparisonPlot;
  panel.plot->setObjectName("comparisonPlot" + number);
  panel.plot->setMinimumHeight(kLeastPlotHeight);
  panel.quality = new QLabel;
  panel.quality->setObjectName("runQuality" + number);
  panel.quality->setWordWrap(true);
  panel.quality->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  panel.quality->setMinimumHeight(kQualityLines * panel.quality->fontMetrics().lineSpacing());
  auto* layout = new QVBoxLayout(panel.widget);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid / 2);
  layout->addWidget(panel.title);
  layout->addWidget(panel.plot, 1);
  layout->addWidget(panel.quality);
  connect(panel.plot, &ComparisonPlot::runClicked, this, &RunComparison::runClicked);
  m_row->addWidget(panel.widget, 1);
  m_panels.push_back(panel);
}

void RunComparison::show(std::vector<RunRow> rows, std::size_t of, qint64 marked) {
  if (rows.size() > kMost) rows.resize(kMost);
  const std::size_t taken = rows.size();
  std::vector<RunGroup> groups = groupsOf(rows);
  const std::size_t all = groups.size();
  if (groups.size() > kMostGroups) groups.resize(kMostGroups);
  while (m_panels.size() < groups.size()) addPanel();
  for (std::size_t i = 0; i < m_panels.size(); ++i) {
    const bool used = i < groups.size();
    m_panels[i].widget->setVisible(used || i == 0);
    m_panels[i].title->setText(used ? groups[i].title() : QString());
    m_panels[i].quality->setText(used ? groups[i].quality()
                                      : tr("Runs with a correct result are compared with predictions here."));
    m_panels[i].plot->setRows(used ? std::move(groups[i].rows) : std::vector<RunRow>());
    m_panels[i].plot->setSelected(marked);
  }
  QString note;
  if (all > kMostGroups) {
    note = tr("The first %1 of %2 groups; choose runs in the list to see others.").arg(kMostGroups).arg(all);
  }
  if (taken < of) note = tr("Over the first %L1 of %L2 runs. ").arg(taken).arg(of) + note;
  m_note->setText(note);
  m_note->setVisible(!note.isEmpty());
}

}  // namespace p2::views
