// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_pipeline.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

#include "app/cli/listing.h"
#include "app/cli/strategy_as_workload.h"
#include "app/cli/strategy_reservations.h"
#include "base/numbers.h"
#include "base/units.h"
#include "pipeline/pipeline_baseline.h"
#include "pipeline/pipeline_workload.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

/// "7.2 %"
std::string percentText(double share) {
  constexpr double kPercent = 100;
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.1f %%", kPercent * share);
  return text;
}

Result<void> checkRequest(const StrategyRequest& request, const StrategyQuestion& question) {
  if (!question.source) {
    return Error{request.file + " has cost tables, which do not say what a stage is; name a graph", "--stages"};
  }
  if (question.source->options.model != StrategyCostModel::Hierarchical) {
    return Error{"stages lie on the devices of a system; add --model hierarchical --system SYSTEM", "--stages"};
  }
  const auto refuse = [](bool given, const char* why, const char* option) -> Result<void> {
    if (given) return Error{std::string(why) + "; leave it out, or --stages", option};
    return {};
  };
  P2_TRY(refuse(request.solver && *request.solver != "exact", "the literal solver knows no stages", "--solver"));
  P2_TRY(refuse(request.best.has_value(), "one pipeline is found, not several", "--best"));
  P2_TRY(refuse(!request.pins.empty(), "pins hold on a mesh of all devices", "--pin"));
  P2_TRY(refuse(request.evaluate.has_value(), "a strategy file has one mesh of all devices", "--evaluate"));
  return refuse(request.output && !request.asWorkload, "a strategy file has one mesh of all devices", "--output");
}

Result<std::optional<std::int64_t>> stagesOf(const StrategyRequest& request) {
  if (*request.stages == "auto") return std::optional<std::int64_t>();
  auto stages = wholeNumber(*request.stages, "--stages", 1, kMostStrategyDevices);
  if (!stages.ok()) {
    return Error{"\"" + *request.stages + "\" is no number of stages; use a divisor of the devices, or auto",
                 "--stages"};
  }
  return std::optional(*stages);
}

/// A pipeline that was found, with what it was found for.
class Listing {
 public:
  Listing(const PricedGraph& source, const System& system, const Pipeline& pipeline,
          const std::vector<ComparedStrategy>& compared)
      : m_source(source),
        m_system(system),
        m_pipeline(pipeline),
        m_compared(compared),
        m_schedule(scheduleOf(pipeline.times(), pipeline.setting.microbatches)) {}

  void writeText(std::ostream& out, const StrategyQuestion& question) const;
  void writeJson(std::ostream& out) const;

 private:
  [[nodiscard]] std::string nameOfOperator(const PipelineStage& stage, std::size_t vertex) const {
    return m_source.graph.operators[stage.part.operators[vertex]].name;
  }
  [[nodiscard]] const AxisAssignment& assignmentOf(const PipelineStage& stage, std::size_t vertex) const {
    return stage.mapped().assignmentOf(vertex, stage.answer->strategy().choice[vertex]);
  }
  [[nodiscard]] const Configuration& partsOf(const PipelineStage& stage, std::size_t vertex) const {
    return stage.mapped().problem.domainOf(vertex).configurations[stage.answer->strategy().choice[vertex]];
  }
  /// The stage that needs most.
  [[nodiscard]] std::size_t fullest() const {
    const auto found = std::max_element(
        m_pipeline.stages.begin(), m_pipeline.stages.end(),
        [](const PipelineStage& a, const PipelineStage& b) { return a.memory.total() < b.memory.total(); });
    return static_cast<std::size_t>(found - m_pipeline.stages.begin());
  }
  [[nodiscard]] std::string headLines() const;
  [[nodiscard]] std::string stagesTable() const;
  [[nodiscard]] std::string operatorsTable() const;
  void writeStage(JsonWriter& json, std::size_t number) const;
  static void writeMemory(JsonWriter& json, const StepMemory& memory);

  const PricedGraph& m_source;
  const System& m_system;
  const Pipeline& m_pipeline;
  const std::vector<ComparedStrategy>& m_compared;
  std::optional<PipelineSchedule> m_schedule;
};

