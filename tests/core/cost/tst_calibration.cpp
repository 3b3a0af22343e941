// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <cstdio>
#include <random>

#include "cost/calibration/bounded_least_squares.h"
#include "cost/calibration/calibration.h"
#include "cost/simulator.h"
#include "support/filled.h"
#include "support/paper_rows.h"
#include "synthesis/lowering.h"
#include "system/interconnects.h"
#include "system/text_drawing.h"

using namespace p2;

namespace {

/// What the model itself predicts for the measurements on a system: measurements of a world that it describes exactly.
std::vector<MeasuredTime> predictedOn(const System& system, std::vector<MeasuredTime> measurements) {
  for (MeasuredTime& measurement : measurements) {
    const Placement placement(measurement.axes, measurement.matrix);
    const SynthesisHierarchy hierarchy(system, placement);
    const auto lowered = test::valueOf(lower(placement, hierarchy, singleProgram(hierarchy), RuleSet::All));
    measurement.seconds = 0;
    const Topology topology(test::valid(system));
    for (const LoweredStep& step : lowered)
      measurement.seconds += simulateStep(topology, step, measurement.cost).seconds;
  }
  return measurements;
}

/// Every way of reducing one of two axes on 4 × 4 × 4 devices, with vectors of these sizes.
std::vector<MeasuredTime> measurementsOfSizes(const std::vector<std::string>& sizes) {
  std::string csv = "axes,reduce,matrix,bytes,seconds\n";
  for (const char* matrix : {"[[4,1,1],[1,4,4]]", "[[1,4,1],[4,1,4]]", "[[1,1,4],[4,4,1]]", "[[2,2,1],[2,2,4]]",
                             "[[1,2,2],[4,2,2]]", "[[2,1,2],[2,4,2]]"}) {
    for (const std::string& bytes : sizes) csv += "\"4,16\",0,\"" + std::string(matrix) + "\"," + bytes + ",1\n";
  }
  return test::valueOf(measuredTimesFromCsv(csv));
}

void report(const char* name, const Calibration& calibration) {
  const auto line = [](const char* what, const FitError& error) {
    std::printf("  %-8s median error %5.1f %%, within 25 %%: %zu of %zu\n", what, 100 * error.median, error.within25,
                error.rows);
  };
  std::printf("%s\n%s", name, drawnAsText(calibration.system).c_str());
  line("nominal", calibration.before);
  line("fitted", calibration.after);
  line("held out", calibration.heldOut);
  std::fflush(stdout);
}

}  // namespace

class TestCalibration : public QObject {
  Q_OBJECT
 private slots:
  // Rows that hardly differ make a narrow valley, along which sweeps alone would take millions of steps.
  void narrowValleysAreCrossed() {
    BoundedLeastSquares problem(2);
    problem.addRow({1, 1}, 2, 1);
    problem.addRow({1, 1.0001}, 2.0001, 1);
    const std::vector<double> free = problem.minimum({9, 9}, {-10, -10}, {10, 10});
    QVERIFY(std::abs(free[0] - 1) < 1e-3 && std::abs(free[1] - 1) < 1e-3);
    const std::vector<double> bounded = problem.minimum({0, 0}, {0, 0}, {10, 0.5});
    QVERIFY(std::abs(bounded[0] - 1.5) < 1e-3);
    QCOMPARE(bounded[1], 0.5);
  }

  void boundsAreKept() {
    // (x − 3)² + (x + y − 1)²: unbounded at (3, −2), with y ≥ 0 at (2, 0).
    BoundedLeastSquares problem(2);
    problem.addRow({1, 0}, 3, 1);
    problem.addRow({1, 1}, 1, 1);
    const std::vector<double> free = problem.minimum({0, 0}, {-10, -10}, {10, 10});
    QVERIFY(std::abs(free[0] - 3) < 1e-9 && std::abs(free[1] + 2) < 1e-9);
    const std::vector<double> bounded = problem.minimum({0, 0}, {0, 0}, {10, 10});
    QVERIFY(std::abs(bounded[0] - 2) < 1e-9 && bounded[1] == 0);
    BoundedLeastSquares pulled(2);
    pulled.pull(0, 7, 1e-3);
    QCOMPARE(pulled.minimum({1, 4}, {0, 0}, {10, 10}), (std::vector<double>{7, 4}));
  }

