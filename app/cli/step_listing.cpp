// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/step_listing.h"

#include "app/cli/answer_keys.h"
#include "app/cli/assumed.h"
#include "app/cli/listing.h"
#include "app/cli/request.h"
#include "base/counted.h"
#include "base/units.h"
#include "cost/cost_model.h"
#include "placement/realisation.h"
#include "step/break_evens.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kRankedPlacements{"placements",
                                      "List, best first: matrix, step_seconds, exposed_seconds, overlappable_seconds, "
                                      "orders, entries and the keys below"};
constexpr AnswerKey kFrameworkOrders{"orders", "The orders of frameworks that give a placement"};
constexpr AnswerKey kBreakEvens{"break_evens",
                                "Ratios of bytes at which another placement becomes the best: of and over, the two "
                                "groups; ratio; times, that ratio relative to the workload's own; from and to"};
constexpr AnswerKey kComputeSeconds{"compute_seconds", "s, of computation that may hide communication; null for none"};
constexpr AnswerKey kComputeEstimated{"compute_estimated",
                                      "Whether these seconds are an estimate from the model of the workload"};
constexpr AnswerKey kSlowdown{"slowdown", "Factor on the time of communication during computation"};
constexpr AnswerKey kUsableShare{"usable_share",
                                 "Share of the computation that can overlap with communication, 0 to 1"};

using Align = TextTable::Align;
using Layout = Value::Layout;

/// An entry of the workload on one placement.
struct EntryRow {
  const StepRanking& ranking;
  const PlacementStep& placement;
  std::size_t index;

  [[nodiscard]] const WorkloadEntry& entry() const { return ranking.entries()[index]; }
  [[nodiscard]] const EntryCost& cost() const { return ranking.cost(placement, index); }
};

std::string overlapText(const CommunicationOverlap& overlap) {
  switch (overlap.extent) {
    case CommunicationOverlap::Extent::None:
      return "exposed";
    case CommunicationOverlap::Extent::Compute:
      return "may overlap";
    case CommunicationOverlap::Extent::Fraction:
      return formatPercent(overlap.value) + " may overlap";
    case CommunicationOverlap::Extent::Window:
      return formatSeconds(overlap.value) + " may overlap";
  }
  return {};
}

constexpr Column<EntryRow> kEntryColumns[] = {
    {"name", "entry", [](const EntryRow& row) { return Value::text(row.entry().name); }, Align::Left},
    {"kind", "kind", [](const EntryRow& row) { return Value::text(nameOf(row.entry().kind)); }, Align::Left},
    {"span", "over", [](const EntryRow& row) { return Value::text(row.cost().span); }, Align::Left,
     "The devices that an entry spans, level by level"},
    {"", "bytes",
     [](const EntryRow& row) { return Value::number(static_cast<double>(row.entry().bytes), Unit::Bytes); }},
    {"count", "times", [](const EntryRow& row) { return Value::whole(row.entry().count); }},
    {"once_seconds", "once", [](const EntryRow& row) { return Value::number(row.cost().seconds, Unit::Seconds); },
     Align::Right, "s, of one run of an entry; seconds is the total of its runs in a step"},
    {"flat_seconds", "", [](const EntryRow& row) { return Value::number(row.cost().singleSeconds, Unit::Seconds); }},
    {"seconds", "step",
     [](const EntryRow& row) { return Value::number(row.ranking.seconds(row.placement, row.index), Unit::Seconds); }},
    {"", "share",
     [](const EntryRow& row) { return Value::number(row.ranking.share(row.placement, row.index), Unit::Share); }},
    {"", " ", [](const EntryRow& row) { return Value::text(overlapText(row.entry().overlap)); }, Align::Left},
    {"program", "program", [](const EntryRow& row) { return Value::text(row.cost().program); }, Align::Left},
};

Table entryTable(const StepRanking& ranking, const PlacementStep& placement) {
  return tableOf<EntryRow>(kEntryColumns, ranking.entries().size(), [&ranking, &placement](std::size_t index) {
    return EntryRow{ranking, placement, index};
  });
}

struct PlacementRow {
  const StepRanking& ranking;
  std::size_t index;

  [[nodiscard]] const PlacementStep& step() const { return ranking.placements[index]; }
};

Value timesBest(const PlacementRow& row) {
  const double best = row.ranking.placements[0].stepSeconds;
  return best > 0 ? Value::number(row.step().stepSeconds / best, Unit::Factor) : Value();
}

Value ordersOf(const PlacementRow& row) {
  std::vector<Value> names;
  for (const std::size_t order : row.step().orders) names.push_back(Value::text(row.ranking.orders[order].order.name));
  return Value::list(std::move(names));
}

Value realisableOf(const PlacementRow& row) {
  std::vector<Value> names;
  const StepQuestion& question = row.ranking.question;
  for (const Realisation& way : realisableBy(question.system, question.axes, row.step().matrix)) {
    names.push_back(Value::text(way.name));
  }
  return Value::list(std::move(names));
}

