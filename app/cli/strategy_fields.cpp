// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_fields.h"

#include "app/cli/answer_keys.h"
#include "app/cli/listing.h"
#include "app/cli/output.h"
#include "base/counted.h"
#include "base/lists.h"
#include "base/numbers.h"
#include "base/units.h"
#include "mapping/axis_names.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kOptimal{"optimal", "Whether the strategy is proven to be the cheapest; false next to unpriced"};
constexpr AnswerKey kOptimalForPriced{
    "optimal_for_priced",
    "Next to unpriced: whether the strategy is proven to be the cheapest for the priced operators"};
constexpr AnswerKey kUnpriced{"unpriced", "Computation that no operator counts"};
constexpr AnswerKey kLowerBound{
    "lower_bound", "No strategy costs less; absent next to one that is proven to be the cheapest, or was given"};
constexpr AnswerKey kGap{"gap", "Share of the cost by which the lower bound is below it"};
constexpr AnswerKey kPricing{"pricing", "In the hierarchical model: the cost model of collectives and its algorithm"};
constexpr AnswerKey kNote{"note", "Limits of the answer, a sentence"};
constexpr AnswerKey kBaselines{
    "baselines",
    "List of --compare: name, cost, compute, reduce and exchange (the parts of the cost, as in split), memory, fits, "
    "devices, degrees, matrix, stages, zero; or reason, why there is no such strategy"};
constexpr AnswerKey kRebuilt{"rebuilt", "Bytes of memory for the activations of one layer while it is recomputed"};
constexpr AnswerKey kMemoryLimit{"limit", "Bytes of a device that a strategy may use"};
constexpr AnswerKey kSplits{"splits", "The role that an axis splits: data, tensor, context, expert"};

using Align = TextTable::Align;

std::string certaintyText(const Certainty& certainty, const ComputationGraph* graph) {
  if (certainty.evaluated) return ", evaluated";
  const bool all = graph == nullptr || graph->unpriced.empty();
  if (certainty.optimal) return all ? ", optimal" : ", optimal for the priced operators";
  return std::string(", the cheapest found") + (certainty.bounded ? " that fits; none that fits" : "; none") +
         " costs less than " + costText(certainty.lowerBound, graph != nullptr) + ", a gap of " +
         formatPercent(1 - certainty.lowerBound / certainty.cost);
}

std::string unmodelledBy(const StrategyInput& input) {
  return unmodelledEffectsOf(input.pricing.cost, {}, *input.system);
}

Value splitCell(const StrategyBaseline& baseline, double CostSplit::*part) {
  return baseline.split ? Value::number((*baseline.split).*part, Unit::Seconds) : Value();
}

Value memoryOf(const StrategyBaseline& baseline) {
  if (!baseline.memory) return {};
  return Value::number(baseline.memory->value(), Unit::Bytes)
      .shownAs(formatBytes(*baseline.memory) + (baseline.fits ? "" : ", too much"));
}

std::string whereText(const StrategyBaseline& baseline) {
  if (!baseline.reason.empty()) return baseline.reason;
  std::string text = baseline.mesh ? baseline.mesh->matrix.text() : "";
  if (baseline.stages > 1) {
    text += ", " + countedText(baseline.stages, "stage") + " (" + baseline.stageFactors + ")";
  }
  return text;
}

/// A row of the table of baselines.
struct Compared {
  const StrategyBaseline& baseline;
  bool seconds = true;
  double best = 0;
  std::int64_t devices = 0;  ///< that there are
};
using CellOf = Value (*)(const Compared& row);

/// Absent where there is no such strategy.
template <CellOf cell>
Value ifFound(const Compared& row) {
  return row.baseline.reason.empty() ? cell(row) : Value();
}

Value costCell(const Compared& row) {
  return Value::number(row.baseline.cost).shownAs(costText(row.baseline.cost, row.seconds));
}
Value computeCell(const Compared& row) { return splitCell(row.baseline, &CostSplit::compute); }
Value reduceCell(const Compared& row) { return splitCell(row.baseline, &CostSplit::reduce); }
Value exchangeCell(const Compared& row) { return splitCell(row.baseline, &CostSplit::resharding); }
Value memoryCell(const Compared& row) { return memoryOf(row.baseline); }
Value fitsCell(const Compared& row) { return row.baseline.memory ? Value::flag(row.baseline.fits) : Value(); }
Value matrixCell(const Compared& row) { return row.baseline.mesh ? matrixValue(row.baseline.mesh->matrix) : Value(); }
Value stagesCell(const Compared& row) { return row.baseline.stages > 1 ? Value::whole(row.baseline.stages) : Value(); }
Value devicesCell(const Compared& row) {
  const Value devices = Value::whole(row.baseline.devices);
  if (row.baseline.devices >= row.devices) return devices;
  return Value(devices).shownAs(std::to_string(row.baseline.devices) + " of " + std::to_string(row.devices));
}
Value degreesCell(const Compared& row) { return degreesValue(row.baseline.degrees); }

