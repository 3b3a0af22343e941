// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pipeline_plan.h"

#include <algorithm>
#include <sstream>

#include "base/counted.h"
#include "exporters/exporters.h"
#include "mapping/gradient_buckets.h"
#include "mapping/strategy_step_json.h"
#include "pipeline/detail/stage_solver.h"
#include "text/json_writer.h"

namespace p2::inline pipeline {
namespace {

void writeWords(JsonWriter& json, const char* key, const std::vector<std::string>& words) {
  if (words.empty()) return;
  json.key(key).beginArray();
  for (const std::string& each : words) json.text(each);
  json.end();
}

void writeVertices(JsonWriter& json, const PipelineStage& stage) {
  const StrategyProblem& problem = stage.mapped().problem;
  for (std::size_t v = 0; v < stage.part.operators.size(); ++v) {
    const Operator& op = stage.part.graph.operators[v];
    const std::size_t choice = stage.answer->strategy().choice[v];
    const Configuration& parts = problem.domainOf(v).configurations[choice];
    const AxisAssignment& assignment = stage.mapped().assignmentOf(v, choice);
    json.beginObject(JsonWriter::Layout::OneLine).key("name").text(op.name);
    json.key("index").whole(static_cast<std::int64_t>(choice)).key("parts").beginObject();
    for (std::size_t d = 0; d < parts.size(); ++d) json.key(op.dimensions[d].name).whole(parts[d]);
    json.end().key("axes").beginObject();
    for (std::size_t d = 0; d < parts.size(); ++d) {
      if (assignment.axesOf(d) != 0) json.key(op.dimensions[d].name).text(meshAxesText(assignment.axesOf(d)));
    }
    json.end().key("cost").number(problem.domainOf(v).costs[choice]).end();
  }
}

/// Those within the stage.
void writeEdges(JsonWriter& json, const PipelineStage& stage) {
  const StrategyProblem& problem = stage.mapped().problem;
  const std::vector<std::size_t>& choice = stage.answer->strategy().choice;
  for (const StrategyProblem::Edge& edge : problem.edges) {
    if (stage.part.isEnd(edge.from) || stage.part.isEnd(edge.to)) continue;
    json.beginObject(JsonWriter::Layout::OneLine).key("from").text(problem.vertices[edge.from].name);
    json.key("to").text(problem.vertices[edge.to].name);
    json.key("cost").number(problem.tables[edge.table].at(choice[edge.from], choice[edge.to])).end();
  }
}

Result<void> checkFactors(const System& system, const StrategyPlan& plan) {
  const std::string pointer = "/pipeline/factors";
  if (plan.factors.size() != system.levels.size()) {
    return Error{"the system has " + countedText(system.levels.size(), "level") + ", not " +
                     std::to_string(plan.factors.size()) + "; give the number of parts of each",
                 pointer};
  }
  for (std::size_t level = 0; level < plan.factors.size(); ++level) {
    if (system.levels[level].count % plan.factors[level] == 0) continue;
    return Error{countedText(plan.factors[level], "part") + " cannot share the " +
                     countedText(system.levels[level].count, "instance") + " of " + system.levels[level].name +
                     " evenly; use a divisor",
                 pointer + "/" + std::to_string(level)};
  }
  if (static_cast<std::uint64_t>(stageCount(plan.factors)) == plan.stages.size()) return {};
  return Error{"the devices are assigned to " + countedText(stageCount(plan.factors), "stage") + ", and " +
                   countedText(plan.stages.size(), "stage") + " are listed; make both say the same",
               pointer};
}

/// stages + 1 numbers of pieces.
Result<std::vector<std::size_t>> cutsOf(const PipelineChain& chain, const StrategyPlan& plan) {
  std::vector<std::size_t> stageOfOperator(chain.graph().operators.size());
  for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
    for (const std::size_t op : plan.stages[stage].operators) stageOfOperator[op] = stage;
  }
  std::vector<std::size_t> cuts{0};
  for (std::size_t piece = 0; piece < chain.pieces(); ++piece) {
    const std::vector<std::size_t> operators = chain.stageOf(piece, piece + 1).operators;
    const std::size_t stage = stageOfOperator[operators.front()];
    const auto other =
        std::find_if(operators.begin(), operators.end(), [&](std::size_t op) { return stageOfOperator[op] != stage; });
    if (other != operators.end()) {
      return Error{"\"" + chain.graph().operators[operators.front()].name + "\" and \"" +
                       chain.graph().operators[*other].name +
                       "\" are in two stages, and more than one tensor passes between them; put them into one",
                   "/stages"};
    }
    if (stage == cuts.size()) cuts.push_back(piece);
    if (stage + 1 != cuts.size()) {
      return Error{"\"" + chain.graph().operators[operators.front()].name + "\" is in stage " +
                       std::to_string(stage + 1) + " and comes after operators of stage " +
                       std::to_string(cuts.size()) + "; list the stages in the order in which tensors pass",
                   "/stages"};
    }
  }
  cuts.push_back(chain.pieces());
  return cuts;
}

Result<std::shared_ptr<const StageAnswer>> answerOf(const StageGraph& part, const PipelineSetting& setting,
                                                    PipelinePricer& pricer, const StrategyPlan& plan,
                                                    std::size_t number, const std::stop_token& stop) {
  StageRequest request;
  request.inFlight = inFlight(static_cast<std::int64_t>(number), setting.stages, setting.microbatches);
  request.meshes = {plan.stages[number].mesh};
  request.limits.pins.resize(part.graph.operators.size());
  for (std::size_t v = 0; v < part.operators.size(); ++v) request.limits.pins[v] = plan.pins[part.operators[v]];
  P2_TRY_ASSIGN(auto found, solveStage(part, setting, pricer, request, stop));
  if (found.answer) return std::move(found.answer);
  return Error{"stage " + std::to_string(number + 1) +
                   " has an operator without such a configuration in this space; allow others with another space or "
                   "cutoff",
               "/stages/" + std::to_string(number)};
}

}  // namespace

