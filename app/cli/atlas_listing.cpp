// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/atlas_listing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "atlas/predictions.h"
#include "base/numbers.h"
#include "base/units.h"
#include "text/csv.h"
#include "text/json_writer.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;
using Layout = JsonWriter::Layout;

/// A figure of a row: how it is called in files and in text, what it is, and how people read it.
struct RowColumn {
  const char* key;
  const char* title;
  double (*value)(const AtlasRow& row);
  std::string (*text)(double value);
};

constexpr RowColumn kRowColumns[] = {
    {"bytes", "size", [](const AtlasRow& row) { return row.bytes; },
     [](double bytes) { return formatBytes(Bytes(bytes)); }},
    {"seconds", "time", [](const AtlasRow& row) { return row.seconds; }, [](double s) { return formatSeconds(s); }},
    {"bus_bandwidth", "bus bandwidth", [](const AtlasRow& row) { return row.busBandwidth; },
     [](double bandwidth) { return formatBandwidth(bandwidth); }},
};

/// What is known of a table: how it is called in files, and its value.
struct TableColumn {
  const char* key;
  std::string (*text)(const AtlasTable& table);
  bool isNumber = false;
};

const TableColumn kTableColumns[] = {
    {"table", [](const AtlasTable& t) { return t.name; }},
    {"machine", [](const AtlasTable& t) { return t.machine(); }},
    {"gpu", [](const AtlasTable& t) { return t.gpu; }},
    {"gpus_per_node", [](const AtlasTable& t) { return std::to_string(t.gpusPerNode); }, true},
    {"nodes", [](const AtlasTable& t) { return std::to_string(t.nodes); }, true},
    {"nics", [](const AtlasTable& t) { return t.nics > 0 ? std::to_string(t.nics) : ""; }, true},
    {"nic_bandwidth", [](const AtlasTable& t) { return t.nicBandwidth > 0 ? exactNumber(t.nicBandwidth) : ""; }, true},
    {"fabric", [](const AtlasTable& t) { return t.fabric; }},
    {"nvlink", [](const AtlasTable& t) { return t.nvlink; }},
    {"version", [](const AtlasTable& t) { return t.version; }},
    {"algorithm", [](const AtlasTable& t) { return t.algorithm; }},
    {"protocol", [](const AtlasTable& t) { return t.protocol; }},
    {"nvls", [](const AtlasTable& t) { return t.nvls; }},
    {"sharp", [](const AtlasTable& t) { return t.sharp; }},
    {"collective", [](const AtlasTable& t) { return t.collective; }},
    {"healthy", [](const AtlasTable& t) { return t.healthy; }},
    {"note", [](const AtlasTable& t) { return t.note; }},
    {"source", [](const AtlasTable& t) { return t.source; }},
};

constexpr std::array<const char*, kSizeBands> kBandKeys{"below_64KiB", "to_4MiB", "above_4MiB"};
constexpr std::array<const char*, kSizeBands> kBandTitles{"below 64 KiB", "to 4 MiB", "above"};

/// What the nccl model says of a table; nothing of one whose machine or collective it does not know.
std::optional<TablePrediction> predictionFor(const AtlasTable& table) {
  auto prediction = predictionOf(table);
  if (!prediction.ok()) return std::nullopt;
  return std::move(prediction).value();
}

/// Nothing for a row that is not predicted, or has no time to hold against.
std::optional<double> predictedFor(const std::optional<TablePrediction>& prediction, const AtlasRow& row) {
  if (!prediction || row.seconds <= 0) return std::nullopt;
  const auto found = prediction->seconds.find(row.bytes);
  return found == prediction->seconds.end() ? std::nullopt : std::optional(found->second);
}

double errorOf(double predicted, const AtlasRow& row) { return predicted / row.seconds - 1; }

/// "+12 %": predicted over measured.
std::string percentText(double share, bool withSign) {
  const auto percent = std::lround(100 * share);
  return (withSign && percent > 0 ? "+" : percent < 0 ? "−" : "") + std::to_string(std::abs(percent)) + " %";
}

void writeNumber(JsonWriter& json, const char* key, const std::optional<double>& value) {
  json.key(key);
  if (value) {
    json.number(*value);
  } else {
    json.null();
  }
}

void writeRow(JsonWriter& json, const AtlasRow& row, const std::optional<TablePrediction>& prediction) {
  json.beginObject(Layout::OneLine).key("in_place").boolean(row.inPlace);
  for (const RowColumn& column : kRowColumns) json.key(column.key).number(column.value(row));
  const auto predicted = predictedFor(prediction, row);
  writeNumber(json, "predicted_seconds", predicted);
  writeNumber(json, "error", predicted ? std::optional(errorOf(*predicted, row)) : std::nullopt);
  json.end();
}

void writeRows(JsonWriter& json, const AtlasTable& table) {
  const auto prediction = predictionFor(table);
  json.key("median_error").beginObject(Layout::OneLine);
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    writeNumber(json, kBandKeys[band], prediction ? prediction->medianError[band] : std::nullopt);
  }
  json.end().key("rows").beginArray();
  for (const AtlasRow& row : table.rows) writeRow(json, row, prediction);
  json.end();
}

void writeTable(JsonWriter& json, const AtlasTable& table, bool withRows) {
  json.beginObject();
  for (const TableColumn& column : kTableColumns) {
    const std::string text = column.text(table);
    json.key(column.key);
    if (text.empty()) {
      json.null();
    } else if (column.isNumber) {
      json.raw(text);
    } else {
      json.text(text);
    }
  }
  if (withRows) writeRows(json, table);
  json.end();
}

