// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/listing.h"

#include <algorithm>
#include <limits>

#include "app/cli/request.h"
#include "app/cli/shard_listing.h"
#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"
#include "explore/open_choices.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;
using Layout = Value::Layout;

bool isPaper(const Exploration& exploration) { return exploration.workspace.options.cost.model == "paper"; }
bool isAllReduce(const Exploration& exploration) { return exploration.workspace.options.goal == kAllReduceGoal; }

/// Whether every step has the algorithm and protocol that are cheapest for it, so that they have to be shown.
bool choosesAlgorithm(const Exploration& exploration) {
  return !isPaper(exploration) || exploration.workspace.options.cost.algorithm == Algorithm::Auto;
}

/// The link that sets the time of a step; empty if none does.
std::string linkOf(const Exploration& exploration, const StepCost& step) {
  return step.link.isNone() ? "" : exploration.topology->linkName(step.link);
}

/// Whether the cheapest program is known: there is one, and they were not too many to rank.
bool hasBest(const PlacementResult& placement) { return placement.ranked && placement.programCount > Count(0); }

std::string choicesOf(const std::vector<StepCost>& steps) {
  std::string text;
  for (const StepCost& step : steps) text += (text.empty() ? "" : " · ") + choiceText(step);
  return text;
}

/// How a collective is carried out.
void addChoice(Document& answer, const StepCost& step) {
  answer.field("algorithm", Value::text(nameOf(step.algorithm)));
  answer.field("protocol", step.protocol == Protocol::None ? Value::null() : Value::text(nameOf(step.protocol)));
  answer.field("channels", Value::whole(step.channels)).field("latency_seconds", Value::number(step.latencySeconds));
  answer.field("bandwidth_seconds", Value::number(step.seconds - step.latencySeconds));
  if (!isFasterWorthSaying(step)) return;
  Document faster;
  faster.field("algorithm", Value::text(nameOf(step.fasterAlgorithm)));
  faster.field("protocol", Value::text(nameOf(step.fasterProtocol)));
  faster.field("seconds", Value::number(step.fasterSeconds));
  answer.field("faster", Value::object(std::move(faster)));
}

struct ProgramRow {
  const Exploration& exploration;
  const ListingStyle& style;
  const PlacementResult& placement;
  const ProgramResult& program;
  std::size_t number;  ///< in its list, from 1
};

/// Steps of a program, for JSON.
Value stepsOf(const ProgramRow& row) {
  const SynthesisHierarchy& hierarchy = *row.placement.hierarchy;
  std::vector<Value> steps;
  for (std::size_t i = 0; i < row.program.program.size(); ++i) {
    const Instruction& instruction = row.program.program[i];
    const Spelling spelling = spellingOf(instruction.pattern, hierarchy.levelCount());
    Document step;
    step.field("slice", Value::text(hierarchy.levelName(spelling.slice)));
    step.field("form", Value::text(formText(hierarchy, spelling)));
    step.field("collective", Value::text(nameOf(instruction.collective)));
    if (row.style.simulated) {
      const StepCost& cost = row.program.steps[i];
      step.field("seconds", Value::number(cost.seconds));
      addRange(step, "seconds", rangeOf(cost));
      step.field("link", Value::text(linkOf(row.exploration, cost)));
      addChoice(step, cost);
    }
    steps.push_back(Value::object(std::move(step)));
  }
  return Value::list(std::move(steps), Layout::Lines);
}

/// A program, for JSON.
Document programAnswer(const ProgramRow& row) {
  Document answer;
  answer.field("steps", stepsOf(row)).field("seconds", Value::number(row.program.seconds));
  if (const auto shards = shardListingOf(row.exploration, row.placement, row.program.program)) {
    answer.field("shard_order", Value::wholes(shards->order));
    if (shards->copy) {
      answer.field("local_copy_seconds",
                   Value::list({Value::number(shards->copy->low), Value::number(shards->copy->high)}));
    }
  }
  if (row.style.simulated) addRange(answer, "seconds", rangeOf(row.program.steps));
  if (const auto& overlapped = row.program.overlapped) {
    answer.field("overlapped_seconds", Value::number(overlapped->seconds));
    answer.field("chunks", Value::whole(overlapped->chunks));
    if (row.style.simulated) addRange(answer, "overlapped_seconds", overlapped->range);
  }
  return answer;
}