std::string pipelineToJson(const ComputationGraph& graph, const Pipeline& pipeline) {
  StrategyStep step = strategyStepOf(graph, pipeline.setting.options);
  step.microbatches = pipeline.setting.microbatches;
  if (pipeline.stages.size() == 1) {
    const PipelineStage& whole = pipeline.stages.front();
    return strategyToJson({whole.mapped().problem, &graph, whole.answer->strategy(), &whole.mapped(), step});
  }
  constexpr int kVersionWithStages = 2;
  std::ostringstream out;
  JsonWriter json(out);
  json.beginObject().key("format").text("p2-strategy").key("version").whole(kVersionWithStages);
  json.key("name").text(graph.name);
  json.key("devices").whole(pipeline.setting.stages * pipeline.setting.options.devices);
  json.key("cost").number(pipeline.cost);
  writeWords(json, "unpriced", graph.unpriced);
  writeWords(json, "assumed", graph.assumed);
  json.key("pipeline").beginObject(JsonWriter::Layout::OneLine).key("factors").wholes(pipeline.setting.factors);
  json.key("microbatches").whole(pipeline.setting.microbatches).end();
  writeStrategyStep(json, step);
  json.key("stages").beginArray();
  for (const PipelineStage& stage : pipeline.stages) {
    json.beginObject().key("operators").beginArray();
    for (const std::size_t op : stage.part.operators) json.text(graph.operators[op].name);
    json.end().key("mesh").beginObject(JsonWriter::Layout::OneLine);
    json.key("matrix").raw(stage.mapped().mesh.matrix.text()).end();
    json.key("cost").number(stage.answer->cost()).end();
  }
  json.end().key("vertices").beginArray();
  for (const PipelineStage& stage : pipeline.stages) writeVertices(json, stage);
  json.end().key("edges").beginArray();
  for (const PipelineStage& stage : pipeline.stages) writeEdges(json, stage);
  json.end().end();
  return out.str();
}

Result<Pipeline> pipelineOfPlan(const PipelineChain& chain, GraphCostOptions options, const System& system,
                                PipelinePricer& pricer, const StrategyPlan& plan, std::stop_token stop) {
  P2_TRY(checkGraphCostOptions(options));
  P2_TRY(checkFactors(system, plan));
  P2_TRY_ASSIGN(const auto cuts, cutsOf(chain, plan));
  const Bytes limit = options.deviceMemory.value_or(Bytes(0));
  options.deviceMemory = Bytes(0);
  options = withBucketsOf(chain.graph(), std::move(options));
  Pipeline pipeline{.setting = PipelineSetting(system, options, plan.factors)};
  const System devices = stageSystem(system, plan.factors);
  for (std::size_t number = 0; number < plan.stages.size(); ++number) {
    const Mesh& mesh = plan.stages[number].mesh;
    P2_TRY(checkMatrix(devices, mesh.axes(), mesh.matrix).within("stage " + std::to_string(number + 1)));
    P2_TRY_ASSIGN(auto answer, answerOf(chain.stageOf(cuts[number], cuts[number + 1]), pipeline.setting, pricer, plan,
                                        number, stop));
    P2_TRY_ASSIGN(auto stage, stageOfCuts(chain, pipeline.setting, pricer, cuts, number, std::move(answer)));
    pipeline.fits = pipeline.fits && (limit == Bytes(0) || stage.memory.total() <= limit);
    pipeline.stages.push_back(std::move(stage));
  }
  pipeline.cost = playedSeconds(pipeline.times(), pipeline.setting.microbatches);
  pipeline.lowerBound = pipeline.cost;
  pipeline.arrangements = 1;
  return pipeline;
}

}  // namespace p2::inline pipeline
