// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/listing.h"

#include <algorithm>
#include <limits>

#include "app/cli/answer_keys.h"
#include "app/cli/program_rows.h"
#include "app/cli/request.h"
#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"
#include "explore/open_choices.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kFlatSeconds{"flat_seconds", "s, of the one collective over the whole group"};
constexpr AnswerKey kLimitSeconds{"limit_seconds", "s, the lower bound of every program of a placement"};
constexpr AnswerKey kOtherAxes{
    "other_axes",
    "For every axis that is not reduced over and larger than 1: the outermost level that it crosses, the "
    "seconds_per_gib "
    "that an AllReduce takes over it by its best program, and times_best, that time relative to its best placement"};
constexpr AnswerKey kBestSeconds{"best_seconds",
                                 "s, of the cheapest program of a placement; null where they are too many to rank"};
constexpr AnswerKey kAllReduceSeconds{"allreduce_seconds", "s, of the single AllReduce; for every goal flat_seconds"};
constexpr AnswerKey kSingle{"flat",
                            "The choices of the one collective: its algorithm and the keys of a step; with the goal "
                            "RS·AR steps, a list for its two collectives"};
constexpr AnswerKey kSingleAllReduce{"allreduce", "The choices of the single AllReduce, as in flat"};
constexpr AnswerKey kBestOverlapped{"best_overlapped_seconds",
                                    "With --overlap, s: of the cheapest program of a placement when its steps overlap"};
constexpr AnswerKey kBound{"limit", "With --bound: seconds of the lower bound, and where it comes from"};

using Align = TextTable::Align;
using Layout = Value::Layout;

bool isAllReduce(const Exploration& exploration) { return exploration.workspace.options.goal == kAllReduceGoal; }

// One placement.

/// "1.04× the lower bound of 2.72 s (node 0 to data-centre network)".
std::string limitText(const PlacementResult& placement) {
  return timesLowerBound(placement.bestSeconds, placement.limit) + " of " + formatSeconds(placement.limit.seconds) +
         " (" + placement.limit.where + ")";
}

/// The choice of the single collective; for several steps each one's.
Value singleOf(const PlacementResult& placement) {
  Document single;
  if (placement.singleSteps.size() == 1) {
    addChoice(single, placement.singleSteps[0]);
  } else {
    std::vector<Value> steps;
    for (const StepCost& step : placement.singleSteps) {
      Document each;
      addChoice(each.field("seconds", Value::number(step.seconds)), step);
      steps.push_back(Value::object(std::move(each)));
    }
    single.field("steps", Value::list(std::move(steps)));
  }
  addRange(single, "seconds", rangeOf(placement.singleSteps));
  return Value::object(std::move(single));
}

Value lowerBoundOf(const PlacementResult& placement) {
  Document bound;
  bound.field("seconds", Value::number(placement.limit.seconds)).field("where", Value::text(placement.limit.where));
  return Value::object(std::move(bound));
}

void addSimulated(Document& answer, const Exploration& exploration, const PlacementResult& placement) {
  const bool allReduce = isAllReduce(exploration);
  if (allReduce) answer.field(kAllReduceSeconds, Value::number(placement.singleSeconds));
  answer.field(kFlatSeconds, Value::number(placement.singleSeconds));
  answer.field(kLimitSeconds, Value::number(placement.limit.seconds));
  answer.field(allReduce ? kSingleAllReduce : kSingle, singleOf(placement));
  answer.field(kBestSeconds, hasBest(placement) ? Value::number(placement.bestSeconds) : Value::null());
}

std::string headText(const Exploration& exploration, const PlacementResult& placement, const ListingStyle& style) {
  std::string text = "\n" + placement.matrix.text() + ": " + counted(placement.programCount, "program") + "; " +
                     singleNameOf(exploration.workspace) + " alone " +
                     (style.simulated ? rangeText(placement.singleSeconds, rangeOf(placement.singleSteps))
                                      : formatSeconds(placement.singleSeconds));
  if (choosesAlgorithm(exploration.workspace.options.cost)) text += " (" + choicesOf(placement.singleSteps) + ")";
  if (hasBest(placement) && placement.limit.seconds > 0) text += "; best " + limitText(placement);
  return text;
}

Document placementAnswer(const Exploration& exploration, const PlacementResult& placement, const ListingStyle& style) {
  Document answer;
  answer.field("matrix", matrixValue(placement.matrix));
  answer.field("count", Value::digits(placement.programCount.toString()));
  if (style.simulated) addSimulated(answer, exploration, placement);
  if (placement.bestOverlapped) {
    answer.field(kBestOverlapped, Value::number(placement.bestOverlapped->seconds));
  }
  if (style.bound) answer.field(kBound, lowerBoundOf(placement));
  if (style.others) answer.field(kOtherAxes, otherAxesValue(*style.others, placement.matrix));
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
         (isAtLowerBound(found->bestSeconds, found->limit) ? ": nothing much faster exists" : "");
}

struct CountRow {
  const Exploration& exploration;
  const ListingStyle& style;
  const PlacementResult& placement;
};

constexpr std::size_t kCountSingleColumn = 4;
constexpr Column<CountRow> kCountColumns[] = {
    {"", "matrix", [](const CountRow& row) { return Value::text(row.placement.matrix.text()); }, Align::Left},
    {"", "programs", [](const CountRow& row) { return Value::digits(row.placement.programCount.toString()); }},
    {"", "best",
     [](const CountRow& row) {
       return hasBest(row.placement) ? Value::number(row.placement.bestSeconds, Unit::Seconds) : Value::null();
     }},
    {"", "lower bound", [](const CountRow& row) { return Value::number(row.placement.limit.seconds, Unit::Seconds); }},
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
  table.heads[kCountSingleColumn].title = singleNameOf(exploration.workspace);
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
    answer.field(kUnmodelledEffects, Value::text(leftOut));
  }
  if (style.json) return;
  answer.line(titleOf(exploration.workspace));
  answer.line(counted(exploration.placementCount, "placement") + ", " + counted(exploration.programCount, "program") +
              "; predicted for " + std::to_string(cost.repeat) + " × " + formatBytes(cost.bytes) + " per device, " +
              cost.model + " model, " + std::string(nameOf(cost.algorithm)));
  const std::string open = style.simulated ? openChoicesText(exploration, openChoices(exploration)) : "";
  for (const std::string& text :
       {bestText(exploration), fasterChoicesText(exploration, style), overlapText(exploration),
        open.empty() ? open : "left open by the intervals: " + open + " may be faster", "not modelled: " + leftOut}) {
    if (!text.empty()) answer.line(text);
  }
}

}  // namespace

std::vector<AnswerKey> listingKeys() {
  return {kFlatSeconds,      kSingle,          kLimitSeconds,   kBound,    kBestSeconds,
          kAllReduceSeconds, kSingleAllReduce, kBestOverlapped, kOtherAxes};
}

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

std::string counted(const Count& count, const std::string& noun) {
  return count.toString() + " " + noun + (count == Count(1) ? "" : "s");
}

}  // namespace p2::cli
