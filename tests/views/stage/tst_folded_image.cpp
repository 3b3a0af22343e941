// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>
#include <numeric>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/stage/folded_image.h"
#include "views/stage/grid_style.h"

using namespace p2;
using namespace p2::views;

/// Matrices too large for their bits: every run is seen, and stands where it belongs.
class TestFoldedImage : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() { test::failOnWarnings(); }
  void everyRunIsSeen();
  void proportionsAreKept();
  void tooManyRuns();
  void oneChunkOfAThousand();
  void explicitAndFoldedAreTheSame();
};

void TestFoldedImage::everyRunIsSeen() {
  QRandomGenerator random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int64_t> lengths;
    const int runs = random.bounded(1, 40);
    for (int i = 0; i < runs; ++i) lengths.push_back(1 + random.bounded(random.bounded(2) ? 3 : 4000));
    const int pixels = random.bounded(20, 400);
    const auto edges = spreadRuns(lengths, pixels);
    QCOMPARE(edges.has_value(), 4 * runs <= pixels);
    if (!edges) continue;
    QCOMPARE(edges->size(), lengths.size() + 1);
    QCOMPARE(edges->front(), 0);
    QCOMPARE(edges->back(), pixels);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      QVERIFY((*edges)[i + 1] - (*edges)[i] >= 3);
      // Longer ones are never drawn thinner, but for a pixel of rounding.
      for (std::size_t j = 0; j < i; ++j) {
        const int a = (*edges)[i + 1] - (*edges)[i];
        const int b = (*edges)[j + 1] - (*edges)[j];
        QVERIFY(lengths[i] < lengths[j] ? a <= b + 1 : b <= a + 1);
      }
    }
  }
}

void TestFoldedImage::proportionsAreKept() {
  QCOMPARE(spreadRuns({10, 30, 60}, 100).value(), (std::vector<int>{0, 10, 40, 100}));
  QCOMPARE(spreadRuns({1, 998, 1}, 100).value(), (std::vector<int>{0, 4, 96, 100}));
}

void TestFoldedImage::tooManyRuns() {
  DeviceState checkered(100);
  for (int row = 0; row < 100; row += 2) checkered.set(row, 3);
  QVERIFY(foldedImage(checkered, {60, 60}).isNull());
  QVERIFY(foldedImage(checkered, {400, 60}).isNull());
  QVERIFY(!foldedImage(checkered, {60, 400}).isNull());
}

void TestFoldedImage::oneChunkOfAThousand() {
  const FoldedState one{1024, {{700, 701}}, {{0, 1024}}};
  const QImage image = foldedImage(one, {64, 64});
  const GridInk ink = GridInk::current();
  int held = 0;
  for (int y = 0; y < 64; ++y) held += image.pixelColor(32, y) != ink.ground;
  QCOMPARE(held, 4);
  QCOMPARE(image.pixelColor(32, 10), ink.ground);
  QVERIFY(image.pixelColor(32, 64 * 700 / 1024) != ink.ground);
}

void TestFoldedImage::explicitAndFoldedAreTheSame() {
  QRandomGenerator random(9);
  for (int round = 0; round < 50; ++round) {
    const int k = 40 + random.bounded(100);
    const auto range = [&] {
      const int from = random.bounded(k);
      return ChunkRange{from, from + 1 + random.bounded(k - from)};
    };
    const FoldedState folded{k, {range()}, {range()}};
    DeviceState state(k);
    for (auto row = folded.rows[0].from; row < folded.rows[0].to; ++row) {
      for (auto column = folded.columns[0].from; column < folded.columns[0].to; ++column) {
        state.set(int(row), int(column));
      }
    }
    QCOMPARE(foldedImage(state, {50, 70}), foldedImage(folded, {50, 70}));
  }
}

QTEST_MAIN(TestFoldedImage)
#include "tst_folded_image.moc"
