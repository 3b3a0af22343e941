// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <cmath>

#include "app/cli/assumed.h"
#include "app/cli/commands.h"
#include "app/cli/terminal_progress.h"
#include "app/cli/training_options.h"
#include "base/counted.h"
#include "base/units.h"
#include "compare/machine_comparison.h"
#include "placement/containment.h"
#include "text/document.h"
#include "training_answer/document_training.h"

namespace p2::cli {
namespace {

/// The answer of `p2 compare`.
struct ComparisonAnswer {
  std::string a;  ///< machines as typed
  std::string b;
  std::vector<std::string> degraded;  ///< states of B
  std::optional<StepComparison> step;
  std::optional<PlacementComparison> placements;
};

std::string configuredText(const PlannedConfiguration& planned) {
  return std::string(planned.framework->name) + ": " + chosenFrom(planned).choices;
}

/// "1.20× slower", "as fast", "1.10× faster".
std::string ratioText(double ratio) {
  if (ratio <= 0) return "";
  if (std::abs(ratio - 1) < 5e-4) return "as fast";
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
      .field("dp", Value::whole(side->planned.configuration.plan.data))
      .field("seconds", Value::number(estimate.seconds))
      .field("seconds_low", Value::number(estimate.low))
      .field("seconds_high", Value::number(estimate.high))
      .field("mfu", Value::number(estimate.mfu))
      .field("exposed_seconds", exposedValue(estimate))
      .field("links", linksValue(*side));
  return Value::object(std::move(fields));
}

std::string stepText(const StepComparison& step) {
  TextTable table({{"step"},
                   {"A", TextTable::Align::Right},
                   {"B", TextTable::Align::Right},
                   {"busiest link on A"},
                   {"busiest link on B"}});
  const StepEstimate& a = step.a.planned.estimate;
  const auto on = [&](double value) { return formatSeconds(value); };
  const StepSide* kept = step.kept ? &*step.kept : nullptr;
  table.add({configuredText(step.a.planned), on(a.seconds), kept ? on(kept->planned.estimate.seconds) : "–", "", ""});
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    const double before = a.parts.exposed[axis];
    const double after = kept ? kept->planned.estimate.parts.exposed[axis] : 0;
    if (before <= 0 && after <= 0) continue;
    table.add({"  exposed " + std::string(kExposedAxes[axis]), on(before), kept ? on(after) : "–", step.a.links[axis],
               kept ? kept->links[axis] : ""});
  }
  if (step.bestB && step.bestChanges()) {
    table.add(
        {"best on B: " + configuredText(step.bestB->planned), "", on(step.bestB->planned.estimate.seconds), "", ""});
  }
  return table.text();
}

/// The finding in one sentence.
std::string stepSentence(const StepComparison& step) {
  if (!step.kept) return "the best configuration of A cannot run on B: " + step.keptProblem;
  const double ratio = step.kept->planned.estimate.seconds / step.a.planned.estimate.seconds;
  std::string text = "the step of A's best configuration is " + ratioText(ratio) + " on B";
  if (const auto axis = step.decidingAxis()) {
    const std::string& link = step.kept->links[static_cast<std::size_t>(*axis)];
    text += ", mostly because of " + std::string(kExposedAxes[static_cast<std::size_t>(*axis)]) + " communication" +
            (link.empty() ? "" : " over " + link);
  }
  return text + (step.bestChanges() ? "; another configuration is best there" : "; it is the best there too, or tied");
}

void addStep(Document& document, const ComparisonAnswer& answer) {
  if (!answer.step) return;
  const StepComparison& step = *answer.step;
  Document fields;
  fields.field("a", sideValue(step.a))
      .field("kept", sideValue(step.kept))
      .field("kept_problem", Value::textOrNull(step.keptProblem))
      .field("best", sideValue(step.bestB))
      .field("best_problem", Value::textOrNull(step.bestProblem))
      .field("best_changes", Value::flag(step.bestChanges()));
  const auto axis = step.decidingAxis();
  fields.field("deciding_axis", axis ? Value::text(kExposedAxes[static_cast<std::size_t>(*axis)]) : Value::null());
  document.field("step", Value::object(std::move(fields)));
  document.line(stepSentence(step));
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

void addPlacements(Document& document, const ComparisonAnswer& answer) {
  if (!answer.placements) return;
  const PlacementComparison& placements = *answer.placements;
  const PlacementPair& best = placements.pairs[placements.bestB];
  document.field("best_placement_changes", Value::flag(placements.bestChanges()));
  document.line(placements.bestChanges()
                    ? "on B another placement is best: " + best.matrix.text() + ", " + formatSeconds(best.b->seconds)
                    : "the best placement is the same on both: " + best.matrix.text() +
                          (best.ratio() > 0 ? ", " + ratioText(best.ratio()) + " on B" : ""));
  document.line("");
  document.table("placements", tableOver<PlacementPair>(kPlacementPairColumns, placements.pairs));
}

/// The answer must outlive the document.
Document machinesDocument(const ComparisonAnswer& answer) {
  Document document;
  document.field("a", "A", Value::text(answer.a)).field("b", "B", Value::text(answer.b));
  document.field("b_states", Value::texts(answer.degraded));
  for (const std::string& each : answer.degraded) document.line("on B: " + each);
  document.line("");
  addStep(document, answer);
  addPlacements(document, answer);
  if (!answer.step) return document;
  addAssumed(document, answer.step->assumed);
  return document;
}

struct CompareRequest : Request {
  std::string other;
  std::string trained;  ///< a model, as of p2 train
  TrainingRequest asked;
};

Result<void> addStep(const CompareRequest& request, const System& a, const System& b, ComparisonAnswer& answer) {
  if (request.trained.empty()) return {};
  P2_TRY(checkBatchGiven(request.asked));
  P2_TRY_ASSIGN(auto model, modelFromArgument(request.trained).within("--train"));
  P2_TRY_ASSIGN(const auto input, readTrainingOptions(request.asked, std::move(model), a));
  TerminalProgress progress("searching configurations");
  P2_TRY_ASSIGN(answer.step, compareSteps(input, b, {}, progress.progress()));
  return {};
}

Result<int> run(const CompareRequest& request, std::ostream& out) {
  if (request.trained.empty() && request.axes.empty()) {
    return Error{
        "there is nothing to compare; give a model to train, --train llama3-70b --batch 1024, or axes, "
        "--axes 8,2 --reduce 0"};
  }
  P2_TRY_ASSIGN(const auto a, systemOfArgument(request.system, "A"));
  P2_TRY_ASSIGN(const auto b, systemOfArgument(request.other, "B", request.degraded));
  ComparisonAnswer answer{request.system, request.other, request.degraded, {}, {}};
  P2_TRY(addStep(request, a, b, answer));
  if (!request.axes.empty()) {
    Request question = request;
    question.degraded.clear();
    P2_TRY_ASSIGN(const auto workspace, workspaceOf(question));
    if (!request.reduce) return Error{"a comparison of placements needs the axes to reduce over", "--reduce"};
    P2_TRY(checkAxes(b, workspace.axes).within("B"));
    P2_TRY_ASSIGN(answer.placements, comparePlacements(workspace, a, b));
  }
  writeAnswer(out, machinesDocument(answer), formOf(request.json));
  return kDone;
}

/// Options that are refused without the one that they belong to.
void need(CLI::App& command, const char* needed, std::initializer_list<const char*> options) {
  for (const char* option : options) command.get_option(option)->needs(command.get_option(needed));
}

}  // namespace

void addCompare(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("compare", "Compare two machines: the training step, placements, programs, busiest links");
  const auto request = std::make_shared<CompareRequest>();
  command->add_option("A", request->system, "A preset, as in dgx-h100:16, levels as text, or a file")->required();
  command->add_option("B", request->other, "The other machine, or the same one for --degrade")->required();
  addDegrade(*command, request->degraded);
  command->add_option("--train", request->trained, "A bundled model, as in llama3-70b, or a config.json");
  addTrainingOptions(*command, request->asked, {"batch", "sequence", "framework", "precision", "fixed"});
  command->add_option("--axes", request->axes, "Sizes of the parallelism axes: 8,2,4 or data=8,model=2,shards=4");
  addReducedAxes(*command, *request, false);
  addSynthesis(*command, *request);
  addCost(*command, *request);
  addJson(*command, *request);
  need(*command, "--train", {"--batch", "--sequence", "--framework", "--precision", "--fix"});
  need(*command, "--axes",
       {"--reduce", "--goal", "--limit", "--rules", "--model", "--algorithm", "--bytes", "--repeat"});
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