Value timeOf(const ProgramRow& row, double seconds, const std::optional<SecondsRange>& range) {
  return Value::text(row.style.simulated ? rangeText(seconds, range) : formatSeconds(seconds));
}

Value overlappedOf(const ProgramRow& row) {
  const auto& overlapped = row.program.overlapped;
  return overlapped ? timeOf(row, overlapped->seconds, overlapped->range) : Value();
}

Value gainOf(const ProgramRow& row) {
  if (row.program.seconds <= 0) return {};
  return Value::number(gainOver(row.placement.singleSeconds, row.program.rankedSeconds()), Unit::Factor);
}

/// A program, for people.
constexpr Column<ProgramRow> kProgramColumns[] = {
    {"", "#", [](const ProgramRow& row) { return Value::whole(std::int64_t(row.number)); }},
    {"", "time", [](const ProgramRow& row) { return timeOf(row, row.program.seconds, rangeOf(row.program.steps)); }},
    {"", "overlapped", overlappedOf},
    {"", "gain", gainOf},
    {"", "matrix", [](const ProgramRow& row) { return Value::text(row.placement.matrix.text()); }, Align::Left},
    {"", "program", [](const ProgramRow& row) { return Value::text(programTitle(row.program.program)); }, Align::Left},
    {"", "busiest link", [](const ProgramRow&) { return Value(); }, Align::Left},
    {"", "steps",
     [](const ProgramRow& row) { return Value::text(programText(*row.placement.hierarchy, row.program.program)); },
     Align::Left},
    {"", "algorithm", [](const ProgramRow&) { return Value(); }, Align::Left},
    {"", "other axes",
     [](const ProgramRow& row) { return Value::text(otherAxesText(row.style.others, row.placement.matrix)); },
     Align::Left},
};

/// Below a program: a line for every simulated step with its time, its busiest link and algorithm, and one for the
/// order in which shards are left.
std::vector<Table::Cells> stepLines(const ProgramRow& row, const std::vector<Table::Head>& heads) {
  std::vector<Table::Cells> lines;
  const auto add = [&](std::initializer_list<std::pair<std::string_view, std::string>> cells) {
    Table::Cells line;
    for (const Table::Head& head : heads) {
      if (head.title.empty()) continue;
      const auto found =
          std::find_if(cells.begin(), cells.end(), [&](const auto& cell) { return cell.first == head.title; });
      line.push_back(found == cells.end() ? "" : found->second);
    }
    lines.push_back(std::move(line));
  };
  for (std::size_t i = 0; row.style.simulated && i < row.program.program.size(); ++i) {
    const StepCost& step = row.program.steps[i];
    add({{"time", rangeText(step.seconds, rangeOf(step))},
         {"program", "  " + instructionText(*row.placement.hierarchy, row.program.program[i])},
         {"busiest link", linkOf(row.exploration, step)},
         {"algorithm", choiceText(step)}});
  }
  const auto shards = shardListingOf(row.exploration, row.placement, row.program.program);
  const std::string order = shards ? shardsText(*shards) : "";
  if (!order.empty()) add({{"program", "  " + order}});
  return lines;
}

