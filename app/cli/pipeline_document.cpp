// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/cli/answer_keys.h"
#include "app/cli/assumed.h"
#include "app/cli/strategy_document.h"
#include "app/cli/strategy_fields.h"
#include "app/cli/strategy_folds.h"
#include "base/counted.h"
#include "base/units.h"
#include "mapping/axis_names.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kPipeline{
    "pipeline",
    "Answer of --stages: stages, microbatches, slots of the schedule, bubble (share of them that is idle) and "
    "bubble_seconds, factors (stages at each level), arrangements (numbers of stages and divisions of the devices that "
    "were compared)"};
constexpr AnswerKey kPlayedSeconds{
    "played_seconds", "s, of the step as the schedule plays it; absent with too many microbatches to play"};

using Align = TextTable::Align;
using Layout = Value::Layout;

const Operator& operatorOf(const PipelineStage& stage, std::size_t vertex) {
  return stage.part.graph.operators[vertex];
}

const AxisAssignment& assignmentOf(const PipelineStage& stage, std::size_t vertex) {
  return stage.mapped().assignmentOf(vertex, stage.answer->strategy().choice[vertex]);
}

const Configuration& partsOf(const PipelineStage& stage, std::size_t vertex) {
  return stage.mapped().problem.domainOf(vertex).configurations[stage.answer->strategy().choice[vertex]];
}

std::string unmodelled(const PipelineAnswer& answer) {
  return pipelineUnmodelledEffects() + "; " + meshUnmodelledEffects(isRouted(answer.graph()));
}

/// An object with a field for every operator of every stage, under its name in the graph.
template <class ValueOf>
Value byOperator(const PipelineAnswer& answer, ValueOf valueOf) {
  Document fields;
  for (const PipelineStage& stage : answer.pipeline.stages) {
    for (std::size_t v = 0; v < stage.part.operators.size(); ++v) {
      fields.named(answer.graph().operators[stage.part.operators[v]].name, valueOf(stage, v));
    }
  }
  return Value::object(std::move(fields), Layout::Lines);
}

void addHead(Document& document, const PipelineAnswer& answer) {
  const ComputationGraph& graph = answer.graph();
  const Pipeline& pipeline = answer.pipeline;
  document.line(titleText(graph.name, graph.operators.size(), graph.edges.size(), answer.input.options.devices));
  document.field("name", Value::text(graph.name)).field("devices", Value::whole(answer.input.options.devices));
  addCertainty(document, {pipeline.optimal, answer.evaluated, false, pipeline.cost, pipeline.lowerBound}, answer.input);
}

std::string stagesText(const PipelineAnswer& answer) {
  const PipelineSetting& setting = answer.pipeline.setting;
  std::string text = countedText(setting.stages, "stage") + " of " + countedText(setting.options.devices, "device") +
                     " (" + stageFactorsText(*answer.input.system, setting.factors) + ")";
  if (answer.evaluated) return text;
  return text + ", the best of " + countedText(answer.pipeline.arrangements, "division") + " of the devices";
}

std::string scheduleText(const Pipeline& pipeline) {
  const std::int64_t microbatches = pipeline.setting.microbatches;
  return countedText(microbatches, "microbatch", "microbatches") + " in " + countedText(pipeline.slotCount(), "slot") +
         " of 1F1B: bubble " + formatPercent(pipeline.bubbleShare()) + " of them, " +
         formatSeconds(pipeline.bubbleSeconds());
}

void addStrategy(Document& document, const PipelineAnswer& answer) {
  document.field("cost", Value::number(answer.pipeline.cost, Unit::Seconds));
  document.field("configuration", byOperator(answer, [](const PipelineStage& stage, std::size_t v) {
                   return Value::whole(static_cast<std::int64_t>(stage.answer->strategy().choice[v]));
                 }));
  document.field("parts", byOperator(answer, [](const PipelineStage& stage, std::size_t v) {
                   return Value::wholes(partsOf(stage, v));
                 }));
  document.field("axes", byOperator(answer, [](const PipelineStage& stage, std::size_t v) {
                   return cutValue(operatorOf(stage, v), assignmentOf(stage, v));
                 }));
}

