// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_map_listing.h"

#include <algorithm>

#include "app/cli/listing.h"
#include "app/cli/request.h"
#include "explore/sweep_csv.h"
#include "explore/sweep_text.h"
#include "text/json_writer.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Layout = JsonWriter::Layout;

/// A row of the map, number by number.
template <class Value>
void writeNumbers(JsonWriter& json, const char* key, std::size_t count, const Value& value) {
  json.key(key).beginArray(Layout::OneLine);
  for (std::size_t i = 0; i < count; ++i) json.number(static_cast<double>(value(i)));
  json.end();
}

void writeMapJson(std::ostream& out, const SweepMap& map) {
  const CostOptions& cost = map.workspace.options.cost;
  const std::size_t columns = map.values.size();
  JsonWriter json(out);
  json.beginObject().key("over").text(nameOf(map.range.over));
  if (!map.range.interconnect.empty()) json.key("interconnect").text(map.range.interconnect);
  json.key("model").text(cost.model).key("algorithm").text(nameOf(cost.algorithm)).key("repeat").whole(1);
  if (map.range.over != SweepOver::Bytes) json.key("bytes").number(cost.bytes.value());
  json.key("leaves_out").text(leftOutOf(cost, map.algorithms, map.workspace.system));
  writeNumbers(json, "values", columns, [&](std::size_t i) { return map.values[i]; });
  json.key("winners").beginArray(Layout::OneLine);
  for (const std::string& winner : map.winners) json.text(winner);
  json.end();
  writeNumbers(json, "best", columns, [&](std::size_t i) { return map.bestRow[i]; });
  json.key("placements").beginArray();
  for (std::size_t row = 0; row < map.placements.size(); ++row) {
    json.beginObject().key("matrix");
    writeMatrix(json, map.placements[row]);
    writeNumbers(json, "winner", columns, [&](std::size_t i) { return map.at(row, i).winner; });
    writeNumbers(json, "seconds", columns, [&](std::size_t i) { return map.at(row, i).best.seconds; });
    writeNumbers(json, "gain", columns, [&](std::size_t i) { return map.at(row, i).gain; });
    json.end();
  }
  json.end().end();
}

/// "AR to 3.16 MB · RS·AR·AG": which program is the best up to where.
std::string winnersText(const SweepMap& map, std::size_t row) {
  std::string text;
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    const std::size_t winner = map.at(row, i).winner;
    const bool last = i + 1 == map.values.size();
    if (!last && map.at(row, i + 1).winner == winner) continue;
    text += (text.empty() ? "" : ", ") + map.winners[winner];
    if (!last) text += " to " + valueText(map.range, map.values[i]);
  }
  return text;
}

void writeMapText(std::ostream& out, const SweepMap& map) {
  const CostOptions& cost = map.workspace.options.cost;
  out << titleOf(map.workspace) << '\n'
      << overText(map.range) << " from " << valueText(map.range, map.values.front()) << " to "
      << valueText(map.range, map.values.back()) << "; the best program of every placement, " << cost.model
      << " model, " << nameOf(cost.algorithm)
      << "\nthe model leaves out: " << leftOutOf(cost, map.algorithms, map.workspace.system) << "\n\n";
  TextTable table({{"matrix"}, {"best of all at", TextTable::Align::Right}, {"program"}});
  for (std::size_t row = 0; row < map.placements.size(); ++row) {
    const auto best = std::count(map.bestRow.begin(), map.bestRow.end(), row);
    const std::string share = std::to_string(best) + " of " + std::to_string(map.values.size());
    table.add({map.placements[row].text(), best > 0 ? share : "", winnersText(map, row)});
  }
  out << table.text();
}

}  // namespace

void writeSweepMap(std::ostream& out, const SweepMap& map, SweepFormat format) {
  switch (format) {
    case SweepFormat::Text:
      return writeMapText(out, map);
    case SweepFormat::Json:
      return writeMapJson(out, map);
    case SweepFormat::Csv:
      out << sweepMapCsv(map);
      return;
  }
}

}  // namespace p2::cli
