// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/listing_json.h"

#include "app/cli/shard_listing.h"

namespace p2::cli {
namespace {

bool isAllReduce(const Exploration& exploration) { return exploration.workspace.options.goal == kAllReduceGoal; }

void writeChoice(JsonWriter& json, const StepCost& step) {
  json.key("algorithm").text(nameOf(step.algorithm)).key("protocol");
  if (step.protocol == Protocol::None) {
    json.null();
  } else {
    json.text(nameOf(step.protocol));
  }
  json.key("channels").whole(step.channels);
  json.key("latency_seconds").number(step.latencySeconds);
  json.key("bandwidth_seconds").number(step.seconds - step.latencySeconds);
}

/// The choice of the single collective; of several steps those of each.
void writeFlat(JsonWriter& json, const std::vector<StepCost>& steps) {
  if (steps.size() == 1) return writeChoice(json, steps[0]);
  json.key("steps").beginArray();
  for (const StepCost& step : steps) {
    json.beginObject().key("seconds").number(step.seconds);
    writeChoice(json, step);
    json.end();
  }
  json.end();
}

/// Beside "seconds", where an interval is known.
void writeRange(JsonWriter& json, const std::optional<SecondsRange>& range) {
  if (!range) return;
  json.key("seconds_low").number(range->low).key("seconds_high").number(range->high);
}

void writeProgram(JsonWriter& json, const Exploration& exploration, const PlacementResult& placement,
                  const ProgramResult& program, bool simulated) {
  const SynthesisHierarchy& hierarchy = *placement.hierarchy;
  json.beginObject().key("steps").beginArray();
  for (std::size_t i = 0; i < program.program.size(); ++i) {
    const Instruction& instruction = program.program[i];
    const Spelling spelling = spellingOf(instruction.pattern, hierarchy.levelCount());
    json.beginObject(JsonWriter::Layout::OneLine);
    json.key("slice").text(hierarchy.levelName(spelling.slice));
    json.key("form").text(formText(hierarchy, spelling));
    json.key("collective").text(nameOf(instruction.collective));
    if (simulated) {
      json.key("seconds").number(program.steps[i].seconds);
      writeRange(json, rangeOf(program.steps[i]));
      json.key("link").text(linkOf(exploration, program.steps[i]));
      writeChoice(json, program.steps[i]);
    }
    json.end();
  }
  json.end().key("seconds").number(program.seconds);
  if (const auto shards = shardListingOf(exploration, placement, program.program)) writeShards(json, *shards);
  if (simulated) writeRange(json, rangeOf(program.steps));
  if (program.overlapped) {
    json.key("overlapped_seconds").number(program.overlapped->seconds).key("chunks").whole(program.overlapped->chunks);
    if (const auto range = program.overlapped->range; range && simulated) {
      json.key("overlapped_seconds_low").number(range->low).key("overlapped_seconds_high").number(range->high);
    }
  }
  json.end();
}

void writeLimit(JsonWriter& json, const Limit& limit) {
  json.key("limit").beginObject(JsonWriter::Layout::OneLine);
  json.key("seconds").number(limit.seconds).key("where").text(limit.where).end();
}

}  // namespace

void writeJsonListing(std::ostream& out, const Exploration& exploration, const ListingStyle& style) {
  JsonWriter json(out);
  json.beginObject().key("count").raw(exploration.programCount.toString());
  if (style.goal) json.key("goal").text(exploration.workspace.options.goal.name);
  writeScatter(json, exploration.workspace);
  if (style.simulated) {
    const CostOptions& cost = exploration.workspace.options.cost;
    json.key("model").text(cost.model).key("algorithm").text(nameOf(cost.algorithm));
    json.key("bytes").number(cost.bytes.value()).key("repeat").whole(cost.repeat);
    json.key("leaves_out").text(leftOutOf(cost, exploration.algorithms, exploration.workspace.system));
  }
  json.key("placements").beginArray();
  for (const PlacementResult& placement : exploration.placements) {
    json.beginObject().key("matrix");
    writeMatrix(json, placement.matrix);
    json.key("count").raw(placement.programCount.toString());
    if (style.simulated) {
      const bool allReduce = isAllReduce(exploration);
      if (allReduce) json.key("allreduce_seconds").number(placement.flatSeconds);
      json.key("flat_seconds").number(placement.flatSeconds);
      json.key("limit_seconds").number(placement.limit.seconds);
      json.key(allReduce ? "allreduce" : "flat").beginObject(JsonWriter::Layout::OneLine);
      writeFlat(json, placement.flatSteps);
      writeRange(json, rangeOf(placement.flatSteps));
      json.end();
      json.key("best_seconds");
      if (hasBest(placement)) {
        json.number(placement.bestSeconds);
      } else {
        json.null();
      }
    }
    if (placement.bestOverlapped) json.key("best_overlapped_seconds").number(placement.bestOverlapped->seconds);
    if (style.bound) writeLimit(json, placement.limit);
    if (style.others) {
      json.key("other_axes");
      writeOtherAxes(json, *style.others, placement.matrix);
    }
    if (style.programs) {
      json.key("programs").beginArray();
      for (const ProgramResult& program : placement.programs) {
        if (!out.good()) return;
        writeProgram(json, exploration, placement, program, style.simulated);
      }
      json.end();
    }
    json.end();
  }
  json.end().end();
}

std::string linkOf(const Exploration& exploration, const StepCost& step) {
  return step.link.isNone() ? "" : exploration.topology->linkName(step.link);
}

bool hasBest(const PlacementResult& placement) { return placement.ranked && placement.programCount > Count(0); }

}  // namespace p2::cli