Value linkBytesOf(const PlacementRow& row) {
  Document links;
  for (const BusiestLink& link : busiestLinks(row.ranking, row.step())) {
    links.named(link.interconnect, Value::number(link.bytes));
  }
  return Value::object(std::move(links));
}

Value betweenNodesOf(const PlacementRow& row) {
  const auto link = busiestBetweenNodes(row.ranking, row.step());
  if (!link) return Value::null();
  Document fields;
  fields.field("interconnect", Value::text(link->interconnect));
  fields.field("bytes", Value::number(link->bytes)).field("seconds", Value::number(link->seconds));
  return Value::object(std::move(fields)).shownAs(formatBytes(Bytes(link->bytes)) + " over " + link->interconnect);
}

constexpr Column<PlacementRow> kPlacementColumns[] = {
    {"", "#", [](const PlacementRow& row) { return Value::whole(std::int64_t(row.index) + 1); }},
    {"matrix", "matrix", [](const PlacementRow& row) { return matrixValue(row.step().matrix); }, Align::Left},
    {"step_seconds", "step",
     [](const PlacementRow& row) { return Value::number(row.step().stepSeconds, Unit::Seconds); }},
    {"", "times best", timesBest},
    {"exposed_seconds", "exposed",
     [](const PlacementRow& row) { return Value::number(row.step().exposedSeconds, Unit::Seconds); }},
    {"overlappable_seconds", "overlappable",
     [](const PlacementRow& row) { return Value::number(row.step().overlappableSeconds, Unit::Seconds); }},
    {"front", "front",
     [](const PlacementRow& row) { return Value::flag(row.step().front).shownAs(row.step().front ? "●" : ""); },
     Align::Left, "Whether no other placement is better in both exposed and overlappable seconds"},
    {"between_nodes", "between nodes", betweenNodesOf, Align::Right,
     "The busiest link between nodes: interconnect, bytes, seconds; null in one node"},
    {"orders", "orders", ordersOf, Align::Left},
    {"realisable_by", "", realisableOf, Align::Right, "Ways to set up a placement"},
    {"link_bytes", "", linkBytesOf, Align::Right, "Bytes through the busiest link of each interconnect"},
    {"worst_entry", "", [](const PlacementRow& row) { return Value::whole(std::int64_t(row.step().worstEntry)); },
     Align::Right, "Index of the entry that takes the most time"},
    {"entries", "", [](const PlacementRow& row) { return Value::rows(entryTable(row.ranking, row.step())); }},
};

constexpr Column<RankedOrder> kOrderColumns[] = {
    {"name", "", [](const RankedOrder& ranked) { return Value::text(ranked.order.name); }},
    {"axes", "", [](const RankedOrder& ranked) { return Value::texts(ranked.order.axes); }},
    {"matrix", "",
     [](const RankedOrder& ranked) { return ranked.placement ? matrixValue(ranked.order.matrix) : Value::null(); }},
    {"times_best", "",
     [](const RankedOrder& ranked) { return ranked.placement ? Value::number(ranked.timesBest) : Value(); }},
    {"reason", "",
     [](const RankedOrder& ranked) { return ranked.placement ? Value() : Value::text(ranked.order.reason); }},
    {"source", "", [](const RankedOrder& ranked) { return Value::text(ranked.order.source); }},
};

struct BreakEvenRow {
  const StepRanking& ranking;
  const BreakEvens& all;
  const BreakEven& point;
};

constexpr Column<BreakEvenRow> kBreakEvenColumns[] = {
    {"of", "", [](const BreakEvenRow& row) { return Value::text(row.all.second.name); }},
    {"over", "", [](const BreakEvenRow& row) { return Value::text(row.all.first.name); }},
    {"ratio", "", [](const BreakEvenRow& row) { return Value::number(row.point.ratio); }},
    {"times", "", [](const BreakEvenRow& row) { return Value::number(row.point.times); }},
    {"from", "", [](const BreakEvenRow& row) { return matrixValue(row.ranking.placements[row.point.from].matrix); }},
    {"to", "", [](const BreakEvenRow& row) { return matrixValue(row.ranking.placements[row.point.to].matrix); }},
};

/// The best placements if nothing else were sent, by the ratio of bytes.
std::string breakEvensText(const StepRanking& ranking, const BreakEvens& answer) {
  const auto number = [](double value) {
    const std::string text = formatFactor(value);
    return text.substr(0, text.size() - std::string("×").size());
  };
  std::string text = "\nbest placement for these two alone, without overlap, by bytes over " + answer.second.name +
                     " per byte over " + answer.first.name + ", here " + number(answer.ratio) +
                     " (of AllReduces; a collective that sends once counts half):\n  " +
                     ranking.placements[answer.least].matrix.text();
  for (const BreakEven& point : answer.points) {
    text += " below " + number(point.ratio) + ", then " + ranking.placements[point.to].matrix.text();
  }
  text += '\n';
  if (answer.here() == 0) return text;
  return text + "  here that would be " + ranking.placements[answer.here()].matrix.text() +
         "; with all communication and its overlap it is " + ranking.placements[0].matrix.text() + '\n';
}

