// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/placements_panel.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <algorithm>

#include "explore/open_choices.h"
#include "views/accuracy/accuracy_mark.h"
#include "views/common/empty_page.h"
#include "views/common/inline_message.h"
#include "views/common/link_label.h"
#include "views/common/panel.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/placement/placements_table.h"
#include "views/placement/realisation_text.h"
#include "views/placement/step_guard.h"
#include "views/shell/session.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

/// Whether the axes have the same names and sizes, so that a matrix means the same placement.
bool haveSameSizes(const std::vector<Axis>& a, const std::vector<Axis>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Axis& one, const Axis& other) {
    return one.name == other.name && one.size == other.size;
  });
}

}  // namespace

PlacementsPanel::PlacementsPanel(Session& session, QWidget* parent) : QWidget(parent), m_session(session) {
  m_proxy.setSourceModel(&m_model);
  m_table = new PlacementsTable(m_proxy);
  m_listTip = m_table->toolTip();
  connectSelection();
  makeFilter();
  m_count = named(new QLabel, "placementsCount");
  auto* title = new QHBoxLayout;
  title->addWidget(panelTitle(tr("Placements")));
  title->addWidget(m_count);
  title->addStretch();
  title->addWidget(m_filter, 2);

  m_guard = new StepGuard(session);
  m_status = named(new InlineMessage, "placementsStatus");
  m_stack = new QStackedWidget;
  m_stack->addWidget(m_table);
  m_empty = new EmptyPage;
  m_stack->addWidget(m_empty);
  connect(m_empty, &EmptyPage::clicked, this, [this] {
    if (m_filter->text().isEmpty()) {
      if (m_session.problem()) return emit axesWanted();
      m_session.exploreAgain();
    } else {
      m_filter->clear();
    }
  });
  m_summary = named(new LinkLabel, "placementsSummary");
  connect(m_summary, &QLabel::linkActivated, this, [this](const QString& row) { m_session.select(row.toInt()); });
  m_realisation = wrapped(named(new QLabel, "placementRealisation"));
  m_realisation->setForegroundRole(QPalette::PlaceholderText);

  QVBoxLayout* layout = panelLayout(this);
  layout->addLayout(title);
  layout->addWidget(m_guard);
  layout->addWidget(m_status);
  layout->addWidget(m_stack, 1);
  layout->addWidget(m_summary);
  layout->addWidget(new AccuracyMark(session, AccuracyMark::Of::Program), 0, Qt::AlignLeft);
  layout->addWidget(m_realisation);

  connect(m_guard, &StepGuard::notesChanged, this, &PlacementsPanel::refreshNotes);
  connect(m_guard, &StepGuard::workloadWanted, this, &PlacementsPanel::workloadWanted);
  connect(m_guard, &StepGuard::placementWanted, this, [this](int row) { m_session.select(row); });
  connect(&session, &Session::replaced, this, [this] { setCompared(-1); });
  connect(&session, &Session::explorationChanged, this, &PlacementsPanel::refresh);
  connect(&session, &Session::freshnessChanged, this, &PlacementsPanel::refreshFreshness);
  connect(&session, &Session::selectionChanged, this, &PlacementsPanel::showSelection);
  connect(&session, &Session::selectionChanged, this, &PlacementsPanel::refreshRealisation);
  refresh();
}

void PlacementsPanel::setLow(bool low) {
  if (std::exchange(m_isLow, low) != low) refreshRealisation();
}

void PlacementsPanel::connectSelection() {
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &PlacementsPanel::selectRow);
  connect(m_table, &PlacementsTable::pinWanted, this, &PlacementsPanel::pin);
  connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
    selectRow(index);
    emit placementActivated();
  });
  connect(m_table, &PlacementsTable::comparisonWanted, this, [this](const QModelIndex& index) {
    const int row = m_proxy.mapToSource(index).row();
    setCompared(row == m_compared ? -1 : row);
  });
}

void PlacementsPanel::setCompared(int placement) {
  m_compared = placement;
  m_comparedMatrix = placement < 0 ? ParallelismMatrix() : m_model.placement(placement).matrix;
  m_comparedAxes = m_session.exploration() ? m_session.exploration()->workspace.axes : std::vector<Axis>();
  m_model.setCompared(placement);
  m_table->fit(m_guard->expectedKind(), placement >= 0);
  emit comparedChanged(placement);
}

