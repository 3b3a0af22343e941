// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/measured_time.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/counted.h"
#include "base/figures.h"
#include "base/units.h"
#include "text/csv.h"

namespace p2::inline cost {
namespace {

constexpr std::size_t kMostMeasurements = 100'000;
constexpr std::int64_t kMostRuns = 1'000'000;
constexpr std::array<std::string_view, 4> kNeeded{"axes", "reduce", "matrix", "seconds"};

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

/// One line under the header.
class MeasuredTimeLine {
 public:
  MeasuredTimeLine(const std::vector<std::string>& columns, const std::vector<std::string>& cells)
      : m_columns(columns), m_cells(cells) {}

  Result<MeasuredTime> read() {
    std::string reduce;
    take("axes", parseAxes, m_result.axes);
    take(
        "reduce", [&](std::string_view text) { return withReduction(m_result.axes, text); }, m_result.axes);
    take("matrix", parseMatrix, m_result.matrix);
    take("seconds", secondsFrom, m_result.seconds);
    if (const std::string_view program = cell("program"); program != "allreduce") m_result.program = program;
    std::int64_t step = 0;
    std::int64_t repeat = m_result.cost.repeat;
    takeIfThere(
        "step", [](std::string_view text) { return wholeFrom(text, 16); }, step);
    takeIfThere(
        "repeat", [](std::string_view text) { return wholeFrom(text, kMostRuns); }, repeat);
    takeIfThere(
        "nodes", [](std::string_view text) { return wholeFrom(text, kMostDevices); }, m_result.outermost);
    takeIfThere("algorithm", algorithmFrom, m_result.cost.algorithm);
    takeIfThere("bytes", parseBytes, m_result.cost.bytes);
    if (!cell("algorithm").empty() && m_result.cost.algorithm != Algorithm::Auto) {
      m_result.forced = m_result.cost.algorithm;
    }
    if (step > 0) m_result.step = StepId(step - 1);
    m_result.cost.repeat = static_cast<int>(repeat);
    if (m_problem) return *m_problem;
    return m_result;
  }

 private:
  [[nodiscard]] std::string_view cell(std::string_view column) const {
    const auto at = static_cast<std::size_t>(std::find(m_columns.begin(), m_columns.end(), column) - m_columns.begin());
    return at < m_cells.size() ? std::string_view(m_cells[at]) : std::string_view();
  }
  template <class Read, class T>
  void take(std::string_view column, const Read& read, T& value) {
    if (m_problem) return;
    auto result = read(cell(column));
    if (result.ok()) {
      value = std::move(result).value();
    } else {
      m_problem = result.error().within(std::string(column));
    }
  }
  template <class Read, class T>
  void takeIfThere(std::string_view column, const Read& read, T& value) {
    if (!cell(column).empty()) take(column, read, value);
  }

  const std::vector<std::string>& m_columns;
  const std::vector<std::string>& m_cells;
  MeasuredTime m_result;
  std::optional<Error> m_problem;
};

Result<void> checkHeader(const std::vector<std::string>& columns) {
  for (const std::string_view needed : kNeeded) {
    if (std::count(columns.begin(), columns.end(), needed) == 1) continue;
    return Error{"the header needs one column named " + std::string(needed) +
                 "; the columns axes, reduce, matrix and seconds are needed"};
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
    P2_TRY_ASSIGN(auto measurement, MeasuredTimeLine(columns, cells).read().within(where));
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
