// SPDX-License-Identifier: GPL-3.0-or-later
#include <functional>
#include <numeric>
#include <sstream>

#include "base/numbers.h"
#include "exporters/exporters.h"
#include "mapping/strategy_step_json.h"
#include "text/csv.h"
#include "text/json_writer.h"

namespace p2::inline exporters {
namespace {

const Configuration& partsOf(const StrategyReport& report, std::size_t vertex) {
  return report.problem.domainOf(vertex).configurations[report.strategy.choice[vertex]];
}

double costOfVertex(const StrategyReport& report, std::size_t vertex) {
  return report.problem.domainOf(vertex).costs[report.strategy.choice[vertex]];
}

std::string dimensionName(const StrategyReport& report, std::size_t vertex, std::size_t dimension) {
  return report.graph ? report.graph->operators[vertex].dimensions[dimension].name : "d" + std::to_string(dimension);
}

/// By dimension the axes of the mesh that cut it.
void writeAxes(JsonWriter& json, const StrategyReport& report, std::size_t vertex) {
  const AxisAssignment& assignment = report.mapped->assignmentOf(vertex, report.strategy.choice[vertex]);
  json.key("axes").beginObject();
  for (std::size_t d = 0; d < partsOf(report, vertex).size(); ++d) {
    if (assignment.axesOf(d) != 0) json.key(dimensionName(report, vertex, d)).text(meshAxesText(assignment.axesOf(d)));
  }
  json.end();
}

void writeVertex(JsonWriter& json, const StrategyReport& report, std::size_t vertex) {
  const Configuration& parts = partsOf(report, vertex);
  json.beginObject(JsonWriter::Layout::OneLine);
  json.key("name").text(report.problem.vertices[vertex].name);
  json.key("index").whole(static_cast<std::int64_t>(report.strategy.choice[vertex]));
  json.key("parts").beginObject();
  for (std::size_t d = 0; d < parts.size(); ++d) json.key(dimensionName(report, vertex, d)).whole(parts[d]);
  json.end();
  if (report.mapped != nullptr) writeAxes(json, report, vertex);
  json.key("cost").number(costOfVertex(report, vertex)).end();
}

void writeEdge(JsonWriter& json, const StrategyReport& report, const StrategyProblem::Edge& edge) {
  const auto& choice = report.strategy.choice;
  json.beginObject(JsonWriter::Layout::OneLine);
  json.key("from").text(report.problem.vertices[edge.from].name);
  json.key("to").text(report.problem.vertices[edge.to].name);
  json.key("cost").number(report.problem.tables[edge.table].at(choice[edge.from], choice[edge.to])).end();
}

void writeWords(JsonWriter& json, const char* key, const std::vector<std::string>& words) {
  if (words.empty()) return;
  json.key(key).beginArray();
  for (const std::string& each : words) json.text(each);
  json.end();
}

}  // namespace

std::string strategyToJson(const StrategyReport& report) {
  std::ostringstream out;
  JsonWriter json(out);
  json.beginObject();
  json.key("format").text("p2-strategy").key("version").whole(1);
  json.key("name").text(report.problem.name).key("devices").whole(report.problem.devices);
  json.key("cost").number(report.strategy.cost);
  if (report.graph != nullptr) {
    writeWords(json, "unpriced", report.graph->unpriced);
    writeWords(json, "assumed", report.graph->assumed);
  }
  if (report.step) writeStrategyStep(json, *report.step);
  if (report.mapped != nullptr) {
    json.key("mesh").beginObject(JsonWriter::Layout::OneLine);
    json.key("matrix").raw(report.mapped->mesh.matrix.text()).end();
  }
  json.key("vertices").beginArray();
  for (std::size_t v = 0; v < report.problem.vertices.size(); ++v) writeVertex(json, report, v);
  json.end().key("edges").beginArray();
  for (const StrategyProblem::Edge& edge : report.problem.edges) writeEdge(json, report, edge);
  json.end().end();
  return out.str();
}

std::string strategyToCsv(const StrategyReport& report) {
  std::string text = "vertex,configuration,devices,cost\n";
  for (std::size_t v = 0; v < report.problem.vertices.size(); ++v) {
    const Configuration& parts = partsOf(report, v);
    std::string split;
    for (std::size_t d = 0; d < parts.size(); ++d) {
      split += (d == 0 ? "" : " ") + dimensionName(report, v, d) + "=" + std::to_string(parts[d]);
    }
    const std::int64_t devices = std::accumulate(parts.begin(), parts.end(), std::int64_t{1}, std::multiplies<>());
    text += csvCell(report.problem.vertices[v].name) + "," + csvCell(split) + "," + std::to_string(devices) + "," +
            exactNumber(costOfVertex(report, v)) + "\n";
  }
  if (report.graph == nullptr) return text;
  for (const std::string& each : report.graph->unpriced) text += "not priced," + csvCell(each) + ",,\n";
  for (const std::string& each : report.graph->assumed) text += "assumed," + csvCell(each) + ",,\n";
  return text;
}

}  // namespace p2::inline exporters
