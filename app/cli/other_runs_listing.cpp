// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "app/cli/training_runs_listing.h"
#include "base/counted.h"
#include "base/median.h"
#include "base/units.h"
#include "text/text_file.h"
#include "training/training_runs.h"

namespace p2::cli {
namespace {

/// A run and its prediction, or why there is none.
struct OtherRun {
  const TrainingRun* run = nullptr;
  std::optional<StepEstimate> estimate = std::nullopt;
  std::string reason = {};

  [[nodiscard]] double logRatio() const { return std::log(estimate->seconds / run->seconds); }
  [[nodiscard]] bool isWithin() const { return estimate->low <= run->seconds && run->seconds <= estimate->high; }
};

std::vector<OtherRun> predicted(const std::vector<TrainingRun>& runs) {
  std::vector<OtherRun> all;
  for (const TrainingRun& run : runs) {
    OtherRun& one = all.emplace_back(OtherRun{&run, std::nullopt, run.unscored});
    if (!run.isScored()) continue;
    auto estimate = estimateRun(run);
    if (estimate.ok()) {
      one.estimate = *estimate;
    } else {
      one.reason = estimate.error().text();
    }
  }
  return all;
}

/// The runs of one table.
struct OtherTable {
  std::string name;
  std::vector<OtherRun> runs;

