// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/matrix_painter.h"

#include <QPainter>
#include <vector>

#include "views/common/styled_cell.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kBracket = 4;  // length of a bracket's hooks
constexpr int kMargin = 4;   // around the matrix, and between a bracket and the figures

QString figure(const ParallelismMatrix& matrix, std::size_t row, std::size_t column) {
  return QString::number(matrix.at(row, column));
}

std::vector<int> columnWidths(const ParallelismMatrix& matrix, const QFontMetrics& metrics) {
  std::vector<int> widths(matrix.columns(), 0);
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    for (std::size_t column = 0; column < matrix.columns(); ++column) {
      widths[column] = std::max(widths[column], metrics.horizontalAdvance(figure(matrix, row, column)));
    }
  }
  return widths;
}

int columnGap(const QFontMetrics& metrics) { return metrics.horizontalAdvance(QLatin1Char('0')); }

void paintBracket(QPainter& painter, const QRectF& body, double x, double hook) {
  const QPointF corners[] = {{x + hook, body.top()}, {x, body.top()}, {x, body.bottom()}, {x + hook, body.bottom()}};
  painter.drawPolyline(corners, 4);
}

}  // namespace

void paintBrackets(QPainter& painter, const QRectF& body, const QColor& color) {
  painter.setPen(QPen(color, 1.25, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
  paintBracket(painter, body, body.left(), kBracket);
  paintBracket(painter, body, body.right(), -kBracket);
}

QSize matrixSize(const ParallelismMatrix& matrix, const QFontMetrics& metrics) {
  int width = 2 * kMargin + 2 * kBracket + 2 * kMargin;
  for (const int column : columnWidths(matrix, metrics)) width += column;
  if (matrix.columns() > 1) width += int(matrix.columns() - 1) * columnGap(metrics);
  return {width, int(matrix.rows()) * metrics.lineSpacing() + 2 * kMargin};
}

void paintMatrix(QPainter& painter, const QRectF& rect, const ParallelismMatrix& matrix, const QColor& color) {
  if (matrix.empty()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetrics metrics = painter.fontMetrics();
  const QSizeF size = matrixSize(matrix, metrics);
  const QRectF outer(QPointF(rect.left(), rect.center().y() - size.height() / 2), size);
  const QRectF body = outer.adjusted(kMargin, kMargin, -kMargin, -kMargin);
  paintBrackets(painter, body, color);

  double right = body.left() + kBracket + kMargin;
  const std::vector<int> widths = columnWidths(matrix, metrics);
  for (std::size_t column = 0; column < matrix.columns(); ++column) {
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
      const QRectF cell(right, body.top() + double(row) * metrics.lineSpacing(), widths[column], metrics.lineSpacing());
      painter.drawText(cell, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, figure(matrix, row, column));
    }
    right += widths[column] + columnGap(metrics);
  }
  painter.restore();
}

void MatrixDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const auto matrix = parseMatrix(index.data(Qt::UserRole).toString().toStdString());
  if (matrix.ok()) cell.text.clear();
  paintStyledCell(*painter, cell);
  if (!matrix.ok()) return;
  const bool selected = cell.state.testFlag(QStyle::State_Selected);
  painter->save();
  painter->setFont(Theme::tabularFont());
  paintMatrix(*painter, cell.rect, *matrix, cell.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
  painter->restore();
}

QSize MatrixDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto matrix = parseMatrix(index.data(Qt::UserRole).toString().toStdString());
  if (!matrix.ok()) return QStyledItemDelegate::sizeHint(option, index);
  return matrixSize(*matrix, QFontMetrics(Theme::tabularFont()));
}

}  // namespace p2::views