void writeJson(std::ostream& out, const std::vector<const AtlasTable*>& tables, bool withRows) {
  JsonWriter json(out);
  json.beginObject().key("tables").beginArray();
  for (const AtlasTable* table : tables) writeTable(json, *table, withRows);
  json.end().end();
}

void writeListCsv(std::ostream& out, const std::vector<const AtlasTable*>& tables) {
  std::string line;
  for (const TableColumn& column : kTableColumns) line += (line.empty() ? "" : ",") + std::string(column.key);
  out << line << '\n';
  for (const AtlasTable* table : tables) {
    const char* separator = "";
    for (const TableColumn& column : kTableColumns) {
      out << separator << csvCell(column.text(*table));
      separator = ",";
    }
    out << '\n';
  }
}

void writeRowsCsv(std::ostream& out, const std::vector<const AtlasTable*>& tables) {
  out << "table,collective,in_place";
  for (const RowColumn& column : kRowColumns) out << ',' << column.key;
  out << ",predicted_seconds,error\n";
  for (const AtlasTable* table : tables) {
    const auto prediction = predictionFor(*table);
    for (const AtlasRow& row : table->rows) {
      out << csvCell(table->name) << ',' << csvCell(table->collective) << ',' << (row.inPlace ? "yes" : "no");
      for (const RowColumn& column : kRowColumns) out << ',' << exactNumber(column.value(row));
      const auto predicted = predictedFor(prediction, row);
      out << ',' << (predicted ? exactNumber(*predicted) + "," + exactNumber(errorOf(*predicted, row)) : ",") << '\n';
    }
  }
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
            percentText(*prediction.medianError[band], false);
  }
  return "median error of the nccl model: " + (text.empty() ? "none can be told" : text);
}

void writeTableText(std::ostream& out, const AtlasTable& table) {
  out << table.name << ": " << measuredTitleOf(table) << '\n';
  if (!table.note.empty()) out << "  " << table.note << '\n';
  if (table.healthy != "yes") out << "  whether it was in order: " << table.healthy << '\n';
  out << "  " << table.source << '\n';
  std::vector<TextTable::Column> columns;
  for (const RowColumn& column : kRowColumns) columns.push_back({column.title, Align::Right});
  const auto prediction = predictionFor(table);
  if (prediction) {
    columns.push_back({"predicted", Align::Right});
    columns.push_back({"error", Align::Right});
  }
  columns.push_back({"in place"});
  TextTable text(columns);
  for (const AtlasRow& row : table.rows) {
    std::vector<std::string> cells;
    for (const RowColumn& column : kRowColumns) cells.push_back(column.text(column.value(row)));
    if (prediction) {
      const auto predicted = predictedFor(prediction, row);
      cells.push_back(predicted ? formatSeconds(*predicted) : "–");
      cells.push_back(predicted ? percentText(errorOf(*predicted, row), true) : "–");
    }
    cells.push_back(row.inPlace ? "yes" : "");
    text.add(std::move(cells));
  }
  out << text.text(2);
  if (prediction) out << "  " << errorText(*prediction) << '\n';
}

void addOnce(std::string& list, const std::string& word) {
  if ((", " + list + ",").find(", " + word + ",") == std::string::npos) list += (list.empty() ? "" : ", ") + word;
}

/// All tables of one machine and GPU, as a line of the list.
std::vector<std::string> machineLine(const std::string& machine, const std::vector<const AtlasTable*>& tables) {
  std::string gpus;
  std::string shapes;
  std::string collectives;
  double least = tables.front()->rows.front().bytes;
  double most = 0;
  for (const AtlasTable* table : tables) {
    addOnce(gpus, table->gpu);
    addOnce(shapes, measuredShape(*table));
    addOnce(collectives, table->collective);
    for (const AtlasRow& row : table->rows) {
      least = std::min(least, row.bytes);
      most = std::max(most, row.bytes);
    }
  }
  const std::string& source = tables.front()->source;
  return {machine,
          gpus,
          shapes,
          collectives,
          formatBytes(Bytes(least)) + " to " + formatBytes(Bytes(most)),
          std::to_string(tables.size()),
          source};
}

void writeMachines(std::ostream& out, const std::vector<const AtlasTable*>& tables) {
  std::vector<std::pair<std::string, std::vector<const AtlasTable*>>> machines;
  for (const AtlasTable* table : tables) {
    const std::string name = table->machine();
    auto found = std::find_if(machines.begin(), machines.end(), [&](const auto& each) { return each.first == name; });
    if (found == machines.end()) found = machines.insert(found, {name, {}});
    found->second.push_back(table);
  }
  TextTable text({{"machine"},
                  {"GPU"},
                  {"nodes × GPUs"},
                  {"collectives"},
                  {"sizes"},
                  {"tables", Align::Right},
                  {"source (of the first)"}});
  for (const auto& [name, its] : machines) text.add(machineLine(name, its));
  out << text.text();
}

}  // namespace

void writeAtlasList(std::ostream& out, const std::vector<const AtlasTable*>& tables, AtlasFormat format) {
  if (format == AtlasFormat::Json) return writeJson(out, tables, false);
  if (format == AtlasFormat::Csv) return writeListCsv(out, tables);
  writeMachines(out, tables);
}

void writeAtlasTables(std::ostream& out, const std::vector<const AtlasTable*>& tables, AtlasFormat format) {
  if (format == AtlasFormat::Json) return writeJson(out, tables, true);
  if (format == AtlasFormat::Csv) return writeRowsCsv(out, tables);
  for (const AtlasTable* table : tables) {
    if (table != tables.front()) out << '\n';
    writeTableText(out, *table);
  }
}

}  // namespace p2::cli