std::string Listing::headLines() const {
  const PipelineSetting& setting = m_pipeline.setting;
  std::string text = "cost " + formatSeconds(m_pipeline.cost);
  const bool all = m_source.graph.unpriced.empty();
  if (m_pipeline.optimal) {
    text += all ? ", optimal" : ", optimal for what is priced";
  } else {
    text += ", the cheapest found; none costs less than " + formatSeconds(m_pipeline.lowerBound) + ", a gap of " +
            percentText(1 - m_pipeline.lowerBound / m_pipeline.cost);
  }
  text += "\n" + counted(static_cast<std::uint64_t>(setting.stages), "stage") + " of " +
          counted(static_cast<std::uint64_t>(setting.options.devices), "device") + " (" +
          stageFactorsText(m_system, setting.factors) + "), the best of " + counted(m_pipeline.arrangements, "way") +
          " to deal the devices\n";
  text += std::to_string(setting.microbatches) + (setting.microbatches == 1 ? " microbatch in " : " microbatches in ") +
          counted(static_cast<std::uint64_t>(m_pipeline.slotCount()), "slot") + " of 1F1B: bubble " +
          percentText(m_pipeline.bubbleShare()) + " of them, " + formatSeconds(m_pipeline.bubbleSeconds()) + "\n";
  if (m_schedule) text += "played slot by slot " + formatSeconds(m_schedule->seconds) + "\n";
  const std::size_t most = fullest();
  const StepMemory& memory = m_pipeline.stages[most].memory;
  const Bytes limit = *m_source.options.deviceMemory;
  text += "memory " + formatBytes(memory.total()) + (limit > Bytes(0) ? " of " + formatBytes(limit) : "") +
          " a device of stage " + std::to_string(most + 1) + ": parameters " + formatBytes(memory.parameters) +
          ", gradients " + formatBytes(memory.gradients) + ", optimizer " + formatBytes(memory.optimizer) +
          ", activations " + formatBytes(memory.activations) + "\n";
  return text + "leaves out " + pipelineLeavesOut() + "; " + meshLeavesOut(isRouted(m_source.graph)) + "\n";
}

std::string Listing::stagesTable() const {
  TextTable table({{"stage", Align::Right},
                   {"operators"},
                   {"", Align::Right},
                   {"slot", Align::Right},
                   {"of it sends", Align::Right},
                   {"once", Align::Right},
                   {"cost", Align::Right},
                   {"in flight", Align::Right},
                   {"memory", Align::Right},
                   {"mesh"},
                   {"placed by"}});
  for (std::size_t i = 0; i < m_pipeline.stages.size(); ++i) {
    const PipelineStage& stage = m_pipeline.stages[i];
    const Mesh& mesh = stage.mapped().mesh;
    const std::size_t count = stage.part.operators.size();
    table.add({std::to_string(i + 1), nameOfOperator(stage, 0) + " … " + nameOfOperator(stage, count - 1),
               std::to_string(count), formatSeconds(stage.times.slot()),
               formatSeconds(stage.sends.forwardSeconds + stage.sends.backwardSeconds), formatSeconds(stage.times.once),
               formatSeconds(stage.answer->cost()), std::to_string(stage.inFlight), formatBytes(stage.memory.total()),
               meshText(mesh), mesh.matrix.text()});
  }
  return table.text();
}

std::string Listing::operatorsTable() const {
  TextTable table({{"stage", Align::Right}, {"operator"}, {"parts"}, {"axes"}});
  for (std::size_t i = 0; i < m_pipeline.stages.size(); ++i) {
    const PipelineStage& stage = m_pipeline.stages[i];
    for (std::size_t v = 0; v < stage.part.operators.size(); ++v) {
      std::string parts;
      std::string axes;
      const Operator& op = stage.part.graph.operators[v];
      for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
        parts += (d == 0 ? "" : " × ") + std::to_string(partsOf(stage, v)[d]);
        const MeshAxes on = assignmentOf(stage, v).axesOf(d);
        if (on != 0) axes += (axes.empty() ? "" : ", ") + meshAxesText(on) + " on " + op.dimensions[d].name;
      }
      table.add({std::to_string(i + 1), op.name, parts, axes});
    }
  }
  return table.text();
}

void Listing::writeText(std::ostream& out, const StrategyQuestion& question) const {
  out << (m_source.graph.name.empty() ? "" : m_source.graph.name + ": ")
      << counted(m_source.graph.operators.size(), "operator") << ", " << counted(m_source.graph.edges.size(), "edge")
      << ", " << counted(static_cast<std::uint64_t>(m_source.options.devices), "device") << '\n';
  out << headLines();
  out << reservationsText(m_source.graph);
  if (m_source.note) out << "note: " << *m_source.note << '\n';
  out << '\n' << stagesTable();
  if (!m_compared.empty()) writeCompared(out, question, m_compared, m_pipeline.cost);
  out << '\n' << operatorsTable();
}