void addPipeline(Document& document, const PipelineAnswer& answer) {
  const Pipeline& pipeline = answer.pipeline;
  const PipelineSetting& setting = pipeline.setting;
  document.line(stagesText(answer)).line(scheduleText(pipeline));
  document.field("degrees", degreesValue(degreesOf(pipeline)));
  Document fields;
  fields.field("stages", Value::whole(setting.stages)).field("microbatches", Value::whole(setting.microbatches));
  fields.field("slots", Value::whole(pipeline.slotCount()));
  fields.field("bubble", Value::number(pipeline.bubbleShare(), Unit::Share));
  fields.field("bubble_seconds", Value::number(pipeline.bubbleSeconds(), Unit::Seconds));
  if (answer.schedule) fields.field(kPlayedSeconds, Value::number(answer.schedule->seconds, Unit::Seconds));
  fields.field("factors", Value::wholes(setting.factors));
  fields.field("arrangements", Value::whole(static_cast<std::int64_t>(pipeline.arrangements)));
  fields.field(kUnmodelledEffects, Value::text(unmodelled(answer)));
  document.field(kPipeline, Value::object(std::move(fields), Layout::Lines));
}

void addMemory(Document& document, const PipelineAnswer& answer) {
  const std::size_t fullest = answer.fullest();
  const StepMemory& memory = answer.pipeline.stages[fullest].memory;
  document.line(memoryText(memory, answer.input.deviceMemory(), " of stage " + std::to_string(fullest + 1)));
  document.field("memory", memoryValue(memory, answer.input.deviceMemory()));
}

/// A row of the table of stages.
struct StageRow {
  const PipelineAnswer& answer;
  std::size_t number = 0;
  [[nodiscard]] const PipelineStage& stage() const { return answer.pipeline.stages[number]; }
  [[nodiscard]] const std::string& nameOf(std::size_t vertex) const {
    return answer.graph().operators[stage().part.operators[vertex]].name;
  }
};

Value operatorsOf(const StageRow& row) {
  std::vector<std::string> names;
  for (std::size_t v = 0; v < row.stage().part.operators.size(); ++v) names.push_back(row.nameOf(v));
  return Value::texts(names).shownAs(names.front() + " … " + names.back());
}

Value devicesOf(const StageRow& row) {
  std::vector<std::int64_t> devices;
  for (std::int64_t device = 0; device < row.answer.input.options.devices; ++device) {
    const std::int64_t stage = stageOf(*row.answer.input.system, row.answer.pipeline.setting.factors, Device(device));
    if (stage == static_cast<std::int64_t>(row.number)) devices.push_back(device);
  }
  return Value::wholes(devices);
}

Value sendsOf(const StageRow& row) {
  const StageSends& sends = row.stage().sends;
  Document fields;
  fields.field("forward_bytes", Value::number(sends.forward.value(), Unit::Bytes));
  fields.field("forward_seconds", Value::number(sends.forwardSeconds, Unit::Seconds));
  fields.field("backward_bytes", Value::number(sends.backward.value(), Unit::Bytes));
  fields.field("backward_seconds", Value::number(sends.backwardSeconds, Unit::Seconds));
  return Value::object(std::move(fields)).shownAs(formatSeconds(sends.forwardSeconds + sends.backwardSeconds));
}

Value memoryOf(const StageRow& row) {
  return memoryValue(row.stage().memory, Bytes(0)).shownAs(formatBytes(row.stage().memory.total()));
}

Value meshOf(const StageRow& row) {
  const Mesh& mesh = row.stage().mapped().mesh;
  const std::vector<std::string>& names = row.stage().mapping.axisNames;
  return Value::object(meshDocument(mesh, names), Layout::Lines).shownAs(meshText(mesh, names));
}

Value secondsValue(double seconds) { return Value::number(seconds, Unit::Seconds); }

