// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/strategy_json.h"

#include <set>
#include <sstream>

#include "base/counted.h"
#include "text/json_stream.h"
#include "text/json_writer.h"

namespace p2::inline graphs {
namespace {

constexpr std::string_view kFormat = "strategy-tables";
constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kMostProblemDevices = std::int64_t{1} << 40;
constexpr std::int64_t kMostParts = std::int64_t{1} << 53;

constexpr const char* kNeedHeader = "a file of cost tables begins with \"format\": \"strategy-tables\", \"version\": 1";
constexpr const char* kNeedVertices = "vertices are a list of [name, domain]";
constexpr const char* kNeedDomains = "domains are a list of {\"configs\": [[parts, …], …], \"cost\": [number, …]}";
constexpr const char* kNeedTableEdges = "edges are a list of [vertex, vertex, table]";
constexpr const char* kNeedTables =
    "a table has a row for each configuration of its first vertex, all of the same length";
constexpr const char* kNeedBest = "best_index is one configuration per vertex";

class StrategyReader {
 public:
  StrategyReader(std::string text, std::stop_token stop) : m_in(std::move(text), std::move(stop)) {}

  Result<StrategyFile> read() {
    m_in.object(kNeedHeader, [this](std::string_view key) {
      m_seen.emplace(key);
      readMember(key);
    });
    m_in.finish();
    for (const char* key : {"format", "version", "vertices", "domains", "edges", "tables", "devices"}) {
      if (!m_seen.contains(key)) m_in.fail("the key \"" + std::string(key) + "\" is missing; " + needOf(key));
    }
    if (m_in.failed()) return m_in.problem();
    P2_TRY_ASSIGN(auto problem, validated(std::move(m_file.problem)));
    m_file.problem = std::move(problem);
    if (m_file.bestChoice) {
      P2_TRY(checkBest());
    }
    return std::move(m_file);
  }

 private:
  static std::string needOf(std::string_view key) {
    if (key == "vertices") return kNeedVertices;
    if (key == "domains") return kNeedDomains;
    if (key == "edges") return kNeedTableEdges;
    if (key == "tables") return kNeedTables;
    return key == "devices" ? "say for how many devices the costs are" : kNeedHeader;
  }

  void readMember(std::string_view key) {
    StrategyProblem& problem = m_file.problem;
    if (key == "format") {
      if (const std::string format = m_in.text(kNeedHeader); !m_in.failed() && format != kFormat) {
        m_in.fail("\"" + format + "\" is not a format that can be read here; it needs " + std::string(kFormat));
      }
    } else if (key == "version") {
      (void)m_in.whole(kVersion, kVersion, "this program reads version 1");
    } else if (key == "name") {
      problem.name = m_in.text("the name is a string");
    } else if (key == "devices") {
      problem.devices = m_in.whole(1, kMostProblemDevices, "use a number of devices, 1 or more");
    } else if (key == "vertices") {
      m_in.list(kNeedVertices, [this](std::size_t) { readVertex(); });
    } else if (key == "domains") {
      m_in.list(kNeedDomains, [this](std::size_t) { readDomain(); });
    } else if (key == "edges") {
      m_in.list(kNeedTableEdges, [this](std::size_t) { readEdge(); });
    } else if (key == "tables") {
      m_in.list(kNeedTables, [this](std::size_t) { readTable(); });
    } else if (key == "best_cost") {
      m_file.bestCost = m_in.number("best_cost is a number");
    } else if (key == "best_index") {
      std::vector<std::size_t>& choice = m_file.bestChoice.emplace();
      m_in.list(kNeedBest, [&](std::size_t) { choice.push_back(m_in.index(kNeedBest)); });
    }
  }

  void readVertex() {
    StrategyProblem::Vertex vertex;
    std::size_t count = 0;
    m_in.list(kNeedVertices, [&](std::size_t i) {
      count = i + 1;
      if (i == 0) vertex.name = m_in.text(kNeedVertices);
      if (i == 1) vertex.domain = m_in.index(kNeedVertices);
    });
    if (count != 2) m_in.fail(countedText(count, "item") + " for a vertex; " + kNeedVertices);
    m_file.problem.vertices.push_back(std::move(vertex));
  }

  void readDomain() {
    ConfigurationDomain domain;
    bool configurations = false;
    bool costs = false;
    m_in.object(kNeedDomains, [&](std::string_view key) {
      if (key == "configs") {
        configurations = true;
        m_in.list(kNeedDomains, [&](std::size_t) {
          Configuration& parts = domain.configurations.emplace_back();
          m_in.list(kNeedDomains, [&](std::size_t) {
            parts.push_back(m_in.whole(1, kMostParts, "a dimension is divided into 1 or more parts"));
          });
        });
      } else if (key == "cost") {
        costs = true;
        m_in.numbers(domain.costs, kNeedDomains);
      }
    });
    if (!configurations || !costs) {
      m_in.fail("the key \"" + std::string(configurations ? "cost" : "configs") + "\" is missing; " + kNeedDomains);
    }
    m_file.problem.domains.push_back(std::move(domain));
  }