void Listing::writeMemory(JsonWriter& json, const StepMemory& memory) {
  json.key("total").number(memory.total().value()).key("parameters").number(memory.parameters.value());
  json.key("gradients").number(memory.gradients.value()).key("optimizer").number(memory.optimizer.value());
  json.key("activations").number(memory.activations.value());
}

void Listing::writeStage(JsonWriter& json, std::size_t number) const {
  const PipelineStage& stage = m_pipeline.stages[number];
  const Mesh& mesh = stage.mapped().mesh;
  json.beginObject().key("operators").beginArray();
  for (std::size_t v = 0; v < stage.part.operators.size(); ++v) json.text(nameOfOperator(stage, v));
  json.end().key("devices");
  std::vector<std::int64_t> devices;
  for (std::int64_t device = 0; device < m_source.options.devices; ++device) {
    if (stageOf(m_system, m_pipeline.setting.factors, Device(device)) == static_cast<std::int64_t>(number)) {
      devices.push_back(device);
    }
  }
  json.wholes(devices);
  json.key("cost").number(stage.answer->cost()).key("slot_seconds").number(stage.times.slot());
  json.key("forward_seconds").number(stage.times.forward).key("backward_seconds").number(stage.times.backward);
  json.key("once_seconds").number(stage.times.once).key("in_flight").whole(stage.inFlight);
  json.key("sends").beginObject(JsonWriter::Layout::OneLine);
  json.key("forward_bytes").number(stage.sends.forward.value());
  json.key("forward_seconds").number(stage.sends.forwardSeconds);
  json.key("backward_bytes").number(stage.sends.backward.value());
  json.key("backward_seconds").number(stage.sends.backwardSeconds).end();
  json.key("memory").beginObject(JsonWriter::Layout::OneLine);
  writeMemory(json, stage.memory);
  json.end().key("mesh").beginObject().key("axes").beginArray();
  for (const Axis& axis : mesh.axes()) {
    json.beginObject(JsonWriter::Layout::OneLine).key("name").text(axis.name).key("size").whole(axis.size).end();
  }
  json.end().key("matrix");
  writeMatrix(json, mesh.matrix);
  json.end().end();
}

void Listing::writeJson(std::ostream& out) const {
  const PipelineSetting& setting = m_pipeline.setting;
  JsonWriter json(out);
  json.beginObject().key("name").text(m_source.graph.name).key("devices").whole(m_source.options.devices);
  writeOptimality(json, m_pipeline.optimal, &m_source.graph);
  if (!m_pipeline.optimal) {
    json.key("lower_bound").number(m_pipeline.lowerBound);
    json.key("gap").number(1 - m_pipeline.lowerBound / m_pipeline.cost);
  }
  json.key("cost").number(m_pipeline.cost).key("configuration").beginObject();
  for (const PipelineStage& stage : m_pipeline.stages) {
    for (std::size_t v = 0; v < stage.part.operators.size(); ++v) {
      json.key(nameOfOperator(stage, v)).whole(static_cast<std::int64_t>(stage.answer->strategy().choice[v]));
    }
  }
  json.end().key("parts").beginObject();
  for (const PipelineStage& stage : m_pipeline.stages) {
    for (std::size_t v = 0; v < stage.part.operators.size(); ++v) {
      json.key(nameOfOperator(stage, v)).wholes(partsOf(stage, v));
    }
  }
  json.end().key("axes").beginObject();
  for (const PipelineStage& stage : m_pipeline.stages) {
    for (std::size_t v = 0; v < stage.part.operators.size(); ++v) {
      json.key(nameOfOperator(stage, v)).beginArray(JsonWriter::Layout::OneLine);
      for (std::size_t d = 0; d < partsOf(stage, v).size(); ++d) {
        json.text(meshAxesText(assignmentOf(stage, v).axesOf(d)));
      }
      json.end();
    }
  }
  json.end().key("memory").beginObject(JsonWriter::Layout::OneLine);
  writeMemory(json, m_pipeline.stages[fullest()].memory);
  if (*m_source.options.deviceMemory > Bytes(0)) json.key("limit").number(m_source.options.deviceMemory->value());
  json.end().key("pipeline").beginObject();
  json.key("stages").whole(setting.stages).key("microbatches").whole(setting.microbatches);
  json.key("slots").whole(m_pipeline.slotCount()).key("bubble").number(m_pipeline.bubbleShare());
  json.key("bubble_seconds").number(m_pipeline.bubbleSeconds());
  if (m_schedule) json.key("played_seconds").number(m_schedule->seconds);
  json.key("factors").wholes(setting.factors);
  json.key("arrangements").whole(static_cast<std::int64_t>(m_pipeline.arrangements));
  json.key("leaves_out").text(pipelineLeavesOut() + "; " + meshLeavesOut(isRouted(m_source.graph))).end();
  json.key("stages").beginArray();
  for (std::size_t i = 0; i < m_pipeline.stages.size(); ++i) writeStage(json, i);
  json.end();
  if (m_source.note) json.key("note").text(*m_source.note);
  if (!m_compared.empty()) writeCompared(json, m_compared);
  json.end();
}