// Another exploration may list the same placement elsewhere, or not at all. With other axes the same matrix is another
// placement.
void PlacementsPanel::keepCompared() {
  if (m_compared < 0) return;
  int found = -1;
  const auto exploration = m_session.exploration();
  if (!exploration || !haveSameSizes(exploration->workspace.axes, m_comparedAxes)) return setCompared(-1);
  for (int row = 0; row < m_model.rowCount() && found < 0; ++row) {
    if (m_model.placement(row).matrix == m_comparedMatrix) found = row;
  }
  setCompared(found);
}

void PlacementsPanel::pin(int row) {
  const PlacementResult& placement = m_model.placement(row);
  if (placement.programs.empty()) return;
  m_session.pin(PinnedRun{placement.matrix, placement.programs[0].program});
  emit comparisonWanted();
}

void PlacementsPanel::makeFilter() {
  m_filter = named(new QLineEdit, "placementsFilter");
  m_filter->setPlaceholderText(tr("Filter: [[1,8] or RS AR"));
  m_filter->setToolTip(tr("Show only placements whose matrix or best program contains this text (Ctrl+F)"));
  m_filter->setAccessibleName(tr("Filter placements"));
  m_filter->setClearButtonEnabled(true);
  m_find = named(new QAction(tr("Filter placements"), this), "placementsFind");
  m_find->setShortcut(QKeySequence::Find);
  m_find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(m_find, &QAction::triggered, this, [this] {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
  });
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
    {
      const QScopedValueRollback syncing(m_syncing, true);
      m_proxy.setFilterText(text);
    }
    showSelection();
    refreshEmptyPage();
  });
}

void PlacementsPanel::refresh() {
  const auto exploration = m_session.exploration();
  {
    const QScopedValueRollback syncing(m_syncing, true);
    m_model.setExploration(exploration);
  }
  keepCompared();
  refreshNotes();
  refreshCount();
  refreshFreshness();
  refreshSummary();
  showSelection();
  refreshRealisation();
}

void PlacementsPanel::refreshCount() {
  const auto exploration = m_session.exploration();
  if (!exploration) return m_count->clear();
  const Workspace& asked = exploration->workspace;
  const QString shown = QStringLiteral("%L1").arg(exploration->placements.size());
  const Count all = countMatrices(sizesOf(asked.axes), asked.system.counts());
  const bool isFiltered = all > exploration->placementCount;
  m_count->setText(isFiltered ? tr("%1 of %2").arg(shown, groupedDigits(all)) : shown);
  QStringList kept;
  for (const Axis& axis : asked.axes) {
    if (!axis.inside.empty()) kept += tr("%1 inside a %2").arg(qs(axis.name), qs(axis.inside));
  }
  m_count->setToolTip(isFiltered ? tr("The others do not keep %1").arg(kept.join(QStringLiteral(", "))) : QString());
}

void PlacementsPanel::refreshNotes() {
  const PlacementNotes& notes = m_guard->notes();
  {
    const QScopedValueRollback syncing(m_syncing, true);
    m_model.setNotes(notes, m_guard->isStale());
    m_table->fit(m_guard->expectedKind(), m_compared >= 0);
  }
}

void PlacementsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_guard->setSeen(true);
}

void PlacementsPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  m_guard->setSeen(false);
}

void PlacementsPanel::refreshFreshness() {
  m_model.setStale(!m_session.isCurrent());
  refreshStatus();
  refreshEmptyPage();
}

void PlacementsPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) m_table->fit(m_guard->expectedKind(), m_compared >= 0);
}

void PlacementsPanel::refreshStatus() {
  const auto problem = m_session.problem();
  const bool stale = m_session.exploration() && !m_session.isCurrent();
  if (problem && problem->kind != ErrorKind::BadInput) {
    m_status->showProblem(qs(problem->text()));
  } else if (problem && stale) {
    // The error itself is shown at the axes or the system; here only its effect on the table.
    m_status->say(InlineMessage::Kind::Note, tr("Out of date: these placements are from before your last edits."));
  } else {
    const QString sentence = m_session.isExploring() ? tr("Computing …") : tr("Stopped; F5 recomputes.");
    m_status->say(InlineMessage::Kind::Note, stale ? sentence : QString());
  }
}

