// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "base/counted.h"
#include "base/units.h"
#include "cost/cost_model.h"
#include "cost/library_calibration.h"
#include "cost/library_report.h"
#include "remote/measured_files.h"
#include "text/json_writer.h"
#include "text/text_file.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

constexpr std::int64_t kMostFolds = 1000;

struct CalibrateRequest {
  std::string system;
  std::vector<std::string> measurements;
  std::optional<std::string> model;
  std::optional<std::string> folds;
  std::optional<std::string> holdOut;
  std::optional<std::string> output;
  bool json = false;
};

std::string percent(double share) {
  const std::string text = formatFactor(share * 100);
  return text.substr(0, text.size() - std::string_view("×").size()) + " %";
}

std::string errorText(const FitError& error) {
  return "median error " + percent(error.median) + ", " + std::to_string(error.within25) + " of " +
         countedText(error.rows, "row") + " within 25 %";
}

struct Answer {
  Calibration calibration;
  MeasuredFiles files;
};

/// The parameters that some measurement might depend on, and how many others there are.
std::string parametersText(const Calibration& calibration) {
  TextTable table({{"parameter"},
                   {"nominal", Align::Right},
                   {"fitted", Align::Right},
                   {"open", Align::Right},
                   {"by these measurements"}});
  std::size_t others = 0;
  for (const FittedParameter& parameter : calibration.parameters) {
    if (parameter.determined == Determined::No) {
      ++others;
      continue;
    }
    table.add({titleOf(parameter), valueText(parameter, parameter.nominal), valueText(parameter, parameter.value),
               openText(parameter), determinedText(parameter.determined)});
  }
  return "\n" + table.text() + std::to_string(others) + " other parameters are not determined by these measurements\n";
}

/// Errors by size, and the ranges that predictions have from then on.
std::string bandsText(const Calibration& calibration) {
  TextTable bands({{"sizes"},
                   {"rows", Align::Right},
                   {"nominal", Align::Right},
                   {"fitted", Align::Right},
                   {"held out", Align::Right}});
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    const BandErrors& errors = calibration.bands[band];
    if (errors.before.rows == 0) continue;
    bands.add({std::string(kSizeBandNames[band]), std::to_string(errors.before.rows), percent(errors.before.median),
               percent(errors.after.median), errors.heldOut.rows > 0 ? percent(errors.heldOut.median) : "–"});
  }
  TextTable ranges({{"80 % of times lie within"}, {"of the predicted", Align::Right}, {"rows", Align::Right}});
  for (const PredictionRange& range : calibration.system.ranges) {
    ranges.add({titleOf(range), rangeText(range), std::to_string(range.measurements)});
  }
  return "\nmedian errors; held out by " + calibration.heldOutBy + "\n" + bands.text() +
         (calibration.system.ranges.empty() ? "" : "\n" + ranges.text());
}

void writeText(std::ostream& out, const Answer& answer) {
  const Calibration& calibration = answer.calibration;
  TextTable links({{"interconnect"},
                   {"nominal", Align::Right},
                   {"fitted", Align::Right},
                   {"latency", Align::Right},
                   {"fitted", Align::Right},
                   {"rows", Align::Right}});
  for (const FittedInterconnect& link : calibration.interconnects) {
    links.add({link.name, formatBandwidth(link.bandwidth), link.fitted > 0 ? formatBandwidth(link.fitted) : "–",
               formatSeconds(link.latency), link.fittedLatency >= 0 ? formatSeconds(link.fittedLatency) : "–",
               std::to_string(link.rows)});
  }
  const auto cap = [](double value) { return value > 0 ? formatBandwidth(value) : "–"; };
  for (const FittedCap& each : calibration.caps) {
    links.add({each.name, cap(each.nominal), cap(each.fitted), "", "", std::to_string(each.rows)});
  }
  TextTable errors({{}, {}});
  errors.add({"nominal values", errorText(calibration.before)});
  errors.add({"fitted values", errorText(calibration.after)});
  if (calibration.heldOut.rows > 0) errors.add({"held-out rows", errorText(calibration.heldOut)});
  TextTable rows({{}, {}});
  const auto add = [&](const char* title, const std::vector<std::string>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) rows.add({i == 0 ? title : "", texts[i]});
  };
  add("used", answer.files.used);
  add("left out", answer.files.left);
  out << rows.text() << '\n' << links.text();
  if (!calibration.parameters.empty()) out << parametersText(calibration);
  out << '\n' << errors.text() << bandsText(calibration);
}

void writeError(JsonWriter& json, const char* key, const FitError& error) {
  json.key(key).beginObject(JsonWriter::Layout::OneLine).key("median_error").number(error.median);
  json.key("within_25_percent").whole(static_cast<std::int64_t>(error.within25));
  json.key("rows").whole(static_cast<std::int64_t>(error.rows)).end();
}

void writeParameters(JsonWriter& json, const Calibration& calibration) {
  json.key("parameters").beginArray();
  for (const FittedParameter& parameter : calibration.parameters) {
    json.beginObject(JsonWriter::Layout::OneLine).key("name").text(titleOf(parameter));
    json.key("nominal").number(parameter.nominal).key("fitted").number(parameter.value);
    json.key("spread").number(parameter.spread).key("standard_error").number(parameter.error);
    json.key("determined").text(determinedText(parameter.determined)).end();
  }
  json.end();
}

