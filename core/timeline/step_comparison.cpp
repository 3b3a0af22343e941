// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/step_comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/units.h"
#include "workload/import/time_spans.h"

namespace p2::inline timeline {
namespace {

/// The time during which slices of a sort run.
std::vector<TimeSpan> busySpans(const RunTrace& trace, bool communicates) {
  std::vector<TimeSpan> spans;
  for (const RunSlice& slice : trace.slices) {
    if (slice.communicates == communicates) spans.push_back({slice.start, slice.start + slice.seconds});
  }
  return unionOf(std::move(spans));
}

/// Seconds that two unions share.
double sharedLength(const std::vector<TimeSpan>& a, const std::vector<TimeSpan>& b) {
  return std::accumulate(a.begin(), a.end(), 0.0,
                         [&](double sum, const TimeSpan& span) { return sum + lengthWithin(span, b); });
}

}  // namespace

RecordedStep recordedStepOf(const std::vector<RunTrace>& traces, const std::vector<double>& marks) {
  RecordedStep step;
  step.marked = !marks.empty();
  step.steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(marks.size()));
  const double marked = std::accumulate(marks.begin(), marks.end(), 0.0);
  const auto share = static_cast<double>(step.steps) * static_cast<double>(std::max<std::size_t>(1, traces.size()));
  for (const RunTrace& trace : traces) {
    const std::vector<TimeSpan> computation = busySpans(trace, false);
    const std::vector<TimeSpan> communication = busySpans(trace, true);
    const double computes = lengthOf(computation);
    const double shared = sharedLength(computation, communication);
    const double exposed = lengthOf(communication) - shared;
    double first = std::numeric_limits<double>::infinity();
    double last = 0;
    for (const auto* spans : {&computation, &communication}) {
      if (spans->empty()) continue;
      first = std::min(first, spans->front().begin);
      last = std::max(last, spans->back().end);
    }
    const double span = last > first ? last - first : 0;
    // Marks are set by the CPU, which is ahead of the GPU in the first steps.
    const double whole = std::max({step.marked ? marked : 0.0, span, computes + exposed});
    step.seconds += whole / share;
    step.computation += computes / share;
    step.exposed += exposed / share;
    step.overlapped += shared / share;
    step.idle += (whole - computes - exposed) / share;
  }
  return step;
}

std::vector<StepPart> partsOf(const RecordedStep& recorded, const StepEstimate& estimate) {
  const StepParts& parts = estimate.parts;
  const double exposed = std::accumulate(parts.exposed.begin(), parts.exposed.end(), 0.0);
  return {{"step", recorded.seconds, estimate.seconds},
          {"computation", recorded.computation, parts.compute + parts.inefficiency + parts.recompute + parts.optimizer},
          {"exposed communication", recorded.exposed, exposed},
          {"idle", recorded.idle, parts.bubble + parts.imbalance + parts.host}};
}

std::string describeParts(const std::vector<StepPart>& parts) {
  const StepPart* most = nullptr;
  for (const StepPart& part : parts) {
    if (&part == &parts.front()) continue;
    const auto difference = [](const StepPart& each) { return std::abs(each.measured - each.predicted); };
    if (most == nullptr || difference(part) > difference(*most)) most = &part;
  }
  if (most == nullptr) return {};
  const StepPart& step = parts.front();
  const double ratio = step.measured / step.predicted;
  std::string text = "the step takes " + formatSeconds(step.measured);
  text += ratio < kSlowFactor && ratio > 1 / kSlowFactor
              ? ", as predicted (" + formatSeconds(step.predicted) + ")"
              : ", " + formatFactor(ratio) + " the predicted " + formatSeconds(step.predicted);
  const double more = most->measured - most->predicted;
  return text + "; most of the difference is " + most->name + ", " + formatSeconds(std::abs(more)) +
         (more > 0 ? " more" : " less");
}

void addPredictions(std::vector<MeasuredCollective>& measured, const std::vector<StepCollective>& planned) {
  for (MeasuredCollective& each : measured) {
    double closest = std::log(2.0);
    for (const StepCollective& collective : planned) {
      if (!each.kind || *each.kind != collective.entry.kind || collective.seconds <= 0) continue;
      if (each.members > 0 && each.members != collective.members) continue;
      const auto bytes = static_cast<double>(collective.entry.bytes);
      if (each.bytes <= 0 || bytes <= 0) continue;
      const double distance = std::abs(std::log(each.bytes / bytes));
      if (distance > closest) continue;
      closest = distance;
      each.predicted = collective.seconds * each.bytes / bytes;
      each.link = collective.link;
    }
  }
}

}  // namespace p2::inline timeline
