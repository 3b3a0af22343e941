// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_listing.h"

#include "app/cli/answer_keys.h"
#include "app/cli/assumed.h"
#include "base/near.h"
#include "base/units.h"
#include "training_answer/document_training.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kMachineA{"a", "Machine A as typed"};
constexpr AnswerKey kMachineB{"b", "Machine B as typed"};
constexpr AnswerKey kStates{"b_states", "The states of parts of B"};
constexpr AnswerKey kStepKey{
    "step",
    "a (the configuration on A), a_is_chosen (the document's chosen one; else the best), chosen_problem (why the "
    "chosen one cannot run on A), kept (the same on B), kept_problem, best (on B), best_problem, best_changes, "
    "deciding_part (the part that makes more than half of the change) and deciding_axis (its axis, if it is exposed "
    "communication), parts (list: part, axis, a_seconds, b_seconds, a_link, b_link; they sum to the steps). Each "
    "configuration: framework, configuration, matrix, dp, seconds with its interval, mfu, exposed_seconds and links "
    "(the busiest), both by axis: tp, cp, ep, pp, dp"};
constexpr AnswerKey kPlacementsKey{"placements",
                                   "List: matrix, a_seconds, b_seconds, ratio, a_program, b_program, a_link, b_link "
                                   "(the busiest link of the longest step)"};
constexpr AnswerKey kBestPlacementChanges{"best_placement_changes",
                                          "Whether the best placement of B differs from the best of A"};
constexpr AnswerKey kPlacementsModel{"placements_model", "The cost model of both machines: of A, or of the document"};

std::string configuredText(const PlannedConfiguration& planned) {
  return std::string(planned.framework->name) + ": " + chosenFrom(planned).choices;
}

/// "1.20× slower", "as fast", "1.10× faster".
std::string ratioText(double ratio) {
  if (ratio <= 0) return "";
  if (nearlyEqual(ratio, 1, kDisplayTolerance)) return "as fast";
  return ratio > 1 ? formatFactor(ratio) + " slower" : formatFactor(1 / ratio) + " faster";
}

Value linksValue(const StepSide& side) {
  Document fields;
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    fields.field(std::string(kExposedAxes[axis]), Value::textOrNull(side.links[axis]));
  }
  return Value::object(std::move(fields));
}

Value exposedValue(const StepEstimate& estimate) {
  Document fields;
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    fields.field(std::string(kExposedAxes[axis]), Value::number(estimate.parts.exposed[axis]));
  }
  return Value::object(std::move(fields));
}

Value sideValue(const std::optional<StepSide>& side) {
  if (!side) return Value::null();
  const StepEstimate& estimate = side->planned.estimate;
  Document fields;
  fields.field("framework", Value::text(side->planned.framework->name))
      .field("configuration", Value::text(chosenFrom(side->planned).choices))
      .field("matrix", Value::text(side->planned.matrix.text()))
      .field("dp", Value::whole(side->planned.configuration.plan.data))
      .field("seconds", Value::number(estimate.seconds))
      .field("seconds_low", Value::number(estimate.low))
      .field("seconds_high", Value::number(estimate.high))
      .field("mfu", Value::number(estimate.mfu))
      .field("exposed_seconds", exposedValue(estimate))
      .field("links", linksValue(*side));
  return Value::object(std::move(fields));
}

std::string linkOf(const StepSide* side, const PartPair& part) {
  return side && part.axis ? side->links[static_cast<std::size_t>(*part.axis)] : std::string();
}

std::string placementText(const PlannedConfiguration& planned) {
  if (planned.axes.empty()) return "–";
  return planned.matrix.text() + (planned.needsRankFile() ? ", rank file" : ", " + planned.orders.front());
}

std::string partText(double seconds) { return seconds > 0 ? formatSeconds(seconds) : "–"; }

