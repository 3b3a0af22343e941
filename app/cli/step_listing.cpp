// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/step_listing.h"

#include <cmath>

#include "app/cli/listing.h"
#include "app/cli/request.h"
#include "base/units.h"
#include "cost/cost_model.h"
#include "placement/realisation.h"
#include "step/break_evens.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

void writeAxes(JsonWriter& json, const std::vector<Axis>& axes) {
  json.key("axes").beginObject(JsonWriter::Layout::OneLine);
  for (const Axis& axis : axes) json.key(axis.name).whole(axis.size);
  json.end();
}

void writeHead(JsonWriter& json, const StepRanking& ranking) {
  const StepQuestion& question = ranking.question;
  json.key("workload").text(question.workload.name);
  writeAxes(json, question.axes);
  json.key("model").text(question.options.cost.model).key("algorithm").text(nameOf(question.options.cost.algorithm));
  json.key("compute_seconds");
  if (question.step.computeSeconds) {
    json.number(*question.step.computeSeconds);
  } else {
    json.null();
  }
  json.key("slowdown").number(question.step.slowdown.value());
  json.key("usable_share").number(question.step.usableShare.value());
  json.key("concurrent").boolean(question.step.concurrent.value());
  json.key("leaves_out").beginArray();
  for (const std::string& sentence : leftOutOf(ranking)) json.text(sentence);
  json.end().key("count").whole(static_cast<std::int64_t>(ranking.placements.size()));
}

void writeEntry(JsonWriter& json, const StepRanking& ranking, const PlacementStep& placement, std::size_t entry) {
  const EntryCost& cost = ranking.cost(placement, entry);
  const WorkloadEntry& asked = ranking.entries()[entry];
  json.beginObject(JsonWriter::Layout::OneLine).key("name").text(asked.name).key("kind").text(nameOf(asked.kind));
  json.key("seconds").number(ranking.seconds(placement, entry)).key("program").text(cost.program);
  json.key("once_seconds").number(cost.seconds).key("flat_seconds").number(cost.flatSeconds);
  json.key("count").whole(asked.count).key("span").text(cost.span).end();
}

void writeBetweenNodes(JsonWriter& json, const std::optional<BusiestLink>& link) {
  json.key("between_nodes");
  if (!link) {
    json.null();
    return;
  }
  json.beginObject(JsonWriter::Layout::OneLine).key("interconnect").text(link->interconnect);
  json.key("bytes").number(link->bytes).key("seconds").number(link->seconds).end();
}

void writePlacement(JsonWriter& json, const StepRanking& ranking, const PlacementStep& placement) {
  const StepQuestion& question = ranking.question;
  json.beginObject().key("matrix");
  writeMatrix(json, placement.matrix);
  json.key("step_seconds").number(placement.stepSeconds).key("exposed_seconds").number(placement.exposedSeconds);
  json.key("overlappable_seconds").number(placement.overlappableSeconds).key("front").boolean(placement.front);
  json.key("orders").beginArray(JsonWriter::Layout::OneLine);
  for (const std::size_t order : placement.orders) json.text(ranking.orders[order].order.name);
  json.end().key("realisable_by").beginArray(JsonWriter::Layout::OneLine);
  for (const Realisation& way : realisableBy(question.system, question.axes, placement.matrix)) json.text(way.name);
  json.end().key("link_bytes").beginObject(JsonWriter::Layout::OneLine);
  for (const BusiestLink& link : busiestLinks(ranking, placement)) json.key(link.interconnect).number(link.bytes);
  json.end();
  writeBetweenNodes(json, busiestBetweenNodes(ranking, placement));
  json.key("worst_entry").whole(static_cast<std::int64_t>(placement.worstEntry));
  json.key("entries").beginArray();
  for (std::size_t entry = 0; entry < ranking.entries().size(); ++entry) writeEntry(json, ranking, placement, entry);
  json.end().end();
}

