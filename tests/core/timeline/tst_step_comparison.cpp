// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <numeric>

#include "run_answer/run_answer.h"
#include "tests/core/timeline/trace_reader.h"
#include "timeline/chrome_trace.h"

using namespace p2;

namespace {

RunSlice kernelSlice(double start, double seconds, bool communicates) {
  RunSlice slice;
  slice.name = communicates ? "ncclDevKernel_AllReduce" : "gemm";
  slice.start = start;
  slice.seconds = seconds;
  slice.communicates = communicates;
  if (communicates) slice.kind = CommunicationKind::AllReduce;
  return slice;
}

/// Two steps of 12 ms: 8 ms of computation in two kernels that overlap, 4 ms of communication of which 2 are hidden.
RunTrace twoSteps(std::int64_t rank) {
  RunTrace trace;
  trace.rank = rank;
  for (const double begin : {0.0, 12e-3}) {
    trace.slices.push_back(kernelSlice(begin, 6e-3, false));
    trace.slices.push_back(kernelSlice(begin + 4e-3, 4e-3, false));
    trace.slices.push_back(kernelSlice(begin + 6e-3, 4e-3, true));
  }
  return trace;
}

bool isNear(double a, double b) { return std::abs(a - b) < 1e-12; }

}  // namespace

/// Recorded training steps next to planned ones.
class TestStepComparison : public QObject {
  Q_OBJECT
 private slots:
  void sharesOfAStep() {
    const RecordedStep step = recordedStepOf({twoSteps(0), twoSteps(1)}, {12e-3, 12e-3});
    QCOMPARE(step.steps, std::int64_t{2});
    QVERIFY(step.marked);
    QVERIFY(isNear(step.seconds, 12e-3));
    QVERIFY(isNear(step.computation, 8e-3));
    QVERIFY(isNear(step.exposed, 2e-3));
    QVERIFY(isNear(step.overlapped, 2e-3));
    QVERIFY(isNear(step.idle, 2e-3));
    // Without marks the recording is one step, from the first kernel to the last.
    const RecordedStep whole = recordedStepOf({twoSteps(0)}, {});
    QCOMPARE(whole.steps, std::int64_t{1});
    QVERIFY(isNear(whole.seconds, 22e-3));
    QVERIFY(isNear(whole.idle, 2e-3));
  }

  void partsSumToTheStep() {
    StepEstimate estimate;
    estimate.parts.compute = 5e-3;
    estimate.parts.inefficiency = 2e-3;
    estimate.parts.optimizer = 0.5e-3;
    estimate.parts.exposed = {1e-3, 0, 0, 0.5e-3, 1e-3};
    estimate.parts.bubble = 0.75e-3;
    estimate.parts.host = 0.25e-3;
    estimate.seconds = estimate.parts.sum();
    const auto parts = partsOf(recordedStepOf({twoSteps(0)}, {12e-3, 12e-3}), estimate);
    double measured = 0;
    double predicted = 0;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      measured += parts[i].measured;
      predicted += parts[i].predicted;
    }
    QVERIFY(isNear(measured, parts[0].measured));
    QVERIFY(isNear(predicted, parts[0].predicted));
    QCOMPARE(
        describeParts(parts),
        std::string("the step takes 12.0 ms, as predicted (11.0 ms); most of the difference is idle, 1.00 ms more"));
  }

  // Of equal kind and members, up to a factor of two in bytes, in proportion to them.
  void predictionsFollowTheBytes() {
    StepCollective planned;
    planned.entry.kind = CommunicationKind::AllReduce;
    planned.entry.bytes = 1000;
    planned.members = 8;
    planned.seconds = 2e-3;
    planned.link = "NVSwitch";
    const auto predicted = [&](double bytes, std::int64_t members, CommunicationKind kind) {
      std::vector<MeasuredCollective> measured(1);
      measured[0].kind = kind;
      measured[0].bytes = bytes;
      measured[0].members = members;
      addPredictions(measured, {planned});
      return measured[0].predicted;
    };
    QCOMPARE(predicted(1500, 8, CommunicationKind::AllReduce), std::optional(3e-3));
    QCOMPARE(predicted(1500, 0, CommunicationKind::AllReduce), std::optional(3e-3));
    QVERIFY(!predicted(2500, 8, CommunicationKind::AllReduce));
    QVERIFY(!predicted(1000, 4, CommunicationKind::AllReduce));
    QVERIFY(!predicted(1000, 8, CommunicationKind::AllGather));
  }

  // Tracks of all, as one trace that Perfetto takes.
  void timelinesAreStacked() {
    const Timeline one = runTimeline({twoSteps(0)});
    const Timeline both = stacked({one, one});
    QCOMPARE(both.tracks.size(), 2 * one.tracks.size());
    QCOMPARE(both.slices.size(), 2 * one.slices.size());
    QCOMPARE(both.seconds, one.seconds);
    for (const TimelineSlice& slice : both.slices) {
      QVERIFY(slice.track < both.tracks.size() && slice.detail < both.details.size());
    }
    if (!test::hasPython()) QSKIP("python3 is not installed");
    const QJsonObject read = test::readTrace(chromeTraceText(both));
    QVERIFY2(!read.contains("error"), qPrintable(read["error"].toString()));
    QCOMPARE(read["slices"].toInt(), int(both.slices.size()));
  }
};

QTEST_APPLESS_MAIN(TestStepComparison)
#include "tst_step_comparison.moc"