std::string stepText(const StepComparison& step) {
  TextTable table({{"step"},
                   {"A", TextTable::Align::Right},
                   {"B", TextTable::Align::Right},
                   {"busiest link on A"},
                   {"busiest link on B"}});
  const StepSide* kept = step.kept ? &*step.kept : nullptr;
  table.add({"whole step", formatSeconds(step.a.planned.estimate.seconds),
             kept ? formatSeconds(kept->planned.estimate.seconds) : "–", "", ""});
  for (const PartPair& part : step.parts()) {
    table.add(
        {"  " + part.name, partText(part.a), kept ? partText(part.b) : "–", linkOf(&step.a, part), linkOf(kept, part)});
  }
  return table.text();
}

std::string configurationLine(const std::string& name, const PlannedConfiguration& planned) {
  return name + ": " + configuredText(planned) + "; placement " + placementText(planned);
}

/// The finding in one sentence.
std::string stepSentence(const StepComparison& step) {
  const std::string whose = step.isChosen ? "the chosen configuration" : "the best configuration of A";
  if (!step.kept) return whose + " cannot run on B: " + step.keptProblem;
  const double ratio = step.kept->planned.estimate.seconds / step.a.planned.estimate.seconds;
  std::string text = "the step of " + whose + " is " + ratioText(ratio) + " on B";
  if (const auto part = step.decidingPart()) {
    const std::string link = linkOf(&*step.kept, *part);
    const std::string what =
        part->axis ? std::string(kExposedAxes[static_cast<std::size_t>(*part->axis)]) + " communication" : part->name;
    text += ", mostly because of " + what + (link.empty() ? "" : " over " + link);
  }
  if (!step.bestB) return text;
  return text + (step.bestChanges() ? "; another configuration is best there"
                                    : "; the best there: " + describeBest(step.kept->planned, step.bestB->planned));
}

Value partsValue(const StepComparison& step) {
  std::vector<Value> parts;
  for (const PartPair& part : step.parts()) {
    Document fields;
    fields.field("part", Value::text(part.name))
        .field("axis", part.axis ? Value::text(kExposedAxes[static_cast<std::size_t>(*part.axis)]) : Value::null())
        .field("a_seconds", Value::number(part.a))
        .field("b_seconds", step.kept ? Value::number(part.b) : Value::null())
        .field("a_link", Value::textOrNull(linkOf(&step.a, part)))
        .field("b_link", Value::textOrNull(linkOf(step.kept ? &*step.kept : nullptr, part)));
    parts.push_back(Value::object(std::move(fields)));
  }
  return Value::list(std::move(parts));
}

void addStep(Document& document, const ComparisonAnswer& answer) {
  if (!answer.step) return;
  const StepComparison& step = *answer.step;
  const auto deciding = step.decidingPart();
  const auto axis = deciding ? deciding->axis : std::nullopt;
  Document fields;
  fields.field("a", sideValue(step.a))
      .field("a_is_chosen", Value::flag(step.isChosen))
      .field("chosen_problem", Value::textOrNull(step.chosenProblem))
      .field("kept", sideValue(step.kept))
      .field("kept_problem", Value::textOrNull(step.keptProblem))
      .field("best", sideValue(step.bestB))
      .field("best_problem", Value::textOrNull(step.bestProblem))
      .field("best_changes", Value::flag(step.bestChanges()))
      .field("deciding_axis", axis ? Value::text(kExposedAxes[static_cast<std::size_t>(*axis)]) : Value::null())
      .field("deciding_part", deciding ? Value::text(deciding->name) : Value::null())
      .field("parts", partsValue(step));
  document.field(kStepKey, Value::object(std::move(fields)));
  document.line(stepSentence(step));
  if (!step.chosenProblem.empty()) {
    document.line("the chosen configuration cannot run on A: " + step.chosenProblem);
  }
  document.line(configurationLine(step.isChosen ? "chosen" : "best on A", step.a.planned));
  if (step.kept && step.kept->planned.matrix != step.a.planned.matrix) {
    document.line("on B its placement is " + placementText(step.kept->planned));
  }
  if (step.bestB && step.bestChanges()) {
    document.line(configurationLine("best on B", step.bestB->planned) + ": " +
                  formatSeconds(step.bestB->planned.estimate.seconds));
  }
  if (!step.bestB) document.line("nothing runs on B: " + step.bestProblem);
  document.line("");
  document.text([&answer] { return stepText(*answer.step); });
}

