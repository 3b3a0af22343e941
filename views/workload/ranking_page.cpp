// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/ranking_page.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>

#include "views/common/forward_focus.h"
#include "views/common/matrix_painter.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/workload/ranking_bars.h"
#include "views/workload/ranking_words.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostInLegend = 12;
constexpr int kTextLines = 4;
constexpr int kStepCharacters = 24;  // a bar that can be read, with its time

/// How wide a column of words becomes at most before they are broken; 0 for as wide as they are.
int mostCharacters(int column) {
  switch (column) {
    case RankingModel::Where:
      return 28;
    case RankingModel::Orders:
      return 20;
    case RankingModel::Realised:
      return 15;
    default:
      return 0;
  }
}

}  // namespace

RankingPage::RankingPage(QWidget* parent)
    : QWidget(parent), m_table(new QTableView), m_legend(new QLabel), m_orders(new QLabel) {
  makeTable();
  wrapped(named(m_legend, "rankingLegend"));
  m_legend->setTextFormat(Qt::RichText);
  wrapped(named(m_orders, "ordersWithoutMatrix"));
  m_orders->setForegroundRole(QPalette::PlaceholderText);
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  layout->addWidget(m_legend);
  layout->addWidget(m_table, 1);
  layout->addWidget(m_orders);
  forwardFocus(*this, *m_table);
}

RankingPage::~RankingPage() { m_table->viewport()->removeEventFilter(this); }

void RankingPage::makeTable() {
  m_table->setModel(&m_model);
  m_table->setItemDelegateForColumn(RankingModel::Matrix, new MatrixDelegate(m_table));
  m_table->setItemDelegateForColumn(RankingModel::Step, new RankingBarDelegate(m_model, m_table));
  TableSetup setup;
  setup.name = QStringLiteral("rankingTable");
  setup.accessible = tr("Placements by training step");
  setup.toolTip = tr("Up and Down select; Enter or a double click shows the placement and its devices");
  setup.linesPerRow = kTextLines;
  setup.stretched = RankingModel::Step;
  setUpTable(*m_table, setup);
  m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->viewport()->installEventFilter(this);
  m_table->setTextElideMode(Qt::ElideRight);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (m_syncing || !index.isValid() || index.row() == m_chosen) return;
    m_chosen = index.row();
    emit placementChosen(m_chosen);
  });
  connect(m_table, &QTableView::activated, this,
          [this](const QModelIndex& index) { emit placementActivated(index.row()); });
}

void RankingPage::setRanking(std::shared_ptr<const StepRanking> ranking, const std::optional<ReductionWinner>& winner) {
  if (ranking == m_model.ranking() && winner == m_model.winner()) return;
  // Under a slider the same words come in another order.
  const bool sameWords = m_model.ranking() && ranking && winner == m_model.winner() &&
                         ranking->question.system == m_model.ranking()->question.system &&
                         ranking->question.axes == m_model.ranking()->question.axes &&
                         ranking->question.options == m_model.ranking()->question.options;
  {
    const QScopedValueRollback syncing(m_syncing, true);
    m_model.setRanking(std::move(ranking), winner);
  }
  m_chosen = -1;
  if (!sameWords) fitTable();
  showLegend();
  const QString orders = m_model.ranking() ? ordersWithoutMatrix(*m_model.ranking()) : QString();
  m_orders->setText(orders.isEmpty() ? QString() : tr("Orders without a placement here:\n%1").arg(orders));
  m_orders->setVisible(!orders.isEmpty());
}

void RankingPage::setChosen(int placement) {
  const QScopedValueRollback syncing(m_syncing, true);
  m_chosen = placement;
  const QModelIndex wanted = placement < 0 ? QModelIndex() : m_model.index(placement, RankingModel::Matrix);
  if (!wanted.isValid()) {
    m_table->clearSelection();
    m_table->setCurrentIndex({});
    return;
  }
  if (wanted.row() == m_table->currentIndex().row() && m_table->selectionModel()->isRowSelected(wanted.row())) return;
  m_table->setCurrentIndex(wanted);
  m_table->selectRow(wanted.row());
}

void RankingPage::fitTable() {
  if (m_model.rowCount() == 0) return;
  const QFontMetrics matrixMetrics(Theme::tabularFont());
  const int matrixHeight = matrixSize(m_model.ranking()->placements[0].matrix, matrixMetrics).height();
  const int lines = kTextLines * m_table->fontMetrics().lineSpacing();
  m_table->verticalHeader()->setDefaultSectionSize(std::max(matrixHeight, lines) + Theme::kGrid);
  const QAbstractItemView* view = m_table;
  const QFontMetrics metrics = m_table->horizontalHeader()->fontMetrics();
  const int character = m_table->fontMetrics().averageCharWidth();
  for (int column = 0; column < RankingModel::ColumnCount; ++column) {
    if (column == RankingModel::Step) continue;
    const QString title = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const int heading = metrics.horizontalAdvance(title) + 2 * Theme::kGrid;
    int width = std::max(view->sizeHintForColumn(column) + Theme::kGrid, heading);
    const int most = mostCharacters(column) * character;
    if (most > 0) width = std::max(heading, std::min(width, most));
    m_table->setColumnWidth(column, width);
  }
  m_table->horizontalHeader()->setMinimumSectionSize(4 * Theme::kGrid);
  fitStep();
}

/// The step takes the remaining width, if that is enough to read it; else the table is scrolled sideways.
void RankingPage::fitStep() {
  int others = 0;
  for (int column = 0; column < RankingModel::ColumnCount; ++column) {
    if (column != RankingModel::Step && !m_table->isColumnHidden(column)) others += m_table->columnWidth(column);
  }
  const int least = kStepCharacters * m_table->fontMetrics().averageCharWidth();
  const bool hasRoom = m_table->viewport()->width() - others >= least;
  QHeaderView& header = *m_table->horizontalHeader();
  header.setSectionResizeMode(RankingModel::Step, hasRoom ? QHeaderView::Stretch : QHeaderView::Interactive);
  if (!hasRoom) m_table->setColumnWidth(RankingModel::Step, least);
}

bool RankingPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_table->viewport() && event->type() == QEvent::Resize && m_model.rowCount() > 0) fitStep();
  return QWidget::eventFilter(watched, event);
}

void RankingPage::showLegend() {
  if (!m_model.ranking()) return m_legend->clear();
  QStringList parts;
  const auto& entries = m_model.ranking()->entries();
  for (std::size_t i = 0; i < std::min(entries.size(), kMostInLegend); ++i) {
    parts += QStringLiteral("<span style=\"background:%1; color:%2\">&nbsp;%3&nbsp;</span>&nbsp;%4")
                 .arg(Theme::category(int(i)).name(), Theme::onCategory(int(i)).name(), Theme::categoryLetter(int(i)),
                      legendName(entries, i).toHtmlEscaped());
  }
  if (entries.size() > kMostInLegend) parts += tr("%1 more").arg(entries.size() - kMostInLegend);
  QString text =
      parts.join(QStringLiteral(" &nbsp; ")) + tr(" &nbsp; solid: exposed · hatched: may overlap with computation");
  if (m_model.ranking()->question.step.computeSeconds) text += tr(" · grey: computation");
  if (!endsWithItsBar(*m_model.ranking())) text += tr(" · line: where the step ends");
  m_legend->setText(text);
}

void RankingPage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) fitTable();
  if (event->type() == QEvent::PaletteChange) showLegend();
}

}  // namespace p2::views