Value factorCell(const Compared& row) {
  return row.best > 0 ? Value::number(row.baseline.cost / row.best, Unit::Factor) : Value();
}
Value zeroCell(const Compared& row) { return row.baseline.zero ? Value::whole(*row.baseline.zero) : Value(); }

constexpr Column<Compared> kComparedColumns[] = {
    {"name", "compared with", [](const Compared& row) { return Value::text(row.baseline.name); }, Align::Left},
    {"reason", "",
     [](const Compared& row) { return row.baseline.reason.empty() ? Value() : Value::text(row.baseline.reason); }},
    {"cost", "cost",
     [](const Compared& row) { return row.baseline.reason.empty() ? costCell(row) : Value().shownAs("–"); }},
    {"", " ", ifFound<factorCell>},
    {"compute", "computation", ifFound<computeCell>},
    {"reduce", "reductions", ifFound<reduceCell>},
    {"exchange", "resharding", ifFound<exchangeCell>},
    {"memory", "memory", ifFound<memoryCell>},
    {"fits", "", ifFound<fitsCell>},
    {"devices", "devices", ifFound<devicesCell>},
    {"degrees", "degrees", ifFound<degreesCell>, Align::Left},
    {"matrix", "", ifFound<matrixCell>},
    {"stages", "", ifFound<stagesCell>},
    {"zero", "", ifFound<zeroCell>},
    {"", "mesh", [](const Compared& row) { return Value::text(whereText(row.baseline)); }, Align::Left},
};

}  // namespace

std::vector<AnswerKey> strategyFieldKeys() {
  return {kOptimal, kOptimalForPriced, kUnpriced,    kLowerBound, kGap,      kNote,
          kPricing, kRebuilt,          kMemoryLimit, kSplits,     kBaselines};
}

std::string costText(double cost, bool seconds) { return seconds ? formatSeconds(cost) : exactNumber(cost); }

void addCertainty(Document& document, const Certainty& certainty, const StrategyInput& input) {
  const ComputationGraph* const graph = input.graph.get();
  document.line("cost " + costText(certainty.cost, graph != nullptr) + certaintyText(certainty, graph));
  const bool all = graph == nullptr || graph->unpriced.empty();
  const bool proven = certainty.optimal && !certainty.evaluated;
  document.field(kOptimal, Value::flag(proven && all));
  if (!all) document.field(kOptimalForPriced, Value::flag(proven));
  if (graph != nullptr && !graph->unpriced.empty()) document.field(kUnpriced, Value::texts(graph->unpriced));
  if (const auto assumed = input.assumed(); !assumed.empty()) document.field("assumed", Value::texts(assumed));
  if (certainty.optimal || certainty.evaluated) return;
  document.field(kLowerBound, Value::number(certainty.lowerBound));
  document.field(kGap, Value::number(1 - certainty.lowerBound / certainty.cost, Unit::Share));
}

void addUnpriced(Document& document, const StrategyInput& input) {
  const std::string unpriced =
      joined(input.graph->unpriced, "; ", [](const std::string& each) { return oneLine(each); });
  if (!unpriced.empty()) document.line("not priced: " + unpriced);
}

void addPricing(Document& document, const StrategyInput& input) {
  if (!input.isOnMesh()) return;
  const CostOptions& cost = input.pricing.cost;
  const std::string algorithm(nameOf(cost.algorithm));
  Document pricing;
  pricing.field("model", Value::text(cost.model)).field("algorithm", Value::text(algorithm));
  pricing.field(kUnmodelledEffects, Value::text(unmodelledBy(input)));
  document.field(kPricing, Value::object(std::move(pricing), Value::Layout::Lines));
  document.line("collectives priced by the " + std::string(cost.model) + " model, " + algorithm +
                ", which does not model " + unmodelledBy(input));
}

