// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_pipeline_listing.h"

#include <algorithm>
#include <cstdio>

#include "app/cli/listing.h"
#include "app/cli/strategy_folds.h"
#include "app/cli/strategy_pricing.h"
#include "app/cli/strategy_reservations.h"
#include "base/units.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

/// "7.2 %"; "less than 0.1 %" of what is something.
std::string percentText(double share) {
  constexpr double kPercent = 100;
  constexpr double kLeast = 0.001;
  if (share > 0 && share < kLeast) return "less than 0.1 %";
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.1f %%", kPercent * share);
  return text;
}

}  // namespace

std::string PipelineListing::headLines() const {
  const PipelineSetting& setting = m_pipeline.setting;
  std::string text = "cost " + formatSeconds(m_pipeline.cost);
  const bool all = m_source.graph.unpriced.empty();
  if (m_evaluated) {
    text += ", evaluated";
  } else if (m_pipeline.optimal) {
    text += all ? ", optimal" : ", optimal for what is priced";
  } else {
    text += ", the cheapest found; none costs less than " + formatSeconds(m_pipeline.lowerBound) + ", a gap of " +
            percentText(1 - m_pipeline.lowerBound / m_pipeline.cost);
  }
  text += "\n" + counted(static_cast<std::uint64_t>(setting.stages), "stage") + " of " +
          counted(static_cast<std::uint64_t>(setting.options.devices), "device") + " (" +
          stageFactorsText(m_system, setting.factors) + ")";
  if (!m_evaluated) text += ", the best of " + counted(m_pipeline.arrangements, "way") + " to deal the devices";
  text += "\n";
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
  return text + "leaves out " + pipelineLeavesOut() + "; " + meshLeavesOut(isRouted(m_source.graph)) + "\n" +
         pricingLine(m_source);
}

std::string PipelineListing::stagesTable() const {
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

std::string PipelineListing::operatorsTable() const {
  StrategyProblem whole;
  for (const Operator& op : m_source.graph.operators) whole.vertices.push_back({op.name, 0});
  for (const ComputationGraph::Edge& edge : m_source.graph.edges) whole.edges.push_back({edge.from, edge.to, 0});
  std::vector<std::size_t> order;
  std::vector<std::vector<std::string>> cells(whole.vertices.size());
  std::vector<std::size_t> stages(whole.vertices.size());
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
      order.push_back(stage.part.operators[v]);
      cells[order.back()] = {parts, axes};
      stages[order.back()] = i;
    }
  }
  const StrategyFolds folds(whole, &m_source.graph, m_folded);
  TextTable table({{"stage", Align::Right}, {"operator"}, {"parts"}, {"axes"}});
  for (const FoldedRow& row : folds.rows(
           order, [&](std::size_t vertex) { return cells[vertex]; }, stages)) {
    const auto& own = cells[row.vertex];
    const std::string stage = std::to_string(stages[row.vertex] + 1);
    if (row.copies.empty()) {
      table.add({stage, whole.vertices[row.vertex].name, own[0], own[1]});
    } else {
      table.add({stage, row.copies, row.as});
    }
  }
  return table.text();
}

void PipelineListing::writeText(std::ostream& out, const StrategyQuestion& question) const {
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

void PipelineListing::writeMemory(JsonWriter& json, const StepMemory& memory) {
  json.key("total").number(memory.total().value()).key("parameters").number(memory.parameters.value());
  json.key("gradients").number(memory.gradients.value()).key("optimizer").number(memory.optimizer.value());
  json.key("activations").number(memory.activations.value());
}

void PipelineListing::writeStage(JsonWriter& json, std::size_t number) const {
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

void PipelineListing::writeJson(std::ostream& out) const {
  const PipelineSetting& setting = m_pipeline.setting;
  JsonWriter json(out);
  json.beginObject().key("name").text(m_source.graph.name).key("devices").whole(m_source.options.devices);
  writeOptimality(json, m_pipeline.optimal, &m_source.graph);
  if (!m_pipeline.optimal && !m_evaluated) {
    json.key("lower_bound").number(m_pipeline.lowerBound);
    json.key("gap").number(1 - m_pipeline.lowerBound / m_pipeline.cost);
  }
  writePricing(json, m_source);
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

}  // namespace p2::cli
