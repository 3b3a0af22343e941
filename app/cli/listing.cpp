// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/listing.h"

#include <algorithm>

#include "app/cli/listing_json.h"
#include "app/cli/request.h"
#include "app/cli/shard_listing.h"
#include "base/near.h"
#include "base/units.h"
#include "explore/open_choices.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

std::string flatName(const Exploration& exploration) { return flatNameOf(exploration.workspace); }

bool isPapers(const Exploration& exploration) { return exploration.workspace.options.cost.model == "paper"; }

/// Whether each step was given the algorithm and protocol that are cheapest for it, so that one has to say which.
bool choosesAlgorithm(const Exploration& exploration) {
  return !isPapers(exploration) || exploration.workspace.options.cost.algorithm == Algorithm::Auto;
}

std::string choicesOf(const std::vector<StepCost>& steps) {
  std::string text;
  for (const StepCost& step : steps) text += (text.empty() ? "" : " · ") + choiceText(step);
  return text;
}

std::string gainText(const PlacementResult& placement, const ProgramResult& program) {
  if (program.seconds <= 0) return "";
  return formatFactor(gainOver(placement.flatSeconds, program.rankedSeconds()));
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
                 gainText(placement, program), matrix, programTitle(program.program),
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
  const auto found = cheapestOf(all.begin(), all.end(), [](const PlacementResult& each) {
    return hasBest(each) ? each.bestSeconds : std::numeric_limits<double>::infinity();
  });
  if (found == all.end() || !hasBest(*found) || found->limit.seconds <= 0) return;
  const PlacementResult& best = *found;
  out << "best " << formatSeconds(best.bestSeconds) << ", " << limitText(best)
      << (isAtLimit(best.bestSeconds, best.limit) ? ": stop looking" : "") << '\n';
}

/// What may be faster than the best, by the intervals that the simulation shows.
void writeOpen(std::ostream& out, const Exploration& exploration) {
  const std::string open = openChoicesText(exploration, openChoices(exploration));
  if (!open.empty()) out << "left open by the intervals: " << open << " may be faster\n";
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
  if (style.simulated) writeOpen(out, exploration);
  out << "the model leaves out: " << leftOutOf(cost, exploration.algorithms, exploration.workspace.system) << '\n';
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
    writeJsonListing(out, exploration, style);
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
