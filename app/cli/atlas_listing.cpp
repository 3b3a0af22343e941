// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/atlas_listing.h"

#include <algorithm>
#include <array>
#include <optional>

#include "app/cli/answer_keys.h"
#include "atlas/predictions.h"
#include "base/units.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kMedianError{"median_error",
                                 "Share by which predictions are off, by bands of sizes: below_64KiB, to_4MiB, "
                                 "above_4MiB; of training steps one share of all rows"};

using Align = TextTable::Align;
using TablePointer = const AtlasTable*;

/// A table as JSON and CSV have it, without its rows.
constexpr Column<TablePointer> kTableColumns[] = {
    {"table", "", [](const TablePointer& t) { return Value::textOrNull(t->name); }},
    {"machine", "", [](const TablePointer& t) { return Value::textOrNull(t->machine()); }},
    {"gpu", "", [](const TablePointer& t) { return Value::textOrNull(t->gpu); }},
    {"gpus_per_node", "", [](const TablePointer& t) { return Value::whole(t->gpusPerNode); }, Align::Right,
     "GPUs used of every node"},
    {"nodes", "", [](const TablePointer& t) { return Value::whole(t->nodes); }},
    {"nics", "", [](const TablePointer& t) { return t->nics > 0 ? Value::whole(t->nics) : Value::null(); },
     Align::Right, "Network cards of a node; null where unknown"},
    {"nic_bandwidth", "",
     [](const TablePointer& t) { return t->nicBandwidth > 0 ? Value::number(t->nicBandwidth) : Value::null(); },
     Align::Right, "bytes/s of one network card; null where unknown"},
    {"fabric", "", [](const TablePointer& t) { return Value::textOrNull(t->fabric); }, Align::Right,
     "The network between nodes"},
    {"nvlink", "", [](const TablePointer& t) { return Value::textOrNull(t->nvlink); }},
    {"version", "", [](const TablePointer& t) { return Value::textOrNull(t->version); }, Align::Right,
     "Version of the library; null where unknown"},
    {"algorithm", "", [](const TablePointer& t) { return Value::textOrNull(t->algorithm); }},
    {"protocol", "", [](const TablePointer& t) { return Value::textOrNull(t->protocol); }},
    {"nvls", "", [](const TablePointer& t) { return Value::textOrNull(t->nvls); }, Align::Right,
     "Whether NVSwitches reduced; null where unknown"},
    {"sharp", "", [](const TablePointer& t) { return Value::textOrNull(t->sharp); }, Align::Right,
     "Whether switches reduced; null where unknown"},
    {"collective", "", [](const TablePointer& t) { return Value::textOrNull(t->collective); }},
    {"healthy", "", [](const TablePointer& t) { return Value::textOrNull(t->healthy); }, Align::Right,
     "yes, or the reason why the machine was not in working order"},
    {"note", "", [](const TablePointer& t) { return Value::textOrNull(t->note); }},
    {"source", "", [](const TablePointer& t) { return Value::textOrNull(t->source); }},
};

/// A measured time and the predicted one.
struct AtlasLine {
  const AtlasTable& table;
  const AtlasRow& row;
  std::optional<double> predicted;  ///< seconds; none where the model knows nothing or no time was measured
};

Value errorOf(const AtlasLine& line) {
  if (!line.predicted) return Value::null();
  const double error = *line.predicted / line.row.seconds - 1;
  return Value::number(error).shownAs(formatSignedPercent(error));
}

Value inPlace(const AtlasLine& line) { return Value::flag(line.row.inPlace); }

constexpr Column<AtlasLine> kRowColumns[] = {
    {"in_place", "", inPlace, Align::Right, "Whether the collective ran in place"},
    {"bytes", "size", [](const AtlasLine& line) { return Value::number(line.row.bytes, Unit::Bytes); }},
    {"seconds", "time", [](const AtlasLine& line) { return Value::number(line.row.seconds, Unit::Seconds); }},
    {"bus_bandwidth", "bus bandwidth",
     [](const AtlasLine& line) { return Value::number(line.row.busBandwidth, Unit::BytesPerSecond); }, Align::Right,
     "bytes/s, as nccl-tests define it"},
    {"predicted_seconds", "predicted",
     [](const AtlasLine& line) { return Value::number(line.predicted, Unit::Seconds); }, Align::Right,
     "s, by the nccl model; null where it has no figures"},
    {"error", "error", errorOf},
    {"", "in place", inPlace, Align::Left},
};