constexpr Column<StageRow> kStageColumns[] = {
    {"", "stage", [](const StageRow& row) { return Value::whole(static_cast<std::int64_t>(row.number + 1)); }},
    {"operators", "operators", operatorsOf, Align::Left},
    {"", " ",
     [](const StageRow& row) { return Value::whole(static_cast<std::int64_t>(row.stage().part.operators.size())); }},
    {"devices", "", devicesOf},
    {"slot_seconds", "slot", [](const StageRow& row) { return secondsValue(row.stage().times.slot()); }, Align::Right,
     "s, of one microbatch on a stage, forward and backward, with its sends"},
    {"forward_seconds", "", [](const StageRow& row) { return secondsValue(row.stage().times.forward); }},
    {"backward_seconds", "", [](const StageRow& row) { return secondsValue(row.stage().times.backward); }},
    {"sends", "sends", sendsOf, Align::Right,
     "A microbatch to the next stage and its gradients to the one before: forward_bytes, forward_seconds, "
     "backward_bytes, backward_seconds"},
    {"once_seconds", "once", [](const StageRow& row) { return secondsValue(row.stage().times.once); }, Align::Right,
     "s, of a stage after the last microbatch: sums of gradients"},
    {"cost", "cost", [](const StageRow& row) { return secondsValue(row.stage().answer->cost()); }},
    {"in_flight", "in flight", [](const StageRow& row) { return Value::whole(row.stage().inFlight); }, Align::Right,
     "Microbatches whose activations a stage holds at once"},
    {"memory", "memory", memoryOf},
    {"mesh", "mesh", meshOf, Align::Left},
    {"", "placed by", [](const StageRow& row) { return Value::text(row.stage().mapped().mesh.matrix.text()); },
     Align::Left},
};

/// As text the operators stage by stage, each layer of a stage once.
std::string operatorsTable(const PipelineAnswer& answer, bool folded) {
  StrategyProblem whole;
  for (const Operator& op : answer.graph().operators) whole.vertices.push_back({op.name, 0});
  for (const ComputationGraph::Edge& edge : answer.graph().edges) whole.edges.push_back({edge.from, edge.to, 0});
  std::vector<std::size_t> order;
  std::vector<std::vector<std::string>> cells(whole.vertices.size());
  const std::vector<std::size_t> stages = answer.stagesOfOperators();
  for (const PipelineStage& stage : answer.pipeline.stages) {
    for (std::size_t v = 0; v < stage.part.operators.size(); ++v) {
      order.push_back(stage.part.operators[v]);
      cells[order.back()] = {partsText(partsOf(stage, v)), cutText(operatorOf(stage, v), assignmentOf(stage, v))};
    }
  }
  const StrategyFolds folds(whole, &answer.graph(), folded);
  TextTable table({{"stage", Align::Right}, {"operator"}, {"parts"}, {"axes"}});
  for (const FoldedRow& row : folds.rows(
           order, [&](std::size_t vertex) { return cells[vertex]; }, stages)) {
    const std::string stage = std::to_string(stages[row.vertex] + 1);
    if (row.copies.empty()) {
      table.add({stage, whole.vertices[row.vertex].name, cells[row.vertex][0], cells[row.vertex][1]});
    } else {
      table.add({stage, row.copies, row.as});
    }
  }
  return "\n" + table.text();
}

}  // namespace

std::vector<AnswerKey> pipelineKeys() { return together({{kPipeline, kPlayedSeconds}, keysOf(kStageColumns)}); }

Document documentOf(const PipelineListing& listing) {
  const PipelineAnswer& answer = listing.answer;
  Document document;
  addHead(document, answer);
  addStrategy(document, answer);
  addPipeline(document, answer);
  addMemory(document, answer);
  document.line("not modelled: " + unmodelled(answer));
  addPricing(document, answer.input);
  addUnpriced(document, answer.input);
  addAssumedLine(document, answer.input.assumed());
  addNote(document, answer.input);
  document.line("");
  Table stages = tableOf<StageRow>(kStageColumns, answer.pipeline.stages.size(), [&answer](std::size_t row) {
    return StageRow{answer, row};
  });
  stages.layout = Layout::Lines;
  document.table("stages", std::move(stages));
  addBaselines(document, listing.baselines,
               {true, answer.pipeline.cost, answer.input.options.devices, answer.input.options.memory.zero});
  document.text([&answer, folded = listing.folded] { return operatorsTable(answer, folded); });
  return document;
}

}  // namespace p2::cli
