// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_listing.h"

#include <algorithm>

#include "app/cli/listing.h"
#include "app/cli/request.h"
#include "base/numbers.h"
#include "base/units.h"
#include "explore/sweep_csv.h"
#include "explore/sweep_text.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

bool isPapers(const Sweep& sweep) { return sweep.workspace.options.cost.model == "paper"; }

void writeParts(JsonWriter& json, const Sweep& sweep, const SweepChoice& choice) {
  json.key("seconds").number(choice.seconds);
  if (const auto range = rangeOf(choice.steps)) {
    json.key("seconds_low").number(range->low).key("seconds_high").number(range->high);
  }
  json.key("latency_seconds").number(choice.latencySeconds());
  json.key("bandwidth_seconds").number(choice.seconds - choice.latencySeconds());
  if (isPapers(sweep) && sweep.workspace.options.cost.algorithm != Algorithm::Auto) return;
  json.key("steps").beginArray();
  for (const StepCost& step : choice.steps) {
    json.beginObject().key("seconds").number(step.seconds).key("algorithm").text(nameOf(step.algorithm));
    if (!isPapers(sweep)) json.key("protocol").text(nameOf(step.protocol));
    json.end();
  }
  json.end();
}

void writeIdentity(JsonWriter& json, const SweepChoice& choice) {
  json.key("matrix");
  writeMatrix(json, choice.matrix);
  json.key("program").text(programText(*choice.hierarchy, choice.program));
  json.key("title").text(programTitle(choice.program));
}

void writeJson(std::ostream& out, const Sweep& sweep) {
  const CostOptions& cost = sweep.workspace.options.cost;
  JsonWriter json(out);
  json.beginObject().key("over").text(nameOf(sweep.range.over));
  if (!sweep.range.interconnect.empty()) json.key("interconnect").text(sweep.range.interconnect);
  json.key("model").text(cost.model).key("algorithm").text(nameOf(cost.algorithm)).key("repeat").whole(1);
  if (sweep.range.over != SweepOver::Bytes) json.key("bytes").number(cost.bytes.value());
  json.key("leaves_out").text(leftOutOf(cost, sweep.algorithms, sweep.largest));
  const bool allReduce = sweep.workspace.options.goal == kAllReduceGoal;
  if (!allReduce) json.key("goal").text(sweep.workspace.options.goal.name);
  writeScatter(json, sweep.workspace);
  json.key("points").beginArray();
  for (const SweepPoint& point : sweep.points) {
    json.beginObject().key("value").number(point.value).key("best").beginObject();
    writeIdentity(json, point.best);
    writeParts(json, sweep, point.best);
    json.end().key(allReduce ? "allreduce_seconds" : "flat_seconds").number(point.flat.seconds);
    json.key("gain").number(point.gain).key(allReduce ? "allreduce" : "flat").beginObject().key("matrix");
    writeMatrix(json, point.flat.matrix);
    writeParts(json, sweep, point.flat);
    json.end().end();
  }
  json.end().key("crossovers").beginArray();
  for (const SweepCrossover& crossover : sweep.crossovers) {
    json.beginObject().key("value").number(crossover.value);
    json.key("from").text(programTitle(crossover.from.program)).key("from_matrix");
    writeMatrix(json, crossover.from.matrix);
    json.key("to").text(programTitle(crossover.to.program)).key("to_matrix");
    writeMatrix(json, crossover.to.matrix);
    json.end();
  }
  json.end().end();
}

void writeCrossovers(std::ostream& out, const Sweep& sweep) {
  if (sweep.crossovers.empty()) {
    out << "\nthe same program is the best at all these values: " << programTitle(sweep.points.front().best.program)
        << '\n';
    return;
  }
  out << '\n';
  for (const SweepCrossover& crossover : sweep.crossovers) {
    out << crossoverText(sweep.range, crossover) << " over " << programTitle(crossover.from.program) << '\n';
  }
}

/// Whether it is open that the best gains on the single collective.
bool isOpen(const SweepPoint& point) {
  return point.gain > 1 && isOpenWhichIsFaster(point.best.steps, point.flat.steps);
}

void writeText(std::ostream& out, const Sweep& sweep) {
  const CostOptions& cost = sweep.workspace.options.cost;
  const SweepRange& range = sweep.range;
  out << titleOf(sweep.workspace) << '\n'
      << overText(range) << " from " << valueText(range, sweep.points.front().value) << " to "
      << valueText(range, sweep.points.back().value);
  if (range.over != SweepOver::Bytes) out << ", " << formatBytes(cost.bytes) << " per device";
  out << "; predicted for one run, " << cost.model << " model, " << nameOf(cost.algorithm) << '\n';
  out << "the model leaves out: " << leftOutOf(cost, sweep.algorithms, sweep.largest) << '\n';
  if (range.over == SweepOver::Nodes) out << growingText(sweep.workspace) << '\n';
  if (std::any_of(sweep.points.begin(), sweep.points.end(), isOpen)) {
    out << "≈: whether the best is faster than one " << flatNameOf(sweep.workspace) << " the intervals leave open\n";
  }
  out << '\n';
  const bool chooses = !isPapers(sweep) || cost.algorithm == Algorithm::Auto;
  TextTable table({{std::string(nameOf(range.over)), Align::Right},
                   {"best", Align::Right},
                   {"latency", Align::Right},
                   {"bandwidth", Align::Right},
                   {flatNameOf(sweep.workspace), Align::Right},
                   {"gain", Align::Right},
                   {"matrix"},
                   {"program"},
                   {chooses ? "algorithm" : ""}});
  for (const SweepPoint& point : sweep.points) {
    const double latency = point.best.latencySeconds();
    table.add({valueText(range, point.value), rangeText(point.best.seconds, rangeOf(point.best.steps)),
               formatSeconds(latency), formatSeconds(point.best.seconds - latency), formatSeconds(point.flat.seconds),
               (isOpen(point) ? "≈ " : "") + formatFactor(point.gain), point.best.matrix.text(),
               programTitle(point.best.program), chooses ? choicesText(point.best) : ""});
  }
  out << table.text();
  writeCrossovers(out, sweep);
}

}  // namespace

void writeSweep(std::ostream& out, const Sweep& sweep, SweepFormat format) {
  switch (format) {
    case SweepFormat::Text:
      return writeText(out, sweep);
    case SweepFormat::Json:
      return writeJson(out, sweep);
    case SweepFormat::Csv:
      out << sweepCsv(sweep);
      return;
  }
}

}  // namespace p2::cli
