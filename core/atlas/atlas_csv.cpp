// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <unordered_map>

#include "atlas/detail/atlas_files.h"
#include "text/csv.h"

namespace p2::inline atlas {
namespace {

using Cells = CsvReader::Cells;

/// 0 for an empty cell; false if it is no number.
template <class Number>
bool read(const std::string& cell, Number& number) {
  number = 0;
  if (cell.empty()) return true;
  const char* end = cell.data() + cell.size();
  const auto [rest, error] = std::from_chars(cell.data(), end, number);
  return error == std::errc() && rest == end;
}

/// "2.18" of "2.18 (nvhpc 23.3, inferred)", "2.26.6" of "RCCL 2.26.6".
std::string versionIn(const std::string& text) {
  const std::size_t from = text.find_first_of("0123456789");
  if (from == std::string::npos) return {};
  std::string version = text.substr(from, text.find_first_not_of("0123456789.", from) - from);
  while (version.ends_with('.')) version.pop_back();
  return version;
}

Error badLine(const char* file, std::size_t line, const std::string& what) {
  return Error{what, std::string(file) + ", line " + std::to_string(line)};
}

constexpr std::size_t kTableColumns = 17;
constexpr std::size_t kRowColumns = 5;

bool readTable(Cells& cells, AtlasTable& table) {
  double gbit = 0;
  const bool numbers = read(cells[2], table.gpusPerNode) && read(cells[3], table.nodes) && read(cells[4], table.nics) &&
                       read(cells[5], gbit);
  if (!numbers || table.gpusPerNode < 1 || table.nodes < 1 || table.nics < 0 || gbit < 0) return false;
  table.nicBandwidth = gbit * 1e9 / 8;
  table.version = versionIn(cells[8]);
  std::string* const texts[] = {&table.name,     &table.gpu,    nullptr,       nullptr,           nullptr,
                                nullptr,         &table.fabric, &table.nvlink, nullptr,           &table.algorithm,
                                &table.protocol, &table.nvls,   &table.sharp,  &table.collective, &table.healthy,
                                &table.note,     &table.source};
  for (std::size_t i = 0; i < kTableColumns; ++i) {
    if (texts[i] != nullptr) *texts[i] = std::move(cells[i]);
  }
  return true;
}

/// Derives a missing (or rounded-to-zero) time from the bandwidth, or the reverse.
bool complete(AtlasRow& row, double factor) {
  if (row.bytes < 0 || row.seconds < 0 || row.busBandwidth < 0) return false;
  if (row.seconds == 0 && row.busBandwidth > 0) row.seconds = row.bytes * factor / row.busBandwidth;
  if (row.busBandwidth == 0 && row.seconds > 0) row.busBandwidth = row.bytes * factor / row.seconds;
  return row.seconds > 0;
}

Result<void> readRows(std::string_view text, std::vector<AtlasTable>& tables) {
  std::unordered_map<std::string, AtlasTable*> byName;
  for (AtlasTable& table : tables) byName[table.name] = &table;
  CsvReader rows(text);
  Cells cells;
  rows.next(cells);  // the titles
  AtlasTable* table = nullptr;
  while (rows.next(cells)) {
    if (cells.size() != kRowColumns) return badLine("rows.csv", rows.line(), "there are 5 columns");
    if (table == nullptr || table->name != cells[0]) {
      const auto found = byName.find(cells[0]);
      if (found == byName.end()) return badLine("rows.csv", rows.line(), "there is no table \"" + cells[0] + "\"");
      table = found->second;
    }
    AtlasRow row;
    int inPlace = 0;
    double microseconds = 0;
    double gigabytes = 0;
    const bool numbers = read(cells[1], inPlace) && read(cells[2], row.bytes) && read(cells[3], microseconds) &&
                         read(cells[4], gigabytes);
    row.inPlace = inPlace != 0;
    row.seconds = microseconds * 1e-6;
    row.busBandwidth = gigabytes * 1e9;
    if (!numbers || !complete(row, busFactor(table->collective, table->gpusPerNode * table->nodes))) {
      return badLine("rows.csv", rows.line(), "bytes, and a time or a bandwidth, are positive numbers");
    }
    table->rows.push_back(row);
  }
  return {};
}

}  // namespace

double busFactor(std::string_view collective, int ranks) {
  const double others = static_cast<double>(ranks - 1) / ranks;
  if (collective == "all_reduce") return 2 * others;
  return collective == "broadcast" || collective == "reduce" ? 1 : others;
}

Result<std::vector<AtlasTable>> atlasFrom(std::string_view tablesText, std::string_view rowsText) {
  std::vector<AtlasTable> tables;
  CsvReader lines(tablesText);
  Cells cells;
  lines.next(cells);  // the titles
  while (lines.next(cells)) {
    if (cells.size() != kTableColumns) return badLine("tables.csv", lines.line(), "there are 17 columns");
    if (!readTable(cells, tables.emplace_back())) {
      return badLine("tables.csv", lines.line(), "GPUs, nodes and NICs are positive whole numbers");
    }
  }
  P2_TRY(readRows(rowsText, tables));
  return tables;
}

}  // namespace p2::inline atlas
