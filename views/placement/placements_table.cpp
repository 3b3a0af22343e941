// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/placements_table.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <algorithm>

#include "views/common/matrix_painter.h"
#include "views/common/table.h"
#include "views/common/theme.h"
#include "views/placement/share_delegate.h"

namespace p2::views {
namespace {

/// In the order in which they go.
constexpr std::array kFoldable{PlacementsModel::Programs, PlacementsModel::SingleTime, PlacementsModel::Speedup,
                               PlacementsModel::BestProgram};
/// Elided in this order once all of kFoldable are hidden. If Where would still be elided, OtherAxes is hidden instead
/// (the sentence above the table repeats it).
constexpr std::array kShortened{PlacementsModel::OtherAxes, PlacementsModel::Where, PlacementsModel::Against};
/// While placements are compared, the matrix replaces the column Where.
constexpr std::array kShortenedComparing{PlacementsModel::Where, PlacementsModel::OtherAxes, PlacementsModel::Against};
constexpr int kLeastChars = 11;  // for a shortened column
/// Notes arrive late; their columns have their final widths from the start.
constexpr int kNoteChars = 17;
constexpr int kStepChars = 9;
constexpr int kAgainstChars = 15;
constexpr int kTimeChars = 9;

bool comparesAt(const QMouseEvent& event) {
  return event.button() == Qt::LeftButton && event.modifiers() == Qt::ControlModifier;
}

}  // namespace

PlacementsTable::PlacementsTable(PlacementsProxy& placements, QWidget* parent)
    : QTableView(parent), m_placements(placements) {
  setModel(&placements);
  setItemDelegateForColumn(PlacementsModel::Matrix, new MatrixDelegate(this));
  for (const int column : {PlacementsModel::BestTime, PlacementsModel::Step}) {
    setItemDelegateForColumn(column, new ShareDelegate(this));
  }
  TableSetup setup;
  setup.name = QStringLiteral("placementsTable");
  setup.accessible = tr("Placements");
  setup.toolTip =
      tr("Enter or double click: show its programs. Ctrl+click or Ctrl+Space: compare with the "
         "selected placement");
  setup.sortedBy = PlacementsModel::BestTime;
  setUpTable(*this, setup);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setTextElideMode(Qt::ElideRight);
  horizontalHeader()->setStretchLastSection(true);
  connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &PlacementsTable::fold);
}

int PlacementsTable::headingWidth(int column) const {
  const QString title = m_placements.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
  // Reserved for a comparison's text, so that nothing moves.
  const QString widest = column == PlacementsModel::Mark ? QStringLiteral("★⇄") : title;
  const int words = horizontalHeader()->fontMetrics().horizontalAdvance(widest);
  return words + 2 * Theme::kGrid;
}

int PlacementsTable::charsWide(int chars) const { return chars * fontMetrics().averageCharWidth() + Theme::kGrid; }

int PlacementsTable::leastWidth(int column) const {
  const bool words = std::find(kShortened.begin(), kShortened.end(), column) != kShortened.end();
  const int wanted = m_wanted[std::size_t(column)];
  return words ? std::min(wanted, charsWide(kLeastChars)) : wanted;
}

int PlacementsTable::wantedWidth(int column) const {
  switch (column) {
    case PlacementsModel::OtherAxes:
      return std::max(charsWide(kNoteChars), headingWidth(column));
    case PlacementsModel::Step:
      return std::max(charsWide(kStepChars), headingWidth(column));
    case PlacementsModel::Against:
      return std::max(charsWide(kAgainstChars), headingWidth(column));
    case PlacementsModel::BestTime:
      return std::max(charsWide(kTimeChars), headingWidth(column));
    default:
      return std::max(sizeHintForColumn(column) + Theme::kGrid, headingWidth(column));
  }
}

QSize PlacementsTable::minimumSizeHint() const {
  // Independent of the notes, so that nothing next to the table moves when they arrive.
  int width = 2 * frameWidth() + verticalScrollBar()->sizeHint().width() + charsWide(kLeastChars);
  for (const int column :
       {PlacementsModel::Mark, PlacementsModel::Matrix, PlacementsModel::Where, PlacementsModel::BestTime}) {
    width += leastWidth(column);
  }
  return {width, QTableView::minimumSizeHint().height()};
}

void PlacementsTable::fit(PlacementNotes::Kind notes, bool compares) {
  m_notes = notes;
  m_compares = compares;
  const PlacementsModel& model = m_placements.placements();
  if (model.rowCount() > 0) {
    const QFontMetrics metrics(Theme::tabularFont());
    verticalHeader()->setDefaultSectionSize(matrixSize(model.placement(0).matrix, metrics).height() + Theme::kGrid);
  }
  for (int column = 0; column < PlacementsModel::ColumnCount; ++column) {
    m_wanted[std::size_t(column)] = wantedWidth(column);
  }
  updateGeometry();
  fold();
}

void PlacementsTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fold();
}

// The right mouse button chooses nothing: the selected placement is to be compared with the one below the mouse.
void PlacementsTable::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::RightButton) return;
  const QModelIndex index = indexAt(event->pos());
  if (!comparesAt(*event) || !index.isValid()) return QTableView::mousePressEvent(event);
  emit comparisonWanted(index);
}

void PlacementsTable::mouseReleaseEvent(QMouseEvent* event) {
  if (!comparesAt(*event)) QTableView::mouseReleaseEvent(event);
}

void PlacementsTable::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!comparesAt(*event)) QTableView::mouseDoubleClickEvent(event);
}

void PlacementsTable::keyPressEvent(QKeyEvent* event) {
  const bool compares = event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier;
  if (event->matches(QKeySequence::Copy)) return copyRow(currentIndex());
  if (!compares || !currentIndex().isValid()) return QTableView::keyPressEvent(event);
  emit comparisonWanted(currentIndex());
}

void PlacementsTable::copyRow(const QModelIndex& index) const {
  if (!index.isValid()) return;
  QGuiApplication::clipboard()->setText(m_placements.placements().rowText(m_placements.mapToSource(index).row()));
}

void PlacementsTable::copyMatrix(const QModelIndex& index) const {
  if (!index.isValid()) return;
  QGuiApplication::clipboard()->setText(index.siblingAtColumn(PlacementsModel::Matrix).data(Qt::UserRole).toString());
}

void PlacementsTable::contextMenuEvent(QContextMenuEvent* event) {
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  const QModelIndex index = byKey ? currentIndex() : indexAt(event->pos());
  if (!index.isValid()) return;
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("placementRowMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Compare the selected placement with this one"), this,
                  [this, index = QPersistentModelIndex(index)] { emit comparisonWanted(index); });
  QAction* pin = menu->addAction(tr("Compare programs with this placement's best (pin as B)"), this,
                                 [this, row = m_placements.mapToSource(index).row()] { emit pinWanted(row); });
  pin->setObjectName(QStringLiteral("pinPlacementAction"));
  menu->addSeparator();
  menu->addAction(tr("Copy the matrix"), this, [this, index = QPersistentModelIndex(index)] { copyMatrix(index); })
      ->setObjectName(QStringLiteral("copyMatrixOfRow"));
  menu->addAction(tr("Copy the row"), this, [this, index = QPersistentModelIndex(index)] { copyRow(index); })
      ->setObjectName(QStringLiteral("copyRow"));
  menu->popup(byKey ? viewport()->mapToGlobal(visualRect(index).center()) : event->globalPos());
}

bool PlacementsTable::isLeftOut(int column) const {
  return (column == PlacementsModel::Against && !m_compares) ||
         (column == PlacementsModel::OtherAxes && m_notes != PlacementNotes::Kind::OtherAxes) ||
         (column == PlacementsModel::Step && m_notes != PlacementNotes::Kind::Step);
}

void PlacementsTable::fold() {
  if (m_wanted[PlacementsModel::Matrix] == 0) return;  // not fitted yet
  std::array<int, PlacementsModel::ColumnCount> widths = m_wanted;
  for (int column = 0; column < PlacementsModel::ColumnCount; ++column) {
    if (isLeftOut(column)) widths[std::size_t(column)] = 0;
  }
  const auto excess = [&] {
    int sum = 1 - viewport()->width();  // the last section is stretched, and may be rounded up
    for (const int width : widths) sum += width;
    return sum;
  };
  const int sorted = horizontalHeader()->sortIndicatorSection();
  for (const int column : kFoldable) {
    if (excess() > 0 && column != sorted) widths[std::size_t(column)] = 0;
  }
  for (const int column : m_compares ? kShortenedComparing : kShortened) {
    int& width = widths[std::size_t(column)];
    if (width > 0) width = std::max(leastWidth(column), width - std::max(0, excess()));
    const bool folds = column == PlacementsModel::OtherAxes && column != sorted && !m_compares;
    if (folds && excess() > 0) width = 0;
  }
  for (int column = 0; column < PlacementsModel::ColumnCount; ++column) {
    const int width = widths[std::size_t(column)];
    setColumnHidden(column, width == 0);
    if (width > 0) setColumnWidth(column, width);
  }
}

}  // namespace p2::views
