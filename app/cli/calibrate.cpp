// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/answer_keys.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "base/counted.h"
#include "base/units.h"
#include "cost/calibration/library_calibration.h"
#include "cost/calibration/library_report.h"
#include "cost/cost_model.h"
#include "remote/measured_files.h"
#include "text/text_file.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kInterconnectsKey{"interconnects", "Figures of links before and after"};
constexpr AnswerKey kCaps{"caps", "Under paper, the most that one ring or tree sends, before and after"};
constexpr AnswerKey kSizes{"sizes", "Errors by size, a list: before, after and held_out, each for one range of sizes"};
constexpr AnswerKey kRanges{"ranges",
                            "Intervals of predictions, a list by model, steps (their error class), nodes and sizes"};
constexpr AnswerKey kSite{"site",
                          "Under nccl of several nodes the site's NIC share, congestion and hop, with the range of "
                          "most sites with such a network, low to high, and determined"};
constexpr AnswerKey kError{"median_error", "Share by which predictions are off, of all rows"};
constexpr AnswerKey kWithin25{"within_25_percent", "Number of rows that are predicted within 25 %"};
constexpr AnswerKey kHeldOut{"held_out", "Errors of rows that were held out, by held_out_by"};
constexpr AnswerKey kLeftOut{"left_out", "Measurements that were not used, and why"};

using Align = TextTable::Align;

constexpr std::int64_t kMostFolds = 1000;
constexpr std::int64_t kMostTables = 100000;

struct CalibrateRequest {
  std::string system;
  std::vector<std::string> measurements;
  std::optional<std::string> model;
  std::optional<std::string> folds;
  std::optional<std::string> holdOut;
  std::vector<std::string> tables;
  std::optional<std::string> output;
  AnswerForm form = AnswerForm::AsText;
};

std::string errorText(const FitError& error) {
  return "median error " + formatPercent(error.median) + ", " + std::to_string(error.within25) + " of " +
         countedText(error.rows, "row") + " within 25 %";
}

struct Fit {
  Calibration calibration;
  MeasuredFiles files;
};

Value positive(double value, Unit unit) { return value > 0 ? Value::number(value, unit) : Value::null(); }

/// A link or a cap with its fitted figures.
constexpr Column<FittedInterconnect> kLinkColumns[] = {
    {"name", "interconnect", [](const FittedInterconnect& link) { return Value::text(link.name); }, Align::Left},
    {"bandwidth", "nominal",
     [](const FittedInterconnect& link) { return Value::number(link.bandwidth, Unit::BytesPerSecond); }},
    {"fitted_bandwidth", "fitted",
     [](const FittedInterconnect& link) { return positive(link.fitted, Unit::BytesPerSecond); }, Align::Right,
     "bytes/s; null where the measurements leave it open"},
    {"latency", "latency", [](const FittedInterconnect& link) { return Value::number(link.latency, Unit::Seconds); }},
    {"fitted_latency", "fitted",
     [](const FittedInterconnect& link) {
       return link.fittedLatency >= 0 ? Value::number(link.fittedLatency, Unit::Seconds) : Value::null();
     },
     Align::Right, "s; null where the measurements leave it open"},
    {"rows", "rows", [](const FittedInterconnect& link) { return Value::whole(std::int64_t(link.rows)); }},
};

constexpr Column<FittedCap> kCapColumns[] = {
    {"name", "cap", [](const FittedCap& cap) { return Value::text(cap.name); }, Align::Left},
    {"cap", "nominal", [](const FittedCap& cap) { return positive(cap.nominal, Unit::BytesPerSecond); }, Align::Right,
     "bytes/s of one ring or tree; null for none"},
    {"fitted_cap", "fitted", [](const FittedCap& cap) { return positive(cap.fitted, Unit::BytesPerSecond); },
     Align::Right, "The fitted cap; null where the measurements leave it open"},
    {"rows", "rows", [](const FittedCap& cap) { return Value::whole(std::int64_t(cap.rows)); }},
};

constexpr Column<FittedParameter> kParameterColumns[] = {
    {"name", "parameter", [](const FittedParameter& each) { return Value::text(titleOf(each)); }, Align::Left},
    {"nominal", "nominal",
     [](const FittedParameter& each) { return Value::number(each.nominal).shownAs(valueText(each, each.nominal)); }},
    {"fitted", "fitted",
     [](const FittedParameter& each) { return Value::number(each.value).shownAs(valueText(each, each.value)); }},
    {"spread", "open", [](const FittedParameter& each) { return Value::number(each.spread).shownAs(openText(each)); },
     Align::Right,
     "By how much the logarithm of a parameter may differ from the nominal one before anything is measured"},
    {"standard_error", "", [](const FittedParameter& each) { return Value::number(each.error); }, Align::Right,
     "Standard error of a parameter's fitted value, all other parameters unknown too"},
    {"determined", "by these measurements",
     [](const FittedParameter& each) { return Value::text(determinedText(each.determined)); }, Align::Left},
};