  // A system other than its figures say: they are found from times alone, also where the binding links change.
  void findsTheBandwidthsThatMadeTheTimes_data() {
    QTest::addColumn<double>("rack");
    QTest::addColumn<double>("node");
    QTest::addColumn<double>("gpu");
    QTest::newRow("as it says") << 1.0 << 1.0 << 1.0;
    QTest::newRow("all slower") << 0.5 << 0.7 << 0.4;
    QTest::newRow("some faster") << 1.6 << 0.8 << 1.3;
    QTest::newRow("another order") << 3.0 << 0.05 << 1.0;
  }
  void findsTheBandwidthsThatMadeTheTimes() {
    QFETCH(double, rack);
    QFETCH(double, node);
    QFETCH(double, gpu);
    const System nominal = test::valueOf(parseSystem("rack:4@8GB/s node:4@30GB/s gpu:4@100GB/s"));
    System real = nominal;
    for (const auto& [level, factor] : {std::pair{0, rack}, std::pair{1, node}, std::pair{2, gpu}}) {
      real.levels[static_cast<std::size_t>(level)].interconnect.bandwidth *= factor;
    }
    const auto measurements = predictedOn(real, measurementsOfSizes({"1GB"}));
    const Calibration fit = test::valueOf(calibrate(nominal, measurements));
    QVERIFY2(fit.after.median < 0.01, qPrintable(QString::number(fit.after.median)));
    QCOMPARE(fit.after.within25, fit.after.rows);
    for (std::size_t i = 0; i < 3; ++i) {
      if (fit.interconnects[i].rows == 0) continue;
      const double ratio = fit.interconnects[i].fitted / real.levels[i].interconnect.bandwidth;
      QVERIFY2(std::abs(ratio - 1) < 0.02, qPrintable(QString::number(ratio)));
    }
  }

  void findsLatenciesWhenSizesDiffer() {
    const System nominal = test::valueOf(parseSystem("rack:4@8GB/s,5us node:4@30GB/s gpu:4@100GB/s,2us"));
    System real = nominal;
    real.levels[0].interconnect.latency = 20e-6;
    real.levels[1].interconnect.latency = 4e-6;
    real.levels[2].interconnect.latency = 0;
    const auto measurements = predictedOn(real, measurementsOfSizes({"1kB", "1MB", "1GB"}));
    const Calibration fit = test::valueOf(calibrate(nominal, measurements));
    QVERIFY2(fit.after.median < 0.02, qPrintable(QString::number(fit.after.median)));
    QVERIFY(std::abs(fit.interconnects[0].fittedLatency - 20e-6) < 1e-6);
    QVERIFY(std::abs(fit.interconnects[1].fittedLatency - 4e-6) < 1e-6);
    QVERIFY(std::abs(fit.interconnects[2].fittedLatency) < 1e-6);
    // One size says nothing about latencies.
    const auto oneSize = predictedOn(real, measurementsOfSizes({"1GB"}));
    const Calibration without = test::valueOf(calibrate(nominal, oneSize));
    for (const FittedInterconnect& link : test::filled(without.interconnects)) QCOMPARE(link.fittedLatency, -1.0);
  }

  void keepsWhatTheMeasurementsDoNotReach() {
    const System system = test::valueOf(parseSystem("rack:4@8GB/s node:4@30GB/s gpu:4@100GB/s"));
    auto rows = test::valueOf(measuredTimesFromCsv("axes,reduce,matrix,seconds\n\"4,16\",0,\"[[1,1,4],[4,4,1]]\",9\n"));
    const Calibration fit = test::valueOf(calibrate(system, rows));
    QCOMPARE(fit.interconnects[0].rows, 0u);
    QCOMPARE(fit.interconnects[0].fitted, 0.0);
    QVERIFY(fit.interconnects[2].fitted > 0);
    QCOMPARE(fit.heldOut.rows, 0u);
    // Nominal values are never touched; the fitted ones stand beside them.
    System cleared = fit.system;
    QVERIFY(cleared.calibrated);
    cleared.calibrated = false;
    for (Level& level : cleared.levels) level.interconnect.fittedBandwidth = 0;
    QCOMPARE(cleared, system);
  }

  void noiseAndOutliersAreBorne() {
    const System nominal = test::valueOf(parseSystem("rack:4@8GB/s node:4@30GB/s gpu:4@100GB/s"));
    System real = nominal;
    real.levels[0].interconnect.bandwidth = 6e9;
    real.levels[2].interconnect.bandwidth = 70e9;
    auto measurements = predictedOn(real, measurementsOfSizes({"1GB", "1GB", "1GB", "1GB"}));
    std::mt19937 random(7);
    for (MeasuredTime& measurement : measurements) {
      measurement.seconds *= 0.95 + 0.1 * static_cast<double>(random() % 1000) / 1000;
    }
    measurements[5].seconds *= 10;
    const Calibration fit = test::valueOf(calibrate(nominal, measurements));
    QVERIFY(std::abs(fit.interconnects[0].fitted / 6e9 - 1) < 0.06);
    QVERIFY(std::abs(fit.interconnects[2].fitted / 70e9 - 1) < 0.06);
    QVERIFY(fit.heldOut.median < 0.06);
  }