void addNote(Document& document, const StrategyInput& input) {
  if (const std::string note = input.note(); !note.empty()) document.field(kNote, "note", Value::text(note));
}

void addBaselines(Document& document, const std::vector<StrategyBaseline>& baselines, const BaselineContext& context) {
  const auto& [seconds, best, devices, zero] = context;
  if (baselines.empty()) return;
  document.line("");
  document.table(kBaselines,
                 tableOf<Compared>(kComparedColumns, baselines.size(), [&baselines, context](std::size_t row) {
                   return Compared{baselines[row], context.seconds, context.best, context.devices};
                 }));
  for (const StrategyBaseline& each : baselines) {
    const bool isOther = each.zero && each.reason.empty() && zero != *each.zero;
    if (!isOther || each.cost >= best) continue;
    const std::string stage = std::to_string(*each.zero);
    document.line(each.name + " costs less at stage " + stage + " of ZeRO; the search above used stage " +
                  std::to_string(zero) + ". Use --zero " + stage + " to find the cheapest with it");
  }
}

Value memoryValue(const StepMemory& memory, Bytes limit) {
  Document fields;
  const auto add = [&](AnswerKey key, Bytes bytes) { fields.field(key, Value::number(bytes.value(), Unit::Bytes)); };
  add("total", memory.total());
  add("parameters", memory.parameters);
  add("gradients", memory.gradients);
  add("optimizer", memory.optimizer);
  add("activations", memory.activations);
  if (memory.rebuilt > Bytes(0)) add(kRebuilt, memory.rebuilt);
  if (limit > Bytes(0)) add(kMemoryLimit, limit);
  return Value::object(std::move(fields));
}

std::string memoryText(const StepMemory& memory, Bytes limit, const std::string& where) {
  return "memory " + formatBytes(memory.total()) + (limit > Bytes(0) ? " of " + formatBytes(limit) : "") + " a device" +
         where + ": parameters " + formatBytes(memory.parameters) + ", gradients " + formatBytes(memory.gradients) +
         ", optimizer " + formatBytes(memory.optimizer) + ", activations " + formatBytes(memory.activations) +
         (memory.rebuilt > Bytes(0) ? ", one recomputed layer " + formatBytes(memory.rebuilt) : "");
}

Document meshDocument(const Mesh& mesh, const std::vector<std::string>& names) {
  const std::vector<Axis> lettered = mesh.axes();
  const std::vector<Axis> named = namedAxesOf(mesh, names);
  std::vector<Value> axes;
  for (std::size_t axis = 0; axis < lettered.size(); ++axis) {
    Document fields;
    fields.field("name", Value::text(lettered[axis].name)).field("size", Value::whole(lettered[axis].size));
    if (named[axis].name != lettered[axis].name) fields.field(kSplits, Value::text(named[axis].name));
    axes.push_back(Value::object(std::move(fields)));
  }
  Document fields;
  fields.field("axes", Value::list(std::move(axes), Value::Layout::Lines)).field("matrix", matrixValue(mesh.matrix));
  return fields;
}

Value degreesValue(const std::vector<Axis>& degrees) {
  if (degrees.empty()) return {};
  Document fields;
  for (const Axis& axis : degrees) fields.named(axis.name, Value::whole(axis.size));
  return Value::object(std::move(fields)).shownAs(degreesText(degrees));
}

std::string titleText(const std::string& name, std::size_t operators, std::size_t edges, std::int64_t devices) {
  return (name.empty() ? "" : name + ": ") + countedText(operators, "operator") + ", " + countedText(edges, "edge") +
         ", " + countedText(devices, "device");
}

std::string partsText(const Configuration& parts) { return joined(parts, " × "); }

std::string cutText(const Operator& op, const AxisAssignment& assignment) {
  std::string text;
  for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
    const MeshAxes axes = assignment.axesOf(d);
    if (axes != 0) text += (text.empty() ? "" : ", ") + meshAxesText(axes) + " on " + op.dimensions[d].name;
  }
  return text;
}

Value cutValue(const Operator& op, const AxisAssignment& assignment) {
  std::vector<Value> axes;
  for (std::size_t d = 0; d < op.dimensions.size(); ++d)
    axes.push_back(Value::text(meshAxesText(assignment.axesOf(d))));
  return Value::list(std::move(axes));
}

}  // namespace p2::cli