void PlacementsPanel::refreshEmptyPage() {
  m_stack->setCurrentIndex(m_proxy.rowCount() > 0 ? 0 : 1);
  if (m_model.rowCount() > 0) {
    m_empty->say(tr("No placement matches \"%1\".").arg(m_filter->text()), tr("Clear the filter"));
  } else if (m_session.problem()) {
    m_empty->say(tr("Nothing to place yet. Fix the system or the axes to see placements here."), tr("Edit the axes"));
  } else if (m_session.isExploring()) {
    m_empty->say(tr("Computing placements …"), {});
  } else {
    m_empty->say(tr("The computation was stopped."), tr("Recompute"));
  }
}

void PlacementsPanel::refreshSummary() {
  const auto exploration = m_session.exploration();
  m_summary->setVisible(exploration && !exploration->placements.empty());
  if (m_summary->isHidden()) return;
  const PlacementResult& best = exploration->placements[std::size_t(exploration->bestPlacement)];
  QString text = tr("★ <a href=\"%1\">best</a> %2%3")
                     .arg(exploration->bestPlacement)
                     .arg(secondsText(best.rankedBestSeconds()), ofRuns(exploration->workspace.options.cost.repeat));
  if (exploration->defaultPlacement >= 0) {
    const PlacementResult& standard = exploration->placements[std::size_t(exploration->defaultPlacement)];
    text += tr(" · ◇ <a href=\"%1\">default of JAX/PyTorch</a> with one %2, %3")
                .arg(exploration->defaultPlacement)
                .arg(singleName(exploration->workspace), slowerThan(standard.singleSeconds, best.rankedBestSeconds()));
  }
  const OpenChoices open = openChoices(*exploration);
  if (!open.placements.empty()) {
    const std::size_t first = open.placements.front();
    text += tr(" · ≈ <a href=\"%1\">%2</a>%3 may be as fast")
                .arg(first)
                .arg(qs(exploration->placements[first].matrix.text()),
                     open.placements.size() == 1 ? QString() : tr(" and %1 more").arg(open.placements.size() - 1));
  }
  m_summary->setToolTip(
      open.placements.empty()
          ? QString()
          : tr("Predicted to take longer, but the intervals overlap, so either may be faster: measure "
               "both"));
  m_summary->setText(text);
}

void PlacementsPanel::refreshRealisation() {
  const PlacementResult* selected = m_session.placement();
  RealisationText text;
  if (selected != nullptr) {
    const Workspace& asked = m_session.exploration()->workspace;
    text = realisationText(asked.system, asked.axes, selected->matrix);
  }
  m_realisation->setText(selected ? tr("The selected placement %1").arg(text.line) : QString());
  m_realisation->setToolTip(text.tip);
  m_realisation->setVisible(selected != nullptr && !m_isLow);
  m_table->setToolTip(m_isLow ? m_realisation->text() + "\n\n" + m_listTip : m_listTip);
}

void PlacementsPanel::showSelection() {
  const QScopedValueRollback syncing(m_syncing, true);
  const QModelIndex wanted = m_proxy.mapFromSource(m_model.index(m_session.placementIndex(), PlacementsModel::Matrix));
  if (!wanted.isValid()) {
    m_table->clearSelection();
    m_table->setCurrentIndex({});
    return;
  }
  if (wanted.row() == m_table->currentIndex().row() && m_table->selectionModel()->isRowSelected(wanted.row())) return;
  m_table->setCurrentIndex(wanted);
  m_table->scrollTo(wanted);
}

void PlacementsPanel::selectRow(const QModelIndex& proxyIndex) {
  if (m_syncing || !proxyIndex.isValid()) return;
  const int row = m_proxy.mapToSource(proxyIndex).row();
  // Chosen once more it keeps its chosen program.
  if (row != m_session.placementIndex()) m_session.select(row);
}

}  // namespace p2::views