  [[nodiscard]] std::vector<double> logRatios() const {
    std::vector<double> ratios;
    for (const OtherRun& one : runs) {
      if (one.estimate) ratios.push_back(one.logRatio());
    }
    return ratios;
  }
  [[nodiscard]] std::optional<double> medianError() const {
    std::vector<double> errors = logRatios();
    if (errors.empty()) return std::nullopt;
    for (double& error : errors) error = std::abs(error);
    return upperMedianOf(std::move(errors));
  }
  /// Predicted over measured.
  [[nodiscard]] std::optional<double> medianRatio() const {
    std::vector<double> ratios = logRatios();
    if (ratios.empty()) return std::nullopt;
    return std::exp(upperMedianOf(std::move(ratios)));
  }
  [[nodiscard]] std::int64_t predictions() const { return static_cast<std::int64_t>(logRatios().size()); }
  [[nodiscard]] std::int64_t within() const {
    return std::count_if(runs.begin(), runs.end(), [](const OtherRun& one) { return one.estimate && one.isWithin(); });
  }
};

std::vector<OtherTable> tablesOf(const std::vector<OtherRun>& all) {
  std::vector<OtherTable> tables;
  for (const OtherRun& one : all) {
    auto at = std::find_if(tables.begin(), tables.end(), [&](const OtherTable& t) { return t.name == one.run->table; });
    if (at == tables.end()) at = tables.insert(tables.end(), OtherTable{one.run->table, {}});
    at->runs.push_back(one);
  }
  return tables;
}

using Align = TextTable::Align;

template <double StepEstimate::*figure>
Value estimateCell(const OtherRun& one) {
  return one.estimate ? Value::number((*one.estimate).*figure, Unit::Seconds) : Value();
}
Value tableCell(const OtherRun& one) { return Value::text(one.run->table); }
Value modelCell(const OtherRun& one) { return Value::text(one.run->name); }
Value deviceCell(const OtherRun& one) { return Value::text(one.run->device); }
Value devicesCell(const OtherRun& one) { return Value::whole(one.run->configuration.plan.devices); }
Value configurationCell(const OtherRun& one) { return Value::text(describe(one.run->configuration)); }
Value measuredCell(const OtherRun& one) { return Value::number(one.run->seconds, Unit::Seconds); }
Value reasonCell(const OtherRun& one) { return one.estimate ? Value() : Value::text(one.reason); }
/// "+12 %", or why there is no prediction.
Value errorText(const OtherRun& one) {
  if (!one.estimate) return Value::text(one.reason);
  const double share = one.estimate->seconds / one.run->seconds - 1;
  return Value::text(formatSignedPercent(share) + (one.isWithin() ? "" : ", outside"));
}

Value ratioCell(const OtherTable& table) {
  const auto ratio = table.medianRatio();
  return ratio ? Value::text(formatFactor(*ratio)) : Value();
}

constexpr Column<OtherRun> kOtherRunColumns[] = {
    {"table", "", tableCell},
    {"model", "model", modelCell, Align::Left},
    {"device", "", deviceCell},
    {"devices", "devices", devicesCell},
    {"configuration", "configuration", configurationCell, Align::Left},
    {"measured_seconds", "measured", measuredCell},
    {"predicted_seconds", "predicted", estimateCell<&StepEstimate::seconds>},
    {"seconds_low", "from", estimateCell<&StepEstimate::low>},
    {"seconds_high", "to", estimateCell<&StepEstimate::high>},
    {"mfu", "", [](const OtherRun& one) { return one.estimate ? Value::number(one.estimate->mfu) : Value(); }},
    {"", "error", errorText, Align::Left},
    {"reason", "", reasonCell},
    {"assumed", "", [](const OtherRun& one) { return Value::texts(one.run->assumed); }},
    {"source", "", [](const OtherRun& one) { return Value::text(one.run->reference); }},
};

constexpr Column<OtherTable> kOtherTableColumns[] = {
    {"", "table", [](const OtherTable& table) { return Value::text(table.name); }, Align::Left},
    {"", "runs", [](const OtherTable& table) { return Value::whole(std::int64_t(table.runs.size())); }},
    {"", "predicted", [](const OtherTable& table) { return Value::whole(table.predictions()); }},
    {"", "median error", [](const OtherTable& table) { return Value::number(table.medianError(), Unit::Share); }},
    {"", "predicted / measured", ratioCell},
    {"", "within the interval", [](const OtherTable& table) { return Value::whole(table.within()); }},
};

Value tableValue(const OtherTable& table) {
  Document fields;
  fields.field("table", Value::text(table.name)).field("median_error", Value::number(table.medianError()));
  fields.field("median_ratio", Value::number(table.medianRatio()));
  fields.field("predicted", Value::whole(table.predictions())).field("within_interval", Value::whole(table.within()));
  fields.table("runs", tableOver<OtherRun>(kOtherRunColumns, table.runs));
  return Value::object(std::move(fields), Value::Layout::Lines);
}

std::string summaryOf(const OtherTable& all) {
  const std::int64_t count = all.predictions();
  std::string text = std::to_string(count) + " of " + countedText(std::int64_t(all.runs.size()), "run") + " predicted";
  if (count > 0) {
    text += ": median error " + formatPercent(*all.medianError()) + ", " + std::to_string(all.within()) +
            " within their 80 % interval";
  }
  return text + ". No constant was fitted to them.";
}

/// "Assumed: a microbatch of 8 (2 runs), full recomputation (2 runs)"; empty where the table says everything.
std::string assumptionsOf(const std::vector<OtherRun>& all) {
  std::vector<std::pair<std::string, std::int64_t>> counts;
  for (const OtherRun& one : all) {
    for (const std::string& assumed : one.run->assumed) {
      auto at = std::find_if(counts.begin(), counts.end(), [&](const auto& each) { return each.first == assumed; });
      if (at == counts.end()) at = counts.insert(counts.end(), {assumed, 0});
      ++at->second;
    }
  }
  std::string text;
  for (const auto& [assumed, runs] : counts)
    text += (text.empty() ? "Assumed: " : ", ") + assumed + " (" + countedText(runs, "run") + ")";
  return text;
}

void write(std::ostream& out, const OtherTrainingRuns& others, AnswerForm format) {
  const std::vector<OtherRun> all = predicted(others.runs);
  const std::vector<OtherTable> tables = tablesOf(all);
  Document answer;
  answer.array("tables", tables.size(), [&](std::size_t i) { return tableValue(tables[i]); });
  answer.field("columns_not_read", Value::texts(others.unknownColumns));
  answer.table("", tableOver<OtherTable>(kOtherTableColumns, tables));
  answer.line("");
  answer.table("", tableOver<OtherRun>(kOtherRunColumns, all));
  answer.line("").line(summaryOf(OtherTable{"", all}));
  if (const std::string assumed = assumptionsOf(all); !assumed.empty()) answer.line(assumed);
  for (const std::string& column : others.unknownColumns) answer.line("The column " + column + " is not read.");
  answer.csv([&] { return tableOver<OtherRun>(kOtherRunColumns, all); });
  writeAnswer(out, answer, format);
}

}  // namespace

void writeUnseenRuns(std::ostream& out, AnswerForm format) { write(out, {unseenRuns(), {}}, format); }

Result<void> writeOtherTrainingRuns(std::ostream& out, const std::string& file, AnswerForm format) {
  P2_TRY_ASSIGN(const std::string text, readTextFile(file));
  auto read = otherTrainingRunsFrom(text, std::filesystem::path(file).stem().string());
  if (!read.ok()) return read.error().within(file);
  write(out, *read, format);
  return {};
}

}  // namespace p2::cli