  void readEdge() {
    std::vector<std::size_t> parts;
    m_in.list(kNeedTableEdges, [&](std::size_t) { parts.push_back(m_in.index(kNeedTableEdges)); });
    if (parts.size() != 3) return m_in.fail(countedText(parts.size(), "item") + " for an edge; " + kNeedTableEdges);
    m_file.problem.edges.push_back({parts[0], parts[1], parts[2]});
  }

  void readTable() {
    EdgeCosts table;
    m_costs.clear();
    m_in.list(kNeedTables, [&](std::size_t row) {
      const std::size_t before = m_costs.size();
      m_in.numbers(m_costs, kNeedTables);
      const std::size_t columns = m_costs.size() - before;
      if (row == 0) table.columns = columns;
      if (columns != table.columns) {
        m_in.fail(countedText(columns, "cost") + " in this row, " + std::to_string(table.columns) + " in the first; " +
                  kNeedTables);
      }
      table.rows = row + 1;
    });
    table.costs.assign(m_costs.begin(), m_costs.end());
    m_file.problem.tables.push_back(std::move(table));
  }

  Result<void> checkBest() const {
    const StrategyProblem& problem = m_file.problem;
    const std::vector<std::size_t>& choice = *m_file.bestChoice;
    if (choice.size() != problem.vertices.size()) {
      return jsonError(countedText(choice.size(), "configuration") + " for " +
                           countedText(problem.vertices.size(), "vertex", "vertices") + "; " + kNeedBest,
                       "/best_index");
    }
    for (std::size_t v = 0; v < choice.size(); ++v) {
      const std::size_t count = problem.domainOf(v).costs.size();
      if (choice[v] < count) continue;
      return jsonError("vertex " + std::to_string(v) + " has no configuration " + std::to_string(choice[v]) +
                           "; they count from 0 to " + std::to_string(count - 1),
                       "/best_index/" + std::to_string(v));
    }
    return {};
  }

  JsonStream m_in;
  std::set<std::string, std::less<>> m_seen;
  std::vector<double> m_costs;  // costs of the table being read: it grows once, for the largest
  StrategyFile m_file;
};

void writeDomains(JsonWriter& json, const StrategyProblem& problem) {
  json.key("domains").beginArray();
  for (const ConfigurationDomain& domain : problem.domains) {
    json.beginObject().key("configs").beginArray(JsonWriter::Layout::OneLine);
    for (const Configuration& parts : domain.configurations) json.wholes(parts);
    json.end().key("cost").beginArray(JsonWriter::Layout::OneLine);
    for (const double cost : domain.costs) json.number(cost);
    json.end().end();
  }
  json.end();
}

void writeTables(JsonWriter& json, const StrategyProblem& problem) {
  json.key("tables").beginArray();
  for (const EdgeCosts& table : problem.tables) {
    json.beginArray();
    for (std::size_t row = 0; row < table.rows; ++row) {
      json.beginArray(JsonWriter::Layout::OneLine);
      for (std::size_t column = 0; column < table.columns; ++column) json.number(table.at(row, column));
      json.end();
    }
    json.end();
  }
  json.end();
}

}  // namespace

Result<StrategyFile> strategyFileFromJson(std::string text, std::stop_token stop) {
  return StrategyReader(std::move(text), std::move(stop)).read();
}

Result<StrategyProblem> strategyProblemFromJson(std::string text, std::stop_token stop) {
  P2_TRY_ASSIGN(auto file, strategyFileFromJson(std::move(text), std::move(stop)));
  return std::move(file.problem);
}

std::string strategyFileToJson(const StrategyFile& file) {
  const StrategyProblem& problem = file.problem;
  std::ostringstream out;
  JsonWriter json(out);
  json.beginObject().key("format").text(kFormat).key("version").whole(kVersion);
  json.key("name").text(problem.name).key("devices").whole(problem.devices);
  json.key("vertices").beginArray();
  for (const StrategyProblem::Vertex& vertex : problem.vertices) {
    json.beginArray(JsonWriter::Layout::OneLine)
        .text(vertex.name)
        .whole(static_cast<std::int64_t>(vertex.domain))
        .end();
  }
  json.end();
  writeDomains(json, problem);
  json.key("edges").beginArray();
  for (const StrategyProblem::Edge& edge : problem.edges) {
    json.wholes({static_cast<std::int64_t>(edge.from), static_cast<std::int64_t>(edge.to),
                 static_cast<std::int64_t>(edge.table)});
  }
  json.end();
  writeTables(json, problem);
  if (file.bestCost) json.key("best_cost").number(*file.bestCost);
  if (file.bestChoice) json.key("best_index").wholes({file.bestChoice->begin(), file.bestChoice->end()});
  json.end();
  return std::move(out).str();
}

}  // namespace p2::inline graphs
