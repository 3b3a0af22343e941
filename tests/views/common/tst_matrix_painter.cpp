// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/matrix_painter.h"
#include "views/common/theme.h"

using namespace p2;
using namespace p2::views;

/// Matrices drawn as matrices, checked by where the ink is.
class TestMatrixPainter : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void growsWithItsFigures();
  void staysWithinItsSize();
  void drawsBracketsOnBothSides();
  void delegateMeasuresTheMatrix();
};

namespace {

ParallelismMatrix matrixOf(const char* text) { return test::valueOf(parseMatrix(text)); }

/// The ink of a matrix painted in black on white with room around its size.
QImage inkOf(const ParallelismMatrix& matrix, QSize size) {
  QImage image(size + QSize(20, 20), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  paintMatrix(painter, QRectF(QPointF(10, 10), QSizeF(size)), matrix, Qt::black);
  return image;
}

QSize sizeOf(const ParallelismMatrix& matrix) {
  QImage image(1, 1, QImage::Format_RGB32);
  QPainter painter(&image);
  return matrixSize(matrix, painter.fontMetrics());
}

bool hasInk(const QImage& image, const QRect& where) {
  for (int y = where.top(); y <= where.bottom(); ++y) {
    for (int x = where.left(); x <= where.right(); ++x) {
      if (qGray(image.pixel(x, y)) < 160) return true;
    }
  }
  return false;
}

}  // namespace

void TestMatrixPainter::growsWithItsFigures() {
  const QSize small = sizeOf(matrixOf("[[1,8],[2,1]]"));
  QVERIFY(sizeOf(matrixOf("[[1,8],[2,1],[2,2]]")).height() > small.height());
  QVERIFY(sizeOf(matrixOf("[[1,16],[2,1]]")).width() > small.width());
  QVERIFY(sizeOf(matrixOf("[[1,8,1],[2,1,1]]")).width() > small.width());
}

void TestMatrixPainter::staysWithinItsSize() {
  const ParallelismMatrix matrix = matrixOf("[[1,128,1],[64,1,2],[2,2,1]]");
  const QSize size = sizeOf(matrix);
  const QImage image = inkOf(matrix, size);
  const QRect inside(QPoint(10, 10), size);
  QVERIFY(hasInk(image, inside));
  QVERIFY(!hasInk(image, {0, 0, image.width(), 10}));
  QVERIFY(!hasInk(image, {0, inside.bottom() + 1, image.width(), 10}));
  QVERIFY(!hasInk(image, {0, 0, 10, image.height()}));
  QVERIFY(!hasInk(image, {inside.right() + 1, 0, 10, image.height()}));
}

void TestMatrixPainter::drawsBracketsOnBothSides() {
  const ParallelismMatrix matrix = matrixOf("[[1],[1],[1]]");
  const QSize size = sizeOf(matrix);
  const QImage image = inkOf(matrix, size);
  for (int y = 10 + size.height() / 4; y < 10 + size.height() * 3 / 4; ++y) {
    QVERIFY(hasInk(image, {10, y, size.width() / 3, 1}));
    QVERIFY(hasInk(image, {10 + size.width() * 2 / 3, y, size.width() / 3 + 1, 1}));
  }
}

void TestMatrixPainter::delegateMeasuresTheMatrix() {
  QStandardItemModel model(2, 1);
  model.setData(model.index(0, 0), QStringLiteral("[[1,8],[2,1],[2,2]]"), Qt::UserRole);
  model.setData(model.index(1, 0), QStringLiteral("no matrix"));
  const MatrixDelegate delegate;
  const QStyleOptionViewItem option;
  QCOMPARE(delegate.sizeHint(option, model.index(0, 0)),
           matrixSize(matrixOf("[[1,8],[2,1],[2,2]]"), QFontMetrics(Theme::tabularFont())));
  QVERIFY(delegate.sizeHint(option, model.index(1, 0)).height() <
          delegate.sizeHint(option, model.index(0, 0)).height());
}

QTEST_MAIN(TestMatrixPainter)
#include "tst_matrix_painter.moc"
