// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/listing.h"

#include <algorithm>

#include "app/cli/request.h"
#include "app/cli/shard_listing.h"
#include "base/units.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

std::string linkOf(const Exploration& exploration, const StepCost& step) {
  return step.link.isNone() ? "" : exploration.topology->linkName(step.link);
}

bool isAllReduce(const Exploration& exploration) { return exploration.workspace.options.goal == kAllReduceGoal; }

std::string flatName(const Exploration& exploration) { return flatNameOf(exploration.workspace); }

bool isPapers(const Exploration& exploration) { return exploration.workspace.options.cost.model == "paper"; }

/// Whether each step was given the algorithm and protocol that are cheapest for it, so that one has to say which.
bool choosesAlgorithm(const Exploration& exploration) {
  return !isPapers(exploration) || exploration.workspace.options.cost.algorithm == Algorithm::Auto;
}

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

std::string choicesOf(const std::vector<StepCost>& steps) {
  std::string text;
  for (const StepCost& step : steps) text += (text.empty() ? "" : " · ") + choiceText(step);
  return text;
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

/// Whether the cheapest program is known: there is one, and they were not too many to rank.
bool hasBest(const PlacementResult& placement) { return placement.ranked && placement.programCount > Count(0); }

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

void writeJson(std::ostream& out, const Exploration& exploration, const ListingStyle& style) {
  JsonWriter json(out);
  json.beginObject().key("count").raw(exploration.programCount.toString());
  if (style.goal) json.key("goal").text(exploration.workspace.options.goal.name);
  writeScatter(json, exploration.workspace);
  if (style.simulated) {
    const CostOptions& cost = exploration.workspace.options.cost;
    json.key("model").text(cost.model).key("algorithm").text(nameOf(cost.algorithm));
    json.key("bytes").number(cost.bytes.value()).key("repeat").whole(cost.repeat);
    json.key("leaves_out").text(modelOf(cost).leavesOut());
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

std::string gainText(const Exploration& exploration, const PlacementResult& placement, const ProgramResult& program) {
  if (program.seconds <= 0) return "";
  return formatFactor(gainOver(placement.flatSeconds, program.rankedSeconds(), program.steps.size(),
                               exploration.workspace.options.cost));
}

/// A table of programs: one line each with its steps, or, when simulated, one line more for every step with its time,
/// the link that sets it and the algorithm, where that was chosen.
class ProgramTable {
 public:
  ProgramTable(const Exploration& exploration, const ListingStyle& style)
      : m_exploration(exploration),
        m_simulated(style.simulated),
        m_table({{"#", Align::Right},
                 {"time", Align::Right},
                 {exploration.workspace.options.cost.overlap ? "overlapped" : "", Align::Right},
                 {"gain", Align::Right},
                 {style.ranked ? "matrix" : ""},
                 {"program"},
                 {style.simulated ? "busiest link" : "steps"},
                 {style.simulated && choosesAlgorithm(exploration) ? "algorithm" : ""},
                 {style.ranked && style.others ? "other axes" : ""}}),
        m_others(style.ranked ? style.others : nullptr) {}

  void add(const PlacementResult& placement, const ProgramResult& program, const std::string& matrix) {
    m_table.add({std::to_string(++m_number),
                 m_simulated ? rangeText(program.seconds, rangeOf(program.steps)) : formatSeconds(program.seconds),
                 !program.overlapped ? ""
                 : m_simulated       ? rangeText(program.overlapped->seconds, program.overlapped->range)
                                     : formatSeconds(program.overlapped->seconds),
                 gainText(m_exploration, placement, program), matrix, programTitle(program.program),
                 m_simulated ? "" : programText(*placement.hierarchy, program.program), "",
                 otherAxesText(m_others, placement.matrix)});
    for (std::size_t i = 0; m_simulated && i < program.program.size(); ++i) {
      m_table.add({"", rangeText(program.steps[i].seconds, rangeOf(program.steps[i])), "", "", "",
                   "  " + instructionText(*placement.hierarchy, program.program[i]),
                   linkOf(m_exploration, program.steps[i]),
                   choosesAlgorithm(m_exploration) ? choiceText(program.steps[i]) : ""});
    }
    const auto shards = shardListingOf(m_exploration, placement, program.program);
    const std::string order = shards ? shardsText(*shards) : "";
    if (!order.empty()) m_table.add({"", "", "", "", "", "  " + order, "", ""});
  }
  [[nodiscard]] std::string text(std::size_t indent) const { return m_number == 0 ? "" : m_table.text(indent); }

 private:
  const Exploration& m_exploration;
  bool m_simulated;
  TextTable m_table;
  std::shared_ptr<const OtherAxes> m_others;
  int m_number = 0;
};

/// "1.04× the limit of 2.72 s (node 0 to data-centre network)".
std::string limitText(const PlacementResult& placement) {
  return timesTheLimit(placement.bestSeconds, placement.limit) + " of " + formatSeconds(placement.limit.seconds) +
         " (" + placement.limit.where + ")";
}

/// What overlapping the steps changes.
void writeOverlap(std::ostream& out, const Exploration& exploration) {
  const auto order = rankedPrograms(exploration);
  if (order.empty()) return;
  const PlacementResult& placement = exploration.placements[order[0].first];
  const ProgramResult& best = placement.programs[order[0].second];
  if (!best.overlapped) return;
  out << "with overlapping steps " << rangeText(best.overlapped->seconds, best.overlapped->range) << " by "
      << programTitle(best.program) << " on " << placement.matrix.text();
  if (best.overlapped->chunks > 1) {
    out << ", in " << best.overlapped->chunks << " chunks; " << formatSeconds(best.seconds) << " one after the other";
  }
  out << '\n';
}

/// How near the best program is to what no program of its placement can be below.
void writeBest(std::ostream& out, const Exploration& exploration) {
  const auto& all = exploration.placements;
  const auto found = std::min_element(all.begin(), all.end(), [](const PlacementResult& a, const PlacementResult& b) {
    return hasBest(a) && (!hasBest(b) || a.bestSeconds < b.bestSeconds);
  });
  if (found == all.end() || !hasBest(*found) || found->limit.seconds <= 0) return;
  const PlacementResult& best = *found;
  out << "best " << formatSeconds(best.bestSeconds) << ", " << limitText(best)
      << (isAtLimit(best.bestSeconds, best.limit) ? ": stop looking" : "") << '\n';
}

void writeRanking(std::ostream& out, const Exploration& exploration, const ListingStyle& style) {
  ProgramTable table(exploration, style);
  for (const auto& [placementIndex, programIndex] : rankedPrograms(exploration)) {
    const PlacementResult& placement = exploration.placements[placementIndex];
    table.add(placement, placement.programs[programIndex], placement.matrix.text());
  }
  out << '\n' << table.text(0);
}

void writeCounts(std::ostream& out, const Exploration& exploration, const ListingStyle& style) {
  TextTable table({{"matrix"},
                   {"programs", Align::Right},
                   {"best", Align::Right},
                   {"limit", Align::Right},
                   {flatName(exploration), Align::Right},
                   {"gain", Align::Right},
                   {style.others ? "other axes" : ""}});
  for (const PlacementResult& placement : exploration.placements) {
    const bool any = hasBest(placement);
    table.add({placement.matrix.text(), placement.programCount.toString(),
               any ? formatSeconds(placement.bestSeconds) : "–", formatSeconds(placement.limit.seconds),
               formatSeconds(placement.flatSeconds), any ? formatFactor(placement.speedup()) : "–",
               otherAxesText(style.others, placement.matrix)});
  }
  out << '\n' << table.text();
}

void writePlacement(std::ostream& out, const Exploration& exploration, const PlacementResult& placement,
                    const ListingStyle& style) {
  out << '\n'
      << placement.matrix.text() << ": " << counted(placement.programCount, "program") << "; " << flatName(exploration)
      << " alone "
      << (style.simulated ? rangeText(placement.flatSeconds, rangeOf(placement.flatSteps))
                          : formatSeconds(placement.flatSeconds));
  if (choosesAlgorithm(exploration)) out << " (" << choicesOf(placement.flatSteps) << ")";
  if (hasBest(placement) && placement.limit.seconds > 0) out << "; best " << limitText(placement);
  out << '\n';
  if (const std::string others = otherAxesText(style.others, placement.matrix); !others.empty()) {
    out << "  " << others << '\n';
  }
  ProgramTable table(exploration, style);
  for (const ProgramResult& program : placement.programs) table.add(placement, program, "");
  out << table.text(2);
}

void writeText(std::ostream& out, const Exploration& exploration, const ListingStyle& style) {
  const CostOptions& cost = exploration.workspace.options.cost;
  out << titleOf(exploration.workspace) << '\n'
      << counted(exploration.placementCount, "placement") << ", " << counted(exploration.programCount, "program")
      << "; predicted for " << cost.repeat << " × " << formatBytes(cost.bytes) << " per device, " << cost.model
      << " model, " << nameOf(cost.algorithm) << '\n';
  writeBest(out, exploration);
  writeOverlap(out, exploration);
  out << "the model leaves out: " << modelOf(cost).leavesOut() << '\n';
  if (!style.programs) {
    writeCounts(out, exploration, style);
  } else if (style.ranked) {
    writeRanking(out, exploration, style);
  } else {
    for (const PlacementResult& placement : exploration.placements) {
      if (!out.good()) return;
      writePlacement(out, exploration, placement, style);
    }
  }
}

}  // namespace

void writeListing(std::ostream& out, const Exploration& exploration, const ListingStyle& style) {
  if (style.json) {
    writeJson(out, exploration, style);
  } else {
    writeText(out, exploration, style);
  }
}

void writeMatrix(JsonWriter& json, const ParallelismMatrix& matrix) {
  json.beginArray(JsonWriter::Layout::OneLine);
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    json.beginArray();
    for (std::size_t column = 0; column < matrix.columns(); ++column) json.whole(matrix.at(row, column));
    json.end();
  }
  json.end();
}

void writeScatter(JsonWriter& json, const Workspace& workspace) {
  const std::vector<std::string> axes = scatteredAxes(workspace.axes);
  if (axes.empty()) return;
  json.key("scatter").beginArray(JsonWriter::Layout::OneLine);
  for (const std::string& axis : axes) json.text(axis);
  json.end();
}

std::string counted(const Count& count, const std::string& noun) {
  return count.toString() + " " + noun + (count == Count(1) ? "" : "s");
}

}  // namespace p2::cli
