// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QTest>
#include <numeric>

#include "support/filled.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "tests/core/timeline/trace_reader.h"
#include "timeline/chrome_trace.h"
#include "timeline/step_timeline.h"
#include "training/detail/constants.h"
#include "training_answer/training_request.h"
#include "workspace/presets.h"

using namespace p2;
using p2::test::valueOf;

namespace {

StepStudy studyOf(const std::string& model, const std::string& preset, std::int64_t batch, const std::string& fixed,
                  const std::string& framework = "megatron") {
  TrainingRequest request;
  request.batch = batch;
  request.framework = framework;
  request.fixed = fixed;
  request.best = 1;
  const TrainingInput input =
      valueOf(readTrainingRequest(request, valueOf(modelFromArgument(model)), valueOf(systemFromArgument(preset))));
  const TrainingAnswer answer = valueOf(answerTraining(input));
  return valueOf(studyStep(input.question, answer.configurations.front(), answer.reserve));
}

/// Seconds of the slices of a kind on a track, at one depth.
double secondsOf(const Timeline& timeline, std::uint32_t track, SliceKind kind, int depth) {
  const auto [first, last] = timeline.rangeOf(track);
  double seconds = 0;
  for (std::size_t i = first; i < last; ++i) {
    const TimelineSlice& slice = timeline.slices[i];
    if (slice.depth == depth && timeline.detailOf(slice).kind == kind) seconds += slice.seconds;
  }
  return seconds;
}

}  // namespace

