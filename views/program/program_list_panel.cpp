// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_list_panel.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "views/accuracy/accuracy_mark.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/program/draft_row.h"
#include "views/program/program_list_model.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr int kLeastCharacters = 72;  // from which width on programs are named in full
constexpr int kLeastForSpeedup = 34;  // and the speed-up has a column

}  // namespace

ProgramListPanel::ProgramListPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_model(new ProgramListModel(this)),
      m_filter(new ProgramFilter(this)),
      m_filterEdit(new QLineEdit),
      m_draft(new DraftRow),
      m_table(new QTableView),
      m_count(new QLabel),
      m_limit(new QLabel),
      m_filterAction(new QAction(tr("Filter programs"), this)) {
  m_filter->setSourceModel(m_model);
  m_filterEdit->setObjectName("programFilter");
  m_filterEdit->setPlaceholderText(tr("Filter programs"));
  m_filterEdit->setAccessibleName(tr("Filter programs"));
  m_filterEdit->setToolTip(
      tr("Show only programs that contain this text, such as \"Broadcast\" or \"RS·AR\" (Ctrl+F)"));
  m_filterEdit->setClearButtonEnabled(true);
  m_filterAction->setShortcut(QKeySequence::Find);
  m_filterAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(m_filterAction, &QAction::triggered, m_filterEdit,
          [this] { m_filterEdit->setFocus(Qt::ShortcutFocusReason); });
  connect(m_filterEdit, &QLineEdit::textChanged, this, [this](const QString& text) {
    {
      // A choice hidden by the filter stays.
      const QSignalBlocker quiet(m_table->selectionModel());
      m_filter->setFilterFixedString(text);
    }
    showSelection();
    showCount();
  });
  wrapped(named(m_count, "programCount"));
  wrapped(named(m_limit, "programLimit"));
  makeTable();

  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  layout->addWidget(m_filterEdit);
  layout->addWidget(m_draft);
  layout->addWidget(m_table, 1);
  layout->addWidget(m_count);
  layout->addWidget(m_limit);
  layout->addWidget(new AccuracyMark(session, AccuracyMark::Of::Program), 0, Qt::AlignLeft);
  m_draft->hide();
  connect(m_draft, &DraftRow::clicked, this, &ProgramListPanel::draftClicked);
  connect(m_model, &ProgramListModel::moreWanted, &m_session, &Session::wantMorePrograms);
  connect(&m_session, &Session::explorationChanged, this, &ProgramListPanel::refresh);
  connect(&m_session, &Session::freshnessChanged, this, [this] { m_model->setStale(!m_session.isCurrent()); });
  connect(&m_session, &Session::selectionChanged, this, &ProgramListPanel::refresh);
  refresh();
  m_model->setStale(!m_session.isCurrent());
}

void ProgramListPanel::makeTable() {
  m_table->setModel(m_filter);
  TableSetup setup;
  setup.name = QStringLiteral("programTable");
  setup.accessible = tr("Programs");
  setup.striped = true;
  // Programs of up to four steps fit on two lines; measuring every row would take too long for thousands.
  setup.linesPerRow = 2;
  setup.stretched = ProgramListModel::ProgramColumn;
  setup.fitted = true;
  setUpTable(*m_table, setup);
  m_table->setFrameShape(QFrame::NoFrame);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) { select(current.row()); });
  connect(m_table, &QTableView::clicked, this, &ProgramListPanel::programClicked);
  m_table->viewport()->installEventFilter(this);
  m_table->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_table, &QTableView::customContextMenuRequested, this, &ProgramListPanel::offerPinning);
}

// Elided names look the same, so other columns go first: steps, which complete names show, then the speed-up, which
// follows from the times.
void ProgramListPanel::resizeEvent(QResizeEvent* event) {
  const int characters = width() / std::max(1, fontMetrics().averageCharWidth());
  const bool narrow = characters < kLeastCharacters;
  m_table->setColumnHidden(ProgramListModel::StepsColumn, narrow);
  m_table->setColumnHidden(ProgramListModel::SpeedupColumn, characters < kLeastForSpeedup);
  m_model->setShort(narrow);
  QWidget::resizeEvent(event);
}

