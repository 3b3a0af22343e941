// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_listing.h"

#include <algorithm>

#include "app/cli/answer_keys.h"
#include "app/cli/assumed.h"
#include "app/cli/listing.h"
#include "app/cli/program_rows.h"
#include "app/cli/request.h"
#include "base/units.h"
#include "explore/sweep_text.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kMapValues{"values", "Of --map: the columns"};
constexpr AnswerKey kWinners{"winners", "Titles of programs, the most frequent first"};
constexpr AnswerKey kBestRows{
    "best", "With --map, for every column the row of the best placement; else the best program at a point"};
constexpr AnswerKey kMapPlacements{"placements",
                                   "Of --map, a list: matrix and, column by column, winner (an index into winners), "
                                   "seconds, and gain over its single AllReduce"};
constexpr AnswerKey kCrossovers{
    "crossovers",
    "Values from which another program is the best: value, from and to with their matrices, from_matrix and to_matrix"};

using Align = TextTable::Align;
using Layout = Value::Layout;

/// The time of a choice, its parts, and the algorithm of every step.
void addParts(Document& fields, const Sweep& sweep, const SweepChoice& choice) {
  fields.field("seconds", Value::number(choice.seconds));
  addRange(fields, "seconds", rangeOf(choice.steps));
  fields.field("latency_seconds", Value::number(choice.latencySeconds()));
  fields.field("bandwidth_seconds", Value::number(choice.seconds - choice.latencySeconds()));
  const CostOptions& cost = sweep.workspace.options.cost;
  if (!choosesAlgorithm(cost)) return;
  std::vector<Value> steps;
  for (const StepCost& step : choice.steps) {
    Document each;
    each.field("seconds", Value::number(step.seconds)).field("algorithm", Value::text(nameOf(step.algorithm)));
    if (hasProtocols(cost)) each.field("protocol", Value::text(nameOf(step.protocol)));
    steps.push_back(Value::object(std::move(each), Layout::Lines));
  }
  fields.field("steps", Value::list(std::move(steps), Layout::Lines));
}

struct PointRow {
  const Sweep& sweep;
  const SweepPoint& point;

  [[nodiscard]] bool isAllReduce() const { return sweep.workspace.options.goal == kAllReduceGoal; }
};

Value bestOf(const PointRow& row) {
  const SweepChoice& best = row.point.best;
  Document fields;
  fields.field("matrix", matrixValue(best.matrix));
  fields.field("program", Value::text(programText(*best.hierarchy, best.program)));
  fields.field("title", Value::text(programTitle(best.program)));
  addParts(fields, row.sweep, best);
  return Value::object(std::move(fields), Layout::Lines).shownAs(rangeText(best.seconds, rangeOf(best.steps)));
}

Value singleOf(const PointRow& row) {
  Document fields;
  fields.field("matrix", matrixValue(row.point.single.matrix));
  addParts(fields, row.sweep, row.point.single);
  return Value::object(std::move(fields), Layout::Lines);
}

Value singleSeconds(const PointRow& row) { return Value::number(row.point.single.seconds, Unit::Seconds); }

/// Whether it is open that the best gains on the single collective.
bool isOpen(const SweepPoint& point) {
  return point.gain > 1 && isOpenWhichIsFaster(point.best.steps, point.single.steps);
}

Value gainOf(const PointRow& row) {
  return Value::number(row.point.gain).shownAs((isOpen(row.point) ? "≈ " : "") + formatFactor(row.point.gain));
}

constexpr std::size_t kValueColumn = 0;
constexpr std::size_t kSingleColumn = 4;
constexpr std::size_t kSingleOtherColumn = 5;
constexpr std::size_t kChoiceColumn = 11;

