// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <sstream>

#include "runs/run_json.h"
#include "support/warnings.h"

using namespace p2;

/// The figures of a run as scripts read them, key by key and in their order.
class TestRunJson : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void writesWhatWasMeasured() {
    QCOMPARE(written(nullptr), QString(R"({
  "bytes": 4096,
  "repeat": 3,
  "pieces": 1,
  "wrong_elements": 0,
  "seconds": {"min": 0.25, "median": 0.5, "max": 1},
  "steps": [
    {
      "collective": "AllReduce",
      "members": 2,
      "bytes": 4096,
      "seconds": {"min": 1, "median": 2, "max": 3},
      "algorithm_bandwidth": 2048,
      "bus_bandwidth": 1024
    }
  ]
}
)"));
  }

  // Steps that overlap have no times of their own, so none are told.
  void stepsThatOverlapHaveNoFigures() {
    const RunPrediction expected{0.75, {}};
    const QString text = written(&expected, 4);
    QVERIFY2(text.contains("\"pieces\": 4") && text.contains("\"predicted_seconds\": 0.75"), qPrintable(text));
    QVERIFY2(text.contains("\"collective\": \"AllReduce\""), qPrintable(text));
    QCOMPARE(text.count("\"seconds\""), 1);
    QVERIFY2(!text.contains("bandwidth"), qPrintable(text));
  }

  void writesWhatWasExpectedBesideIt() {
    const RunPrediction expected{0.75, {2.5}};
    const QString with = written(&expected);
    QVERIFY2(with.contains("\"max\": 1},\n  \"predicted_seconds\": 0.75,\n  \"steps\""), qPrintable(with));
    QVERIFY2(with.contains("\"max\": 3},\n      \"predicted_seconds\": 2.5,\n      \"alg"), qPrintable(with));
    QString without = with;
    without.remove("  \"predicted_seconds\": 0.75,\n").remove("      \"predicted_seconds\": 2.5,\n");
    QCOMPARE(without, written(nullptr));
  }

 private:
  static QString written(const RunPrediction* expected, int pieces = 1) {
    RunResult result;
    result.bytes = Bytes(4096);
    result.repeat = 3;
    result.pieces = pieces;
    result.seconds = {0.25, 0.5, 1};
    result.steps = {{"AllReduce", 2, Bytes(4096), {1, 2, 3}, 2048, 1024}};
    std::ostringstream out;
    Document document;
    addRunFigures(document, result, expected);
    document.writeJson(out);
    return QString::fromStdString(out.str());
  }
};

QTEST_APPLESS_MAIN(TestRunJson)
#include "tst_run_json.moc"
