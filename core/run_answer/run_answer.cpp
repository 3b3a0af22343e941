// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_answer/run_answer.h"

#include <algorithm>
#include <map>

#include "text/text_file.h"
#include "timeline/plan_timeline.h"
#include "training_answer/training_plan_file.h"
#include "workload/import/profiler_steps.h"
#include "workload/import/run_trace.h"

namespace p2::inline run_answer {
namespace {

/// The steps that the marks of the first trace give; none without marks.
Result<std::vector<double>> marksOf(const std::vector<std::string>& files, const std::stop_token& stop) {
  if (!isProfilerTrace(files.front())) return std::vector<double>{};
  auto marks = profilerStepSeconds(files.front(), stop);
  if (marks.ok() || marks.error().kind == ErrorKind::Cancelled) return marks;
  return std::vector<double>{};
}

/// The traces of all files. Logs of the Inspector, recognised by their host, may have no common communicator: if ranks
/// repeat or one is unknown, all traces are numbered in order. Errors: two profiler files of one rank.
Result<std::vector<RunTrace>> tracesOf(const std::vector<std::string>& files, const std::stop_token& stop) {
  std::vector<RunTrace> traces;
  std::map<std::int64_t, std::string> fileOf;
  bool numbered = true;
  for (const std::string& file : files) {
    P2_TRY_ASSIGN(auto read, readRunTraces(file, stop));
    for (RunTrace& each : read) {
      const auto [known, isNew] = fileOf.try_emplace(each.rank, file);
      if (each.rank >= 0 && !isNew) {
        if (each.host.empty()) {
          return Error{"it is of rank " + std::to_string(each.rank) + ", and so is " + known->second +
                           "; name one trace of every rank of one run",
                       file};
        }
        numbered = false;
      }
      if (each.rank < 0) numbered = false;
      traces.push_back(std::move(each));
    }
  }
  for (RunTrace& each : traces) {
    if (!numbered) each.rank = -1;
  }
  return traces;
}

Result<void> addPlan(const std::string& file, std::string_view text, RunAnswer& answer, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto plan, planFromJson(text).within(file));
  addPredictions(answer.collectives, plan);
  P2_TRY_ASSIGN(auto predicted, planTimeline(plan, stop).within(file));
  answer.timelines.push_back(std::move(predicted));
  return {};
}

Result<void> addTrainingPlan(const std::string& file, std::string_view text, RunAnswer& answer, std::stop_token stop) {
  P2_TRY_ASSIGN(auto plan, trainingPlanFromJson(text).within(file));
  P2_TRY_ASSIGN(auto study,
                studyStep(plan.question, plan.planned, plan.question.reserve, std::move(stop)).within(file));
  addPredictions(answer.collectives, study.collectives);
  answer.parts = partsOf(*answer.step, study.planned.estimate);
  addCounters(study);
  answer.timelines.push_back(std::move(study.timeline));
  return {};
}

}  // namespace

Result<RunAnswer> answerRun(const RunQuestion& question, std::stop_token stop) {
  if (question.files.empty()) return Error{"there is no trace to read; name the traces of the ranks"};
  P2_TRY_ASSIGN(const auto traces, tracesOf(question.files, stop));
  P2_TRY_ASSIGN(const auto marks, marksOf(question.files, stop));
  RunAnswer answer;
  answer.ranks = traces.size();
  answer.collectives = collectivesOf(traces);
  std::string text;
  if (!question.plan.empty()) {
    P2_TRY_ASSIGN(text, readTextFile(question.plan));
  }
  const bool training = !text.empty() && isTrainingPlan(text);
  if (training || !marks.empty()) answer.step = recordedStepOf(traces, marks);
  if (training) {
    P2_TRY(addTrainingPlan(question.plan, text, answer, stop));
  } else if (!text.empty()) {
    P2_TRY(addPlan(question.plan, text, answer, stop));
  }
  answer.timelines.push_back(runTimeline(traces));
  return answer;
}

Timeline stacked(const std::vector<Timeline>& timelines) {
  TimelineBuilder builder(timelines.empty() ? std::string() : timelines.back().title);
  for (const Timeline& each : timelines) {
    std::vector<std::uint32_t> tracks;
    for (const TimelineTrack& track : each.tracks) tracks.push_back(builder.track(track.process, track.name));
    for (TimelineSlice slice : each.slices) {
      slice.detail = builder.detail(each.detailOf(slice));
      slice.track = tracks[slice.track];
      builder.slice(slice);
    }
    for (const TimelineCounter& counter : each.counters) builder.counter(counter);
    for (const std::string& note : each.notes) builder.note(note);
  }
  return builder.take();
}

}  // namespace p2::inline run_answer