/// The titles of value and single collective depend on the question.
constexpr Column<PointRow> kPointColumns[] = {
    {"value", "value",
     [](const PointRow& row) {
       return Value::number(row.point.value).shownAs(valueText(row.sweep.range, row.point.value));
     }},
    {"best", "best", bestOf},
    {"", "latency", [](const PointRow& row) { return Value::number(row.point.best.latencySeconds(), Unit::Seconds); }},
    {"", "bandwidth",
     [](const PointRow& row) {
       return Value::number(row.point.best.seconds - row.point.best.latencySeconds(), Unit::Seconds);
     }},
    {"allreduce_seconds", "AllReduce",
     [](const PointRow& row) { return row.isAllReduce() ? singleSeconds(row) : Value(); }},
    {"flat_seconds", "flat", [](const PointRow& row) { return row.isAllReduce() ? Value() : singleSeconds(row); }},
    {"gain", "gain", gainOf},
    {"allreduce", "", [](const PointRow& row) { return row.isAllReduce() ? singleOf(row) : Value(); }},
    {"flat", "", [](const PointRow& row) { return row.isAllReduce() ? Value() : singleOf(row); }},
    {"", "matrix", [](const PointRow& row) { return Value::text(row.point.best.matrix.text()); }, Align::Left},
    {"", "program", [](const PointRow& row) { return Value::text(programTitle(row.point.best.program)); }, Align::Left},
    {"", "algorithm", [](const PointRow& row) { return Value::text(choicesText(row.point.best)); }, Align::Left},
};

Table pointTable(const Sweep& sweep) {
  Table table = tableOf<PointRow>(kPointColumns, sweep.points.size(), [&sweep](std::size_t i) {
    return PointRow{sweep, sweep.points[i]};
  });
  table.layout = Layout::Lines;
  const bool allReduce = sweep.workspace.options.goal == kAllReduceGoal;
  table.heads[kValueColumn].title = nameOf(sweep.range.over);
  table.heads[kSingleColumn].title = allReduce ? singleNameOf(sweep.workspace) : "";
  table.heads[kSingleOtherColumn].title = allReduce ? "" : singleNameOf(sweep.workspace);
  if (!choosesAlgorithm(sweep.workspace.options.cost)) table.heads[kChoiceColumn].title.clear();
  return table;
}

constexpr Column<SweepCrossover> kCrossoverColumns[] = {
    {"value", "", [](const SweepCrossover& each) { return Value::number(each.value); }},
    {"from", "", [](const SweepCrossover& each) { return Value::text(programTitle(each.from.program)); }},
    {"from_matrix", "", [](const SweepCrossover& each) { return matrixValue(each.from.matrix); }},
    {"to", "", [](const SweepCrossover& each) { return Value::text(programTitle(each.to.program)); }},
    {"to_matrix", "", [](const SweepCrossover& each) { return matrixValue(each.to.matrix); }},
};

void addCrossovers(Document& answer, const Sweep& sweep) {
  answer.line("");
  if (sweep.crossovers.empty()) {
    answer.line("one program is the best at all these values: " + programTitle(sweep.points.front().best.program));
  }
  for (const SweepCrossover& each : sweep.crossovers) {
    answer.line(crossoverText(sweep.range, each) + " over " + programTitle(each.from.program));
  }
  for (const std::string& fall : fallTexts(sweep)) answer.line(fall);
  Table table = tableOver<SweepCrossover>(kCrossoverColumns, sweep.crossovers);
  table.layout = Layout::Lines;
  answer.table(kCrossovers, std::move(table));
}

/// The swept quantity and the model.
void addRangeOf(Document& answer, const SweepRange& range, const CostOptions& cost) {
  answer.field("over", Value::text(nameOf(range.over)));
  if (!range.interconnect.empty()) answer.field("interconnect", Value::text(range.interconnect));
  answer.field("model", Value::text(cost.model)).field("algorithm", Value::text(nameOf(cost.algorithm)));
  answer.field("repeat", Value::whole(1));
  if (range.over != SweepOver::Bytes) answer.field("bytes", Value::number(cost.bytes.value()));
}

std::string headText(const Sweep& sweep) {
  const CostOptions& cost = sweep.workspace.options.cost;
  const SweepRange& range = sweep.range;
  std::string text = overText(range) + " from " + valueText(range, sweep.points.front().value) + " to " +
                     valueText(range, sweep.points.back().value);
  if (range.over != SweepOver::Bytes) text += ", " + formatBytes(cost.bytes) + " per device";
  return text + "; predicted for one run, " + cost.model + " model, " + std::string(nameOf(cost.algorithm));
}

/// A row of the map, number by number.
template <class At>
Value numbersOf(std::size_t count, const At& at) {
  std::vector<Value> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(Value::number(static_cast<double>(at(i))));
  return Value::list(std::move(numbers));
}

struct MapRow {
  const SweepMap& map;
  std::size_t row;

  template <class At>
  [[nodiscard]] Value numbers(const At& at) const {
    return numbersOf(map.values.size(), [&](std::size_t i) { return at(map.at(row, i)); });
  }
};

