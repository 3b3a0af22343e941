// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>
#include <vector>

#include "strategy/detail/min_plus.h"

using namespace p2;

class TestMinPlus : public QObject {
  Q_OBJECT
 private slots:
  void multiplies_data() {
    QTest::addColumn<std::size_t>("rows");
    QTest::addColumn<std::size_t>("inner");
    for (const std::size_t rows : {1, 3, 4, 5, 9}) {
      for (const std::size_t inner : {1, 2, 17}) QTest::addRow("%zu rows, %zu inner", rows, inner) << rows << inner;
    }
  }
  /// Every number of columns around the widths that are worked on together, in wider matrices.
  void multiplies() {
    QFETCH(std::size_t, rows);
    QFETCH(std::size_t, inner);
    std::mt19937 random(7);
    for (std::size_t columns = 1; columns <= 40; ++columns) {
      const std::size_t leftStride = inner + 2;
      const std::size_t rightStride = columns + 3;
      std::vector<double> left(rows * leftStride);
      std::vector<double> right(inner * rightStride);
      for (double& cell : left) cell = static_cast<double>(random() % 100);
      for (double& cell : right) cell = static_cast<double>(random() % 100);
      std::vector<double> wanted(rows * columns, 1e9);
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t k = 0; k < inner; ++k) {
          for (std::size_t c = 0; c < columns; ++c) {
            double& cell = wanted[r * columns + c];
            cell = std::min(cell, left[r * leftStride + k] + right[k * rightStride + c]);
          }
        }
      }
      std::vector<double> out(rows * columns, -1);
      minPlusProduct({left.data(), leftStride}, {right.data(), rightStride}, rows, inner, columns, out.data());
      QCOMPARE(out, wanted);
    }
  }

  void findsTheLargestDifference() {
    std::mt19937 random(7);
    for (std::size_t count = 1; count <= 40; ++count) {
      std::vector<double> left(count);
      std::vector<double> right(count);
      for (double& cell : left) cell = static_cast<double>(random() % 100);
      for (double& cell : right) cell = static_cast<double>(random() % 100);
      double wanted = -1000;
      for (std::size_t i = 0; i < count; ++i) wanted = std::max(wanted, left[i] - right[i]);
      QCOMPARE(largestDifference(left.data(), right.data(), count), wanted);
    }
  }
};

QTEST_APPLESS_MAIN(TestMinPlus)
#include "tst_min_plus.moc"
