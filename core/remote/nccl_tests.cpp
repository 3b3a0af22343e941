// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/nccl_tests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

#include "base/counted.h"
#include "base/figures.h"
#include "base/numbers.h"
#include "remote/pasted_lines.h"
#include "text/json_document.h"

namespace p2 {
namespace {

struct NcclProgram {
  std::string_view name;
  std::string_view collective;  // ours; empty for those that we do not have
};

/// Names that hold others come first.
constexpr std::array kPrograms{NcclProgram{"all_reduce_perf", "AllReduce"},
                               NcclProgram{"reduce_scatter_perf", "ReduceScatter"},
                               NcclProgram{"all_gather_perf", "AllGather"},
                               NcclProgram{"broadcast_perf", "Broadcast"},
                               NcclProgram{"reduce_perf", "Reduce"},
                               NcclProgram{"alltoallv_perf", ""},
                               NcclProgram{"alltoall_perf", "AllToAll"},
                               NcclProgram{"all_to_all_perf", "AllToAll"},
                               NcclProgram{"sendrecv_perf", ""},
                               NcclProgram{"scatter_perf", "Scatter"},
                               NcclProgram{"gather_perf", ""},
                               NcclProgram{"hypercube_perf", ""}};

const NcclProgram* programIn(std::string_view text) {
  const auto found = std::find_if(kPrograms.begin(), kPrograms.end(), [&](const NcclProgram& program) {
    return text.find(program.name) != std::string_view::npos;
  });
  return found == kPrograms.end() ? nullptr : &*found;
}

/// A count of elements, however large.
std::int64_t wholeOf(double value) {
  constexpr double kLimit = 9223372036854775808.0;
  if (!(value > 0)) return 0;
  return value < kLimit ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::max();
}

std::int64_t added(std::int64_t a, std::int64_t b) {
  return a > std::numeric_limits<std::int64_t>::max() - b ? std::numeric_limits<std::int64_t>::max() : a + b;
}

/// A row of the table: size, count, type, and where the version has them operation and root; then time, two bandwidths
/// and #wrong, twice.
struct NcclRow {
  NcclTest test;
  bool timed = false;
  std::string operation;
  std::string root;
  double share = 0;  // bus bandwidth / algorithm bandwidth of the faster
};

std::optional<NcclRow> rowIn(std::string_view line) {
  const std::vector<std::string_view> words = wordsOfLine(line);
  constexpr std::size_t kTimes = 8;  // columns from the first time on
  if (words.size() < 3 + kTimes || words.size() > 5 + kTimes) return std::nullopt;
  NcclRow row;
  double bytes = 0;
  double count = 0;
  if (!readNumber(words[0], bytes) || !readNumber(words[1], count) || bytes > kAmountRange.most) return std::nullopt;
  row.test.bytes = Bytes(bytes);
  const std::size_t first = words.size() - kTimes;
  if (first >= 4) row.operation = words[3];
  if (first >= 5) row.root = words[4];
  row.test.seconds = INFINITY;
  for (const std::size_t at : {first, first + 4}) {
    double microseconds = 0;
    double algorithm = 0;
    double bus = 0;
    double wrong = 0;
    if (!readNumber(words[at], microseconds)) {
      if (words[at] != "N/A") return std::nullopt;
      continue;
    }
    if (microseconds / 1e6 > kTimeRange.most) return std::nullopt;
    // Older versions print the largest error there instead of a count, as in 4e-07.
    const bool counts = words[at + 3].find_first_of(".eE") == std::string_view::npos;
    if (counts && readNumber(words[at + 3], wrong)) row.test.wrong = added(row.test.wrong, wholeOf(wrong));
    if (microseconds <= 0 || microseconds / 1e6 >= row.test.seconds) continue;
    row.test.seconds = microseconds / 1e6;
    row.timed = true;
    const bool known = readNumber(words[at + 1], algorithm) && readNumber(words[at + 2], bus) && algorithm >= 1;
    if (known) row.share = bus / algorithm;
  }
  return row;
}

/// The collective by its columns, where it is not named. AllGather has the same columns as AllToAll.
std::string collectiveOf(const NcclRow& row) {
  const bool sums = !row.operation.empty() && row.operation != "none";
  const auto root = row.root;
  if (row.operation.empty() || root.empty()) return {};
  if (root != "-1") return sums ? "Reduce" : row.share > 0.99 ? "Broadcast" : "";
  if (!sums || row.share == 0) return {};
  return row.share > 0.99 ? "AllReduce" : "ReduceScatter";
}

/// The ranks that a share of 2(n−1)/n or (n−1)/n belongs to; 0 when its digits do not tell.
int ranksOf(const std::string& collective, double share) {
  const double part = collective == "AllReduce" ? share / 2 : share;
  if (collective == "Broadcast" || collective == "Reduce" || part < 0.4 || part >= 0.97) return 0;
  const double ranks = std::round(1 / (1 - part));
  return std::abs((ranks - 1) / ranks - part) < 0.002 ? static_cast<int>(ranks) : 0;
}

/// "#  Rank  3 Group  0 Pid   6899 on n0 device  3": 3, or −1; some who paste it lose the #.
int rankIn(std::string_view line) {
  if (line.starts_with('#')) line.remove_prefix(1);
  const std::vector<std::string_view> words = wordsOfLine(line);
  if (words.size() < 6 || words[0] != "Rank" || std::find(words.begin(), words.end(), "Pid") == words.end()) return -1;
  const auto rank = parseInteger(words[1]);
  return rank && *rank >= 0 && *rank < (1 << 24) ? static_cast<int>(*rank) : -1;
}

class TableReader {
 public:
  std::vector<NcclTests> read(std::string_view text) {
    for (const std::string_view line : pastedLines(text)) take(line);
    finish();
    return std::move(m_tests);
  }