/// A table of programs for people; `row` makes one of its number.
Table programTable(const Exploration& exploration, const ListingStyle& style, std::size_t count, bool ranked,
                   const std::function<ProgramRow(std::size_t)>& row) {
  Table table = tableOf<ProgramRow>(kProgramColumns, count, row);
  const auto drop = [&](std::string_view title, bool isDropped) {
    for (Table::Head& head : table.heads) {
      if (isDropped && head.title == title) head.title.clear();
    }
  };
  drop("overlapped", !exploration.workspace.options.cost.overlap);
  drop("matrix", !ranked);
  drop("busiest link", !style.simulated);
  drop("steps", style.simulated);
  drop("algorithm", !style.simulated || !choosesAlgorithm(exploration));
  drop("other axes", !ranked || !style.others);
  table.below = [row, heads = table.heads](std::size_t i) { return stepLines(row(i), heads); };
  return table;
}

// One placement.

/// "1.04× the limit of 2.72 s (node 0 to data-centre network)".
std::string limitText(const PlacementResult& placement) {
  return timesLowerBound(placement.bestSeconds, placement.limit) + " of " + formatSeconds(placement.limit.seconds) +
         " (" + placement.limit.where + ")";
}

/// The choice of the single collective; for several steps each one's.
Value singleOf(const PlacementResult& placement) {
  Document flat;
  if (placement.singleSteps.size() == 1) {
    addChoice(flat, placement.singleSteps[0]);
  } else {
    std::vector<Value> steps;
    for (const StepCost& step : placement.singleSteps) {
      Document each;
      addChoice(each.field("seconds", Value::number(step.seconds)), step);
      steps.push_back(Value::object(std::move(each)));
    }
    flat.field("steps", Value::list(std::move(steps)));
  }
  addRange(flat, "seconds", rangeOf(placement.singleSteps));
  return Value::object(std::move(flat));
}

Value lowerBoundOf(const PlacementResult& placement) {
  Document bound;
  bound.field("seconds", Value::number(placement.limit.seconds)).field("where", Value::text(placement.limit.where));
  return Value::object(std::move(bound));
}

void addSimulated(Document& answer, const Exploration& exploration, const PlacementResult& placement) {
  const bool allReduce = isAllReduce(exploration);
  if (allReduce) answer.field("allreduce_seconds", Value::number(placement.singleSeconds));
  answer.field("flat_seconds", Value::number(placement.singleSeconds));
  answer.field("limit_seconds", Value::number(placement.limit.seconds));
  answer.field(allReduce ? "allreduce" : "flat", singleOf(placement));
  answer.field("best_seconds", hasBest(placement) ? Value::number(placement.bestSeconds) : Value::null());
}

std::string headText(const Exploration& exploration, const PlacementResult& placement, const ListingStyle& style) {
  std::string text = "\n" + placement.matrix.text() + ": " + counted(placement.programCount, "program") + "; " +
                     singleNameOf(exploration.workspace) + " alone " +
                     (style.simulated ? rangeText(placement.singleSeconds, rangeOf(placement.singleSteps))
                                      : formatSeconds(placement.singleSeconds));
  if (choosesAlgorithm(exploration)) text += " (" + choicesOf(placement.singleSteps) + ")";
  if (hasBest(placement) && placement.limit.seconds > 0) text += "; best " + limitText(placement);
  return text;
}

Document placementAnswer(const Exploration& exploration, const PlacementResult& placement, const ListingStyle& style) {
  Document answer;
  answer.field("matrix", matrixValue(placement.matrix));
  answer.field("count", Value::digits(placement.programCount.toString()));
  if (style.simulated) addSimulated(answer, exploration, placement);
  if (placement.bestOverlapped) {
    answer.field("best_overlapped_seconds", Value::number(placement.bestOverlapped->seconds));
  }
  if (style.bound) answer.field("limit", lowerBoundOf(placement));
  if (style.others) answer.field("other_axes", otherAxesValue(*style.others, placement.matrix));
  if (!style.programs) return answer;
  const auto row = [&exploration, &style, &placement](std::size_t i) {
    return ProgramRow{exploration, style, placement, placement.programs[i], i + 1};
  };
  if (style.json) {
    return answer.list("programs", placement.programs.size(), [row](std::size_t i) { return programAnswer(row(i)); });
  }
  answer.line(headText(exploration, placement, style));
  const std::string others = otherAxesText(style.others, placement.matrix);
  if (!others.empty()) answer.line("  " + others);
  Table programs = programTable(exploration, style, placement.programs.size(), false, row);
  programs.indent = 2;
  answer.table("", std::move(programs));
  return answer;
}