constexpr Column<AtlasLine> kOriginColumns[] = {
    {"table", "", [](const AtlasLine& line) { return Value::text(line.table.name); }},
    {"collective", "", [](const AtlasLine& line) { return Value::text(line.table.collective); }},
};

constexpr std::array<const char*, kSizeBands> kBandKeys{"below_64KiB", "to_4MiB", "above_4MiB"};
constexpr std::array<const char*, kSizeBands> kBandTitles{"below 64 KiB", "to 4 MiB", "above"};

/// The nccl model's prediction of a table; none for a machine or collective that it does not know.
std::optional<TablePrediction> predictionFor(const AtlasTable& table) {
  auto prediction = predictionOf(table);
  if (!prediction.ok()) return std::nullopt;
  return std::move(prediction).value();
}

AtlasLine lineOf(const AtlasTable& table, const std::optional<TablePrediction>& prediction, std::size_t row) {
  AtlasLine line{table, table.rows[row], std::nullopt};
  if (!prediction || line.row.seconds <= 0) return line;
  const auto found = prediction->seconds.find(line.row.bytes);
  if (found != prediction->seconds.end()) line.predicted = found->second;
  return line;
}

/// "2 × 8": nodes and the GPUs used of each.
std::string measuredShape(const AtlasTable& table) {
  return std::to_string(table.nodes) + " × " + std::to_string(table.gpusPerNode);
}

/// "all_reduce on 2 × 8 A100-SXM4-40GB, 4 NICs of 25.0 GB/s, IB HDR, library 2.8.4, Ring, Simple".
std::string measuredTitleOf(const AtlasTable& table) {
  std::string text = table.collective + " on " + measuredShape(table) + " " + table.gpu;
  if (table.nodes > 1 && table.nics > 0) {
    text += ", " + std::to_string(table.nics) + (table.nics == 1 ? " NIC" : " NICs");
    if (table.nicBandwidth > 0) text += " of " + formatBandwidth(table.nicBandwidth);
  }
  if (table.nodes > 1) text += ", " + table.fabric;
  if (!table.version.empty()) text += ", library " + table.version;
  if (!table.algorithm.empty()) text += ", " + table.algorithm;
  if (!table.protocol.empty()) text += ", " + table.protocol;
  return text;
}

/// "median error of the nccl model: below 64 KiB 12 %, to 4 MiB 8 %, above 5 %".
std::string errorText(const TablePrediction& prediction) {
  std::string text;
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    if (!prediction.medianError[band]) continue;
    text += (text.empty() ? "" : ", ") + std::string(kBandTitles[band]) + " " +
            formatPercent(*prediction.medianError[band]);
  }
  return "median error of the nccl model: " + (text.empty() ? "unknown" : text);
}

/// {"below_64KiB": 0.12, …}: null for a band without rows.
Value medianErrors(const std::optional<TablePrediction>& prediction) {
  Document bands;
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    bands.field(kBandKeys[band], Value::number(prediction ? prediction->medianError[band] : std::nullopt));
  }
  return Value::object(std::move(bands));
}

/// One table with its rows, as text and JSON.
Document tableAnswer(const AtlasTable& table, bool isFirst) {
  const auto prediction = predictionFor(table);
  Document answer;
  for (const Column<TablePointer>& column : kTableColumns)
    answer.field({column.key, column.help}, column.value(&table));
  if (!isFirst) answer.line("");
  answer.line(table.name + ": " + measuredTitleOf(table));
  if (!table.note.empty()) answer.line("  " + table.note);
  if (table.healthy != "yes") answer.line("  in working order: " + table.healthy);
  answer.line("  " + table.source);
  answer.field(kMedianError, medianErrors(prediction));
  Table rows = tableOf<AtlasLine>(kRowColumns, table.rows.size(),
                                  [&table, prediction](std::size_t row) { return lineOf(table, prediction, row); });
  rows.indent = 2;
  if (!prediction) rows.hide({"predicted_seconds", "error"});
  answer.table("rows", std::move(rows));
  if (prediction) answer.line("  " + errorText(*prediction));
  return answer;
}