 private:
  void take(std::string_view line) {
    const bool comment = line.starts_with('#');
    if (!comment) {
      if (const auto row = rowIn(line)) return addRow(*row);
    }
    // What begins a run comes after the rows of the one before.
    const NcclProgram* program = programIn(line);
    const bool starts = program != nullptr || line.find("minBytes") != std::string_view::npos;
    if (starts && m_hasRows) finish();
    if (program != nullptr) {
      m_current.program = program->name;
      m_current.collective = program->collective;
    }
    // Without MPI every process calls itself rank 0.
    m_current.ranks = std::max(m_current.ranks, rankIn(line) + 1);
    if (const std::size_t at = line.find("NCCL_ALGO"); at != std::string_view::npos) {
      const std::vector<std::string_view> words = wordsOfLine(line.substr(std::min(at + 10, line.size())));
      const auto is = [&](std::string_view name) { return !words.empty() && words[0].starts_with(name); };
      m_current.algorithm = is("Ring") || is("ring") ? "Ring" : is("Tree") || is("tree") ? "Tree" : "";
    }
    if (const std::size_t at = line.find("NCCL_PROTO"); at != std::string_view::npos) {
      const std::vector<std::string_view> words = wordsOfLine(line.substr(std::min(at + 11, line.size())));
      const bool known = !words.empty() && (words[0] == "LL" || words[0] == "LL128" || words[0] == "Simple");
      m_current.protocol = known ? words[0] : std::string_view();
    }
  }

  void addRow(const NcclRow& row) {
    m_hasRows = true;
    if (!row.timed) {
      ++m_current.silent;
      return;
    }
    m_current.sizes.push_back(row.test);
    m_last = row.share > 0 ? row : m_last;
    if (m_last.operation.empty()) m_last = row;
  }

  void finish() {
    if (m_current.program.empty() && m_hasRows) m_current.collective = collectiveOf(m_last);
    if (m_current.ranks == 0) m_current.ranks = ranksOf(m_current.collective, m_last.share);
    if (!m_current.sizes.empty()) m_tests.push_back(m_current);
    m_current = {};
    m_last = {};
    m_hasRows = false;
  }

  std::vector<NcclTests> m_tests;
  NcclTests m_current;
  NcclRow m_last;
  bool m_hasRows = false;
};

NcclTests fromJson(const Json& json, std::string_view text) {
  NcclTests tests;
  if (const NcclProgram* program = programIn(text)) {
    tests.program = program->name;
    tests.collective = program->collective;
  }
  if (const auto devices = json.find("devices"); devices != json.end() && devices->is_array()) {
    tests.ranks = int(devices->size());
  }
  const auto results = json.find("results");
  if (results == json.end() || !results->is_array()) return tests;
  for (const Json& row : *results) {
    NcclTest test;
    double seconds = INFINITY;
    if (!row.is_object() || !row.contains("size") || !row["size"].is_number()) continue;
    test.bytes = Bytes(row["size"].get<double>());
    for (const char* place : {"out_of_place", "in_place"}) {
      if (!row.contains(place) || !row[place].is_object()) continue;
      const Json& measured = row[place];
      if (measured.contains("time") && measured["time"].is_number() && measured["time"] > 0) {
        seconds = std::min(seconds, measured["time"].get<double>() / 1e6);
      }
      if (measured.contains("nwrong") && measured["nwrong"].is_number()) {
        test.wrong = added(test.wrong, wholeOf(measured["nwrong"].get<double>()));
      }
    }
    test.seconds = seconds;
    const bool measured = kTimeRange.holds(seconds) && test.bytes <= Bytes(kAmountRange.most);
    if (measured) tests.sizes.push_back(test);
    tests.silent += measured ? 0 : 1;
  }
  return tests;
}

}  // namespace

std::vector<NcclTests> ncclTestsIn(std::string_view text, std::string_view name) {
  const auto json = text.find("\"results\"") == std::string_view::npos ? Result<Json>(Json()) : parseJson(text);
  std::vector<NcclTests> tests =
      json.ok() && json->is_object() ? std::vector{fromJson(*json, text)} : TableReader().read(text);
  if (tests.size() == 1 && tests[0].program.empty() && tests[0].collective.empty()) {
    if (const NcclProgram* program = programIn(name)) {
      tests[0].program = program->name;
      tests[0].collective = program->collective;
    }
  }
  std::erase_if(tests, [](const NcclTests& each) { return each.sizes.empty(); });
  return tests;
}

Result<NcclTests> ncclTestsFrom(std::string_view text, std::string_view name) {
  const std::vector<NcclTests> tests = ncclTestsIn(text, name);
  if (tests.empty()) {
    return Error{"there is no measured size in it; give the table or the JSON that nccl-tests writes",
                 std::string(name)};
  }
  if (tests.size() > 1) {
    return Error{"it holds " + countedText(tests.size(), "program") + " one after the other; give each its own file",
                 std::string(name)};
  }
  if (tests[0].collective.empty()) {
    return Error{
        "it does not say which collective was measured; name the file after the program, as in "
        "all_reduce_perf.txt (also reduce_scatter, all_gather, reduce and broadcast)",
        std::string(name)};
  }
  return tests[0];
}

}  // namespace p2
