// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/map_plot.h"

#include <QApplication>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "explore/sweep_text.h"
#include "views/common/focus_ring.h"
#include "views/common/log_ticker.h"
#include "views/common/plot_style.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/sweep/map_cells.h"
#include "views/sweep/map_legend.h"
#include "views/sweep/sweep_words.h"

namespace p2::views {

MapPlot::MapPlot(QWidget* parent) : ThemedPlot(parent), m_cells(new MapCells(xAxis, yAxis)) {
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  setAccessibleName(tr("The best program of every placement over a range"));
  setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  xAxis->setScaleType(QCPAxis::stLogarithmic);
  xAxis->grid()->setVisible(false);
  yAxis->grid()->setVisible(false);
  yAxis->setRangeReversed(true);
  yAxis->setTickLength(0);
  yAxis->setLabel(tr("placements"));
  legend->setVisible(true);
  auto* side = new QCPLayoutGrid;
  plotLayout()->addElement(0, 1, side);
  plotLayout()->setColumnStretchFactor(1, 0.001);
  side->addElement(0, 0, legend);
  side->addElement(1, 0, new QCPLayoutElement(this));
  side->setRowStretchFactor(0, 0.001);
  side->setMargins(QMargins(Theme::kGrid, 0, Theme::kGrid, 0));
  connectMouse();
  connect(this, &QCustomPlot::afterLayout, this, [this] {
    if (rowsPerLabel() == m_rowsPerLabel) return;
    labelRows();
    replot(rpQueuedReplot);
  });
  applyTheme();
}

void MapPlot::connectMouse() {
  connect(this, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { m_pressedAt = event->pos(); });
  connect(this, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    const auto cell = m_cells->cellAt(event->pos());
    if (event->buttons() == Qt::NoButton) hover(cell.row, cell.column);
  });
  connect(this, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    const bool dragged = (event->pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    const auto cell = m_cells->cellAt(event->pos());
    if (event->button() == Qt::LeftButton && !dragged && cell.row >= 0) emit cellClicked(cell.row, cell.column);
  });
  connect(this, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
    const auto cell = m_cells->cellAt(event->pos());
    if (cell.row >= 0) emit cellActivated(cell.row, cell.column);
  });
}

const std::shared_ptr<const SweepMap>& MapPlot::map() const { return m_cells->map(); }

void MapPlot::setMap(std::shared_ptr<const SweepMap> next) {
  const bool sameAxes = map() && next && map()->range == next->range && map()->placements == next->placements;
  m_cells->setMap(std::move(next));
  hover(-1, -1);
  legend->clearItems();
  if (map()) {
    fillMapLegend(*legend, *map());
    const SweepRange range = map()->range;
    setLogTicks(*xAxis, [range](double value) { return roundLabel(valueText(range, value)); });
    xAxis->setLabel(qs(overText(range)));
  }
  setChosen(m_chosen);
  labelRows();
  if (!sameAxes) fit();
  replot(rpQueuedReplot);
}

void MapPlot::setStale(bool stale) {
  m_cells->setStale(stale);
  replot(rpQueuedReplot);
}

void MapPlot::setChosen(const ParallelismMatrix& matrix) {
  m_chosen = matrix;
  int row = -1;
  if (map()) {
    const auto& all = map()->placements;
    const auto found = std::find(all.begin(), all.end(), matrix);
    if (found != all.end()) row = int(found - all.begin());
  }
  m_cells->setChosenRow(row);
  replot(rpQueuedReplot);
}

// As many rows are named as have room.
int MapPlot::rowsPerLabel() const {
  const double height = std::abs(yAxis->coordToPixel(1) - yAxis->coordToPixel(0));
  const double room = QFontMetrics(Theme::tabularFont()).height();
  return height > 0 ? std::max(1, int(std::ceil(room / height))) : 1;
}

void MapPlot::labelRows() {
  auto ticker = QSharedPointer<QCPAxisTickerText>(new QCPAxisTickerText);
  m_rowsPerLabel = rowsPerLabel();
  for (int row = 0; map() && row < int(map()->placements.size()); row += m_rowsPerLabel) {
    const QString matrix = qs(map()->placements[std::size_t(row)].text());
    ticker->addTick(row, Theme::categoryLetter(row) + " " + matrix);
  }
  yAxis->setTicker(ticker);
}

void MapPlot::fit() {
  if (!map()) return;
  xAxis->setRange(m_cells->edge(0), m_cells->edge(map()->values.size()));
  yAxis->setRange(-0.5, double(map()->placements.size()) - 0.5);
  replot(rpQueuedReplot);
}

void MapPlot::zoom(double factor) {
  xAxis->scaleRange(factor, std::sqrt(xAxis->range().lower * xAxis->range().upper));
  yAxis->scaleRange(factor, yAxis->range().center());
  replot(rpQueuedReplot);
}

QRectF MapPlot::rectOf(int row, int column) const { return m_cells->rectOf(row, column, column); }

QString MapPlot::textOf(int row, int column) const {
  return row < 0 ? QString() : cellText(*map(), std::size_t(row), std::size_t(column));
}

void MapPlot::hover(int row, int column) {
  if (row == m_row && column == m_column) return;
  m_row = row;
  m_column = column;
  m_cells->setHovered(row, column);
  const QString text = textOf(row, column);
  setAccessibleDescription(text);
  replot(rpQueuedReplot);
  emit cellHovered(text);
}

QString MapPlot::toolTipAt(const QPoint& place) const {
  const auto cell = m_cells->cellAt(place);
  return textOf(cell.row, cell.column).replace(" · ", "\n");
}

void MapPlot::leave() { hover(-1, -1); }

void MapPlot::keyPressEvent(QKeyEvent* event) {
  const int rows = map() ? int(map()->placements.size()) : 0;
  const int columns = map() ? int(map()->values.size()) : 0;
  const auto walk = [&](int down, int right) {
    if (rows > 0) hover(std::clamp(m_row + down, 0, rows - 1), std::clamp(m_column + right, 0, columns - 1));
  };
  switch (event->key()) {
    case Qt::Key_Left:
      return walk(0, -1);
    case Qt::Key_Right:
      return walk(0, 1);
    case Qt::Key_Up:
      return walk(-1, 0);
    case Qt::Key_Down:
      return walk(1, 0);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_row >= 0) emit cellClicked(m_row, m_column);
      return;
    default:
      QCustomPlot::keyPressEvent(event);
  }
}

void MapPlot::applyTheme() {
  stylePlot(*this);
  replot(rpQueuedReplot);
}

}  // namespace p2::views
