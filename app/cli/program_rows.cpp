// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/program_rows.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/answer_keys.h"
#include "app/cli/request.h"
#include "base/counted.h"
#include "base/lists.h"
#include "base/units.h"
#include "cost/cost_model.h"
#include "cost/local_copy.h"
#include "explore/explore.h"
#include "synthesis/shard_order.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kChannels{"channels", "The rings or trees that share the vector"};
constexpr AnswerKey kLatencySeconds{"latency_seconds", "s, the part of a step that is latency"};
constexpr AnswerKey kBandwidthSeconds{"bandwidth_seconds", "s, the other part"};
constexpr AnswerKey kFaster{"faster",
                            "Where NCCL would choose another algorithm or protocol than the fastest: algorithm, "
                            "protocol and seconds of the fastest"};
constexpr AnswerKey kShardOrder{"shard_order",
                                "Ranks of a reduction group in the order of the shards that they end with"};
constexpr AnswerKey kLocalCopy{"local_copy_seconds", "Least and most seconds of a copy that puts the shards in order"};
constexpr AnswerKey kOverlappedProgram{
    "overlapped_seconds",
    "With --overlap, s: of the program when its steps overlap; with the interval of its "
    "steps where one is known"};
constexpr AnswerKey kLink{"link", "The link that sets the time of a step; empty where none does"};
constexpr AnswerKey kChunks{"chunks",
                            "With --overlap: the parts of the vector that follow each other through the steps"};

/// The order in which a program leaves the shards of the vector.
struct ShardListing {
  std::vector<std::int64_t> order;   ///< shardOrder()
  std::optional<SecondsRange> copy;  ///< of putting them in order, all runs together; where the memory is known
};

/// Empty where the goal leaves no parts and gathers none.
std::optional<ShardListing> shardListingOf(const Exploration& exploration, const PlacementResult& placement,
                                           const Program& program) {
  const Workspace& workspace = exploration.workspace;
  const ExploreOptions& options = workspace.options;
  // A vector that all devices get whole, or only the root, is in order.
  if (options.goal == kAllReduceGoal || placement.hierarchy->kind() != HierarchyKind::ReductionAxes) return {};
  const auto trace = ProgramTrace::run(Placement(workspace.axes, placement.matrix), *placement.hierarchy, program,
                                       options.rules, options.goal);
  if (!trace.ok()) return {};
  auto order = shardOrder(*trace);
  if (!order) return {};
  ShardListing shards{std::move(*order), {}};
  if (isInOrder(shards.order)) return shards;
  shards.copy = localCopySeconds(libraryViewOf(*exploration.topology), options.cost.bytes);
  if (shards.copy) {
    shards.copy->low *= options.cost.repeat;
    shards.copy->high *= options.cost.repeat;
  }
  return shards;
}

/// "shards in the order 0,2,4,1,3,5, a copy of 1.29–1.38 ms to put right"; empty where they are in order.
std::string shardsText(const ShardListing& shards) {
  if (isInOrder(shards.order)) return {};
  std::string text = "shards in the order " + shardOrderText(shards.order, 16);
  if (!shards.copy) return text;
  const bool single = shards.copy->low == shards.copy->high;
  return text + "; a copy of " + formatSeconds(shards.copy->low) +
         (single ? "" : " to " + formatSeconds(shards.copy->high)) + " puts them right";
}

using Align = TextTable::Align;
using Layout = Value::Layout;

/// The link that sets the time of a step; empty if none does.
std::string linkOf(const Exploration& exploration, const StepCost& step) {
  return step.link.isNone() ? "" : exploration.topology->linkName(step.link);
}

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
      step.field(kLink, Value::text(linkOf(row.exploration, cost)));
      addChoice(step, cost);
    }
    steps.push_back(Value::object(std::move(step)));
  }
  return Value::list(std::move(steps), Layout::Lines);
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

}  // namespace

std::vector<AnswerKey> programKeys() {
  return {kLink,      kChannels,          kLatencySeconds, kBandwidthSeconds, kFaster, kShardOrder,
          kLocalCopy, kOverlappedProgram, kChunks};
}

bool hasProtocols(const CostOptions& cost) {
  const auto model = costModelFrom(cost.model);
  return model.ok() && (*model)->hasProtocols();
}

bool choosesAlgorithm(const CostOptions& cost) { return hasProtocols(cost) || cost.algorithm == Algorithm::Auto; }

std::string choicesOf(const std::vector<StepCost>& steps) {
  return joined(steps, " · ", [](const StepCost& step) { return choiceText(step); });
}

void addChoice(Document& answer, const StepCost& step) {
  answer.field("algorithm", Value::text(nameOf(step.algorithm)));
  answer.field("protocol", step.protocol == Protocol::None ? Value::null() : Value::text(nameOf(step.protocol)));
  answer.field(kChannels, Value::whole(step.channels)).field(kLatencySeconds, Value::number(step.latencySeconds));
  answer.field(kBandwidthSeconds, Value::number(step.seconds - step.latencySeconds));
  if (!isFasterWorthSaying(step)) return;
  Document faster;
  faster.field("algorithm", Value::text(nameOf(step.fasterAlgorithm)));
  faster.field("protocol", Value::text(nameOf(step.fasterProtocol)));
  faster.field("seconds", Value::number(step.fasterSeconds));
  answer.field(kFaster, Value::object(std::move(faster)));
}

Document programAnswer(const ProgramRow& row) {
  Document answer;
  answer.field("steps", stepsOf(row)).field("seconds", Value::number(row.program.seconds));
  if (const auto shards = shardListingOf(row.exploration, row.placement, row.program.program)) {
    answer.field(kShardOrder, Value::wholes(shards->order));
    if (shards->copy) {
      answer.field(kLocalCopy, Value::list({Value::number(shards->copy->low), Value::number(shards->copy->high)}));
    }
  }
  if (row.style.simulated) addRange(answer, "seconds", rangeOf(row.program.steps));
  if (const auto& overlapped = row.program.overlapped) {
    answer.field(kOverlappedProgram, Value::number(overlapped->seconds));
    answer.field(kChunks, Value::whole(overlapped->chunks));
    if (row.style.simulated) addRange(answer, "overlapped_seconds", overlapped->range);
  }
  return answer;
}

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
  drop("algorithm", !style.simulated || !choosesAlgorithm(exploration.workspace.options.cost));
  drop("other axes", !ranked || !style.others);
  table.below = [row, heads = table.heads](std::size_t i) { return stepLines(row(i), heads); };
  return table;
}

}  // namespace p2::cli