void writeBands(JsonWriter& json, const Calibration& calibration) {
  json.key("held_out_by").text(calibration.heldOutBy).key("sizes").beginArray();
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    const BandErrors& errors = calibration.bands[band];
    if (errors.before.rows == 0) continue;
    json.beginObject().key("sizes").text(kSizeBandNames[band]);
    writeError(json, "before", errors.before);
    writeError(json, "after", errors.after);
    if (errors.heldOut.rows > 0) writeError(json, "held_out", errors.heldOut);
    json.end();
  }
  json.end().key("ranges").beginArray();
  for (const PredictionRange& range : calibration.system.ranges) {
    json.beginObject(JsonWriter::Layout::OneLine).key("model").text(range.model).key("steps").text(range.steps);
    json.key("nodes").text(range.acrossNodes ? "several" : "one").key("sizes").text(range.sizes);
    json.key("low").number(range.low).key("high").number(range.high);
    json.key("measurements").whole(range.measurements).end();
  }
  json.end();
}

void writeJson(std::ostream& out, const Answer& answer) {
  const Calibration& calibration = answer.calibration;
  JsonWriter json(out);
  json.beginObject().key("interconnects").beginArray();
  for (const FittedInterconnect& link : calibration.interconnects) {
    json.beginObject(JsonWriter::Layout::OneLine).key("name").text(link.name);
    json.key("bandwidth").number(link.bandwidth).key("fitted_bandwidth");
    link.fitted > 0 ? json.number(link.fitted) : json.null();
    json.key("latency").number(link.latency).key("fitted_latency");
    link.fittedLatency >= 0 ? json.number(link.fittedLatency) : json.null();
    json.key("rows").whole(static_cast<std::int64_t>(link.rows)).end();
  }
  json.end().key("caps").beginArray();
  const auto figure = [&](double value) { value > 0 ? json.number(value) : json.null(); };
  for (const FittedCap& cap : calibration.caps) {
    json.beginObject(JsonWriter::Layout::OneLine).key("name").text(cap.name).key("cap");
    figure(cap.nominal);
    json.key("fitted_cap");
    figure(cap.fitted);
    json.key("rows").whole(static_cast<std::int64_t>(cap.rows)).end();
  }
  json.end();
  writeError(json, "before", calibration.before);
  writeError(json, "after", calibration.after);
  if (calibration.heldOut.rows > 0) writeError(json, "held_out", calibration.heldOut);
  if (!calibration.parameters.empty()) writeParameters(json, calibration);
  writeBands(json, calibration);
  const auto list = [&](const char* key, const std::vector<std::string>& texts) {
    json.key(key).beginArray();
    for (const std::string& text : texts) json.text(text);
    json.end();
  };
  list("used", answer.files.used);
  list("left_out", answer.files.left);
  json.end();
}

Result<Answer> calibrationFor(const CalibrateRequest& request) {
  std::int64_t folds = 5;
  if (request.folds) {
    P2_TRY_ASSIGN(folds, wholeNumber(*request.folds, "--folds", 2, kMostFolds));
  }
  P2_TRY_ASSIGN(const auto system, systemOfArgument(request.system, "SYSTEM"));
  P2_TRY_ASSIGN(auto files, measurementsFromFiles(request.measurements, system));
  HoldOut holdOut = HoldOut::Auto;
  if (request.holdOut) {
    P2_TRY_ASSIGN(holdOut, holdOutFrom(*request.holdOut).within("--hold-out"));
  }
  const std::string model = request.model.value_or(std::string(defaultModel(system)));
  P2_TRY(costModelFrom(model).within("--model"));
  P2_TRY_ASSIGN(auto calibration, calibrateUnder(model, system, files.measurements, holdOut, static_cast<int>(folds)));
  return Answer{std::move(calibration), std::move(files)};
}

Result<int> run(const CalibrateRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto answer, calibrationFor(request));
  if (request.output) {
    P2_TRY(writeTextFile(*request.output, systemToJson(answer.calibration.system)));
  }
  if (request.json) {
    writeJson(out, answer);
  } else {
    writeText(out, answer);
  }
  return kDone;
}

}  // namespace

void addCalibrate(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("calibrate", "Fit a system's figures to measured times");
  const auto request = std::make_shared<CalibrateRequest>();
  addSystemArgument(*command, request->system);
  command
      ->add_option("MEASUREMENTS", request->measurements,
                   "CSV files (man p2 names their columns), output of nccl-tests, rccl-tests or OSU micro-benchmarks, "
                   "exported runs; - for standard input")
      ->required();
  command->add_option_function<std::string>(
      "--model", [request](const std::string& text) { request->model = text; },
      "The cost model that is fitted (nccl where the GPUs' generation is known, else paper)");
  command->add_option_function<std::string>(
      "--hold-out", [request](const std::string& text) { request->holdOut = text; },
      "Under nccl what is held out together: sizes, tables or files (files where there are three, else sizes)");
  command->add_option_function<std::string>(
      "--folds", [request](const std::string& text) { request->folds = text; },
      "Parts that are held out in turn to test the fit (5)");
  command->add_option_function<std::string>(
      "-o,--output", [request](const std::string& text) { request->output = text; }, "The system file to write");
  command->add_flag("--json", request->json, "Print one JSON object instead of a table");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
