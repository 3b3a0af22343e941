// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "base/units.h"
#include "cost/calibration.h"
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
  std::optional<std::string> folds;
  std::optional<std::string> output;
  bool json = false;
};

std::string percent(double share) {
  const std::string text = formatFactor(share * 100);
  return text.substr(0, text.size() - std::string_view("×").size()) + " %";
}

std::string errorText(const FitError& error) {
  return "median error " + percent(error.median) + ", " + std::to_string(error.within25) + " of " +
         std::to_string(error.rows) + " rows within 25 %";
}

struct Answer {
  Calibration calibration;
  MeasuredFiles files;
};

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
  out << rows.text() << '\n' << links.text() << '\n' << errors.text();
}

void writeError(JsonWriter& json, const char* key, const FitError& error) {
  json.key(key).beginObject(JsonWriter::Layout::OneLine).key("median_error").number(error.median);
  json.key("within_25_percent").whole(static_cast<std::int64_t>(error.within25));
  json.key("rows").whole(static_cast<std::int64_t>(error.rows)).end();
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
  P2_TRY_ASSIGN(auto calibration, calibrate(system, files.measurements, static_cast<int>(folds)));
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
  CLI::App* command = app.add_subcommand("calibrate", "Fit bandwidths, latencies and caps to measured times");
  const auto request = std::make_shared<CalibrateRequest>();
  addSystemArgument(*command, request->system);
  command
      ->add_option("MEASUREMENTS", request->measurements,
                   "CSV files (man p2 names their columns), output of nccl-tests, rccl-tests or OSU micro-benchmarks, "
                   "exported runs; - for standard input")
      ->required();
  command->add_option_function<std::string>(
      "--folds", [request](const std::string& text) { request->folds = text; },
      "Parts that are held out in turn to test the fit (5)");
  command->add_option_function<std::string>(
      "-o,--output", [request](const std::string& text) { request->output = text; }, "The system file to write");
  command->add_flag("--json", request->json, "Print one JSON object instead of a table");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
