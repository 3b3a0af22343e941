// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <cstdio>
#include <random>

#include "cost/calibration/library_calibration.h"
#include "cost/calibration/library_report.h"
#include "cost/calibration/system_tuning.h"
#include "cost/nccl/detail/nccl_model.h"
#include "cost/simulator.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "system/text_drawing.h"

using namespace p2;

namespace {

/// An AllReduce, or the steps of an AllReduce in two, over all devices of dgx-h100:2, of many sizes.
std::vector<MeasuredTime> measurements(const char* program, int step) {
  std::string csv = "axes,reduce,matrix,program,step,repeat,bytes,seconds\n";
  for (double bytes = 1024; bytes < 3e9; bytes *= 3.5) {
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
    const Program program = measurement.program.empty() ? singleProgram(hierarchy)
                                                        : test::valueOf(parseProgram(hierarchy, measurement.program));
    const auto lowered = test::valueOf(lower(placement, hierarchy, program, RuleSet::All));
    const LoweredStep& step = lowered[measurement.step.isNone() ? 0 : measurement.step.index()];
    RunChoice runs;
    for (const Algorithm algorithm : model.candidates(step.collective, Algorithm::Auto)) {
      runs.consider(model.price(trafficOf(topology, step, model, algorithm), measurement.cost.bytes));
    }
    measurement.seconds = runs.chosen().seconds;
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
  std::vector<MeasuredTime> m_measured;  // by another machine of its kind
  Calibration m_fit;

 private slots:
  // Where nothing is known of other machines, as under the paper model, a site's own error still grows with the nodes.
  void rangesOfASiteWidenWithoutThoseOfOthers() {
    PredictionRanges ranges;
    const RangeCell cell{0, true, 2};
    ranges.of(cell) = {0.9, 1.1, 20};
    ranges.setMostNodes(8);
    ranges.setOthers(std::make_shared<PredictionRanges>());
    const auto at = [&](std::int64_t nodes) { return ranges.at(cell, NetworkKind::Other, {nodes}, Bytes(1e9)); };
    QCOMPARE(at(8).high, 1.1);
    QVERIFY(at(64).high > 1.2 && at(64).low < 0.85);
    // Two nodes say nothing of what grows with the nodes: both ends move by the power that is set alone.
    ranges.setMostNodes(2);
    ranges.setFurther(0.08);
    const double further = std::pow(64 / 2, 0.08);
    QCOMPARE(at(2).high, 1.1);
    QCOMPARE(at(64).high, 1.1 * further);
    QCOMPARE(at(64).low, 0.9 / further);
    QCOMPARE(at(64).measurements, std::int64_t{20});
  }

  void initTestCase() {
    m_system = test::valueOf(parseSystem("dgx-h100:2"));
    m_asked = measurements("", 0);
    const auto scattered = measurements(kTwoSteps, 1);
    m_asked.insert(m_asked.end(), scattered.begin(), scattered.end());
    NcclConstants made = ncclConstants();
    constantOf(made, NcclConstant::BaseMulticastTree) *= 1.6;
    constantOf(made, NcclConstant::BaseLL) *= 1.4;
    System real = m_system;
    for (Level& level : real.levels) level.interconnect.bandwidth *= 0.8;
    for (Network& network : real.networks) network.interconnect.bandwidth *= 0.8;
    m_measured = pricedBy(real, made, m_asked);
    m_fit = test::valueOf(calibrateLibrary(m_system, m_measured, HoldOut::Sizes, 3));
  }
  void init() { test::failOnWarnings(); }

  // Constants that were moved by known factors are found from times alone, said to be determined, and used from then
  // on; those without data are said not to be.
  void findsTheConstantsThatMadeTheTimes() {
    QVERIFY2(m_fit.before.median > 0.05, qPrintable(QString::number(m_fit.before.median)));
    // A part of what is only the library's stays unexplained, so that few nodes can predict many (tst_scale).
    QVERIFY2(m_fit.after.median < 0.03, qPrintable(QString::number(m_fit.after.median)));
    QVERIFY2(m_fit.heldOut.median < 0.05, qPrintable(QString::number(m_fit.heldOut.median)));
    QCOMPARE(m_fit.heldOut.rows, m_measured.size());
    // What else might explain some of the times keeps its share: of each what is open says how much.
    for (const auto& [key, factor] : {std::pair{"start, multicast and tree", 1.6}, std::pair{"start, LL", 1.4}}) {
      const FittedParameter& found = parameterOf(m_fit, key);
      const QString reported = QString("%1: %2 open %3").arg(key).arg(found.value / found.nominal).arg(found.error);
      QVERIFY2(found.value > 1.02 * found.nominal && found.error < 0.98 * found.spread, qPrintable(reported));
      QVERIFY2(std::abs(std::log(found.value / found.nominal / factor)) < 2 * found.error, qPrintable(reported));
    }
    const FittedParameter& start = parameterOf(m_fit, "start, LL");
    std::printf("start, LL: %.3f of 1.4, %s\n", start.value / start.nominal, determinedText(start.determined).c_str());
    QVERIFY(std::any_of(m_fit.parameters.begin(), m_fit.parameters.end(),
                        [](const FittedParameter& each) { return each.determined == Determined::Yes; }));
    for (const char* key :
         {"start, chain", "multicast, blackwell", "peer inside a node", "hops inside a node, volta"}) {
      const FittedParameter& silent = parameterOf(m_fit, key);
      QVERIFY2(silent.determined == Determined::No, key);
      QVERIFY(std::abs(silent.value / silent.nominal - 1) < 1e-12);
      QVERIFY(std::abs(silent.error / silent.spread - 1) < 1e-9);
    }
  }

  // What is in the system makes the same times as the fit reports, and the switch takes it all away.
  void theSystemCarriesTheFit() {
    QVERIFY(m_fit.system.calibrated);
    QVERIFY(!m_fit.system.tuned.empty());
    QVERIFY(checkTuning(m_fit.system).ok());
    const auto predicted = pricedBy(m_fit.system, ncclConstants(), m_asked);
    std::vector<double> errors;
    for (std::size_t i = 0; i < m_measured.size(); ++i) {
      errors.push_back(std::abs(predicted[i].seconds / m_measured[i].seconds - 1));
    }
    std::sort(errors.begin(), errors.end());
    const std::size_t half = errors.size() / 2;
    const double median = errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
    QVERIFY2(std::abs(median - m_fit.after.median) < 1e-6, qPrintable(QString::number(median - m_fit.after.median)));
    System off = m_fit.system;
    off.calibrated = false;
    const auto nominal = pricedBy(m_system, ncclConstants(), m_asked);
    const auto without = pricedBy(off, ncclConstants(), m_asked);
    for (std::size_t i = 0; i < nominal.size(); ++i) QCOMPARE(without[i].seconds, nominal[i].seconds);
  }

  // New times with the noise that the measured ones had fall into the intervals about as often as these say.
  void intervalsHold() {
    const auto base = pricedBy(m_system, ncclConstants(), m_asked);
    std::mt19937 random(11);
    std::normal_distribution<double> noise(0, 0.08);
    auto measured = base;
    for (MeasuredTime& measurement : measured) measurement.seconds *= std::exp(noise(random));
    const Calibration fit = test::valueOf(calibrateLibrary(m_system, measured, HoldOut::Sizes, 3));
    QVERIFY(!fit.system.ranges.empty());
    const auto ranges = systemRangesOf(fit.system, "nccl", ncclRanges());
    const auto again = pricedBy(fit.system, ncclConstants(), m_asked);
    int within = 0;
    constexpr int kDraws = 20;
    for (std::size_t i = 0; i < again.size(); ++i) {
      const ErrorRange range =
          ranges->at({m_asked[i].program.empty() ? std::size_t{0} : 1, true, sizeBand(m_asked[i].cost.bytes)},
                     networkKindOf(m_system), {2}, m_asked[i].cost.bytes);
      for (int draw = 0; draw < kDraws; ++draw) {
        const double ratio = base[i].seconds * std::exp(noise(random)) / again[i].seconds;
        within += ratio >= range.low && ratio <= range.high ? 1 : 0;
      }
    }
    const double share = within / static_cast<double>(again.size() * kDraws);
    std::printf("80 %% intervals hold for %.1f %% of new times\n", 100 * share);
    QVERIFY2(share > 0.7 && share < 0.99, qPrintable(QString::number(share)));
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
    QTest::newRow("held out") << 8 << "cannot be held out; use sizes, tables, files or nodes";
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
    std::string reported;
    if (what <= 2) reported = calibrateLibrary(system, asked).error().text();
    if (what > 2 && what < 8) reported = checkTuning(system).error().text();
    if (what == 8) reported = holdOutFrom("everything").error().text();
    if (what == 9) reported = calibrateUnder("paper", system, m_asked, HoldOut::Files, 5).error().text();
    if (what == 10) reported = calibrateUnder("astrology", system, m_asked, HoldOut::Auto, 5).error().text();
    QVERIFY2(QString::fromStdString(reported).contains(sentence), reported.c_str());
    QCOMPARE(std::count(reported.begin(), reported.end(), '\n'), 0);
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
    std::vector<double> reported;
    QVERIFY(calibrateLibrary(m_system, measured, HoldOut::Sizes, 2, {}, [&](double done) {
              reported.push_back(done);
            }).ok());
    QVERIFY(std::is_sorted(reported.begin(), reported.end()));
    QCOMPARE(reported.back(), 1.0);
  }
};

QTEST_APPLESS_MAIN(TestLibraryCalibration)
#include "tst_library_calibration.moc"
