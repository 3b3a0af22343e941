// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_json.h"

#include <cassert>

namespace p2::inline runs {
namespace {

void writeSeconds(JsonWriter& json, const Spread& seconds, const double* predicted) {
  json.key("seconds").beginObject(JsonWriter::Layout::OneLine);
  json.key("min").number(seconds.min).key("median").number(seconds.median).key("max").number(seconds.max).end();
  if (predicted != nullptr) json.key("predicted_seconds").number(*predicted);
}

}  // namespace

void writeRunFigures(JsonWriter& json, const RunResult& result, const RunPrediction* predicted) {
  assert(predicted == nullptr || result.pieces > 1 || predicted->steps.size() == result.steps.size());
  const bool overlaps = result.pieces > 1;
  json.key("bytes").number(result.bytes.value()).key("repeat").whole(result.repeat);
  json.key("pieces").whole(result.pieces);
  json.key("wrong_elements").whole(result.wrongElements);
  writeSeconds(json, result.seconds, predicted == nullptr ? nullptr : &predicted->seconds);
  json.key("steps").beginArray();
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    const StepRun& step = result.steps[i];
    json.beginObject();
    json.key("collective").text(step.collective).key("members").whole(step.members);
    json.key("bytes").number(step.bytes.value());
    if (!overlaps) {
      writeSeconds(json, step.seconds, predicted == nullptr ? nullptr : &predicted->steps[i]);
      json.key("algorithm_bandwidth").number(step.algorithmBandwidth).key("bus_bandwidth").number(step.busBandwidth);
    }
    json.end();
  }
  json.end();
}

void writeRunSetting(JsonWriter& json, const RunSetting& setting) {
  json.key("setting").beginObject().key("version").text(setting.version).key("from").text(setting.from);
  json.key("host").text(setting.host).key("launcher").text(setting.launcher);
  json.key("arguments").beginArray(JsonWriter::Layout::OneLine);
  for (const std::string& argument : setting.arguments) json.text(argument);
  json.end().key("environment").beginObject(JsonWriter::Layout::OneLine);
  for (const auto& [name, value] : setting.environment) json.key(name).text(value);
  json.end().end();
}

}  // namespace p2::inline runs
