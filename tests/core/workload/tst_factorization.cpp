// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "placement/parallelism_matrix.h"
#include "support/warnings.h"
#include "workload/generate/factorization.h"

using namespace p2;

namespace {

/// "edp 2 · x 8".
std::string shownAxes(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes) text += (text.empty() ? "" : " · ") + axis.name + " " + std::to_string(axis.size);
  return text;
}

std::string shownPieces(const std::vector<std::vector<std::string>>& pieces) {
  std::string text;
  for (std::size_t axis = 0; axis < pieces.size(); ++axis) {
    text += axis == 0 ? "" : " | ";
    for (std::size_t i = 0; i < pieces[axis].size(); ++i) text += (i == 0 ? "" : "·") + pieces[axis][i];
  }
  return text;
}

}  // namespace

class TestFactorization : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // t 8, d 16, e 64, edp 2.
  void cutsWhereEitherWayEnds() {
    const auto refined = commonRefinement({{"data", 16}, {"tensor", 8}}, {{"edp", 2}, {"expert", 64}});
    QVERIFY2(refined.ok(), refined.ok() ? "" : refined.error().text().c_str());
    QCOMPARE(shownAxes(refined->axes), std::string("edp 2 · data-expert 8 · tensor 8"));
    QCOMPARE(shownPieces(refined->first), std::string("edp·data-expert | tensor"));
    QCOMPARE(shownPieces(refined->second), std::string("edp | data-expert·tensor"));
  }

  void axesOfOneHaveNoPieces() {
    const auto refined = commonRefinement({{"one", 1}, {"data", 8}, {"tensor", 1}}, {{"a", 2}, {"two", 1}, {"b", 4}});
    QVERIFY(refined.ok());
    QCOMPARE(shownAxes(refined->axes), std::string("a 2 · b 4"));
    QCOMPARE(shownPieces(refined->first), std::string(" | a·b | "));
    const auto none = commonRefinement({{"one", 1}}, {});
    QVERIFY(none.ok());
    QVERIFY(none->axes.empty());
  }

  // 256 nodes of 8: pipeline 16, copies of experts 2, experts 64.
  void sevenPlacementsOfDeepSeek() {
    const auto refined =
        commonRefinement({{"pipeline", 16}, {"data", 128}}, {{"pipeline", 16}, {"edp", 2}, {"expert", 64}});
    QVERIFY(refined.ok());
    QCOMPARE(shownAxes(refined->axes), std::string("pipeline 16 · edp 2 · expert 64"));
    QCOMPARE(countMatrices(sizesOf(refined->axes), {256, 8}), Count(7));
  }

  void namesStayApart() {
    const auto refined = commonRefinement({{"b", 6}, {"a", 2}}, {{"a", 3}, {"b", 4}});
    QVERIFY(refined.ok());
    QCOMPARE(shownAxes(refined->axes), std::string("a-2 3 · b-b 2 · a 2"));
  }

  void refusesWithTheReason_data() {
    QTest::addColumn<QString>("says");
    QTest::addColumn<QList<qint64>>("first");
    QTest::addColumn<QList<qint64>>("second");
    QTest::newRow("borders cross") << "no common refinement: b1 ends inside a1" << QList<qint64>{3, 4}
                                   << QList<qint64>{4, 3};
    QTest::newRow("borders cross further out")
        << "no common refinement" << QList<qint64>{5, 4, 2} << QList<qint64>{4, 5, 2};
    QTest::newRow("products") << "a0 4 · a1 2 are 8 devices and b0 4 · b1 4 are 16" << QList<qint64>{4, 2}
                              << QList<qint64>{4, 4};
    QTest::newRow("size") << "axis a1 has size 0" << QList<qint64>{4, 0} << QList<qint64>{4, 4};
    QTest::newRow("too many") << "2^63" << QList<qint64>{qint64{1} << 40, qint64{1} << 40} << QList<qint64>{4, 4};
  }
  void refusesWithTheReason() {
    QFETCH(QString, says);
    QFETCH(QList<qint64>, first);
    QFETCH(QList<qint64>, second);
    const auto axes = [](const char* name, const QList<qint64>& sizes) {
      std::vector<Axis> result;
      for (const qint64 size : sizes) result.push_back({name + std::to_string(result.size()), size});
      return result;
    };
    const auto refined = commonRefinement(axes("a", first), axes("b", second));
    QVERIFY(!refined.ok());
    QVERIFY2(QString::fromStdString(refined.error().message).contains(says), refined.error().message.c_str());
  }

  // Every two ways to write 24: where there is a refinement, its pieces multiply to the axes of both.
  void piecesMultiplyToTheirAxes() {
    std::vector<std::vector<Axis>> ways;
    for (std::int64_t a = 1; a <= 24; ++a) {
      for (std::int64_t b = 1; a * b <= 24; ++b) {
        if (24 % (a * b) == 0) ways.push_back({{"x", a}, {"y", b}, {"z", 24 / (a * b)}});
      }
    }
    int refinable = 0;
    for (const auto& first : ways) {
      for (auto second : ways) {
        for (Axis& axis : second) axis.name += "'";
        const auto refined = commonRefinement(first, second);
        if (!refined.ok()) continue;
        ++refinable;
        const auto multiplies = [&](const std::vector<Axis>& way, const std::vector<std::vector<std::string>>& pieces) {
          for (std::size_t i = 0; i < way.size(); ++i) {
            std::int64_t product = 1;
            for (const std::string& name : pieces[i]) {
              for (const Axis& axis : refined->axes) product *= axis.name == name ? axis.size : 1;
            }
            if (product != way[i].size) return false;
          }
          return true;
        };
        QVERIFY(multiplies(first, refined->first));
        QVERIFY(multiplies(second, refined->second));
      }
    }
    QVERIFY(refinable > 300);
    QVERIFY(refinable < static_cast<int>(ways.size() * ways.size()));
  }
};

QTEST_APPLESS_MAIN(TestFactorization)
#include "tst_factorization.moc"
