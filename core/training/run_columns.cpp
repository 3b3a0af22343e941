// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/run_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace p2::inline training {
namespace {

enum class Cell { Text, Whole, Real };
struct RunColumn {
  std::string_view title;
  Cell cell = Cell::Text;
  bool needed = false;
};

constexpr std::array<RunColumn, 37> kColumns{{
    {"source"},
    {"model"},
    {"params_b", Cell::Real},
    {"layers", Cell::Whole},
    {"hidden", Cell::Whole},
    {"heads", Cell::Whole},
    {"kv_heads", Cell::Whole},
    {"ffn", Cell::Whole},
    {"vocab", Cell::Whole},
    {"experts", Cell::Whole},
    {"topk", Cell::Whole},
    {"seq", Cell::Whole, true},
    {"global_batch_sequences", Cell::Whole, true},
    {"micro_batch", Cell::Whole},
    {"gpus", Cell::Whole, true},
    {"gpus_per_node", Cell::Whole},
    {"gpu_type", Cell::Text, true},
    {"interconnect"},
    {"precision"},
    {"tp", Cell::Whole},
    {"pp", Cell::Whole},
    {"vpp", Cell::Whole},
    {"dp", Cell::Whole},
    {"cp", Cell::Whole},
    {"ep", Cell::Whole},
    {"etp", Cell::Whole},
    {"zero_stage_or_fsdp"},
    {"sp"},
    {"recompute"},
    {"schedule"},
    {"framework"},
    {"step_seconds", Cell::Real},
    {"tokens_per_s_per_gpu", Cell::Real},
    {"tflops_per_gpu", Cell::Real},
    {"mfu", Cell::Real},
    {"note"},
    {"table"},
}};
constexpr double kMost = 1e12;

bool hasTitle(const std::vector<std::string>& titles, std::string_view title) {
  return std::find(titles.begin(), titles.end(), title) != titles.end();
}

std::string cellOf(const TrainingRow& row, std::string_view title) {
  const auto at = row.find(title);
  return at == row.end() ? std::string() : at->second;
}

/// A number from 0 on; empty for any other text.
std::optional<double> numberOf(const std::string& cell) {
  double value = 0;
  const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (read.ec != std::errc() || read.ptr != cell.data() + cell.size()) return std::nullopt;
  if (!(value >= 0 && value <= kMost)) return std::nullopt;
  return value;
}

}  // namespace

Result<void> checkRunColumns(const std::vector<std::string>& titles) {
  for (const RunColumn& column : kColumns) {
    if (std::count(titles.begin(), titles.end(), column.title) > 1)
      return Error{"the column " + std::string(column.title) + " is there twice", "line 1"};
    if (!column.needed || hasTitle(titles, column.title)) continue;
    return Error{"there is no column " + std::string(column.title) +
                     "; a table of runs needs gpu_type, gpus, seq, global_batch_sequences and step_seconds",
                 "line 1"};
  }
  if (!hasTitle(titles, "step_seconds") && !hasTitle(titles, "tokens_per_s_per_gpu"))
    return Error{"there is neither a column step_seconds nor tokens_per_s_per_gpu", "line 1"};
  return {};
}

std::vector<std::string> unknownRunColumns(const std::vector<std::string>& titles) {
  std::vector<std::string> unknown;
  std::copy_if(titles.begin(), titles.end(), std::back_inserter(unknown), [](const std::string& title) {
    return std::none_of(kColumns.begin(), kColumns.end(),
                        [&](const RunColumn& column) { return column.title == title; });
  });
  return unknown;
}

Result<void> completeRow(TrainingRow& row, const std::string& name) {
  for (const RunColumn& column : kColumns) {
    const std::string cell = cellOf(row, column.title);
    if (column.cell == Cell::Text || cell.empty()) continue;
    const std::optional<double> value = numberOf(cell);
    const bool whole = column.cell == Cell::Whole;
    if (value && (!whole || std::floor(*value) == *value)) continue;
    return Error{std::string(column.title) + " is " + (whole ? "a whole number" : "a number") + " from 0 on, not \"" +
                 cell + "\""};
  }
  if (cellOf(row, "table").empty()) row["table"] = name;
  if (cellOf(row, "source").empty()) row["source"] = name;
  const double tokens = numberOf(cellOf(row, "tokens_per_s_per_gpu")).value_or(0);
  const double devices = numberOf(cellOf(row, "gpus")).value_or(0);
  if (!cellOf(row, "step_seconds").empty() || tokens <= 0 || devices <= 0) return {};
  const double batch = numberOf(cellOf(row, "global_batch_sequences")).value_or(0);
  const double sequence = numberOf(cellOf(row, "seq")).value_or(0);
  row["step_seconds"] = std::to_string(batch * sequence / (tokens * devices));
  return {};
}

}  // namespace p2::inline training