  // The measurements of the paper. The number of folds divides that of the configurations, so that ring and tree of one
  // configuration are held out together.
  void thePapersMeasurements_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("folds");
    QTest::addColumn<double>("within25");  // the share of rows
    QTest::addColumn<double>("median");
    QTest::newRow("A100") << "gcp-a100:4" << 11 << 0.95 << 0.04;
    QTest::newRow("V100") << "gcp-v100:4" << 13 << 0.9 << 0.06;
  }
  void thePapersMeasurements() {
    QFETCH(QString, system);
    QFETCH(int, folds);
    const auto measurements = test::allReduceTimes(test::paperRows(QStringLiteral("paper_results.csv")),
                                                   QString::fromUtf8(QTest::currentDataTag()));
    const Calibration fit =
        test::valueOf(calibrate(test::valueOf(parseSystem(system.toStdString())), measurements, folds));
    QCOMPARE(measurements.size() / 2 % static_cast<std::size_t>(folds), 0u);
    report(QTest::currentDataTag(), fit);
    QCOMPARE(fit.before.rows, measurements.size());
    QCOMPARE(fit.heldOut.rows, measurements.size());
    QVERIFY(fit.after.median <= fit.before.median);
    QVERIFY(fit.heldOut.median <= fit.before.median);
    QFETCH(double, within25);
    QFETCH(double, median);
    QVERIFY(fit.heldOut.median <= median);
    QVERIFY(double(fit.heldOut.within25) >= within25 * double(fit.heldOut.rows));
  }

  // What the presets have beside their nominal figures is what a fit to the rows of appendix A and of tables 3 and 4
  // gives, but for caps that only one of them tells.
  void presetsHaveWhatTheMeasurementsTell_data() {
    QTest::addColumn<QString>("preset");
    QTest::newRow("A100") << "gcp-a100:4";
    QTest::newRow("V100") << "gcp-v100:4";
  }
  void presetsHaveWhatTheMeasurementsTell() {
    QFETCH(QString, preset);
    const QList<test::PaperRow> rows =
        test::paperRows(QStringLiteral("paper_results.csv")) + test::paperRows(QStringLiteral("paper_tables.csv"));
    const System system = test::valueOf(parseSystem(preset.toStdString()));
    QVERIFY(!system.calibrated);
    Calibration fit =
        test::valueOf(calibrate(system, test::allReduceTimes(rows, QString::fromUtf8(QTest::currentDataTag())), 1));
    const auto reported = interconnects(system);
    const auto found = interconnects(fit.system);
    const auto near = [](double a, double b) { return a == b || std::abs(a / b - 1) < 0.01; };
    for (std::size_t i = 0; i < reported.size(); ++i) {
      const Interconnect& fitted = found[i].link;
      QVERIFY2(near(reported[i].link.fittedBandwidth, fitted.fittedBandwidth), reported[i].owner().c_str());
      const auto cap = [&](const char* suffix, double value) {
        for (const FittedCap& each : fit.caps) {
          if (each.name == fit.interconnects[i].name + suffix && each.rows < 2) return 0.0;
        }
        return value;
      };
      QVERIFY2(near(reported[i].link.fittedRingCap, cap(", one ring", fitted.fittedRingCap)),
               reported[i].owner().c_str());
      QVERIFY2(near(reported[i].link.fittedTreeCap, cap(", one tree", fitted.fittedTreeCap)),
               reported[i].owner().c_str());
    }
  }

  // One ring and one tree get less of a switch than all groups together, which the times alone tell.
  void findsTheCapsThatMadeTheTimes() {
    const System nominal = test::valueOf(parseSystem("rack:4@8GB/s node:4@30GB/s gpu:4@100GB/s"));
    System real = nominal;
    real.levels[0].interconnect.ringCap = 4e9;
    real.levels[1].interconnect.ringCap = 12e9;
    const auto rows =
        test::valueOf(measuredTimesFromCsv("axes,reduce,matrix,bytes,seconds\n"
                                           "64,0,\"[[4,4,4]]\",1GB,1\n"
                                           "\"32,2\",0,\"[[2,4,4],[2,1,1]]\",1GB,1\n"
                                           "\"32,2\",0,\"[[4,4,2],[1,1,2]]\",1GB,1\n"
                                           "\"16,4\",0,\"[[4,4,1],[1,1,4]]\",1GB,1\n"
                                           "\"16,4\",0,\"[[1,4,4],[4,1,1]]\",1GB,1\n"
                                           "\"8,8\",0,\"[[1,2,4],[4,2,1]]\",1GB,1\n"
                                           "\"4,16\",0,\"[[1,4,1],[4,1,4]]\",1GB,1\n"
                                           "\"4,16\",0,\"[[4,1,1],[1,4,4]]\",1GB,1\n"
                                           "\"4,16\",0,\"[[1,1,4],[4,4,1]]\",1GB,1\n"));
    const Calibration fit = test::valueOf(calibrate(nominal, predictedOn(real, rows)));
    QVERIFY2(fit.after.median < 0.01, qPrintable(QString::number(fit.after.median)));
    const auto found = [&](const std::string& level) {
      for (const FittedCap& cap : fit.caps) {
        if (cap.name.ends_with(level + ", one ring")) return cap;
      }
      return FittedCap{};
    };
    const FittedCap rack = found("rack");
    const FittedCap node = found("node");
    QVERIFY(rack.rows > 0 && node.rows > 0);
    QVERIFY2(std::abs(rack.fitted / 4e9 - 1) < 0.02, qPrintable(QString::number(rack.fitted)));
    QVERIFY2(std::abs(node.fitted / 12e9 - 1) < 0.02, qPrintable(QString::number(node.fitted)));
    QCOMPARE(fit.system.levels[0].interconnect.fittedRingCap, rack.fitted);
    QCOMPARE(fit.system.levels[0].interconnect.ringCap, 0.0);
    for (const FittedCap& cap : test::filled(fit.caps)) QVERIFY(!cap.name.ends_with("one tree"));
  }

  void badMeasurementsGetOneSentence_data() {
    QTest::addColumn<QString>("row");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("other product") << "8,0,[[8]],,,1"
                                   << "line 2: axes: ";
    QTest::newRow("matrix of another shape") << "16,0,[[16]],,,1"
                                             << "line 2: matrix: ";
    QTest::newRow("nothing to reduce") << "\"16,1\",1,\"[[4,4],[1,1]]\",,,1"
                                       << "line 2: reduce: ";
    QTest::newRow("program") << "16,0,\"[[4,4]]\",gpu:AllToAll,,1"
                             << "line 2: program: ";
    QTest::newRow("wrong program") << "16,0,\"[[4,4]]\",root:InsideGroup:AllReduce; root:InsideGroup:AllReduce,,1"
                                   << "line 2: program: ";
    QTest::newRow("no such step") << "16,0,\"[[4,4]]\",,,1,2"
                                  << "line 2: step: there is no step 2";
    QTest::newRow("too many nodes") << "20,0,\"[[5,4]]\",,5,1"
                                    << "line 2: nodes: 5 instances of node took part";
  }
  void badMeasurementsGetOneSentence() {
    QFETCH(QString, row);
    QFETCH(QString, sentence);
    const QString header = row.endsWith(QStringLiteral(",1,2")) ? QStringLiteral(",step") : QString();
    const auto measurements = test::valueOf(
        measuredTimesFromCsv(("axes,reduce,matrix,program,nodes,seconds" + header + "\n" + row).toStdString()));
    const auto fit = calibrate(test::valueOf(parseSystem("node:4 gpu:4")), measurements);
    QVERIFY(!fit.ok());
    QVERIFY2(QString::fromStdString(fit.error().text()).contains(sentence), fit.error().text().c_str());
  }

  void tooLargeAndStopped() {
    const auto rows = test::valueOf(measuredTimesFromCsv("axes,reduce,matrix,seconds\n16,0,\"[[4,4]]\",1\n"));
    QVERIFY(!calibrate(test::valueOf(parseSystem("node:4096 gpu:16")), rows).ok());
    QVERIFY(!calibrate(test::valueOf(parseSystem("node:4 gpu:4")), {}).ok());
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = calibrate(test::valueOf(parseSystem("node:4 gpu:4")), rows, 5, stop.get_token());
    QVERIFY(!stopped.ok());
    QVERIFY(stopped.error().kind == ErrorKind::Cancelled);
  }

  void tellsHowFarItIs() {
    const std::vector<MeasuredTime> rows = measurementsOfSizes({"1GiB"});
    std::vector<double> reported;
    const auto calibration = calibrate(test::valueOf(parseSystem("node:4 cpu:4 gpu:4")), rows, 4, {},
                                       [&reported](double done) { reported.push_back(done); });
    QVERIFY(calibration.ok());
    QCOMPARE(reported, (std::vector<double>{0.2, 0.4, 0.6, 0.8, 1}));
  }
};

QTEST_APPLESS_MAIN(TestCalibration)
#include "tst_calibration.moc"