// The whole answer.

/// What overlapping the steps changes.
std::string overlapText(const Exploration& exploration) {
  const auto order = rankedPrograms(exploration);
  if (order.empty()) return {};
  const PlacementResult& placement = exploration.placements[order[0].first];
  const ProgramResult& best = placement.programs[order[0].second];
  if (!best.overlapped) return {};
  std::string text = "with overlapping steps " + rangeText(best.overlapped->seconds, best.overlapped->range) + " by " +
                     programTitle(best.program) + " on " + placement.matrix.text();
  if (best.overlapped->chunks > 1) {
    text += ", in " + countedText(best.overlapped->chunks, "chunk") + "; " + formatSeconds(best.seconds) +
            " one after the other";
  }
  return text;
}

/// How near the best program is to the lower bound of its placement.
std::string bestText(const Exploration& exploration) {
  const auto& all = exploration.placements;
  const auto found = cheapestOf(all.begin(), all.end(), [](const PlacementResult& each) {
    return hasBest(each) ? each.bestSeconds : std::numeric_limits<double>::infinity();
  });
  if (found == all.end() || !hasBest(*found) || found->limit.seconds <= 0) return {};
  return "best " + formatSeconds(found->bestSeconds) + ", " + limitText(*found) +
         (isAtLowerBound(found->bestSeconds, found->limit) ? ": stop looking" : "");
}

struct CountRow {
  const Exploration& exploration;
  const ListingStyle& style;
  const PlacementResult& placement;
};

constexpr std::size_t kCountFlatColumn = 4;
constexpr Column<CountRow> kCountColumns[] = {
    {"", "matrix", [](const CountRow& row) { return Value::text(row.placement.matrix.text()); }, Align::Left},
    {"", "programs", [](const CountRow& row) { return Value::digits(row.placement.programCount.toString()); }},
    {"", "best",
     [](const CountRow& row) {
       return hasBest(row.placement) ? Value::number(row.placement.bestSeconds, Unit::Seconds) : Value::null();
     }},
    {"", "limit", [](const CountRow& row) { return Value::number(row.placement.limit.seconds, Unit::Seconds); }},
    {"", "flat", [](const CountRow& row) { return Value::number(row.placement.singleSeconds, Unit::Seconds); }},
    {"", "gain",
     [](const CountRow& row) {
       return hasBest(row.placement) ? Value::number(row.placement.speedup(), Unit::Factor) : Value::null();
     }},
    {"", "other axes",
     [](const CountRow& row) { return Value::text(otherAxesText(row.style.others, row.placement.matrix)); },
     Align::Left},
};

Table countTable(const Exploration& exploration, const ListingStyle& style) {
  Table table = tableOf<CountRow>(kCountColumns, exploration.placements.size(), [&exploration, &style](std::size_t i) {
    return CountRow{exploration, style, exploration.placements[i]};
  });
  table.heads[kCountFlatColumn].title = singleNameOf(exploration.workspace);
  if (!style.others) table.heads.back().title.clear();
  return table;
}

Table rankingTable(const Exploration& exploration, const ListingStyle& style) {
  const auto order = std::make_shared<const decltype(rankedPrograms(exploration))>(rankedPrograms(exploration));
  return programTable(exploration, style, order->size(), true, [&exploration, &style, order](std::size_t i) {
    const PlacementResult& placement = exploration.placements[(*order)[i].first];
    return ProgramRow{exploration, style, placement, placement.programs[(*order)[i].second], i + 1};
  });
}