constexpr Column<PlacementPair> kPlacementPairColumns[] = {
    {"matrix", "matrix", [](const PlacementPair& pair) { return Value::text(pair.matrix.text()); },
     TextTable::Align::Left},
    {"a_seconds", "A",
     [](const PlacementPair& pair) { return pair.a ? Value::number(pair.a->seconds, Unit::Seconds) : Value::null(); }},
    {"b_seconds", "B",
     [](const PlacementPair& pair) { return pair.b ? Value::number(pair.b->seconds, Unit::Seconds) : Value::null(); }},
    {"ratio", "B against A",
     [](const PlacementPair& pair) {
       return pair.ratio() > 0 ? Value::number(pair.ratio()).shownAs(ratioText(pair.ratio())) : Value::null("");
     }},
    {"a_program", "program on A",
     [](const PlacementPair& pair) { return pair.a ? Value::text(pair.a->program) : Value::null(""); },
     TextTable::Align::Left},
    {"b_program", "program on B",
     [](const PlacementPair& pair) {
       const bool same = pair.a && pair.b && pair.a->program == pair.b->program;
       return pair.b ? Value::text(pair.b->program).shownAs(same ? "unchanged" : pair.b->program) : Value::null("");
     },
     TextTable::Align::Left},
    {"a_link", "", [](const PlacementPair& pair) { return Value::textOrNull(pair.a ? pair.a->link : std::string()); }},
    {"b_link", "busiest link on B",
     [](const PlacementPair& pair) { return Value::textOrNull(pair.b ? pair.b->link : std::string()); },
     TextTable::Align::Left},
};

std::string placementsSentence(const PlacementComparison& placements) {
  const PlacementPair& bestA = placements.pairs[placements.bestA];
  const PlacementPair& best = placements.pairs[placements.bestB];
  const std::string onB = best.matrix.text() + ", " + formatSeconds(best.b->seconds);
  if (!placements.bestChanges()) {
    return "the best placement is the same on both: " + best.matrix.text() + ", " + ratioText(best.ratio()) + " on B";
  }
  // Other levels have other placements.
  if (!bestA.b) {
    return "best placement on A: " + bestA.matrix.text() + ", " + formatSeconds(bestA.a->seconds) + "; on B: " + onB +
           ", " + ratioText(best.b->seconds / bestA.a->seconds);
  }
  return "on B another placement is best: " + onB;
}

void addPlacements(Document& document, const ComparisonAnswer& answer) {
  if (!answer.placementsProblem.empty()) {
    document.line("the placements of the document's axes are not compared: " + answer.placementsProblem);
  }
  if (!answer.placements) return;
  if (answer.step) document.line("");
  const PlacementComparison& placements = *answer.placements;
  document.field(kBestPlacementChanges, Value::flag(placements.bestChanges()));
  document.field(kPlacementsModel, Value::text(placements.model));
  document.line(placementsSentence(placements) + "; " + placements.model + " model on both");
  document.line("");
  document.table(kPlacementsKey, tableOver<PlacementPair>(kPlacementPairColumns, placements.pairs));
}

}  // namespace

std::vector<AnswerKey> compareKeys() {
  return {kMachineA, kMachineB, kStates, kStepKey, kPlacementsKey, kBestPlacementChanges, kPlacementsModel};
}

Document comparisonDocument(const ComparisonAnswer& answer) {
  Document document;
  document.field(kMachineA, "A", Value::text(answer.a)).field(kMachineB, "B", Value::text(answer.b));
  document.field(kStates, Value::texts(answer.degraded));
  for (const std::string& each : answer.degraded) document.line("on B: " + each);
  document.line("");
  addStep(document, answer);
  addPlacements(document, answer);
  if (!answer.step) return document;
  addAssumed(document, answer.step->assumed);
  return document;
}

}  // namespace p2::cli
