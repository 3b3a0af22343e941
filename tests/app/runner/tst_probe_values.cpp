// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/runner/probe_values.h"

using namespace p2;
using namespace p2::runner;

namespace {

const ChunkSet kOneChunk{{0, 1}};

}  // namespace

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
      const auto vector = spread(values.sums(ranks, Element::Float32), Element::Float32, {kOneChunk, right.size()});
      QVERIFY(countWrong(vector, right, Element::Float32, {kOneChunk, right.size()}) >
              std::int64_t(right.size() * 99 / 100));
    }
  }

  // Pieces of chunks have, put together, the values of the vector, so that one in another's place is noticed.
  void piecesMakeTheVector() {
    const ChunkSet chunks{{1, 3}};
    const std::vector<std::int64_t> values = ProbeValues(8).of(5, Element::Int64);
    const auto whole = spread(values, Element::Int64, {chunks, 30});
    constexpr std::size_t kPiece = 10 * sizeof(std::int64_t);
    for (std::size_t piece = 0; piece < 3; ++piece) {
      const VectorPart part{chunks, 10, 3, piece};
      const auto some = spread(values, Element::Int64, part);
      QCOMPARE(some.size(), 2 * kPiece);
      for (std::size_t chunk = 0; chunk < 2; ++chunk) {
        const auto at = whole.begin() + std::ptrdiff_t((chunk * 3 + piece) * kPiece);
        QVERIFY(std::equal(at, at + std::ptrdiff_t(kPiece), some.begin() + std::ptrdiff_t(chunk * kPiece)));
      }
      QCOMPARE(countWrong(some, values, Element::Int64, part), 0);
      QVERIFY(countWrong(some, values, Element::Int64, {chunks, 10, 3, (piece + 1) % 3}) > 15);
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
    std::vector<std::byte> vector = spread(values, element, {kOneChunk, count});
    QCOMPARE(vector.size(), count * sizeOf(element));
    QCOMPARE(countWrong(vector, values, element, {kOneChunk, count}), 0);
    for (const std::size_t at : {std::size_t(0), kValuePeriod, count - 1}) {
      vector[at * sizeOf(element)] ^= std::byte{1};
    }
    QCOMPARE(countWrong(vector, values, element, {kOneChunk, count}), 3);
  }

  // A rank that holds chunks 1 and 4 of a vector keeps them side by side, and their values are those of their places.
  void partsHaveTheValuesOfTheirPlaces() {
    const std::vector<std::int64_t> values = ProbeValues(2).of(1, Element::Int64);
    const ChunkSet whole{{0, 6}};
    const ChunkSet held{{1, 2}, {4, 5}};
    constexpr std::size_t kElements = 100;
    const auto all = spread(values, Element::Int64, {whole, kElements});
    const auto part = spread(values, Element::Int64, {held, kElements});
    constexpr std::ptrdiff_t kBytes = kElements * 8;
    QCOMPARE(part.size(), std::size_t(2 * kBytes));
    QVERIFY(std::equal(part.begin(), part.begin() + kBytes, all.begin() + kBytes));
    QVERIFY(std::equal(part.begin() + kBytes, part.end(), all.begin() + 4 * kBytes));
    QCOMPARE(countWrong(part, values, Element::Int64, {held, kElements}), 0);
    const ChunkSet other{{1, 3}};
    QCOMPARE(countWrong(part, values, Element::Int64, {other, kElements}), std::int64_t(kElements));
    QVERIFY(spread(values, Element::Int64, {{}, kElements}).empty());
  }

  // A vector shorter than what repeats has the values that it would begin with.
  void shortVectorsHaveNoMore() {
    for (const Element element : {Element::Float32, Element::Int64}) {
      const std::vector<std::int64_t> some = ProbeValues(8, 2056).sums({1, 5}, element);
      const std::vector<std::int64_t> all = ProbeValues(8).sums({1, 5}, element);
      QCOMPARE(some.size(), std::size_t(2056));
      QVERIFY(std::equal(some.begin(), some.end(), all.begin()));
      QCOMPARE(ProbeValues(8, 0).of(1, element).size(), std::size_t(1));
    }
    QCOMPARE(ProbeValues(8, 3 * kValuePeriod).of(1, Element::Int64).size(), kValuePeriod);
  }

  void aShiftedChunkIsNoticed() {
    const std::vector<std::int64_t> values = ProbeValues(2).of(0, Element::Int64);
    auto vector = spread(values, Element::Int64, {kOneChunk, 4096});
    std::rotate(vector.begin(), vector.begin() + 1024 * 8, vector.end());
    QVERIFY(countWrong(vector, values, Element::Int64, {kOneChunk, 4096}) > 4000);
  }
};

QTEST_APPLESS_MAIN(TestProbeValues)
#include "tst_probe_values.moc"