void writeOrders(JsonWriter& json, const StepRanking& ranking) {
  json.key("orders").beginArray();
  for (const RankedOrder& ranked : ranking.orders) {
    json.beginObject(JsonWriter::Layout::OneLine).key("name").text(ranked.order.name);
    json.key("axes").beginArray();
    for (const std::string& axis : ranked.order.axes) json.text(axis);
    json.end().key("matrix");
    if (ranked.placement) {
      writeMatrix(json, ranked.order.matrix);
      json.key("times_best").number(ranked.timesBest);
    } else {
      json.null().key("reason").text(ranked.order.reason);
    }
    json.key("source").text(ranked.order.source).end();
  }
  json.end();
}

void writeBreakEvens(JsonWriter& json, const StepRanking& ranking) {
  json.key("break_evens").beginArray();
  if (const auto answer = breakEvens(ranking)) {
    for (const BreakEven& point : answer->points) {
      json.beginObject(JsonWriter::Layout::OneLine).key("of").text(answer->second.name);
      json.key("over").text(answer->first.name).key("ratio").number(point.ratio).key("times").number(point.times);
      json.key("from");
      writeMatrix(json, ranking.placements[point.from].matrix);
      json.key("to");
      writeMatrix(json, ranking.placements[point.to].matrix);
      json.end();
    }
  }
  json.end();
}

void writeJson(std::ostream& out, const StepRanking& ranking, std::size_t most) {
  JsonWriter json(out);
  json.beginObject();
  writeHead(json, ranking);
  json.key("placements").beginArray();
  for (std::size_t i = 0; i < std::min(most, ranking.placements.size()); ++i) {
    if (!out.good()) return;
    writePlacement(json, ranking, ranking.placements[i]);
  }
  json.end();
  writeOrders(json, ranking);
  writeBreakEvens(json, ranking);
  json.end();
}

std::string ordersText(const StepRanking& ranking, const PlacementStep& placement) {
  std::string text;
  for (const std::size_t order : placement.orders) {
    text += (text.empty() ? "" : ", ") + ranking.orders[order].order.name;
  }
  return text;
}

std::string realisableText(const StepRanking& ranking, const PlacementStep& placement) {
  std::string text;
  for (const Realisation& way : realisableBy(ranking.question.system, ranking.question.axes, placement.matrix)) {
    text += (text.empty() ? "" : ", ") + way.name;
  }
  return text;
}

void writePlacements(std::ostream& out, const StepRanking& ranking, std::size_t most) {
  TextTable table({{"#", Align::Right},
                   {"matrix"},
                   {"step", Align::Right},
                   {"times best", Align::Right},
                   {"exposed", Align::Right},
                   {"overlappable", Align::Right},
                   {"front"},
                   {"between nodes", Align::Right},
                   {"orders"}});
  for (std::size_t i = 0; i < std::min(most, ranking.placements.size()); ++i) {
    const PlacementStep& placement = ranking.placements[i];
    const auto link = busiestBetweenNodes(ranking, placement);
    const double best = ranking.placements[0].stepSeconds;
    table.add({std::to_string(i + 1), placement.matrix.text(), formatSeconds(placement.stepSeconds),
               best > 0 ? formatFactor(placement.stepSeconds / best) : "", formatSeconds(placement.exposedSeconds),
               formatSeconds(placement.overlappableSeconds), placement.front ? "●" : "",
               link ? formatBytes(Bytes(link->bytes)) + " over " + link->interconnect : "–",
               ordersText(ranking, placement)});
  }
  out << table.text();
}

std::string overlapText(const CommunicationOverlap& overlap) {
  switch (overlap.extent) {
    case CommunicationOverlap::Extent::None:
      return "exposed";
    case CommunicationOverlap::Extent::Compute:
      return "may overlap";
    case CommunicationOverlap::Extent::Fraction:
      return formatFactor(overlap.value * 100).substr(0, formatFactor(overlap.value * 100).size() - 2) +
             " % may overlap";
    case CommunicationOverlap::Extent::Window:
      return formatSeconds(overlap.value) + " may overlap";
  }
  return {};
}

