// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/detail/measured_runs.h"

#include "base/counted.h"
#include "base/units.h"
#include "plan/plan.h"

namespace p2::inline remote {
namespace {

/// Whether the steps of a run overlapped, so that it has no time of each step.
bool overlaps(const Json& run) {
  const Json* result = run.is_object() && run.contains("result") ? &run["result"] : &run;
  if (!result->is_object()) return false;
  const auto pieces = result->find("pieces");
  return pieces != result->end() && pieces->is_number() && *pieces > 1;
}

/// A run of a file; ErrorKind::Failed when it did not end well, TooLarge for figures that no machine has.
Result<MeasuredTime> measurementOf(const Json& run, const System& system) {
  const Error foreign{"not made from a plan for this system"};
  const Error failed{"it failed", {}, ErrorKind::Failed};
  if (!run.is_object() || !run.contains("plan") || !run["plan"].is_string()) return foreign;
  const Json& result = run.contains("result") ? run["result"] : run;
  const auto number = [](const Json& json, const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_number() ? json[key].get<double>() : 0.0;
  };
  if (!result.is_object() || number(result, "wrong_elements") > 0) return failed;
  const auto plan = planFromJson(run["plan"].get<std::string>());
  if (!plan.ok() || plan->workspace().system.counts() != system.counts()) return foreign;
  MeasuredTime measurement;
  measurement.axes = plan->workspace().axes;
  measurement.matrix = plan->workspace().matrix;
  measurement.program = plan->workspace().program;
  measurement.cost = plan->workspace().options.cost;
  measurement.cost.bytes = Bytes(number(result, "bytes"));
  measurement.cost.repeat = 1;
  if (measurement.cost.algorithm != Algorithm::Auto) measurement.forced = measurement.cost.algorithm;
  measurement.seconds = result.contains("seconds") ? number(result["seconds"], "median") : 0;
  if (!(measurement.seconds > 0) || !(measurement.cost.bytes > Bytes(0))) return failed;
  if (!kAmountRange.holds(measurement.cost.bytes.value()) || !kTimeRange.holds(measurement.seconds))
    return Error{"its figures are out of range", {}, ErrorKind::TooLarge};
  return measurement;
}

}  // namespace

bool holdsMeasuredRuns(const Json& json) {
  return json.is_object() && (json.contains("runs") || json.contains("plan"));
}

void readMeasuredRuns(const Json& json, const std::string& name, const System& system, MeasuredFiles& files) {
  const auto use = [&](const std::string& text) { files.used.push_back(name + ": " + text); };
  const auto leave = [&](const std::string& text) { files.left.push_back(name + ": " + text); };
  const Json runs = json.contains("runs") ? json["runs"] : Json::array({json});
  std::size_t used = 0;
  std::size_t failed = 0;
  std::size_t foreign = 0;
  std::size_t overlapping = 0;
  std::size_t absurd = 0;
  for (const Json& run : runs) {
    if (overlaps(run)) {
      ++overlapping;
      continue;
    }
    auto measured = measurementOf(run, system);
    if (!measured.ok()) {
      const ErrorKind kind = measured.error().kind;
      ++(kind == ErrorKind::Failed ? failed : kind == ErrorKind::TooLarge ? absurd : foreign);
      continue;
    }
    measured.value().file = name;
    files.measurements.push_back(std::move(measured).value());
    ++used;
  }
  if (used > 0) use(countedText(used, "run"));
  if (overlapping > 0) leave(countedText(overlapping, "run") + " whose steps overlapped");
  if (failed > 0) leave(countedText(failed, "run") + " that failed");
  if (absurd > 0) leave(countedText(absurd, "run") + " with over 1e18 bytes or 1e9 seconds");
  if (foreign > 0) leave(countedText(foreign, "run") + " not made from a plan for this system");
}

}  // namespace p2::inline remote