void addOnce(std::string& list, const std::string& word) {
  if ((", " + list + ",").find(", " + word + ",") == std::string::npos) list += (list.empty() ? "" : ", ") + word;
}

/// All tables of one machine and GPU, as a line of the list.
struct MachineLine {
  std::string machine;
  std::string gpus = {};
  std::string shapes = {};
  std::string collectives = {};
  double least = 0;  ///< bytes
  double most = 0;
  std::int64_t tables = 0;
  std::string source = {};  ///< source of the first table
};

void add(MachineLine& line, const AtlasTable& table) {
  if (line.tables++ == 0) {
    line.least = table.rows.front().bytes;
    line.source = table.source;
  }
  addOnce(line.gpus, table.gpu);
  addOnce(line.shapes, measuredShape(table));
  addOnce(line.collectives, table.collective);
  for (const AtlasRow& row : table.rows) {
    line.least = std::min(line.least, row.bytes);
    line.most = std::max(line.most, row.bytes);
  }
}

constexpr Column<MachineLine> kMachineColumns[] = {
    {"", "machine", [](const MachineLine& line) { return Value::text(line.machine); }, Align::Left},
    {"", "GPU", [](const MachineLine& line) { return Value::text(line.gpus); }, Align::Left},
    {"", "nodes × GPUs", [](const MachineLine& line) { return Value::text(line.shapes); }, Align::Left},
    {"", "collectives", [](const MachineLine& line) { return Value::text(line.collectives); }, Align::Left},
    {"", "sizes",
     [](const MachineLine& line) {
       return Value::text(formatBytes(Bytes(line.least)) + " to " + formatBytes(Bytes(line.most)));
     },
     Align::Left},
    {"", "tables", [](const MachineLine& line) { return Value::whole(line.tables); }},
    {"", "source (of the first)", [](const MachineLine& line) { return Value::text(line.source); }, Align::Left},
};

std::string machinesText(const std::vector<TablePointer>& tables) {
  std::vector<MachineLine> machines;
  for (const AtlasTable* table : tables) {
    const std::string name = table->machine();
    auto found = std::find_if(machines.begin(), machines.end(), [&](const auto& each) { return each.machine == name; });
    if (found == machines.end()) found = machines.insert(found, MachineLine{name});
    add(*found, *table);
  }
  return tableOver<MachineLine>(kMachineColumns, machines).text();
}

/// Every row of all tables, for CSV.
Table allRows(const std::vector<TablePointer>& tables) {
  std::vector<Column<AtlasLine>> columns(std::begin(kOriginColumns), std::end(kOriginColumns));
  columns.insert(columns.end(), std::begin(kRowColumns), std::end(kRowColumns));
  std::vector<AtlasLine> lines;
  for (const AtlasTable* table : tables) {
    const auto prediction = predictionFor(*table);
    for (std::size_t row = 0; row < table->rows.size(); ++row) lines.push_back(lineOf(*table, prediction, row));
  }
  Table table;
  for (const Column<AtlasLine>& column : columns) table.heads.push_back({std::string(column.key), "", {}, column.help});
  table.count = lines.size();
  table.at = [columns, lines = std::move(lines)](std::size_t row, std::size_t column) {
    return columns[column].value(lines[row]);
  };
  return table;
}

}  // namespace

std::vector<AnswerKey> atlasKeys() { return together({{kMedianError}, keysOf(kTableColumns), keysOf(kRowColumns)}); }

Document atlasListAnswer(std::vector<const AtlasTable*> tables) {
  const auto shared = std::make_shared<const std::vector<TablePointer>>(std::move(tables));
  Document answer;
  answer.text([shared] { return machinesText(*shared); });
  Table table = tableOf<TablePointer>(kTableColumns, shared->size(), [shared](std::size_t i) { return (*shared)[i]; });
  table.layout = Value::Layout::Lines;
  answer.table("tables", std::move(table));
  return answer;
}

Document atlasTablesAnswer(std::vector<const AtlasTable*> tables) {
  const auto shared = std::make_shared<const std::vector<TablePointer>>(std::move(tables));
  Document answer;
  answer.list("tables", shared->size(), [shared](std::size_t i) { return tableAnswer(*(*shared)[i], i == 0); });
  answer.csv([shared] { return allRows(*shared); });
  return answer;
}

}  // namespace p2::cli
