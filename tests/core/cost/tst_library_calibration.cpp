// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <cstdio>

#include "cost/library_calibration.h"
#include "cost/library_report.h"
#include "cost/nccl_model.h"
#include "cost/simulator.h"
#include "cost/system_tuning.h"
#include "support/fixtures.h"
#include "system/text_drawing.h"

using namespace p2;

namespace {

/// An AllReduce, or the steps of an AllReduce in two, over all devices of dgx-h100:2, of many sizes.
std::vector<MeasuredTime> measurements(const char* program, int step) {
  std::string csv = "axes,reduce,matrix,program,step,repeat,bytes,seconds\n";
  for (double bytes = 1024; bytes < 3e9; bytes *= 2.5) {
    csv += "16,0,\"[[2,8]]\"," + std::string(program) + "," + (step > 0 ? std::to_string(step) : "") + ",1," +
           std::to_string(static_cast<std::int64_t>(bytes)) + ",1\n";
  }
  return test::valueOf(measuredTimesFromCsv(csv));
}

/// The same as the nccl model with these constants on that system would take.
std::vector<MeasuredTime> pricedBy(const System& system, const NcclConstants& constants,
                                   std::vector<MeasuredTime> measurements) {
  const NcclModel model(constants);
  const Topology topology(test::valid(system));
  for (MeasuredTime& measurement : measurements) {
    const Placement placement(measurement.axes, measurement.matrix);
    const SynthesisHierarchy hierarchy(system, placement);
    const Program program = measurement.program.empty() ? plainAllReduce(hierarchy)
                                                        : test::valueOf(parseProgram(hierarchy, measurement.program));
    const auto lowered = test::valueOf(lower(placement, hierarchy, program, RuleSet::All));
    const LoweredStep& step = lowered[measurement.step.isNone() ? 0 : measurement.step.index()];
    measurement.seconds = INFINITY;
    for (const Algorithm algorithm : model.candidates(step.collective, Algorithm::Auto)) {
      const double seconds = model.price(trafficOf(topology, step, model, algorithm), measurement.cost.bytes).seconds;
      measurement.seconds = std::min(measurement.seconds, seconds);
    }
  }
  return measurements;
}

const FittedParameter& parameterOf(const Calibration& calibration, const std::string& title) {
  for (const FittedParameter& parameter : calibration.parameters) {
    if (titleOf(parameter) == title) return parameter;
  }
  qFatal("no parameter %s", title.c_str());
}

double& constantOf(NcclConstants& constants, NcclConstant which) {
  return constants.values[static_cast<std::size_t>(which)];
}

}  // namespace

class TestLibraryCalibration : public QObject {
  Q_OBJECT

  static constexpr const char* kTwoSteps = "root:InsideGroup:ReduceScatter; root:InsideGroup:AllGather";

  System m_system;
  std::vector<MeasuredTime> m_asked;

 private slots:
  void initTestCase() {
    QTest::failOnWarning(QRegularExpression(".*"));
    m_system = test::valueOf(parseSystem("dgx-h100:2"));
    m_asked = measurements("", 0);
    const auto scattered = measurements(kTwoSteps, 1);
    m_asked.insert(m_asked.end(), scattered.begin(), scattered.end());
  }

  // Constants that were moved by known factors are found from times alone, said to be determined, and used from then
  // on; those without data are said not to be.
  void findsTheConstantsThatMadeTheTimes() {
    NcclConstants made = ncclConstants();
    constantOf(made, NcclConstant::BaseMulticastTree) *= 1.6;
    constantOf(made, NcclConstant::BaseLL) *= 1.4;
    System real = m_system;
    real.levels[0].interconnect.bandwidth *= 0.8;
    for (Network& network : real.networks) network.interconnect.bandwidth *= 0.8;
    const auto measured = pricedBy(real, made, m_asked);
    const Calibration fit = test::valueOf(calibrateLibrary(m_system, measured, HoldOut::Sizes, 3));
    QVERIFY2(fit.before.median > 0.1, qPrintable(QString::number(fit.before.median)));
    QVERIFY2(fit.after.median < 0.02, qPrintable(QString::number(fit.after.median)));
    QVERIFY2(fit.heldOut.median < 0.04, qPrintable(QString::number(fit.heldOut.median)));
    QCOMPARE(fit.heldOut.rows, measured.size());
    for (const auto& [key, factor] : {std::pair{"start, multicast and tree", 1.6}, std::pair{"start, LL", 1.4}}) {
      const FittedParameter& found = parameterOf(fit, key);
      const QString told = QString("%1: %2 open %3").arg(key).arg(found.value / found.nominal).arg(found.error);
      QVERIFY2(std::abs(found.value / found.nominal / factor - 1) < 0.1, qPrintable(told));
      QVERIFY2(found.determined == Determined::Yes, qPrintable(told));
      QVERIFY2(std::abs(std::log(found.value / found.nominal / factor)) < 3 * found.error, qPrintable(told));
    }
    for (const char* key :
         {"start, chain", "multicast, blackwell", "peer inside a node", "hops inside a node, volta"}) {
      const FittedParameter& silent = parameterOf(fit, key);
      QVERIFY2(silent.determined == Determined::No, key);
      QCOMPARE(silent.value, silent.nominal);
      QVERIFY(std::abs(silent.error / silent.spread - 1) < 1e-9);
    }
  }