// The right button does not select: its menu compares the shown program with the row.
bool ProgramListPanel::eventFilter(QObject* watched, QEvent* event) {
  const bool pressed = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease;
  if (pressed && static_cast<QMouseEvent*>(event)->button() == Qt::RightButton) return true;
  return QWidget::eventFilter(watched, event);
}

void ProgramListPanel::offerPinning(QPoint at) {
  const QModelIndex row = m_filter->mapToSource(m_table->indexAt(at));
  const PlacementResult* placement = m_session.placement();
  if (!row.isValid() || placement == nullptr || std::size_t(row.row()) >= placement->programs.size()) return;
  const PinnedRun run{placement->matrix, placement->programs[std::size_t(row.row())].program};
  auto* menu = new QMenu(this);
  menu->setObjectName("programRowMenu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  QAction* pin = menu->addAction(tr("Compare with this program (pin as B)"), this, [this, run] { m_session.pin(run); });
  pin->setObjectName("pinProgramAction");
  menu->popup(m_table->viewport()->mapToGlobal(at));
}

void ProgramListPanel::setDraft(const QString& notation, const QString& facts, bool shown) {
  if (notation.isEmpty() && facts.isEmpty()) return m_draft->hide();
  m_draft->show(notation, facts);
  m_draft->setChecked(shown);
}

void ProgramListPanel::refresh() {
  // While the model changes the table picks a row by itself; ignore that.
  const QSignalBlocker quiet(m_table->selectionModel());
  m_model->show(m_session.exploration(), m_session.placementIndex());
  m_model->setStale(!m_session.isCurrent());
  const auto exploration = m_session.exploration();
  m_table->setColumnHidden(ProgramListModel::OverlappedColumn,
                           !exploration || !exploration->workspace.options.cost.overlap);
  showSelection();
  showCount();
  showLowerBound();
}

void ProgramListPanel::showSelection() {
  const QModelIndex source = m_model->index(m_session.programIndex(), 0);
  const QModelIndex row = m_filter->mapFromSource(source);
  if (row == m_table->currentIndex().siblingAtColumn(0) && m_table->selectionModel()->isSelected(row)) return;
  const QSignalBlocker quiet(m_table->selectionModel());
  m_table->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (row.isValid()) m_table->scrollTo(row);
  m_table->viewport()->update();
}

void ProgramListPanel::select(int proxyRow) {
  if (proxyRow < 0) return;
  m_session.select(m_session.placementIndex(), m_filter->mapToSource(m_filter->index(proxyRow, 0)).row());
}

void ProgramListPanel::showCount() {
  const int listed = m_model->rowCount();
  QString text = listed == 1 ? tr("1 program") : tr("%1 programs").arg(listed);
  if (m_filter->rowCount() != listed) text = tr("%1 of the %2 listed programs").arg(m_filter->rowCount()).arg(listed);
  const Count unlisted = m_model->unlisted();
  if (unlisted > Count(0)) text += tr(", %1 slower ones not listed").arg(qs(unlisted.toString()));
  m_count->setText(text);
}

void ProgramListPanel::showLowerBound() {
  m_limit->clear();
  m_limit->setToolTip({});
  const auto exploration = m_session.exploration();
  if (!exploration || m_session.placementIndex() < 0) return;
  const PlacementResult& placement = exploration->placements[std::size_t(m_session.placementIndex())];
  if (placement.programs.empty() || placement.limit.seconds <= 0) return;
  const double times = placement.rankedBestSeconds() / placement.limit.seconds;
  m_limit->setText(
      isAtLowerBound(placement.rankedBestSeconds(), placement.limit)
          ? tr("Within %1 % of the lower bound: nothing much faster exists").arg(std::ceil(100 * (times - 1) - 1e-6))
          : tr("The best takes %1 the lower bound").arg(factorText(times)));
  m_limit->setToolTip(tr("Lower bound for this placement: %1, the time the links from %2 need for the minimum "
                         "traffic. Latencies and fixed costs of steps are not included.")
                          .arg(secondsText(placement.limit.seconds), qs(placement.limit.where)));
}

}  // namespace p2::views
