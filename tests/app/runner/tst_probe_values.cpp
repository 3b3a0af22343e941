// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/runner/probe_values.h"

using namespace p2::runner;

class TestProbeValues : public QObject {
  Q_OBJECT
 private slots:
  void sumsAreExactAsFloats_data() {
    QTest::addColumn<int>("ranks");
    for (const int ranks : {1, 2, 16, 1024}) QTest::newRow(qPrintable(QString::number(ranks))) << ranks;
  }
  void sumsAreExactAsFloats() {
    QFETCH(int, ranks);
    std::vector<int> all;
    for (int rank = 0; rank < ranks; ++rank) all.push_back(rank);
    for (const std::int64_t sum : ProbeValues(ranks).sums(all, Element::Float32)) {
      QVERIFY(sum >= 0 && sum < std::int64_t(1) << 24);
      QCOMPARE(std::int64_t(float(sum)), sum);
    }
  }

  // A contribution that is missing, doubled, or another rank's changes nearly every element.
  void everyContributionCounts() {
    const ProbeValues values(4);
    const std::vector<std::int64_t> right = values.sums({0, 1, 2, 3}, Element::Float32);
    for (const std::vector<int>& ranks : {std::vector<int>{0, 1, 2}, {0, 1, 2, 3, 3}, {0, 1, 2, 2}}) {
      const auto vector = spread(values.sums(ranks, Element::Float32), Element::Float32, right.size());
      QVERIFY(countWrong(vector, right, Element::Float32) > std::int64_t(right.size() * 99 / 100));
    }
  }

  void countsExactlyTheWrongElements_data() {
    QTest::addColumn<bool>("wide");
    QTest::newRow("float32") << false;
    QTest::newRow("int64") << true;
  }
  void countsExactlyTheWrongElements() {
    QFETCH(bool, wide);
    const Element element = wide ? Element::Int64 : Element::Float32;
    const std::vector<std::int64_t> values = ProbeValues(8).of(5, element);
    const std::size_t count = 3 * kValuePeriod + 17;
    std::vector<std::byte> vector = spread(values, element, count);
    QCOMPARE(vector.size(), count * sizeOf(element));
    QCOMPARE(countWrong(vector, values, element), 0);
    for (const std::size_t at : {std::size_t(0), kValuePeriod, count - 1}) {
      vector[at * sizeOf(element)] ^= std::byte{1};
    }
    QCOMPARE(countWrong(vector, values, element), 3);
  }

  void aShiftedChunkIsNoticed() {
    const std::vector<std::int64_t> values = ProbeValues(2).of(0, Element::Int64);
    auto vector = spread(values, Element::Int64, 4096);
    std::rotate(vector.begin(), vector.begin() + 1024 * 8, vector.end());
    QVERIFY(countWrong(vector, values, Element::Int64) > 4000);
  }
};

QTEST_APPLESS_MAIN(TestProbeValues)
#include "tst_probe_values.moc"