  // What is in the system makes the same times as the fit reports, and the switch takes it all away.
  void theSystemCarriesTheFit() {
    NcclConstants made = ncclConstants();
    constantOf(made, NcclConstant::BaseMulticastTree) *= 1.5;
    const auto measured = pricedBy(m_system, made, m_asked);
    const Calibration fit = test::valueOf(calibrateLibrary(m_system, measured, HoldOut::Sizes, 2));
    QVERIFY(fit.system.calibrated);
    QVERIFY(!fit.system.tuned.empty());
    QVERIFY(checkTuning(fit.system).ok());
    const auto predicted = pricedBy(fit.system, ncclConstants(), m_asked);
    std::vector<double> errors;
    for (std::size_t i = 0; i < measured.size(); ++i) {
      errors.push_back(std::abs(predicted[i].seconds / measured[i].seconds - 1));
    }
    std::sort(errors.begin(), errors.end());
    const std::size_t half = errors.size() / 2;
    const double median = errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
    QVERIFY2(std::abs(median - fit.after.median) < 1e-6, qPrintable(QString::number(median - fit.after.median)));
    System off = fit.system;
    off.calibrated = false;
    const auto nominal = pricedBy(m_system, ncclConstants(), m_asked);
    const auto without = pricedBy(off, ncclConstants(), m_asked);
    for (std::size_t i = 0; i < nominal.size(); ++i) QCOMPARE(without[i].seconds, nominal[i].seconds);
  }

  // Whatever is measured with some noise falls into the interval about as often as it says.
  void intervalsHold() {
    auto measured = pricedBy(m_system, ncclConstants(), m_asked);
    const auto noisy = [](std::size_t i) { return 1 + 0.12 * std::sin(37.0 * static_cast<double>(i * i + 3 * i)); };
    for (std::size_t i = 0; i < measured.size(); ++i) measured[i].seconds *= noisy(i);
    const Calibration fit = test::valueOf(calibrateLibrary(m_system, measured));
    QVERIFY(!fit.system.ranges.empty());
    const PredictionRanges ranges = *systemRangesOf(fit.system, "nccl", ncclRanges());
    const auto again = pricedBy(fit.system, ncclConstants(), m_asked);
    int within = 0;
    for (std::size_t i = 0; i < again.size(); ++i) {
      const std::size_t kind = m_asked[i].program.empty() ? 0 : 1;
      const ErrorRange& range = ranges.of({kind, true, sizeBand(m_asked[i].cost.bytes)});
      const double ratio = noisy(i + 1000) * measured[i].seconds / noisy(i) / again[i].seconds;
      within += ratio >= range.low && ratio <= range.high ? 1 : 0;
    }
    const double share = within / static_cast<double>(again.size());
    QVERIFY2(share > 0.65 && share < 0.99, qPrintable(QString::number(share)));
  }

  void quantilesMakeTheRanges() {
    std::vector<HeldOutTime> times;
    for (int i = 1; i <= 99; ++i) times.push_back({{0, true, 2}, std::exp((i - 50) / 100.0), 0, 1});
    const ErrorRange range = rangesOf(times).of({0, true, 2});
    QVERIFY(std::abs(std::log(range.high) - 0.41) < 0.011 && std::abs(std::log(range.low) + 0.41) < 0.011);
    QCOMPARE(range.measurements, std::int64_t{99});
    QVERIFY(!rangesOf(times).of({1, true, 2}).isKnown());
    for (HeldOutTime& time : times) time.spread = 0.3;
    QVERIFY(std::abs(std::log(rangesOf(times).of({0, true, 2}).high) - std::hypot(0.41, 0.3845)) < 0.011);
    times.resize(3);
    QVERIFY(!rangesOf(times).of({0, true, 2}).isKnown());
  }

