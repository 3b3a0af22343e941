// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_json.h"

#include <cassert>

namespace p2::inline runs {
namespace {

constexpr AnswerKey kPieces{
    "pieces",
    "Number of pieces of the vector that pass through the steps one behind the other. Unless it is "
    "1, steps have neither seconds nor bandwidths"};
constexpr AnswerKey kRepeat{"repeat", "Number of timed repetitions"};
constexpr AnswerKey kWrongElements{"wrong_elements", "Elements with a wrong result, on all ranks; 0 for a right run"};
constexpr AnswerKey kSpread{"seconds", "s, of one repetition: min, median and max"};
constexpr AnswerKey kPredictedSeconds{"predicted_seconds", "s, that the plan's cost model predicts for these bytes"};
constexpr AnswerKey kAlgorithmBandwidth{"algorithm_bandwidth", "Bytes of a device by the median seconds"};
constexpr AnswerKey kBusBandwidth{"bus_bandwidth",
                                  "That bandwidth as nccl-tests normalise it, which compares collectives"};
constexpr AnswerKey kSetting{
    "setting",
    "Options of the run: version (of p2), from (the machine that started it), host (for ssh; empty for "
    "this machine), launcher and its arguments, environment of every rank"};

void addSeconds(Document& document, const Spread& seconds, const double* predicted) {
  Document spread;
  spread.field("min", Value::number(seconds.min)).field("median", Value::number(seconds.median));
  spread.field("max", Value::number(seconds.max));
  document.field(kSpread, Value::object(std::move(spread)));
  if (predicted != nullptr) document.field(kPredictedSeconds, Value::number(*predicted));
}

}  // namespace

std::vector<AnswerKey> runKeys() {
  return {kPieces, kRepeat, kWrongElements, kSpread, kPredictedSeconds, kAlgorithmBandwidth, kBusBandwidth, kSetting};
}

void addRunFigures(Document& document, const RunResult& result, const RunPrediction* predicted) {
  assert(predicted == nullptr || result.pieces > 1 || predicted->steps.size() == result.steps.size());
  const bool overlaps = result.pieces > 1;
  document.field("bytes", Value::number(result.bytes.value())).field(kRepeat, Value::whole(result.repeat));
  document.field(kPieces, Value::whole(result.pieces));
  document.field(kWrongElements, Value::whole(result.wrongElements));
  addSeconds(document, result.seconds, predicted == nullptr ? nullptr : &predicted->seconds);
  std::vector<Value> steps;
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    const StepRun& step = result.steps[i];
    Document fields;
    fields.field("collective", Value::text(step.collective)).field("members", Value::whole(step.members));
    fields.field("bytes", Value::number(step.bytes.value()));
    if (!overlaps) {
      addSeconds(fields, step.seconds, predicted == nullptr ? nullptr : &predicted->steps[i]);
      fields.field(kAlgorithmBandwidth, Value::number(step.algorithmBandwidth));
      fields.field(kBusBandwidth, Value::number(step.busBandwidth));
    }
    steps.push_back(Value::object(std::move(fields), Value::Layout::Lines));
  }
  document.field("steps", Value::list(std::move(steps), Value::Layout::Lines));
}

void addRunSetting(Document& document, const RunSetting& setting) {
  Document environment;
  for (const auto& [name, value] : setting.environment) environment.named(name, Value::text(value));
  Document fields;
  fields.field("version", Value::text(setting.version)).field("from", Value::text(setting.from));
  fields.field("host", Value::text(setting.host)).field("launcher", Value::text(setting.launcher));
  fields.field("arguments", Value::texts(setting.arguments));
  fields.field("environment", Value::object(std::move(environment)));
  document.field(kSetting, Value::object(std::move(fields), Value::Layout::Lines));
}

}  // namespace p2::inline runs
