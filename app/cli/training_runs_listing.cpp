// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training_runs_listing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include "app/cli/answer_keys.h"
#include "base/counted.h"
#include "base/median.h"
#include "base/units.h"
#include "text/document.h"
#include "training/training_fit.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kHeldOutError{"held_out_error",
                                  "Median error of a table of training steps, by constants fitted without its "
                                  "publisher's runs; held_out_seconds is such a prediction of one step"};

/// A run and its prediction; runs that are not scored have none.
struct ComparedRun {
  const TrainingRun* run = nullptr;
  std::optional<StepEstimate> estimate = std::nullopt;
  double heldOut = 0;  ///< ln(predicted / measured) by constants fitted without the run's source
};

std::vector<ComparedRun> compared() {
  const std::vector<TrainingRun>& runs = trainingRuns();
  const std::vector<double> heldOut = heldOutErrors(runs, trainingConstants());
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

/// Errors of the published tables with a used step, in their order.
struct Medians {
  std::vector<TableError> errors;
  std::map<std::string, double> heldOut;
};

/// `all` must have every published run in its order.
Medians mediansOf(const std::vector<ComparedRun>& all) {
  std::vector<double> logRatios;
  std::vector<double> heldOut;
  for (const ComparedRun& one : all) {
    logRatios.push_back(one.estimate ? std::log(one.estimate->seconds / one.run->seconds)
                                     : std::numeric_limits<double>::quiet_NaN());
    heldOut.push_back(one.heldOut);
  }
  Medians medians{tableErrors(trainingRuns(), logRatios), {}};
  for (const TableError& table : tableErrors(trainingRuns(), heldOut)) medians.heldOut[table.table] = table.median;
  return medians;
}

using Align = TextTable::Align;

Value tableCell(const ComparedRun& one) { return Value::text(one.run->table); }
Value modelCell(const ComparedRun& one) { return Value::text(one.run->name); }
Value deviceCell(const ComparedRun& one) { return Value::text(one.run->device); }
Value devicesCell(const ComparedRun& one) { return Value::whole(one.run->configuration.plan.devices); }
Value configurationCell(const ComparedRun& one) { return Value::text(describe(one.run->configuration)); }
Value measuredCell(const ComparedRun& one) { return Value::number(one.run->seconds); }
Value usedCell(const ComparedRun& one) { return Value::flag(one.run->isScored()); }
template <double StepEstimate::*figure>
Value estimateCell(const ComparedRun& one) {
  return one.estimate ? Value::number((*one.estimate).*figure) : Value();
}
Value heldOutCell(const ComparedRun& one) {
  return one.estimate ? Value::number(one.run->seconds * std::exp(one.heldOut)) : Value();
}
Value reasonCell(const ComparedRun& one) { return one.estimate ? Value() : Value::text(one.run->unscored); }
Value assumedCell(const ComparedRun& one) { return Value::texts(one.run->assumed); }
Value sourceCell(const ComparedRun& one) { return Value::text(one.run->reference); }

constexpr Column<ComparedRun> kRunColumns[] = {
    {"model", "", modelCell},
    {"device", "", deviceCell},
    {"devices", "", devicesCell},
    {"configuration", "", configurationCell},
    {"measured_seconds", "", measuredCell},
    {"used", "", usedCell},
    {"predicted_seconds", "", estimateCell<&StepEstimate::seconds>},
    {"held_out_seconds", "", heldOutCell},
    {"seconds_low", "", estimateCell<&StepEstimate::low>},
    {"seconds_high", "", estimateCell<&StepEstimate::high>},
    {"mfu", "", estimateCell<&StepEstimate::mfu>},
    {"reason", "", reasonCell},
    {"assumed", "", assumedCell},
    {"source", "", sourceCell},
};
constexpr Column<ComparedRun> kCsvColumns[] = {
    {"table", "", tableCell},
    {"model", "", modelCell},
    {"device", "", deviceCell},
    {"devices", "", devicesCell},
    {"configuration", "", configurationCell},
    {"measured_seconds", "", measuredCell},
    {"predicted_seconds", "", estimateCell<&StepEstimate::seconds>},
    {"held_out_seconds", "", heldOutCell},
    {"used", "", usedCell},
    {"reason", "", reasonCell},
    {"source", "", sourceCell},
};

/// The runs of one published table.
struct PublishedTable {
  std::span<const ComparedRun> runs;
  std::size_t used = 0;
  std::optional<double> error = {};    ///< median |ln(predicted / measured)|
  std::optional<double> heldOut = {};  ///< that median by constants fitted without the publisher's runs
};

/// Splits runs into their tables, in the order of the runs.
std::vector<PublishedTable> tablesOf(std::span<const ComparedRun> all, const Medians& medians) {
  std::vector<PublishedTable> tables;
  for (std::size_t from = 0; from < all.size();) {
    const std::string& name = all[from].run->table;
    std::size_t to = from;
    while (to < all.size() && all[to].run->table == name) ++to;
    PublishedTable table{all.subspan(from, to - from)};
    for (const TableError& error : medians.errors) {
      if (error.table != name) continue;
      table.used = error.rows;
      table.error = error.median;
    }
    if (const auto found = medians.heldOut.find(name); found != medians.heldOut.end()) table.heldOut = found->second;
    tables.push_back(table);
    from = to;
  }
  return tables;
}

Value tableValue(const PublishedTable& table) {
  const TrainingRun& first = *table.runs.front().run;
  Document fields;
  fields.field("table", Value::text(first.table)).field("publisher", Value::text(first.source));
  fields.field("median_error", Value::number(table.error)).field(kHeldOutError, Value::number(table.heldOut));
  fields.table("runs", tableOver<ComparedRun>(kRunColumns, table.runs));
  return Value::object(std::move(fields), Value::Layout::Lines);
}

/// The shortest or the longest measured step.
Value stepCell(const PublishedTable& table, bool longest) {
  std::vector<double> seconds;
  for (const ComparedRun& one : table.runs) {
    if (one.run->seconds > 0) seconds.push_back(one.run->seconds);
  }
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  return Value::number(longest ? *most : *least, Unit::Seconds);
}

Value percentCell(const std::optional<double>& logarithm) { return Value::number(logarithm.value_or(0), Unit::Share); }

constexpr Column<PublishedTable> kPublishedColumns[] = {
    {"", "table", [](const PublishedTable& table) { return tableCell(table.runs.front()); }, Align::Left},
    {"", "runs", [](const PublishedTable& table) { return Value::whole(std::int64_t(table.runs.size())); }},
    {"", "used", [](const PublishedTable& table) { return Value::whole(std::int64_t(table.used)); }},
    {"", "fastest step", [](const PublishedTable& table) { return stepCell(table, false); }},
    {"", "slowest step", [](const PublishedTable& table) { return stepCell(table, true); }},
    {"", "median error", [](const PublishedTable& table) { return percentCell(table.error); }},
    {"", "held out", [](const PublishedTable& table) { return percentCell(table.heldOut); }},
};

/// Runs of the tables that have a used step, table by table.
std::vector<ComparedRun> usedTogether(std::span<const ComparedRun> all, const Medians& medians) {
  std::vector<ComparedRun> together;
  for (const TableError& table : medians.errors) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(together),
                 [&](const ComparedRun& one) { return one.run->table == table.table; });
  }
  return together;
}

