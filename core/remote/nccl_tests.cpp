// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/nccl_tests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "text/json_document.h"

namespace p2 {
namespace {

struct Program {
  std::string_view name;
  std::string_view collective;
};

constexpr std::array kPrograms{Program{"all_reduce_perf", "AllReduce"}, Program{"reduce_scatter_perf", "ReduceScatter"},
                               Program{"all_gather_perf", "AllGather"}, Program{"broadcast_perf", "Broadcast"},
                               Program{"reduce_perf", "Reduce"}};

/// The first of our programs named in a text; "all_reduce_perf" is not taken for "reduce_perf".
std::string collectiveIn(std::string_view text) {
  for (const Program& program : kPrograms) {
    if (text.find(program.name) != std::string_view::npos) return std::string(program.collective);
  }
  return {};
}

bool readNumber(const std::string& word, double& value) {
  char* end = nullptr;
  value = std::strtod(word.c_str(), &end);
  return !word.empty() && *end == '\0' && std::isfinite(value);
}

/// A row of the table: size, count, type, redop, root, then time, two bandwidths and #wrong, twice.
bool readRow(const std::string& line, NcclTest& test) {
  constexpr std::array<std::size_t, 2> kTimes{5, 9};
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  double seconds = INFINITY;
  if (words.size() < 9 || !readNumber(words[0], test.bytes)) return false;
  for (const std::size_t at : kTimes) {
    double microseconds = 0;
    double wrong = 0;
    if (at + 3 >= words.size() || !readNumber(words[at], microseconds) || microseconds <= 0) continue;
    seconds = std::min(seconds, microseconds / 1e6);
    if (readNumber(words[at + 3], wrong)) test.wrong += std::int64_t(wrong);
  }
  test.seconds = seconds;
  return std::isfinite(seconds);
}

NcclTests fromTable(std::string_view text) {
  NcclTests tests;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) {
      if (tests.collective.empty()) tests.collective = collectiveIn(line);
      if (line.find(" Rank ") != std::string::npos && line.find(" Pid ") != std::string::npos) ++tests.ranks;
      continue;
    }
    NcclTest test;
    if (readRow(line, test)) tests.sizes.push_back(test);
  }
  return tests;
}

NcclTests fromJson(const Json& json, std::string_view text) {
  NcclTests tests;
  tests.collective = collectiveIn(text);
  if (const auto devices = json.find("devices"); devices != json.end() && devices->is_array()) {
    tests.ranks = int(devices->size());
  }
  const auto results = json.find("results");
  if (results == json.end() || !results->is_array()) return tests;
  for (const Json& row : *results) {
    NcclTest test;
    double seconds = INFINITY;
    if (!row.is_object() || !row.contains("size") || !row["size"].is_number()) continue;
    test.bytes = row["size"].get<double>();
    for (const char* place : {"out_of_place", "in_place"}) {
      if (!row.contains(place) || !row[place].is_object()) continue;
      const Json& measured = row[place];
      if (measured.contains("time") && measured["time"].is_number() && measured["time"] > 0) {
        seconds = std::min(seconds, measured["time"].get<double>() / 1e6);
      }
      if (measured.contains("nwrong") && measured["nwrong"].is_number()) {
        test.wrong += std::int64_t(measured["nwrong"].get<double>());
      }
    }
    test.seconds = seconds;
    if (std::isfinite(seconds)) tests.sizes.push_back(test);
  }
  return tests;
}

}  // namespace

Result<NcclTests> ncclTestsFrom(std::string_view text, std::string_view name) {
  const auto json = parseJson(text);
  NcclTests tests = json.ok() && json->is_object() ? fromJson(*json, text) : fromTable(text);
  if (tests.sizes.empty()) {
    return Error{"there is no measured size in it; give the table or the JSON that nccl-tests writes",
                 std::string(name)};
  }
  if (tests.collective.empty()) tests.collective = collectiveIn(name);
  if (tests.collective.empty()) {
    return Error{
        "it does not say which collective was measured; name the file after the program, as in "
        "all_reduce_perf.txt (also reduce_scatter, all_gather, reduce and broadcast)",
        std::string(name)};
  }
  return tests;
}

}  // namespace p2
