// SPDX-License-Identifier: GPL-3.0-or-later
// Actions of PlanPerspective: rows to the clipboard and to files, figures, the comparison of two rows, and the
// state of the search.
#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>

#include "text/text_file.h"
#include "views/common/accessible_items.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/plan/heat_page.h"
#include "views/plan/mine_panel.h"
#include "views/plan/plan_comparison_dialog.h"
#include "views/plan/plan_figure.h"
#include "views/plan/plan_model.h"
#include "views/plan/plan_perspective.h"
#include "views/plan/plan_scatter.h"
#include "views/plan/plan_table.h"
#include "views/shell/session.h"

namespace p2::views {

void PlanPerspective::makeActions() {
  m_copy = new QAction(tr("&Copy row"), this);
  m_copy->setObjectName("planCopyAction");
  m_copy->setShortcut(QKeySequence::Copy);
  m_copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  m_copy->setToolTip(tr("Copy the selected configuration as text (Ctrl+C)"));
  connect(m_copy, &QAction::triggered, this, [this] { m_table->copyRow(); });
  m_export = new QAction(tr("E&xport table…"), this);
  m_export->setObjectName("planExportAction");
  m_export->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
  m_export->setToolTip(tr("Write the shown rows as CSV (Ctrl+Shift+E)"));
  connect(m_export, &QAction::triggered, this, &PlanPerspective::askForFile);
  m_accuracy = new QAction(tr("How &good is this here?"), this);
  m_accuracy->setObjectName("planAccuracyAction");
  m_accuracy->setToolTip(tr("Published training steps like these, next to their predictions"));
  m_compare = new QAction(tr("Co&mpare…"), this);
  m_compare->setObjectName("planCompareAction");
  m_compare->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_D));
  m_compare->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  m_compare->setToolTip(tr("Two configurations line by line, and what makes the difference (Ctrl+D)"));
  connect(m_compare, &QAction::triggered, this, &PlanPerspective::compareRows);
  addActions({m_copy, m_compare, m_export, m_accuracy});
}

/// The shown view: bars of the first rows, the map, or time against memory. As a table the rows, or the map's cells.
ExportedPlot PlanPerspective::exported(const FigureStyle& style) const {
  const auto found = m_model->found();
  if (m_views->currentWidget() == m_heat) return figureOf(heatPicture(m_heat->model()), m_heat->width(), style);
  ViewPicture bars = planBarsPicture(found, m_model->places());
  if (m_views->currentWidget() != m_scatter) return figureOf(std::move(bars), m_table->width(), style);
  ExportedPlot plot;
  plot.plot = m_scatter;
  plot.csv = std::move(bars.csv);
  plot.title = tr("Step time against memory");
  plot.style = style;
  return plot;
}

void PlanPerspective::report(InlineMessage::Kind kind, const QString& sentence) {
  kind == InlineMessage::Kind::Problem ? m_report->say(kind, sentence) : m_report->sayBriefly(kind, sentence);
  m_report->setToolTip(sentence);
  m_report->raise();
  announce(*this, sentence);
}

void PlanPerspective::enableComparison() {
  const auto found = m_session.planner().answer();
  const bool has = m_pages->currentIndex() != 0 && found && !found->answer.configurations.empty();
  m_compare->setEnabled(has && (found->answer.configurations.size() > 1 || m_mine->mine() != nullptr));
}

void PlanPerspective::compareRows() {
  const auto found = m_session.planner().answer();
  if (!m_compare->isEnabled() || found == nullptr) return;
  const PlannedConfiguration* mine = m_mine->mine();
  const int shown = std::max(0, m_session.planner().shownRow());
  const int next = found->answer.configurations.size() > 1 ? 1 : 0;
  const int other = shown > 0 ? shown : mine ? PlanComparisonDialog::kMine : next;
  auto* dialog = new PlanComparisonDialog(m_session, found, mine ? std::optional(*mine) : std::nullopt, 0, other, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void PlanPerspective::askForFile() {
  if (m_pages->currentIndex() == 0) return;
  askWhereToSave(
      this, {QStringLiteral("planExportDialog"), tr("Export the plan"), {tr("Table (*.csv)")}, QStringLiteral("plan")},
      [this](const QString& path) {
        const auto written = writeTextFile(path.toStdString(), planCsv(*m_model->found(), m_model->places()));
        written.ok() ? report(InlineMessage::Kind::Good, tr("Written: %1").arg(path))
                     : report(InlineMessage::Kind::Problem, qs(written.error().text()));
      });
}

/// Progress, Cancel and the way back to the best share one place, so that the table below the pointer stays.
QWidget* PlanPerspective::makeState() {
  m_progress->setObjectName("planProgress");
  m_progress->setAccessibleName(tr("Progress of the search"));
  m_progress->setRange(0, kProgressSteps);
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(12 * Theme::kGrid);
  QSizePolicy kept = m_progress->sizePolicy();
  kept.setRetainSizeWhenHidden(true);
  m_progress->setSizePolicy(kept);
  m_cancel->setObjectName("planCancel");
  m_cancel->setText(tr("Cancel"));
  m_cancel->setToolTip(tr("Stop comparing configurations"));
  connect(m_cancel, &QToolButton::clicked, &m_session.planner(),
          [this] { m_session.planner().isRunning() ? m_session.planner().cancel() : m_session.planner().planAgain(); });
  m_followBest->setObjectName("planFollowBest");
  m_followBest->setText(tr("★ Back to the best"));
  m_followBest->setToolTip(tr("Take back the choice: all pages show the best configuration"));
  connect(m_followBest, &QToolButton::clicked, this, [this] { m_session.chooseConfiguration(nullptr); });
  auto* searching = new QWidget;
  auto* line = new QHBoxLayout(searching);
  line->setContentsMargins({});
  line->setSpacing(Theme::kGrid);
  line->addStretch(1);
  line->addWidget(m_progress);
  line->addWidget(m_cancel);
  auto* chosen = new QWidget;
  auto* end = new QHBoxLayout(chosen);
  end->setContentsMargins({});
  end->addStretch(1);
  end->addWidget(m_followBest);
  for (QWidget* page : {new QWidget, searching, chosen}) m_state->addWidget(page);
  for (QToolButton* button : {m_cancel, m_followBest}) button->setFocusPolicy(Qt::TabFocus);
  m_state->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  return m_state;
}

}  // namespace p2::views