/// The split of the slowest stage, in all slots; sends are an exchange.
ComparedStrategy comparedWith(std::string name, const Pipeline& pipeline, const System& system) {
  const PipelineStage& slowest = pipeline.stages[pipeline.slowest()];
  ComparedStrategy compared;
  compared.name = std::move(name);
  compared.cost = pipeline.cost;
  compared.split = splitOf(slowest.mapping);
  compared.split->exchange +=
      static_cast<double>(pipeline.slotCount()) * (slowest.sends.forwardSeconds + slowest.sends.backwardSeconds);
  for (const PipelineStage& stage : pipeline.stages) {
    compared.memory = std::max(compared.memory.value_or(Bytes(0)), stage.memory.total());
  }
  compared.fits = pipeline.fits;
  compared.mesh = slowest.mapped().mesh.matrix.text();
  compared.stages = pipeline.setting.stages;
  compared.dealt = stageFactorsText(system, pipeline.setting.factors);
  return compared;
}

Result<std::vector<ComparedStrategy>> comparedPipelines(const StrategyQuestion& question, const PipelineChain& chain,
                                                        const System& system, PipelinePricer& pricer,
                                                        std::optional<std::int64_t> stages) {
  std::vector<ComparedStrategy> all;
  const GraphCostOptions& options = question.source->options;
  const auto add = [&](std::string name, const auto& found, auto pipelineIn) {
    if (found.ok()) {
      all.push_back(comparedWith(std::move(name), pipelineIn(*found), system));
    } else {
      ComparedStrategy none;
      none.name = std::move(name);
      none.reason = found.error().text();
      all.push_back(std::move(none));
    }
  };
  add("one stage", solvePipeline(chain, options, system, pricer, {1, {}}),
      [](const Pipeline& pipeline) { return pipeline; });
  for (const bool sequence : {false, true}) {
    add(sequence ? "Megatron TP + SP + PP" : "Megatron TP + PP",
        pipelineBaseline(chain, options, system, pricer, stages, sequence),
        [](const PipelineBaseline& baseline) { return baseline.pipeline; });
  }
  P2_TRY_ASSIGN(const auto others, comparedStrategies(question));
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

Result<void> writeWorkload(const StrategyRequest& request, const PipelineChain& chain, const Pipeline& pipeline,
                           std::ostream& out) {
  P2_TRY_ASSIGN(const auto source, workloadOf(chain, pipeline));
  return writeAsWorkload(source, request.output, out);
}

}  // namespace

Result<void> writePipeline(const StrategyRequest& request, const StrategyQuestion& question, std::ostream& out) {
  P2_TRY(checkRequest(request, question));
  const PricedGraph& source = *question.source;
  auto& prices = dynamic_cast<HierarchicalPrices&>(*source.pricer);
  SimulatedPipelinePricer pricer(prices);
  const PipelineChain chain(source.graph);
  PipelineRequest wanted;
  P2_TRY_ASSIGN(wanted.stages, stagesOf(request));
  P2_TRY_ASSIGN(wanted.solving, solveOptionsOf(request, {}));
  P2_TRY_ASSIGN(const auto pipeline, solvePipeline(chain, source.options, prices.system(), pricer, wanted));
  if (request.asWorkload) return writeWorkload(request, chain, pipeline, out);
  std::vector<ComparedStrategy> compared;
  if (request.compare) {
    P2_TRY_ASSIGN(compared, comparedPipelines(question, chain, prices.system(), pricer, wanted.stages));
  }
  const Listing listing(source, prices.system(), pipeline, compared);
  if (request.json) {
    listing.writeJson(out);
  } else {
    listing.writeText(out, question);
  }
  return {};
}

}  // namespace p2::cli