/// For people: the parameters that some measurement might depend on, and the number of the others.
std::string parametersText(const Calibration& calibration) {
  std::vector<FittedParameter> shown;
  std::copy_if(calibration.parameters.begin(), calibration.parameters.end(), std::back_inserter(shown),
               [](const FittedParameter& each) { return each.determined != Determined::No; });
  return "\n" + tableOver<FittedParameter>(kParameterColumns, shown).text() +
         std::to_string(calibration.parameters.size() - shown.size()) +
         " other parameters are not determined by these measurements\n";
}

Value errorOf(const FitError& error) {
  Document fields;
  fields.field(kError, Value::number(error.median));
  fields.field(kWithin25, Value::whole(std::int64_t(error.within25)));
  fields.field("rows", Value::whole(std::int64_t(error.rows)));
  return Value::object(std::move(fields)).shownAs(formatPercent(error.median));
}

/// Errors in one band of sizes.
struct BandRow {
  std::string_view sizes;
  BandErrors errors;
};

constexpr Column<BandRow> kBandColumns[] = {
    {"sizes", "sizes", [](const BandRow& row) { return Value::text(row.sizes); }, Align::Left},
    {"", "rows", [](const BandRow& row) { return Value::whole(std::int64_t(row.errors.before.rows)); }},
    {"before", "nominal", [](const BandRow& row) { return errorOf(row.errors.before); }},
    {"after", "fitted", [](const BandRow& row) { return errorOf(row.errors.after); }},
    {"held_out", "held out",
     [](const BandRow& row) { return row.errors.heldOut.rows > 0 ? errorOf(row.errors.heldOut) : Value(); }},
};

constexpr Column<PredictionRange> kRangeColumns[] = {
    {"", "80 % of times are within", [](const PredictionRange& range) { return Value::text(titleOf(range)); },
     Align::Left},
    {"", "× predicted", [](const PredictionRange& range) { return Value::text(rangeText(range)); }},
    {"model", "", [](const PredictionRange& range) { return Value::text(range.model); }},
    {"steps", "", [](const PredictionRange& range) { return Value::text(range.steps); }},
    {"nodes", "", [](const PredictionRange& range) { return Value::text(range.acrossNodes ? "several" : "one"); }},
    {"sizes", "", [](const PredictionRange& range) { return Value::text(range.sizes); }},
    {"low", "", [](const PredictionRange& range) { return Value::number(range.low); }, Align::Right,
     "Lower end of the interval that holds 80 % of times, as a share of the predicted"},
    {"high", "", [](const PredictionRange& range) { return Value::number(range.high); }, Align::Right, "Its upper end"},
    {"measurements", "rows", [](const PredictionRange& range) { return Value::whole(range.measurements); }},
};

std::string siteText(const FittedSite& site, double value) {
  return site.isSeconds ? formatSeconds(value) : exactNumber(std::round(value * 1000) / 1000);
}

constexpr Column<FittedSite> kSiteColumns[] = {
    {"name", "site", [](const FittedSite& site) { return Value::text(site.name); }, Align::Left},
    {"nominal", "nominal",
     [](const FittedSite& site) { return Value::number(site.nominal).shownAs(siteText(site, site.nominal)); }},
    {"fitted", "fitted",
     [](const FittedSite& site) { return Value::number(site.fitted).shownAs(siteText(site, site.fitted)); }},
    {"low", "most machines from",
     [](const FittedSite& site) { return Value::number(site.low).shownAs(siteText(site, site.low)); }},
    {"high", "to", [](const FittedSite& site) { return Value::number(site.high).shownAs(siteText(site, site.high)); }},
    {"determined", "by these measurements",
     [](const FittedSite& site) { return Value::text(determinedText(site.determined)); }, Align::Left},
};

/// A list of files with its title in front of the first.
void addFiles(TextTable& table, const char* title, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) table.add({i == 0 ? title : "", texts[i]});
}

void addErrors(Document& answer, const Calibration& calibration) {
  answer.field("before", errorOf(calibration.before)).field("after", errorOf(calibration.after));
  TextTable errors({{}, {}});
  errors.add({"nominal values", errorText(calibration.before)});
  errors.add({"fitted values", errorText(calibration.after)});
  if (calibration.heldOut.rows > 0) {
    answer.field(kHeldOut, errorOf(calibration.heldOut));
    errors.add({"held-out rows", errorText(calibration.heldOut)});
  }
  answer.line("").text([text = errors.text()] { return text; });
}

