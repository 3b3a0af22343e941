// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QStyledItemDelegate>

#include "placement/parallelism_matrix.h"

namespace p2::views {

/// Draws a parallelism matrix as a matrix: tall brackets, right-aligned tabular figures.
QSize matrixSize(const ParallelismMatrix& matrix, const QFontMetrics& metrics);
/// Paints only the brackets, along the left and right edges of a rectangle.
void paintBrackets(QPainter& painter, const QRectF& body, const QColor& color);
void paintMatrix(QPainter& painter, const QRectF& rect, const ParallelismMatrix& matrix, const QColor& color);

/// Item delegate for cells whose Qt::UserRole holds the matrix text ("[[1,8],[2,1]]").
class MatrixDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace p2::views
