// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_record.h"

#include <algorithm>

#include "base/figures.h"
#include "runs/result_json.h"
#include "text/json_document.h"
#include "text/json_writer.h"

namespace p2::inline runs {
namespace {

constexpr const char* kUnread = "the result was kept in a way that this version of the program cannot read";
constexpr std::int64_t kLastMoment = 8'640'000'000'000'000;  // of calendars: milliseconds since 1970

Json json(const RunSetting& setting) {
  Json environment = Json::object();
  for (const auto& [name, value] : setting.environment) environment[name] = value;
  return {{"version", setting.version},   {"from", setting.from},           {"host", setting.host},
          {"launcher", setting.launcher}, {"arguments", setting.arguments}, {"environment", std::move(environment)}};
}

Json json(const RunRecord& record) {
  Json out{{"version", record.version}};
  if (record.when) out["when_ms"] = record.when->time_since_epoch().count();
  out["target"] = record.target;
  out["system"] = record.system;
  out["axes"] = record.axes;
  out["matrix"] = record.matrix;
  out["program"] = record.program;
  if (record.predicted) out["predicted_seconds"] = *record.predicted;
  if (record.result) out["result"] = resultJson(*record.result);
  if (!record.problem.empty()) out["problem"] = record.problem;
  if (!record.plan.empty()) {
    out["plan"] = record.plan;
    out["plan_hash"] = planHash(record.plan);
  }
  if (record.setting) out["setting"] = json(*record.setting);
  return out;
}

std::string line(const Json& record) { return tameJson(record.dump(-1, ' ', false, Json::error_handler_t::replace)); }

/// The member if it is there and passes; otherwise null.
const Json* member(const Json& in, const char* key, bool (Json::*is)() const noexcept) {
  if (!in.is_object()) return nullptr;
  const auto found = in.find(key);
  return found != in.end() && ((*found).*is)() ? &*found : nullptr;
}

std::string text(const Json& in, const char* key) {
  const Json* value = member(in, key, &Json::is_string);
  return value == nullptr ? std::string() : value->get<std::string>();
}

std::optional<double> number(const Json& in, const char* key, const FigureRange& range) {
  const Json* value = member(in, key, &Json::is_number);
  if (value == nullptr) return std::nullopt;
  const double read = value->get<double>();
  return read == 0 || range.holds(read) ? std::optional(read) : std::nullopt;
}

std::optional<std::int64_t> whole(const Json& in, const char* key, std::int64_t most = INT64_MAX) {
  const Json* value = member(in, key, &Json::is_number_integer);
  if (value == nullptr || *value < 0 || *value > most) return std::nullopt;
  return value->get<std::int64_t>();
}

/// Missing figures are the median's: a spread of one value.
std::optional<Spread> spread(const Json& in, const char* key) {
  const Json* value = member(in, key, &Json::is_object);
  const auto median = value == nullptr ? std::nullopt : number(*value, "median", kTimeRange);
  if (!median) return std::nullopt;
  return Spread{number(*value, "min", kTimeRange).value_or(*median), *median,
                number(*value, "max", kTimeRange).value_or(*median)};
}

StepRun stepRun(const Json& in) {
  return {text(in, "collective"),
          whole(in, "members").value_or(1),
          Bytes(number(in, "bytes", kAmountRange).value_or(0)),
          spread(in, "seconds").value_or(Spread{}),
          number(in, "algorithm_bandwidth", kBandwidthRange).value_or(0),
          number(in, "bus_bandwidth", kBandwidthRange).value_or(0)};
}

std::optional<RunResult> runResult(const Json& in) {
  const auto seconds = spread(in, "seconds");
  const auto wrong = whole(in, "wrong_elements");
  if (!seconds || !wrong) return std::nullopt;
  RunResult result;
  result.backend = text(in, "backend");
  result.library = text(in, "library");
  result.version = text(in, "version");
  result.planHash = text(in, "plan_hash");
  if (const Json* hosts = member(in, "hosts", &Json::is_array)) {
    for (const Json& host : *hosts) result.hosts.push_back(host.is_string() ? host.get<std::string>() : std::string());
  }
  result.bytes = Bytes(number(in, "bytes", kAmountRange).value_or(0));
  result.repeat = static_cast<int>(whole(in, "repeat", INT32_MAX).value_or(0));
  result.wrongElements = *wrong;
  result.seconds = *seconds;
  result.pieces = static_cast<int>(std::max<std::int64_t>(1, whole(in, "pieces", INT32_MAX).value_or(1)));
  if (const Json* steps = member(in, "steps", &Json::is_array)) {
    for (const Json& step : *steps) result.steps.push_back(stepRun(step));
  }
  return result;
}

RunSetting runSetting(const Json& in) {
  RunSetting setting{text(in, "version"), text(in, "from"), text(in, "host"), text(in, "launcher"), {}, {}};
  if (const Json* arguments = member(in, "arguments", &Json::is_array)) {
    for (const Json& each : *arguments) {
      if (each.is_string()) setting.arguments.push_back(each.get<std::string>());
    }
  }
  if (const Json* environment = member(in, "environment", &Json::is_object)) {
    for (const auto& [name, value] : environment->items()) {
      setting.environment.emplace_back(name, value.is_string() ? value.get<std::string>() : std::string());
    }
  }
  return setting;
}

}  // namespace

std::string runRecordToJson(const RunRecord& record) { return line(json(record)); }

Result<RunRecord> runRecordFromJson(std::string_view kept) {
  const auto parsed = parseJson(kept);
  if (!parsed.ok() || !parsed->is_object()) {
    return Error{"the record of this run is damaged: it is no JSON object"};
  }
  const Json& in = *parsed;
  RunRecord record;
  record.version = static_cast<int>(whole(in, "version", INT32_MAX).value_or(0));
  if (const auto when = whole(in, "when_ms", kLastMoment))
    record.when = RunRecord::Time(std::chrono::milliseconds(*when));
  record.target = text(in, "target");
  record.system = text(in, "system");
  record.axes = text(in, "axes");
  record.matrix = text(in, "matrix");
  record.program = text(in, "program");
  record.plan = text(in, "plan");
  record.predicted = number(in, "predicted_seconds", kTimeRange);
  record.problem = text(in, "problem");
  if (const Json* setting = member(in, "setting", &Json::is_object)) record.setting = runSetting(*setting);
  if (const auto result = in.find("result"); result != in.end() && !result->is_null()) {
    record.result = runResult(*result);
    if (!record.result && record.problem.empty()) record.problem = kUnread;
  }
  return record;
}

std::string runRecordWithMessage(const RunRecord& record, std::string_view message) {
  Json out = json(record);
  const auto parsed = parseJson(message);
  const Json stated = parsed.ok() ? *parsed : Json(message);
  const Json* result = member(stated, "result", &Json::is_object);
  out["result"] = result != nullptr ? *result : stated;
  return line(out);
}

}  // namespace p2::inline runs
