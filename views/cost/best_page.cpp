// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/best_page.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QTableView>
#include <algorithm>

#include "views/common/forward_focus.h"
#include "views/common/inline_message.h"
#include "views/common/matrix_painter.h"
#include "views/common/panel.h"
#include "views/common/plot_export.h"
#include "views/common/table.h"
#include "views/common/theme.h"
#include "views/cost/best_bars.h"
#include "views/cost/best_figure.h"
#include "views/cost/best_picture.h"
#include "views/placement/step_guard.h"
#include "views/shell/session.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

constexpr int kProgramShare = 3;  // one part in this many of the width
constexpr int kProgramLines = 2;

}  // namespace

BestPage::BestPage(Session& session, QWidget* parent) : QWidget(parent), m_session(session) {
  m_message = named(new InlineMessage, "bestMessage");
  makeTable();
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  layout->addWidget(makeHead());
  layout->addWidget(m_message);
  layout->addWidget(m_table, 1);
  forwardFocus(*this, *m_table);
  connect(&m_session, &Session::explorationChanged, this, &BestPage::refresh);
  connect(&m_session, &Session::freshnessChanged, this, &BestPage::showFreshness);
  connect(&m_session, &Session::selectionChanged, this, &BestPage::showSelection);
  refresh();
  showFreshness();
}

QWidget* BestPage::makeHead() {
  auto* head = new QWidget;
  m_finding = wrapped(named(new QLabel, "bestFinding"));
  m_finding->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_how = wrapped(named(new QLabel, "bestHow"));
  m_how->setForegroundRole(QPalette::PlaceholderText);
  m_guard = named(new StepGuard(m_session), "bestStepGuard");
  connect(m_guard, &StepGuard::workloadWanted, this, &BestPage::workloadWanted);
  connect(m_guard, &StepGuard::placementWanted, this, [this](int row) { m_session.select(row); });
  auto* save = new PlotExportButton("bestExport", "best-by-placement", [this](const FigureStyle& style) {
    ExportedPlot exported;
    exported.csv = [this] {
      return m_model.rows().empty() ? std::string() : bestCsv(m_model.exploration(), m_model.rows());
    };
    exported.title = tr("Best programs by placement");
    exported.style = style;
    if (style.isForPrint()) {
      const BestFigure figure(m_session.exploration(), style, exported.title);
      exported.size = figure.size();
      exported.paint = [figure](QPainter& painter) { figure.paint(painter); };
      return exported;
    }
    const BestPicture picture(m_session.exploration(), m_table->width());
    exported.size = picture.size();
    exported.paint = [picture](QPainter& painter) { picture.paint(painter); };
    return exported;
  });
  connect(save, &PlotExportButton::written, this,
          [this](const QString& path) { m_message->say(InlineMessage::Kind::Good, tr("written to %1").arg(path)); });
  connect(save, &PlotExportButton::failed, m_message, &InlineMessage::showProblem);
  auto* words = new QVBoxLayout;
  words->setSpacing(Theme::kGrid / 2);
  words->addWidget(m_finding);
  words->addWidget(m_how);
  words->addWidget(m_guard);
  auto* layout = bareLayout<QHBoxLayout>(head);
  layout->addLayout(words, 1);
  layout->addWidget(save, 0, Qt::AlignTop);
  return head;
}

void BestPage::makeTable() {
  m_table = new QTableView;
  m_table->setModel(&m_model);
  m_table->setItemDelegateForColumn(BestModel::Matrix, new MatrixDelegate(m_table));
  m_table->setItemDelegateForColumn(BestModel::Times, new BestBarsDelegate(m_model, m_table));
  TableSetup setup;
  setup.name = QStringLiteral("bestTable");
  setup.accessible = tr("The best program of every placement");
  setup.linesPerRow = kProgramLines;
  setup.stretched = BestModel::Times;
  setUpTable(*m_table, setup);
  m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) { selectRow(index.row()); });
  connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
    m_session.select(m_model.rows()[std::size_t(index.row())].placement, 0);
    emit programWanted();
  });
}

void BestPage::showFreshness() {
  m_model.setStale(!m_session.isCurrent());
  m_finding->setEnabled(m_session.isCurrent());
}

void BestPage::refresh() {
  const auto exploration = m_session.exploration();
  {
    const QScopedValueRollback syncing(m_syncing, true);
    m_model.setExploration(exploration);
  }
  if (!exploration) return;
  m_finding->setText(bestFinding(*exploration, m_model.rows()));
  QString how = tr("Predicted: %1. Solid: the best program. Hatched: one %2 over the whole group.")
                    .arg(pricedHow(exploration->workspace.options.cost), singleName(exploration->workspace));
  const CostColours colours(*exploration);
  if (colours.byLevel()) how += tr(" Colours: the outermost level that the reduction crosses.");
  m_how->setText(how);
  fitTable();
  showSelection();
}

void BestPage::fitTable() {
  if (m_model.rows().empty()) return;
  const QFontMetrics figures(Theme::tabularFont());
  const auto& matrix = m_model.exploration().placements[0].matrix;
  const int lines = kProgramLines * fontMetrics().lineSpacing();
  m_table->verticalHeader()->setDefaultSectionSize(
      std::max({matrixSize(matrix, figures).height(), kBestBarsHeight, lines}) + Theme::kGrid);
  for (const int column : {BestModel::Name, BestModel::Matrix}) m_table->resizeColumnToContents(column);
  m_table->setColumnWidth(BestModel::Program, std::max(200, width() / kProgramShare));
}

void BestPage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) fitTable();
}

void BestPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_guard->setSeen(true);
}

void BestPage::hideEvent(QHideEvent* event) {
  m_guard->setSeen(false);
  QWidget::hideEvent(event);
}

void BestPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitTable();
}

void BestPage::showSelection() {
  const QScopedValueRollback syncing(m_syncing, true);
  const int row = m_model.rowOf(m_session.placementIndex());
  if (row < 0) return m_table->clearSelection();
  m_table->setCurrentIndex(m_model.index(row, BestModel::Name));
}

void BestPage::selectRow(int row) {
  if (m_syncing || row < 0) return;
  const int placement = m_model.rows()[std::size_t(row)].placement;
  if (placement != m_session.placementIndex()) m_session.select(placement);
}

}  // namespace p2::views
