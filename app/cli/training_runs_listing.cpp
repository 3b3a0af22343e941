// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training_runs_listing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "base/numbers.h"
#include "base/units.h"
#include "text/csv.h"
#include "text/json_writer.h"
#include "text/text_table.h"
#include "training/training_fit.h"

namespace p2::cli {
namespace {

/// A run next to its prediction; nothing is predicted of one that is not scored.
struct ComparedRun {
  const TrainingRun* run = nullptr;
  std::optional<StepEstimate> estimate = std::nullopt;
  double heldOut = 0;  ///< ln(predicted / measured) by constants fitted without the run's source
};

std::vector<ComparedRun> compared() {
  const std::vector<TrainingRun>& runs = trainingRuns();
  const std::vector<double> heldOut = heldOutErrors(runs, trainingConstants(), 1);
  std::vector<ComparedRun> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ComparedRun one{&runs[i], std::nullopt, heldOut[i]};
    if (runs[i].isScored()) {
      if (auto estimate = estimateRun(runs[i]); estimate.ok()) one.estimate = *estimate;
    }
    all.push_back(one);
  }
  return all;
}

std::map<std::string, double> heldOutMedians(const std::vector<ComparedRun>& all) {
  std::vector<double> errors;
  for (const ComparedRun& one : all) errors.push_back(one.heldOut);
  std::map<std::string, double> medians;
  for (const TableError& table : tableErrors(trainingRuns(), errors)) medians[table.table] = table.median;
  return medians;
}

std::vector<TableError> errorsOf(const std::vector<ComparedRun>& all) {
  std::vector<double> errors;
  for (const ComparedRun& one : all) {
    errors.push_back(one.estimate ? std::log(one.estimate->seconds / one.run->seconds)
                                  : std::numeric_limits<double>::quiet_NaN());
  }
  return tableErrors(trainingRuns(), errors);
}

void writeRun(JsonWriter& json, const ComparedRun& one) {
  const TrainingRun& run = *one.run;
  const TrainingPlan& plan = run.configuration.plan;
  json.beginObject(JsonWriter::Layout::OneLine).key("model").text(run.name);
  json.key("device").text(run.device).key("devices").whole(plan.devices);
  json.key("configuration").text(describe(run.configuration));
  json.key("measured_seconds").number(run.seconds).key("used").boolean(run.isScored());
  if (one.estimate) {
    json.key("predicted_seconds").number(one.estimate->seconds);
    json.key("held_out_seconds").number(run.seconds * std::exp(one.heldOut));
    json.key("seconds_low").number(one.estimate->low).key("seconds_high").number(one.estimate->high);
    json.key("mfu").number(one.estimate->mfu);
  } else {
    json.key("reason").text(run.unscored);
  }
  json.key("assumed").beginArray(JsonWriter::Layout::OneLine);
  for (const std::string& each : run.assumed) json.text(each);
  json.end().key("source").text(run.reference).end();
}

void writeJson(std::ostream& out, const std::vector<ComparedRun>& all) {
  std::map<std::string, double> medians;
  for (const TableError& table : errorsOf(all)) medians[table.table] = table.median;
  const std::map<std::string, double> heldOut = heldOutMedians(all);
  JsonWriter json(out);
  json.beginObject().key("tables").beginArray();
  for (std::size_t i = 0; i < all.size();) {
    const std::string& table = all[i].run->table;
    json.beginObject().key("table").text(table).key("publisher").text(all[i].run->source).key("median_error");
    medians.contains(table) ? json.number(medians[table]) : json.null();
    json.key("held_out_error");
    heldOut.contains(table) ? json.number(heldOut.at(table)) : json.null();
    json.key("runs").beginArray();
    for (; i < all.size() && all[i].run->table == table; ++i) writeRun(json, all[i]);
    json.end().end();
  }
  json.end().end();
}

void writeCsv(std::ostream& out, const std::vector<ComparedRun>& all) {
  out << "table,model,device,devices,configuration,measured_seconds,predicted_seconds,held_out_seconds,used,reason,"
         "source\n";
  for (const ComparedRun& one : all) {
    const TrainingRun& run = *one.run;
    out << csvCell(run.table) << ',' << csvCell(run.name) << ',' << csvCell(run.device) << ','
        << run.configuration.plan.devices << ',' << csvCell(describe(run.configuration)) << ','
        << exactNumber(run.seconds) << ',' << (one.estimate ? exactNumber(one.estimate->seconds) : "") << ','
        << (one.estimate ? exactNumber(run.seconds * std::exp(one.heldOut)) : "") << ','
        << (run.isScored() ? "yes" : "no") << ',' << csvCell(run.unscored) << ',' << csvCell(run.reference) << '\n';
  }
}

void writeText(std::ostream& out, const std::vector<ComparedRun>& all) {
  struct Span {
    std::size_t rows = 0;
    double fastest = std::numeric_limits<double>::infinity();
    double slowest = 0;
  };
  std::map<std::string, Span> spans;
  std::size_t used = 0;
  for (const ComparedRun& one : all) {
    Span& span = spans[one.run->table];
    ++span.rows;
    if (one.run->seconds > 0) span.fastest = std::min(span.fastest, one.run->seconds);
    span.slowest = std::max(span.slowest, one.run->seconds);
    used += one.estimate ? 1 : 0;
  }
  TextTable table({{"table"},
                   {"runs", TextTable::Align::Right},
                   {"used", TextTable::Align::Right},
                   {"fastest step", TextTable::Align::Right},
                   {"slowest step", TextTable::Align::Right},
                   {"median error", TextTable::Align::Right},
                   {"held out", TextTable::Align::Right}});
  const std::map<std::string, double> heldOut = heldOutMedians(all);
  std::vector<double> medians;
  for (const TableError& error : errorsOf(all)) {
    const Span& span = spans[error.table];
    table.add({error.table, std::to_string(span.rows), std::to_string(error.rows), formatSeconds(span.fastest),
               formatSeconds(span.slowest), formatPercent(std::expm1(error.median)),
               formatPercent(std::expm1(heldOut.at(error.table)))});
    medians.push_back(heldOut.at(error.table));
  }
  out << table.text();
  std::sort(medians.begin(), medians.end());
  out << '\n'
      << used << " of " << all.size() << " published steps are used. \"held out\": by constants fitted without the "
      << "publisher's runs; the median of the tables is " << formatPercent(std::expm1(medians[medians.size() / 2]))
      << ". --json gives the assumptions and the source of every step.\n";
}

}  // namespace

void writeTrainingRuns(std::ostream& out, AnswerForm format) {
  const auto all = compared();
  if (format == AnswerForm::Json) return writeJson(out, all);
  if (format == AnswerForm::Csv) return writeCsv(out, all);
  writeText(out, all);
}

void writeFittedConstants(std::ostream& out) {
  TrainingConstants start = trainingConstants();
  for (std::size_t i = 0; i < start.all().size(); ++i) start.setValue(i, start.all()[i].prior);
  constexpr int kSteps = 8;
  out << trainingConstantsText(fitTraining(trainingRuns(), start, kSteps, [](const TrainingRun&) { return true; }));
}

}  // namespace p2::cli