void writeEntries(std::ostream& out, const StepRanking& ranking) {
  const PlacementStep& best = ranking.placements[0];
  out << "\nthe best, " << best.matrix.text() << ", realisable by " << realisableText(ranking, best) << ":\n";
  TextTable table({{"entry"},
                   {"kind"},
                   {"over"},
                   {"bytes", Align::Right},
                   {"times", Align::Right},
                   {"once", Align::Right},
                   {"step", Align::Right},
                   {"share", Align::Right},
                   {""},
                   {"program"}});
  for (std::size_t i = 0; i < ranking.entries().size(); ++i) {
    const WorkloadEntry& entry = ranking.entries()[i];
    const EntryCost& cost = ranking.cost(best, i);
    const auto percent = std::to_string(std::lround(ranking.share(best, i) * 100)) + " %";
    table.add({entry.name, std::string(nameOf(entry.kind)), cost.span,
               formatBytes(Bytes(static_cast<double>(entry.bytes))), std::to_string(entry.count),
               formatSeconds(cost.seconds), formatSeconds(ranking.seconds(best, i)), percent,
               overlapText(entry.overlap), cost.program});
  }
  out << table.text(2);
}

void writeBreakEvens(std::ostream& out, const StepRanking& ranking) {
  const auto answer = breakEvens(ranking);
  if (!answer || answer->points.empty()) return;
  const auto short3 = [](double value) {
    const std::string text = formatFactor(value);
    return text.substr(0, text.size() - std::string("×").size());
  };
  out << "\nif nothing else were sent and nothing hidden, by bytes over " << answer->second.name << " per byte over "
      << answer->first.name << ", here " << short3(answer->ratio)
      << " (of AllReduces; what sends once counts half):\n  " << ranking.placements[answer->least].matrix.text();
  for (const BreakEven& point : answer->points) {
    out << " below " << short3(point.ratio) << ", then " << ranking.placements[point.to].matrix.text();
  }
  out << '\n';
  if (answer->here() == 0) return;
  out << "  here that would be " << ranking.placements[answer->here()].matrix.text()
      << "; with all that is sent, and what "
      << "is hidden, it is " << ranking.placements[0].matrix.text() << '\n';
}

void writeUnplaced(std::ostream& out, const StepRanking& ranking) {
  for (const RankedOrder& ranked : ranking.orders) {
    if (!ranked.placement) out << "no placement by " << ranked.order.name << ": " << ranked.order.reason << '\n';
  }
}

void writeText(std::ostream& out, const StepRanking& ranking, std::size_t most) {
  const StepQuestion& question = ranking.question;
  Workspace titled;
  titled.system = question.system;
  titled.axes = question.axes;
  out << titleOf(titled) << '\n'
      << question.workload.name << (question.workload.name.empty() ? "" : ": ")
      << counted(ranking.placements.size(), "placement") << " ranked by a step; " << question.options.cost.model
      << " model, " << nameOf(question.options.cost.algorithm) << "; ";
  if (question.step.computeSeconds) {
    out << formatSeconds(*question.step.computeSeconds) << " of computation hide what may overlap, which takes "
        << formatFactor(question.step.slowdown.value_or(kUsualSlowdown)) << " its time beside it\n";
  } else {
    out << "nothing is hidden behind computation (--compute-seconds)\n";
  }
  for (const std::string& sentence : leftOutOf(ranking)) out << "leaves out " << sentence << '\n';
  out << '\n';
  writePlacements(out, ranking, most);
  writeEntries(out, ranking);
  writeBreakEvens(out, ranking);
  writeUnplaced(out, ranking);
}

}  // namespace

void writeSteps(std::ostream& out, const StepRanking& ranking, std::size_t most, bool json) {
  if (json) {
    writeJson(out, ranking, most);
  } else {
    writeText(out, ranking, most);
  }
}

}  // namespace p2::cli