  void everyPredictionHasAnInterval() {
    const StepCost step =
        simulateStep(Topology(test::valid(m_system)),
                     {Collective::AllReduce, {{{Device(0), Device(1), Device(8)}, {1, 1, 1}, {1, 1, 1}}}},
                     {Algorithm::Auto, Bytes(1e6), 10, "nccl"});
    QVERIFY(step.lowSeconds > 0 && step.lowSeconds <= step.seconds && step.highSeconds > step.seconds);
    const auto range = rangeOf(std::vector<StepCost>{step, step});
    QCOMPARE(range->high, 2 * step.highSeconds);
    QVERIFY(!rangeOf(StepCost{}));
    QVERIFY(!rangeOf(std::vector<StepCost>{step, StepCost{}}));
    QCOMPARE(rangeText(6e-3, SecondsRange{5.2e-3, 7.1e-3}), std::string("6.00 ms (5.20–7.10)"));
    QCOMPARE(rangeText(6e-3, std::nullopt), std::string("6.00 ms"));
  }

  void refusesInOneSentence_data() {
    QTest::addColumn<int>("what");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("nothing") << 0 << "there are no measurements";
    QTest::newRow("too many") << 1 << "5001 measurements";
    QTest::newRow("other system") << 2 << "line 2: matrix";
    QTest::newRow("unknown constant") << 3 << "\"hop of hops\" is not a constant";
    QTest::newRow("constant below 0") << 4 << "is not above 0";
    QTest::newRow("twice") << 5 << "is there twice";
    QTest::newRow("range of nothing") << 6 << "a range for \"Gossip\"";
    QTest::newRow("range that leaves out the prediction") << 7 << "low is above 0 and at most 1";
    QTest::newRow("held out") << 8 << "cannot be held out; use sizes, tables or files";
    QTest::newRow("held out under paper") << 9 << "rows are held out";
    QTest::newRow("model") << 10 << "is not a cost model";
  }
  void refusesInOneSentence() {
    QFETCH(int, what);
    QFETCH(QString, sentence);
    System system = m_system;
    std::vector<MeasuredTime> asked;
    if (what == 1) asked.resize(5001);
    if (what == 2) asked = test::valueOf(measuredTimesFromCsv("axes,reduce,matrix,seconds\n16,0,\"[[4,4]]\",1\n"));
    if (what == 3) system.tuned = {{"hop of hops", 1}};
    if (what == 4) system.tuned = {{"start, LL", -1}};
    if (what == 5) system.tuned = {{"start, LL", 1}, {"start, LL", 1}};
    if (what == 6) system.ranges = {{"nccl", "Gossip", false, "to 4 MiB", 1, 1, 1}};
    if (what == 7) system.ranges = {{"nccl", "AllReduce", false, "to 4 MiB", 1.1, 1.2, 9}};
    std::string told;
    if (what <= 2) told = calibrateLibrary(system, asked).error().text();
    if (what > 2 && what < 8) told = checkTuning(system).error().text();
    if (what == 8) told = holdOutFrom("everything").error().text();
    if (what == 9) told = calibrateUnder("paper", system, m_asked, HoldOut::Files, 5).error().text();
    if (what == 10) told = calibrateUnder("astrology", system, m_asked, HoldOut::Auto, 5).error().text();
    QVERIFY2(QString::fromStdString(told).contains(sentence), told.c_str());
    QCOMPARE(std::count(told.begin(), told.end(), '\n'), 0);
  }

  void stopsWhenTold() {
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = calibrateLibrary(m_system, m_asked, HoldOut::Auto, 5, stop.get_token());
    QVERIFY(!stopped.ok());
    QVERIFY(stopped.error().kind == ErrorKind::Cancelled);
  }

  void tellsHowFarItIs() {
    const auto measured = pricedBy(m_system, ncclConstants(), measurements("", 0));
    std::vector<double> told;
    QVERIFY(
        calibrateLibrary(m_system, measured, HoldOut::Sizes, 2, {}, [&](double done) { told.push_back(done); }).ok());
    QVERIFY(std::is_sorted(told.begin(), told.end()));
    QCOMPARE(told.back(), 1.0);
  }
};

QTEST_APPLESS_MAIN(TestLibraryCalibration)
#include "tst_library_calibration.moc"
