// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_comparison.h"

#include <QHBoxLayout>
#include <QLabel>

#include "views/common/panel.h"
#include "views/runs/comparison_plot.h"

namespace p2::views {
namespace {

constexpr int kLeastPanelWidth = 320;
constexpr int kLeastPlotHeight = 180;
constexpr int kQualityLines = 3;

}  // namespace

RunComparison::RunComparison(QWidget* parent) : QScrollArea(parent) {
  setObjectName(QStringLiteral("runComparison"));
  setAccessibleName(tr("Measured against predicted, by group"));
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  m_row = new QHBoxLayout;
  m_row->setSpacing(2 * Theme::kGrid);
  m_note = new QLabel;
  m_note->setObjectName("runGroupsNote");
  m_note->setWordWrap(true);
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