/// Errors by size, and the ranges that predictions have from then on.
void addBands(Document& answer, const Calibration& calibration) {
  const auto bands = std::make_shared<std::vector<BandRow>>();
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    if (calibration.bands[band].before.rows > 0) bands->push_back({kSizeBandNames[band], calibration.bands[band]});
  }
  answer.field("held_out_by", Value::text(calibration.heldOutBy));
  answer.line("").line("median errors; held out by " + calibration.heldOutBy);
  Table sizes = tableOf<BandRow>(kBandColumns, bands->size(), [bands](std::size_t i) { return (*bands)[i]; });
  sizes.layout = Value::Layout::Lines;
  answer.table(kSizes, std::move(sizes));
  if (!calibration.system.ranges.empty()) answer.line("");
  answer.table(kRanges, tableOver<PredictionRange>(kRangeColumns, calibration.system.ranges));
}

Document answerOf(const Fit& fit) {
  const Calibration& calibration = fit.calibration;
  Document answer;
  TextTable files({{}, {}});
  addFiles(files, "used", fit.files.used);
  addFiles(files, "left out", fit.files.left);
  answer.text([text = files.text()] { return text; }).line("");
  answer.table(kInterconnectsKey, tableOver<FittedInterconnect>(kLinkColumns, calibration.interconnects));
  if (!calibration.caps.empty()) answer.line("");
  answer.table(kCaps, tableOver<FittedCap>(kCapColumns, calibration.caps));
  if (!calibration.site.empty()) {
    answer.line("");
    answer.table(kSite, tableOver<FittedSite>(kSiteColumns, calibration.site));
  }
  if (!calibration.parameters.empty()) {
    answer.text([&calibration] { return parametersText(calibration); });
    answer.field("parameters", Value::rows(tableOver<FittedParameter>(kParameterColumns, calibration.parameters)));
  }
  addErrors(answer, calibration);
  addBands(answer, calibration);
  answer.field("used", Value::texts(fit.files.used, Value::Layout::Lines));
  answer.field(kLeftOut, Value::texts(fit.files.left, Value::Layout::Lines));
  return answer;
}

Result<Fit> calibrationFor(const CalibrateRequest& request) {
  std::int64_t folds = 5;
  if (request.folds) {
    P2_TRY_ASSIGN(folds, wholeNumber(*request.folds, "--folds", 2, kMostFolds));
  }
  P2_TRY_ASSIGN(const auto system, systemOfArgument(request.system, "SYSTEM"));
  TableNumbers tables;
  for (const std::string& table : request.tables) {
    P2_TRY_ASSIGN(const auto number, wholeNumber(table, "--table", 1, kMostTables));
    tables.push_back(static_cast<std::size_t>(number));
  }
  P2_TRY_ASSIGN(auto files, measurementsFromFiles(request.measurements, system, tables));
  HoldOut holdOut = HoldOut::Auto;
  if (request.holdOut) {
    P2_TRY_ASSIGN(holdOut, holdOutFrom(*request.holdOut).within("--hold-out"));
  }
  const std::string model = request.model.value_or(std::string(defaultModel(system)));
  P2_TRY(costModelFrom(model).within("--model"));
  P2_TRY_ASSIGN(auto calibration, calibrateUnder(model, system, files.measurements, holdOut, static_cast<int>(folds)));
  return Fit{std::move(calibration), std::move(files)};
}

Result<int> run(const CalibrateRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto fit, calibrationFor(request));
  if (request.output) {
    P2_TRY(writeTextFile(*request.output, systemToJson(fit.calibration.system)));
  }
  writeAnswer(out, answerOf(fit), request.form);
  return kDone;
}

}  // namespace

std::vector<AnswerKey> calibrateKeys() {
  return together({{kInterconnectsKey, kCaps, kSite, kError, kWithin25, kHeldOut, kLeftOut, kSizes, kRanges},
                   keysOf(kLinkColumns),
                   keysOf(kCapColumns),
                   keysOf(kParameterColumns),
                   keysOf(kRangeColumns)});
}

void addCalibrate(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("calibrate", "Fit a system's figures to measured times");
  const auto request = std::make_shared<CalibrateRequest>();
  addSystemArgument(*command, request->system);
  addValue(*command, "MEASUREMENTS", request->measurements,
           "CSV files (man p2 names their columns), output of nccl-tests, rccl-tests or OSU micro-benchmarks, "
           "exported runs; - for standard input")
      ->required();
  addValue(*command, "--model MODEL", request->model,
           "Cost model to fit (nccl where the GPUs' generation is known, else paper)");
  addValue(*command, "--hold-out UNIT", request->holdOut,
           "Measurements that are held out together under nccl: sizes, tables, files, or nodes, which predicts every "
           "number of nodes from fewer (files where there are three, else sizes)");
  addValue(*command, "--folds N", request->folds, "Number of parts that are held out in turn to test the fit (5)");
  addValue(*command, "--table N", request->tables,
           "Use only this table of the file, counted from 1; may be repeated (all)")
      ->allow_extra_args(false);
  addValue(*command, "-o,--output FILE", request->output, "The system file to write");
  addJson(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
