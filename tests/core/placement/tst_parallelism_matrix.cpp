// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>
#include <set>

#include "support/fixtures.h"

using namespace p2;

class TestParallelismMatrix : public QObject {
  Q_OBJECT

  using Sizes = std::vector<std::int64_t>;

  static std::vector<ParallelismMatrix> enumerated(const Sizes& sizes, const Sizes& counts) {
    std::vector<ParallelismMatrix> all;
    MatrixEnumerator enumerator(sizes, counts);
    while (enumerator.next()) all.push_back(enumerator.matrix());
    return all;
  }

  /// Tries every factor in every cell.
  static void bruteForce(const Sizes& sizes, const Sizes& counts, std::size_t cell, ParallelismMatrix& matrix,
                         std::set<ParallelismMatrix>& found) {
    if (cell == sizes.size() * counts.size()) {
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        std::int64_t product = 1;
        for (std::size_t j = 0; j < counts.size(); ++j) product *= matrix.at(i, j);
        if (product != sizes[i]) return;
      }
      for (std::size_t j = 0; j < counts.size(); ++j) {
        std::int64_t product = 1;
        for (std::size_t i = 0; i < sizes.size(); ++i) product *= matrix.at(i, j);
        if (product != counts[j]) return;
      }
      found.insert(matrix);
      return;
    }
    for (const std::int64_t factor : divisorsOf(counts[cell % counts.size()])) {
      matrix.set(cell / counts.size(), cell % counts.size(), factor);
      bruteForce(sizes, counts, cell + 1, matrix, found);
    }
  }

 private slots:
  void everyMatrixOnceInOrder() {
    QRandomGenerator random(20211020);
    for (int round = 0; round < 200; ++round) {
      // Two factorizations of one number of devices, assigned prime by prime.
      Sizes sizes(std::size_t(random.bounded(1, 4)), 1);
      Sizes counts(std::size_t(random.bounded(1, 4)), 1);
      for (int i = 0; i < random.bounded(0, 6); ++i) {
        const std::int64_t prime = std::vector<int>{2, 2, 3, 5}[std::size_t(random.bounded(4))];
        sizes[std::size_t(random.bounded(int(sizes.size())))] *= prime;
        counts[std::size_t(random.bounded(int(counts.size())))] *= prime;
      }
      const auto all = enumerated(sizes, counts);
      QVERIFY(std::is_sorted(all.begin(), all.end()));
      std::set<ParallelismMatrix> found;
      ParallelismMatrix matrix(sizes.size(), counts.size());
      bruteForce(sizes, counts, 0, matrix, found);
      QCOMPARE(std::set<ParallelismMatrix>(all.begin(), all.end()), found);
      QCOMPARE(all.size(), found.size());
      QCOMPARE(countMatrices(sizes, counts), Count(all.size()));
    }
  }

  /// What is filtered before is what would be left afterwards, in the same order and number.
  void boundRowsAreFilteredBefore() {
    QRandomGenerator random(20261122);
    int impossible = 0;
    int fewer = 0;
    for (int round = 0; round < 150; ++round) {
      Sizes sizes(std::size_t(random.bounded(1, 5)), 1);
      Sizes counts(std::size_t(random.bounded(2, 5)), 1);
      const int primes = random.bounded(3, 7);
      for (int i = 0; i < primes; ++i) {
        const std::int64_t prime = std::vector<int>{2, 2, 2, 3}[std::size_t(random.bounded(4))];
        sizes[std::size_t(random.bounded(int(sizes.size())))] *= prime;
        counts[std::size_t(random.bounded(int(counts.size())))] *= prime;
      }
      std::vector<std::size_t> first;
      // Every other time one row alone, which there are mostly placements for.
      first.resize(sizes.size(), 0);
      first[std::size_t(random.bounded(int(sizes.size())))] = 1;
      for (std::size_t i = 0; round % 2 == 1 && i < sizes.size(); ++i) {
        first[i] = random.bounded(3) == 0 ? std::size_t(random.bounded(int(counts.size()))) : 0;
      }
      const auto all = enumerated(sizes, counts);
      std::vector<ParallelismMatrix> left;
      std::copy_if(all.begin(), all.end(), std::back_inserter(left), [&](const ParallelismMatrix& matrix) {
        for (std::size_t row = 0; row < sizes.size(); ++row) {
          for (std::size_t column = 0; column < first[row]; ++column) {
            if (matrix.at(row, column) > 1) return false;
          }
        }
        return true;
      });
      std::vector<ParallelismMatrix> before;
      MatrixEnumerator enumerator(sizes, counts, first);
      while (enumerator.next()) before.push_back(enumerator.matrix());
      QCOMPARE(before, left);
      QCOMPARE(countMatrices(sizes, counts, first), Count(left.size()));
      impossible += left.empty() ? 1 : 0;
      fewer += !left.empty() && left.size() < all.size() ? 1 : 0;
    }
    QVERIFY(impossible > 10);
    QVERIFY(fewer > 10);
  }

  void boundRowsAreNeverVisitedOtherwise() {
    // 6 axes over 6 levels have more than 10^9 matrices; one more level closed to each next one leaves one.
    const Sizes sizes(6, 4);
    const Sizes counts(6, 4);
    const std::vector<std::size_t> first{0, 1, 2, 3, 4, 5};
    QCOMPARE(countMatrices(sizes, counts, first), Count(1));
    MatrixEnumerator enumerator(sizes, counts, first);
    QVERIFY(enumerator.next());
    QCOMPARE(enumerator.matrix().at(2, 2), std::int64_t(4));
    QVERIFY(!enumerator.next());
  }

  void countsWithoutEnumerating() {
    QCOMPARE(countMatrices({256, 256}, {16, 16, 16, 16}), Count(85));
    QVERIFY(countMatrices({1 << 10, 1 << 10}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}) ==
            Count(184756));
  }

  void theFirstOfVeryManyComesAtOnce() {
    MatrixEnumerator enumerator(Sizes(6, 64), Sizes(6, 64));
    QVERIFY(countMatrices(Sizes(6, 64), Sizes(6, 64)) > Count(1'000'000'000));
    QVERIFY(enumerator.next());
    QVERIFY(enumerator.next());
  }

  void textBothWays() {
    const auto matrix = test::valueOf(parseMatrix(" [[1, 8],[2,1] ,[2,2]] "));
    QCOMPARE(matrix.rows(), 3u);
    QCOMPARE(matrix.text(), std::string("[[1,8],[2,1],[2,2]]"));
    QCOMPARE(test::valueOf(parseMatrix(matrix.text())), matrix);
  }

  void badText_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "1,2", "[1,2]", "[[1,2],[3]]", "[[1,2]", "[[1,2]]]", "[[1,,2]]", "[[a]]", "[[0,4]]",
                             "[[-1,4]]", "[[]]", "[]", "[[1 2]]", "[[1,2]] x", "[[[1]]]", "[[99999999999999999999]]"}) {
      QTest::newRow(qPrintable(QStringLiteral("<%1>").arg(QLatin1String(text)))) << QString::fromLatin1(text);
    }
  }
  void badText() {
    QFETCH(QString, text);
    QVERIFY(!parseMatrix(text.toStdString()).ok());
  }

  void wrongProductsAreNamed_data() {
    QTest::addColumn<QString>("matrix");
    QTest::addColumn<QString>("names");
    QTest::newRow("shape") << "[[4,16]]"
                           << "1 row";
    QTest::newRow("row") << "[[1,8],[1,1],[4,2]]"
                         << "row 1";
    QTest::newRow("column") << "[[2,4],[2,1],[2,2]]"
                            << "column 0";
  }
  void wrongProductsAreNamed() {
    QFETCH(QString, matrix);
    QFETCH(QString, names);
    const Workspace workspace = test::workspaceOf("gcp-a100:4", "data=8,model=2,shards=4", "0,2");
    const auto checked =
        checkMatrix(workspace.system, workspace.axes, test::valueOf(parseMatrix(matrix.toStdString())));
    QVERIFY(!checked.ok());
    QVERIFY2(QString::fromStdString(checked.error().message).contains(names), checked.error().message.c_str());
  }

  void rowMajorIsWhatAReshapedMeshIs() {
    const Workspace workspace = test::workspaceOf("gcp-a100:4", "8,2,4", "0,2");
    const ParallelismMatrix matrix = rowMajorMatrix(workspace.system, workspace.axes);
    QCOMPARE(matrix.text(), std::string("[[4,2],[1,2],[1,4]]"));
    const Placement placement(workspace.axes, matrix);
    for (std::int64_t device = 0; device < 64; ++device) {
      QCOMPARE(placement.coordinates(Device(device)),
               (std::vector<std::int64_t>{device / 8, device / 4 % 2, device % 4}));
    }
    const Workspace odd = test::workspaceOf("a:2 b:3", "3,2", "0");
    QVERIFY(rowMajorMatrix(odd.system, odd.axes).empty());
  }
};

QTEST_APPLESS_MAIN(TestParallelismMatrix)
#include "tst_parallelism_matrix.moc"
