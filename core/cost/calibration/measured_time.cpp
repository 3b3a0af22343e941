// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/measured_time.h"

#include <algorithm>
#include <charconv>

#include "base/counted.h"
#include "base/figures.h"
#include "base/lists.h"
#include "base/units.h"
#include "text/csv.h"

namespace p2::inline cost {
namespace {

constexpr std::size_t kMostMeasurements = 100'000;
constexpr std::int64_t kMostRuns = 1'000'000;
constexpr std::int64_t kMostTimedSteps = 16;

Result<double> secondsFrom(std::string_view text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc{} && end == text.data() + text.size() && value > 0)
    return withinRange(value, kTimeRange, text);
  return Error{"\"" + std::string(text) + "\" is not a time; it needs a number of seconds above 0"};
}

Result<std::int64_t> wholeFrom(std::string_view text, std::int64_t most) {
  const auto value = parseInteger(text);
  if (value && *value >= 1 && *value <= most) return *value;
  return Error{"\"" + std::string(text) + "\" is not a whole number of 1 to " + std::to_string(most)};
}

/// A reader that keeps the value in one place of the measurement.
template <class Read, class Keep>
Result<void> kept(Read read, std::string_view cell, Keep keep) {
  P2_TRY_ASSIGN(auto value, read(cell));
  keep(std::move(value));
  return {};
}

// The axes come before the reduction, which marks some of them.
constexpr MeasuredColumn kColumns[] = {
    {"axes", "The axes, as --axes takes them", true,
     [](MeasuredTime& time, std::string_view cell) {
       return kept(parseAxes, cell, [&](auto axes) { time.axes = std::move(axes); });
     }},
    {"reduce", "The axes that were reduced over, as --reduce takes them", true,
     [](MeasuredTime& time, std::string_view cell) -> Result<void> {
       P2_TRY_ASSIGN(time.axes, withReduction(time.axes, cell));
       return {};
     }},
    {"matrix", "The placement, as --matrix takes it", true,
     [](MeasuredTime& time, std::string_view cell) {
       return kept(parseMatrix, cell, [&](auto matrix) { time.matrix = std::move(matrix); });
     }},
    {"seconds", "Seconds of all repeats together, above 0", true,
     [](MeasuredTime& time, std::string_view cell) {
       return kept(secondsFrom, cell, [&](double seconds) { time.seconds = seconds; });
     }},
    {"program",
     "The program in any form of PROGRAM; allreduce or empty for the single AllReduce over the whole reduction group",
     false,
     [](MeasuredTime& time, std::string_view cell) -> Result<void> {
       if (cell != "allreduce") time.program = cell;
       return {};
     }},
    {"step", "The timed step, from 1; empty for the whole program", false,
     [](MeasuredTime& time, std::string_view cell) -> Result<void> {
       P2_TRY_ASSIGN(const auto step, wholeFrom(cell, kMostTimedSteps));
       time.step = StepId(step - 1);
       return {};
     }},
    {"repeat", "Runs that were timed together (10)", false,
     [](MeasuredTime& time, std::string_view cell) -> Result<void> {
       P2_TRY_ASSIGN(const auto repeat, wholeFrom(cell, kMostRuns));
       time.cost.repeat = static_cast<int>(repeat);
       return {};
     }},
    {"nodes", "Instances of the outermost level that took part (all)", false,
     [](MeasuredTime& time, std::string_view cell) -> Result<void> {
       P2_TRY_ASSIGN(time.outermost, wholeFrom(cell, kMostDevices));
       return {};
     }},
    {"algorithm", "The algorithm (ring)", false,
     [](MeasuredTime& time, std::string_view cell) -> Result<void> {
       P2_TRY_ASSIGN(time.cost.algorithm, algorithmFrom(cell));
       if (time.cost.algorithm != Algorithm::Auto) time.forced = time.cost.algorithm;
       return {};
     }},
    {"bytes", "Bytes per device (2GiB)", false,
     [](MeasuredTime& time, std::string_view cell) -> Result<void> {
       P2_TRY_ASSIGN(time.cost.bytes, parseBytes(cell));
       return {};
     }},
};

/// One line under the header.
Result<MeasuredTime> timeOf(const std::vector<std::string>& columns, const std::vector<std::string>& cells) {
  MeasuredTime time;
  for (const MeasuredColumn& column : kColumns) {
    const auto found = std::find(columns.begin(), columns.end(), column.name);
    const std::string_view cell =
        found == columns.end() ? std::string_view() : cells[static_cast<std::size_t>(found - columns.begin())];
    if (cell.empty() && !column.needed) continue;
    P2_TRY(column.read(time, cell).within(std::string(column.name)));
  }
  return time;
}

Result<void> checkHeader(const std::vector<std::string>& columns) {
  std::vector<std::string_view> needed;
  for (const MeasuredColumn& column : kColumns) {
    if (column.needed) needed.push_back(column.name);
  }
  for (const std::string_view name : needed) {
    if (std::count(columns.begin(), columns.end(), name) == 1) continue;
    return Error{"the header needs one column named " + std::string(name) + "; the columns " + andList(needed) +
                 " are needed"};
  }
  return {};
}

}  // namespace

System measuredPart(System system, std::int64_t outermost, std::int64_t innermost) {
  if (outermost > 0) system.levels[0].count = outermost;
  const std::int64_t whole = system.levels.back().count;
  if (innermost <= 0 || innermost == whole) return system;
  system.levels.back().count = innermost;
  for (Network& network : system.networks) {
    const bool each = network.instances > 1 && network.instances % whole == 0;
    if (each) network.instances = network.instances / whole * innermost;
  }
  return system;
}

std::span<const MeasuredColumn> measuredColumns() { return kColumns; }

Result<std::vector<MeasuredTime>> measuredTimesFromCsv(std::string_view text) {
  std::vector<MeasuredTime> measurements;
  std::vector<std::string> columns;
  std::size_t number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    std::string_view line = text.substr(from, to - from);
    if (line.ends_with('\r')) line.remove_suffix(1);
    from = to + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos || line.starts_with('#')) continue;
    const std::string where = "line " + std::to_string(number);
    std::vector<std::string> cells;
    CsvReader row(line);
    row.next(cells);
    if (row.isLeftOpen()) return Error{"a quote is left open; close it in the same line", where};
    if (columns.empty()) {
      columns = cells;
      P2_TRY(checkHeader(columns).within(where));
      continue;
    }
    if (cells.size() != columns.size()) {
      return Error{"it has " + countedText(cells.size(), "cell") + " under " + countedText(columns.size(), "column") +
                       "; quote cells that hold commas",
                   where};
    }
    P2_TRY_ASSIGN(auto measurement, timeOf(columns, cells).within(where));
    measurement.line = number;
    measurements.push_back(std::move(measurement));
    if (measurements.size() > kMostMeasurements) {
      return Error{"there are over " + std::to_string(kMostMeasurements) + " measurements; leave some out"};
    }
  }
  if (measurements.empty()) return Error{"there are no measurements; a header and a line for each are needed"};
  return measurements;
}

}  // namespace p2::inline cost