/// How many steps are used, and the median error of the tables.
std::string summaryOf(std::span<const ComparedRun> all, const std::vector<PublishedTable>& used) {
  const auto count = std::count_if(all.begin(), all.end(), [](const ComparedRun& one) { return one.estimate; });
  std::vector<double> medians;
  for (const PublishedTable& table : used) medians.push_back(table.heldOut.value_or(0));
  return std::to_string(count) + " of " + std::to_string(all.size()) +
         " published steps are used. Errors are |ln(predicted / measured)|; \"held out\": with constants fitted "
         "without "
         "the publisher's runs, the median of the tables is " +
         formatPercent(upperMedianOf(medians)) +
         ". --json gives the assumptions and the source of every step; --unseen " + "compares " +
         countedText(unseenRuns().size(), "step") + " that no constant was fitted to.";
}

}  // namespace

std::vector<AnswerKey> trainingRunsKeys() { return {kHeldOutError}; }

void writeTrainingRuns(std::ostream& out, AnswerForm format) {
  const std::vector<ComparedRun> all = compared();
  const Medians medians = mediansOf(all);
  const std::vector<PublishedTable> tables = tablesOf(all, medians);
  const std::vector<ComparedRun> together = usedTogether(all, medians);
  const std::vector<PublishedTable> used = tablesOf(together, medians);
  Document answer;
  answer.array("tables", tables.size(), [&](std::size_t i) { return tableValue(tables[i]); });
  answer.table("", tableOver<PublishedTable>(kPublishedColumns, used));
  answer.line("").line(summaryOf(all, used));
  answer.csv([&] { return tableOver<ComparedRun>(kCsvColumns, all); });
  writeAnswer(out, answer, format);
}

void writeFittedConstants(std::ostream& out) {
  TrainingConstants start = trainingConstants();
  for (std::size_t i = 0; i < start.all().size(); ++i) start.setValue(i, start.all()[i].prior);
  constexpr int kSteps = 8;
  out << trainingConstantsText(fitTraining(trainingRuns(), start, kSteps, [](const TrainingRun&) { return true; }));
}

}  // namespace p2::cli