/// A sentence for each step of the best program whose fastest run is not the library's choice; each sentence once.
std::string fasterChoicesText(const Exploration& exploration, const ListingStyle& style) {
  const auto order = style.simulated ? rankedPrograms(exploration) : decltype(rankedPrograms(exploration))();
  if (order.empty()) return {};
  std::string all;
  for (const StepCost& step : exploration.placements[order[0].first].programs[order[0].second].steps) {
    const std::string text = fasterChoiceText(step);
    if (!text.empty() && all.find(text) == std::string::npos) all += (all.empty() ? "" : " · ") + text;
  }
  return all;
}

void addHead(Document& answer, const Exploration& exploration, const ListingStyle& style) {
  const CostOptions& cost = exploration.workspace.options.cost;
  const std::string leftOut = unmodelledEffectsOf(cost, exploration.algorithms, exploration.workspace.system);
  answer.field("count", Value::digits(exploration.programCount.toString()));
  if (style.goal) answer.field("goal", Value::text(exploration.workspace.options.goal.name));
  addScatter(answer, exploration.workspace);
  if (style.simulated) {
    answer.field("model", Value::text(cost.model)).field("algorithm", Value::text(nameOf(cost.algorithm)));
    answer.field("bytes", Value::number(cost.bytes.value())).field("repeat", Value::whole(cost.repeat));
    answer.field("leaves_out", Value::text(leftOut));
  }
  if (style.json) return;
  answer.line(titleOf(exploration.workspace));
  answer.line(counted(exploration.placementCount, "placement") + ", " + counted(exploration.programCount, "program") +
              "; predicted for " + std::to_string(cost.repeat) + " × " + formatBytes(cost.bytes) + " per device, " +
              cost.model + " model, " + std::string(nameOf(cost.algorithm)));
  const std::string open = style.simulated ? openChoicesText(exploration, openChoices(exploration)) : "";
  for (const std::string& text :
       {bestText(exploration), fasterChoicesText(exploration, style), overlapText(exploration),
        open.empty() ? open : "left open by the intervals: " + open + " may be faster",
        "the model leaves out: " + leftOut}) {
    if (!text.empty()) answer.line(text);
  }
}

}  // namespace

Document programsAnswer(const Exploration& exploration, const ListingStyle& style) {
  Document answer;
  addHead(answer, exploration, style);
  if (!style.json && !style.programs) return answer.line("").table("", countTable(exploration, style));
  if (!style.json && style.ranked) return answer.line("").table("", rankingTable(exploration, style));
  return answer.list("placements", exploration.placements.size(), [&exploration, &style](std::size_t i) {
    return placementAnswer(exploration, exploration.placements[i], style);
  });
}

Value matrixValue(const ParallelismMatrix& matrix) {
  std::vector<Value> rows;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    std::vector<Value> cells;
    for (std::size_t column = 0; column < matrix.columns(); ++column) {
      cells.push_back(Value::whole(matrix.at(row, column)));
    }
    rows.push_back(Value::list(std::move(cells)));
  }
  return Value::list(std::move(rows)).shownAs(matrix.text());
}

void addRange(Document& answer, const std::string& key, const std::optional<SecondsRange>& range) {
  if (!range) return;
  answer.field(key + "_low", Value::number(range->low)).field(key + "_high", Value::number(range->high));
}

void addScatter(Document& answer, const Workspace& workspace) {
  const std::vector<std::string> axes = scatteredAxes(workspace.axes);
  if (!axes.empty()) answer.field("scatter", Value::texts(axes));
}

void writeMatrix(JsonWriter& json, const ParallelismMatrix& matrix) { matrixValue(matrix).writeJson(json); }

std::string counted(const Count& count, const std::string& noun) {
  return count.toString() + " " + noun + (count == Count(1) ? "" : "s");
}

}  // namespace p2::cli
