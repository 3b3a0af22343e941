// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/runs_file.h"

#include <array>
#include <cstdio>
#include <sstream>

#include "runs/run_json.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline runs {
namespace {

constexpr const char* kRunsFormat = "p2-runs";

/// "2026-05-01T09:30:00.250Z".
std::string isoText(RunRecord::Time when) {
  using namespace std::chrono;
  const auto day = floor<days>(when);
  const year_month_day date(day);
  const hh_mm_ss time(when - day);
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", int(date.year()),
                unsigned(date.month()), unsigned(date.day()), int(time.hours().count()), int(time.minutes().count()),
                int(time.seconds().count()), int(time.subseconds().count()));
  return text.data();
}

/// None if the text is not a moment in the form of isoText().
std::optional<RunRecord::Time> momentFrom(const std::string& text) {
  using namespace std::chrono;
  int y = 0;
  unsigned m = 0;
  unsigned d = 0;
  std::array<unsigned, 4> clock{};
  int length = 0;
  constexpr int kFields = 7;
  if (std::sscanf(text.c_str(), "%4d-%2u-%2uT%2u:%2u:%2u.%3uZ%n", &y, &m, &d, clock.data(), &clock[1], &clock[2],
                  &clock[3], &length) != kFields ||
      length != int(text.size())) {
    return std::nullopt;
  }
  const year_month_day date{year(y), month(m), day(d)};
  if (!date.ok() || clock[0] > 23 || clock[1] > 59 || clock[2] > 60 || clock[3] > 999) return std::nullopt;
  return sys_days(date) + hours(clock[0]) + minutes(clock[1]) + seconds(clock[2]) + milliseconds(clock[3]);
}

Document resultDocument(const RunResult& result) {
  Document fields;
  fields.field("backend", Value::text(result.backend)).field("library", Value::text(result.library));
  fields.field("version", Value::text(result.version)).field("plan_hash", Value::text(result.planHash));
  fields.field("hosts", Value::texts(result.hosts, Value::Layout::Lines));
  addRunFigures(fields, result);
  return fields;
}

Document recordDocument(const RunRecord& run) {
  Document fields;
  fields.field("when", Value::text(run.when ? isoText(*run.when) : std::string()));
  fields.field("target", Value::text(run.target)).field("system", Value::text(run.system));
  fields.field("axes", Value::text(run.axes)).field("matrix", Value::text(run.matrix));
  fields.field("program", Value::text(run.program)).field("predicted_seconds", Value::number(run.predicted));
  fields.field("result", run.result ? Value::object(resultDocument(*run.result), Value::Layout::Lines) : Value::null());
  fields.field("problem", Value::text(run.problem)).field("plan", Value::text(run.plan));
  if (!run.plan.empty()) fields.field("plan_hash", Value::text(planHash(run.plan)));
  if (run.setting) addRunSetting(fields, *run.setting);
  return fields;
}

}  // namespace

std::string runsToJson(const std::vector<RunRecord>& runs) {
  Document file;
  file.field("format", Value::text(kRunsFormat)).field("version", Value::whole(kFormatVersion));
  file.list("runs", runs.size(), [&](std::size_t run) { return recordDocument(runs[run]); });
  std::ostringstream out;
  file.writeJson(out);
  return out.str();
}

Result<std::vector<RunRecord>> runsFromJson(std::string_view text) {
  P2_TRY_ASSIGN(const Json document, parseJson(text));
  std::optional<Error> problem;
  const JsonValue in(document, problem);
  (void)readHeader(in, {kRunsFormat});
  constexpr std::string_view kNeed = "exported runs are a list of objects under \"runs\"";
  std::vector<RunRecord> runs;
  for (const JsonValue& run : in.at("runs", kNeed).items(kNeed)) {
    (void)run.members(kNeed);
    if (run.failed()) break;
    P2_TRY_ASSIGN(RunRecord record, runRecordFromJson(run.json().dump()));
    if (run.has("when"))
      record.when = momentFrom(run.at("when", kNeed).text("a moment, as in 2026-05-01T09:30:00.250Z"));
    runs.push_back(std::move(record));
  }
  if (problem) return *problem;
  return runs;
}

bool looksLikeRuns(std::string_view text) {
  constexpr std::size_t kBeginning = 4096;
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{' &&
         text.substr(start, kBeginning).find('"' + std::string(kRunsFormat) + '"') != std::string_view::npos;
}

}  // namespace p2::inline runs