/// "3 of 40": the number of values at which the placement is the best of all; empty for none.
Value sharesBest(const MapRow& row) {
  const auto best = std::count(row.map.bestRow.begin(), row.map.bestRow.end(), row.row);
  return Value::text(best > 0 ? std::to_string(best) + " of " + std::to_string(row.map.values.size()) : "");
}

/// "AR to 3.16 MB · RS·AR·AG": which program is the best up to where.
Value winnersOf(const MapRow& row) {
  const SweepMap& map = row.map;
  std::string text;
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    const std::size_t winner = map.at(row.row, i).winner;
    const bool last = i + 1 == map.values.size();
    if (!last && map.at(row.row, i + 1).winner == winner) continue;
    text += (text.empty() ? "" : ", ") + map.winners[winner];
    if (!last) text += " to " + valueText(map.range, map.values[i]);
  }
  return Value::text(text);
}

constexpr Column<MapRow> kMapColumns[] = {
    {"matrix", "matrix", [](const MapRow& row) { return matrixValue(row.map.placements[row.row]); }, Align::Left},
    {"", "best of all at", sharesBest},
    {"", "program", winnersOf, Align::Left},
    {"winner", "", [](const MapRow& row) { return row.numbers([](const auto& cell) { return cell.winner; }); }},
    {"seconds", "", [](const MapRow& row) { return row.numbers([](const auto& cell) { return cell.best.seconds; }); }},
    {"gain", "", [](const MapRow& row) { return row.numbers([](const auto& cell) { return cell.gain; }); }},
};

}  // namespace

std::vector<AnswerKey> sweepKeys() { return {kCrossovers, kMapValues, kWinners, kBestRows, kMapPlacements}; }

Document sweepAnswer(const Sweep& sweep, const std::vector<AssumedDefault>& assumed) {
  const CostOptions& cost = sweep.workspace.options.cost;
  const std::string leftOut = unmodelledEffectsOf(cost, sweep.algorithms, sweep.largest);
  Document answer;
  addRangeOf(answer, sweep.range, cost);
  answer.line(titleOf(sweep.workspace)).line(headText(sweep));
  answer.field(kUnmodelledEffects, Value::text(leftOut)).line("not modelled: " + leftOut);
  addAssumed(answer, textsOf(assumed));
  if (sweep.workspace.options.goal != kAllReduceGoal) {
    answer.field("goal", Value::text(sweep.workspace.options.goal.name));
  }
  addScatter(answer, sweep.workspace);
  if (sweep.range.over == SweepOver::Nodes) answer.line(growingText(sweep.workspace));
  if (std::any_of(sweep.points.begin(), sweep.points.end(), isOpen)) {
    answer.line("≈: the intervals leave open whether the best is faster than one " + singleNameOf(sweep.workspace));
  }
  answer.line("").table("points", pointTable(sweep));
  addCrossovers(answer, sweep);
  return answer;
}

Document sweepMapAnswer(const SweepMap& map, const std::vector<AssumedDefault>& assumed) {
  const CostOptions& cost = map.workspace.options.cost;
  const std::string leftOut = unmodelledEffectsOf(cost, map.algorithms, map.workspace.system);
  Document answer;
  addRangeOf(answer, map.range, cost);
  answer.line(titleOf(map.workspace));
  answer.line(overText(map.range) + " from " + valueText(map.range, map.values.front()) + " to " +
              valueText(map.range, map.values.back()) + "; the best program of every placement, " + cost.model +
              " model, " + std::string(nameOf(cost.algorithm)));
  answer.field(kUnmodelledEffects, Value::text(leftOut)).line("not modelled: " + leftOut);
  addAssumed(answer, textsOf(assumed));
  answer.line("").field(kMapValues, numbersOf(map.values.size(), [&](std::size_t i) { return map.values[i]; }));
  answer.field(kWinners, Value::texts(map.winners));
  answer.field(kBestRows, numbersOf(map.bestRow.size(), [&](std::size_t i) { return map.bestRow[i]; }));
  Table table = tableOf<MapRow>(kMapColumns, map.placements.size(), [&map](std::size_t row) {
    return MapRow{map, row};
  });
  table.layout = Layout::Lines;
  answer.table(kMapPlacements, std::move(table));
  return answer;
}

}  // namespace p2::cli
