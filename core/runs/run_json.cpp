// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_json.h"

#include <cassert>

namespace p2::inline runs {
namespace {

void addSeconds(Document& document, const Spread& seconds, const double* predicted) {
  Document spread;
  spread.field("min", Value::number(seconds.min)).field("median", Value::number(seconds.median));
  spread.field("max", Value::number(seconds.max));
  document.field("seconds", Value::object(std::move(spread)));
  if (predicted != nullptr) document.field("predicted_seconds", Value::number(*predicted));
}

}  // namespace

void addRunFigures(Document& document, const RunResult& result, const RunPrediction* predicted) {
  assert(predicted == nullptr || result.pieces > 1 || predicted->steps.size() == result.steps.size());
  const bool overlaps = result.pieces > 1;
  document.field("bytes", Value::number(result.bytes.value())).field("repeat", Value::whole(result.repeat));
  document.field("pieces", Value::whole(result.pieces));
  document.field("wrong_elements", Value::whole(result.wrongElements));
  addSeconds(document, result.seconds, predicted == nullptr ? nullptr : &predicted->seconds);
  std::vector<Value> steps;
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    const StepRun& step = result.steps[i];
    Document fields;
    fields.field("collective", Value::text(step.collective)).field("members", Value::whole(step.members));
    fields.field("bytes", Value::number(step.bytes.value()));
    if (!overlaps) {
      addSeconds(fields, step.seconds, predicted == nullptr ? nullptr : &predicted->steps[i]);
      fields.field("algorithm_bandwidth", Value::number(step.algorithmBandwidth));
      fields.field("bus_bandwidth", Value::number(step.busBandwidth));
    }
    steps.push_back(Value::object(std::move(fields), Value::Layout::Lines));
  }
  document.field("steps", Value::list(std::move(steps), Value::Layout::Lines));
}

void addRunSetting(Document& document, const RunSetting& setting) {
  Document environment;
  for (const auto& [name, value] : setting.environment) environment.field(name, Value::text(value));
  Document fields;
  fields.field("version", Value::text(setting.version)).field("from", Value::text(setting.from));
  fields.field("host", Value::text(setting.host)).field("launcher", Value::text(setting.launcher));
  fields.field("arguments", Value::texts(setting.arguments));
  fields.field("environment", Value::object(std::move(environment)));
  document.field("setting", Value::object(std::move(fields), Value::Layout::Lines));
}

}  // namespace p2::inline runs