class TestStepTimeline : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // A trace has the loads of links and the memory as counters; no load outlasts its communication.
  void countersHaveLoadsAndMemory() {
    StepStudy study = studyOf("llama3-70b", "dgx-h100:16", 256, "tp=8,pp=4,vpp=1,zero=1");
    QVERIFY(study.timeline.counters.empty());
    addCounters(study);
    const auto& counters = study.timeline.counters;
    QCOMPARE(counters.front().unit, std::string("GB"));
    const auto most = std::ranges::max(counters.front().points, {}, &TimelineCounter::Point::value);
    QVERIFY(most.value <= study.memory.deviceMemory / 1e9 && most.value > 10);
    const auto tensor = std::ranges::find_if(counters, [](const TimelineCounter& counter) {
      return counter.name.starts_with("stage 0, tensor parallel: ");
    });
    QVERIFY(tensor != counters.end());
    double seconds = 0;
    for (std::size_t i = 0; i + 1 < tensor->points.size(); ++i) {
      QVERIFY(tensor->points[i].time <= tensor->points[i + 1].time);
      // One way of NVLink 4 has 450 GB/s.
      QVERIFY(tensor->points[i].value >= 0 && tensor->points[i].value < 480);
      if (tensor->points[i].value > 0) seconds += tensor->points[i + 1].time - tensor->points[i].time;
    }
    QCOMPARE(tensor->points.back().value, 0.0);
    const double exposed = secondsOf(study.timeline, 0, SliceKind::Tensor, 1);
    QVERIFY(exposed > 0 && std::abs(seconds - exposed) < 1e-6 * exposed);
    const QJsonObject read = test::readTrace(chromeTraceText(study.timeline));
    if (test::hasPython()) QCOMPARE(read["counters"].toObject().size(), qsizetype(counters.size()));
  }

  // Of too many loads those with the highest peaks are kept, and the memory.
  void theBusiestCountersAreKept() {
    StepStudy study = studyOf("llama3-70b", "dgx-h100:40", 80, "tp=4,pp=40,vpp=1,zero=1");
    addCounters(study);
    const auto& counters = study.timeline.counters;
    QCOMPARE(counters.size(), std::size_t{64});
    QCOMPARE(counters.front().unit, std::string("GB"));
    std::vector<double> peaks;
    for (std::size_t i = 1; i < counters.size(); ++i) {
      peaks.push_back(std::ranges::max(counters[i].points, {}, &TimelineCounter::Point::value).value);
    }
    QVERIFY(std::ranges::is_sorted(peaks, std::greater<>()));
    // Every stage has a tensor parallel group inside its node, which is faster than all that crosses nodes.
    const auto tensors = std::ranges::count_if(counters, [](const TimelineCounter& counter) {
      return counter.name.find(", tensor parallel: ") != std::string::npos;
    });
    QCOMPARE(tensors, std::ptrdiff_t{40});
    const bool noted = std::ranges::any_of(study.timeline.notes, [](const std::string& note) {
      return note.starts_with("loads of the busiest 63 of ") && note.ends_with(" links are shown");
    });
    QVERIFY(noted);
  }

  void theEndIsThePredictedStep_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("batch");
    QTest::addColumn<QString>("fixed");
    QTest::addColumn<QString>("framework");
    QTest::addColumn<double>("tolerance");
    const auto row = [](const char* name, const char* model, const char* system, int batch, const char* fixed,
                        const char* framework = "megatron", double tolerance = 1e-6) {
      QTest::newRow(name) << model << system << batch << fixed << framework << tolerance;
    };
    row("one stage", "llama3-8b", "dgx-h100:2", 64, "tp=2,pp=1");
    row("1F1B", "llama3-70b", "dgx-h100:16", 1024, "tp=8,pp=4,vpp=1,zero=1");
    row("interleaved", "llama3-70b", "dgx-h100:16", 1024, "tp=8,pp=4,vpp=5,zero=1");
    row("context", "llama3-8b", "dgx-h100:2", 64, "tp=2,cp=2,pp=2,vpp=1");
    row("experts", "mixtral-8x7b", "dgx-h100:8", 256, "ep=8,pp=2,vpp=1");
    row("FSDP", "llama3-8b", "dgx-h100:2", 64, "zero=3,pp=1", "fsdp");
    // The predicted time of a greedy order carries its first microbatches on.
    row("zero bubble", "llama3-8b", "dgx-h100:2", 64, "tp=1,pp=4,schedule=zbv", "torchtitan", 0.02);
  }
  void theEndIsThePredictedStep() {
    QFETCH(QString, model);
    QFETCH(QString, system);
    QFETCH(int, batch);
    QFETCH(QString, fixed);
    QFETCH(QString, framework);
    QFETCH(double, tolerance);
    const StepStudy study =
        studyOf(model.toStdString(), system.toStdString(), batch, fixed.toStdString(), framework.toStdString());
    const double expected = study.planned.estimate.seconds;
    QVERIFY2(std::abs(study.timeline.seconds - expected) <= tolerance * expected,
             qPrintable(QString("%1 of %2").arg(study.timeline.seconds).arg(expected)));
    QCOMPARE(study.timeline.tracks.size(), std::size_t(study.planned.configuration.plan.pipeline));
    const auto bars = waterfallOf(study.planned.estimate);
    QVERIFY(std::abs(bars.back().to - expected) <= 1e-9 * expected);
    QCOMPARE(bars.front().from, 0.0);
    for (std::size_t i = 1; i < bars.size(); ++i) QCOMPARE(bars[i].from, bars[i - 1].to);
    // The causes of what kernels lose are all of it, and none is a gain, but for the FLOP that MFU counts for norms.
    const KernelLosses& losses = study.detail.losses;
    const double lost = study.planned.estimate.parts.inefficiency;
    QVERIFY2(std::abs(losses.sum() - lost) <= 1e-9 * lost, qPrintable(QString("%1 of %2").arg(losses.sum()).arg(lost)));
    for (const double each :
         {losses.rate, losses.shape, losses.attention, losses.passes, losses.copies, losses.head, losses.repeated}) {
      QVERIFY2(each >= -1e-3 * lost, qPrintable(QString::number(each)));
    }
    QCOMPARE(losses.copies > 0, framework == "fsdp");
    const std::string causes = describeLosses(losses, lost);
    QVERIFY2(causes.find("large products") != std::string::npos && causes.find("wait for memory") != std::string::npos,
             causes.c_str());
    QVERIFY(waterfallOf(study.planned.estimate, {}, losses)[1].meaning.ends_with(causes));
  }

  // Measured steps change the time, not its causes; what they add is named.
  void aCalibrationIsACauseOfItsOwn() {
    const KernelLosses losses{.rate = 2, .shape = 1};
    QVERIFY(describeLosses(losses, 3).find("calibration") == std::string::npos);
    QCOMPARE(describeLosses(losses, 7).find("4.00 s in the calibration by measured steps"), std::size_t{0});
    QCOMPARE(describeLosses({}, 7), std::string());
  }

  // What a device waits for and what computation hides are all of its communication, however much of it is hidden.
  void exposedAndHiddenAreAllCommunication_data() {
    QTest::addColumn<QString>("without");
    QTest::addColumn<QString>("with");
    QTest::addColumn<int>("axis");
    QTest::newRow("tensor") << "tp=4,pp=1,zero=1,tp_overlap=no"
                            << "tp=4,pp=1,zero=1,tp_overlap=yes" << int(ExposedAxis::Tensor);
    QTest::newRow("context") << "tp=2,cp=2,pp=1,zero=1,cp_kind=allgather"
                             << "tp=2,cp=2,pp=1,zero=1,cp_kind=ring" << int(ExposedAxis::Context);
  }
  void exposedAndHiddenAreAllCommunication() {
    QFETCH(QString, without);
    QFETCH(QString, with);
    QFETCH(int, axis);
    const auto detailOf = [](const QString& fixed) {
      return studyOf("llama3-8b", "dgx-h100:2", 64, fixed.toStdString() + ",recompute=none,microbatch=1").detail;
    };
    const StepDetail shown = detailOf(without);
    const StepDetail hides = detailOf(with);
    const auto at = std::size_t(axis);
    QVERIFY(hides.hidden[at] > 1.1 * shown.hidden[at]);
    const double all = hides.hidden[at] + hides.estimate.parts.exposed[at];
    const double same = shown.hidden[at] + shown.estimate.parts.exposed[at];
    QVERIFY2(std::abs(all - same) < 1e-9 * all, qPrintable(QString("%1 of %2").arg(all).arg(same)));
    // Gradients that are summed with the computation of the backward pass.
    QVERIFY(hides.hidden[std::size_t(ExposedAxis::Data)] > 0);
  }

  // Outer slices fill every track without a gap, inner ones their pass.
  void slicesFillTheTracks() {
    const StepStudy study = studyOf("llama3-70b", "dgx-h100:16", 1024, "tp=8,pp=4,vpp=1,zero=1");
    const Timeline& timeline = study.timeline;
    for (std::uint32_t track = 0; track < timeline.tracks.size(); ++track) {
      const auto [first, last] = timeline.rangeOf(track);
      double outer = 0;
      double passes = 0;
      double inner = 0;
      for (std::size_t i = first; i < last; ++i) {
        const TimelineSlice& slice = timeline.slices[i];
        const SliceKind kind = timeline.detailOf(slice).kind;
        (slice.depth == 0 ? outer : inner) += slice.seconds;
        if (slice.depth == 0 && kind <= SliceKind::Weights) passes += slice.seconds;
      }
      QVERIFY(std::abs(outer - timeline.seconds) < 1e-6 * timeline.seconds);
      QVERIFY(std::abs(inner - passes) < 1e-6 * passes);
    }
  }

  // The mean over the stages is what the estimate exposes.
  void exposedCommunicationIsThatOfTheEstimate() {
    const StepStudy study = studyOf("llama3-70b", "dgx-h100:16", 1024, "tp=8,pp=4,vpp=1,zero=1");
    double tensor = 0;
    for (std::uint32_t track = 0; track < 4; ++track) {
      tensor += secondsOf(study.timeline, track, SliceKind::Tensor, 1) / 4;
    }
    const double expected = study.planned.estimate.parts.exposed[0];
    QVERIFY(expected > 0);
    QVERIFY2(std::abs(tensor - expected) < 1e-6 * expected, qPrintable(QString::number(tensor / expected)));
    double sum = 0;
    for (const StepCollective& each : test::filled(study.collectives)) {
      QVERIFY(!each.link.empty());
      QVERIFY(!each.span.empty());
      if (each.axis == ExposedAxis::Tensor) sum += each.seconds * double(each.entry.count);
    }
    // The workload also counts the second gather of sequence parallelism, norms, embedding and head, which the estimate
    // leaves out; the estimate exposes the same share of all its collectives.
    const TrainingConstants& constants = trainingConstants();
    const StepConstants values(constants, constants.numbersFor("H100", study.planned.configuration));
    const double exposed = (1 - values[StepConstant::TensorHidden]) * sum;
    QVERIFY2(exposed > 0.95 * expected && exposed < 2 * expected, qPrintable(QString::number(exposed / expected)));
  }

  void memoryReachesThePeak_data() {
    QTest::addColumn<QString>("fixed");
    QTest::newRow("1F1B") << "tp=8,pp=4,vpp=1,zero=1";
    QTest::newRow("interleaved") << "tp=8,pp=4,vpp=5,zero=1";
    QTest::newRow("one stage") << "tp=8,pp=1,zero=1,recompute=full";
  }
  void memoryReachesThePeak() {
    QFETCH(QString, fixed);
    const StepStudy study = studyOf("llama3-70b", "dgx-h100:16", 1024, fixed.toStdString());
    const MemoryCurve& curve = study.memory;
    double most = 0;
    for (const auto& point : curve.points) most = std::max(most, curve.totalAt(point));
    QVERIFY(std::abs(most - study.planned.memory.total()) < 1e-6 * most);
    QCOMPARE(curve.points.back().activations, 0.0);
    QVERIFY(most + curve.reserve <= curve.deviceMemory);
  }

  void isATraceToAnIndependentReader() {
    if (!test::hasPython()) QSKIP("python3 is not installed");
    const StepStudy study = studyOf("llama3-70b", "dgx-h100:16", 1024, "tp=8,pp=4,vpp=5,zero=1");
    const QJsonObject read = test::readTrace(chromeTraceText(study.timeline));
    QVERIFY2(!read.contains("error"), qPrintable(read["error"].toString()));
    QCOMPARE(read["slices"].toInt(), int(study.timeline.slices.size()));
    QVERIFY(std::abs(read["end"].toDouble() - study.planned.estimate.seconds) < 1e-6);
    const QJsonObject first = read["outer"].toObject().begin()->toObject();
    const double passes = first["forward"].toDouble() + first["backward"].toDouble() + first["bubble"].toDouble();
    QVERIFY(passes > 0.8 * study.timeline.seconds);
  }
};

QTEST_GUILESS_MAIN(TestStepTimeline)
#include "tst_step_timeline.moc"