/// "step", or "lower bound of the step" of concurrent communication, whose order is open.
std::string boundText(const StepQuestion& question) {
  return (question.step.concurrent.value_or(false) ? "lower bound of the " : "") + std::string(stepTimeName(question));
}

/// "llama3-70b: 24 placements ranked by a step; nccl model, auto; nothing is hidden behind computation …".
std::string headText(const StepRanking& ranking) {
  const StepQuestion& question = ranking.question;
  const std::string& name = question.workload.name;
  std::string text = (name.empty() ? "" : name + ": ") + countedText(ranking.placements.size(), "placement") +
                     " ranked by the " + boundText(question) + "; " + question.options.cost.model + " model, " +
                     std::string(nameOf(question.options.cost.algorithm)) + "; ";
  if (!question.step.computeSeconds) return text + "nothing is hidden behind computation (--compute-seconds)";
  return text + formatSeconds(*question.step.computeSeconds) +
         (question.step.estimated ? " of computation, estimated from the model," : " of computation") +
         " hide overlappable communication, which then takes " +
         formatFactor(question.step.slowdown.value_or(kDefaultSlowdown)) + " its time";
}

void addQuestion(Document& answer, const StepRanking& ranking) {
  const StepQuestion& question = ranking.question;
  Document axes;
  for (const Axis& axis : question.axes) axes.named(axis.name, Value::whole(axis.size));
  answer.field("workload", Value::text(question.workload.name)).field("axes", Value::object(std::move(axes)));
  answer.field("model", Value::text(question.options.cost.model));
  answer.field("algorithm", Value::text(nameOf(question.options.cost.algorithm)));
  answer.field(kComputeSeconds, Value::number(question.step.computeSeconds));
  answer.field(kComputeEstimated, Value::flag(question.step.estimated));
  answer.field(kSlowdown, Value::number(question.step.slowdown.value()));
  answer.field(kUsableShare, Value::number(question.step.usableShare.value()));
  answer.field("concurrent", Value::flag(question.step.concurrent.value()));
  answer.field(kUnmodelledEffects, Value::texts(unmodelledEffectsOf(ranking), Layout::Lines));
  answer.field("count", Value::whole(std::int64_t(ranking.placements.size())));
  Workspace titled;
  titled.system = question.system;
  titled.axes = question.axes;
  answer.line(titleOf(titled)).line(headText(ranking));
  for (const std::string& sentence : unmodelledEffectsOf(ranking)) answer.line("not modelled: " + sentence);
}

void addBest(Document& answer, const StepRanking& ranking) {
  const PlacementStep& best = ranking.placements[0];
  answer.line("").line("the best, " + best.matrix.text() + ", can be set up with " + realisableOf({ranking, 0}).text() +
                       ":");
  Table entries = entryTable(ranking, best);
  entries.indent = 2;
  answer.table("", std::move(entries));
}

void addBreakEvens(Document& answer, const StepRanking& ranking) {
  const auto found = breakEvens(ranking);
  const auto all = std::make_shared<const std::optional<BreakEvens>>(found);
  if (found && !found->points.empty()) answer.text([&ranking, all] { return breakEvensText(ranking, **all); });
  answer.table(kBreakEvens, tableOf<BreakEvenRow>(kBreakEvenColumns, found ? found->points.size() : 0,
                                                  [&ranking, all](std::size_t i) {
                                                    return BreakEvenRow{ranking, **all, (*all)->points[i]};
                                                  }));
}

}  // namespace

std::vector<AnswerKey> stepKeys() {
  return together(
      {{kRankedPlacements, kFrameworkOrders, kBreakEvens, kComputeSeconds, kComputeEstimated, kSlowdown, kUsableShare},
       keysOf(kEntryColumns),
       keysOf(kPlacementColumns)});
}

Document stepAnswer(const StepRanking& ranking, std::size_t most, const std::vector<std::string>& assumed) {
  Document answer;
  addQuestion(answer, ranking);
  addAssumed(answer, assumed);
  answer.line("");
  Table placements = tableOf<PlacementRow>(kPlacementColumns, std::min(most, ranking.placements.size()),
                                           [&ranking](std::size_t index) {
                                             return PlacementRow{ranking, index};
                                           });
  placements.layout = Layout::Lines;
  for (Table::Head& head : placements.heads) {
    if (head.key == "step_seconds") head.title = boundText(ranking.question);
  }
  answer.table(kRankedPlacements, std::move(placements));
  addBest(answer, ranking);
  answer.table(kFrameworkOrders, tableOver<RankedOrder>(kOrderColumns, ranking.orders));
  addBreakEvens(answer, ranking);
  for (const RankedOrder& ranked : ranking.orders) {
    if (!ranked.placement) answer.line("no placement by " + ranked.order.name + ": " + ranked.order.reason);
  }
  return answer;
}

}  // namespace p2::cli
