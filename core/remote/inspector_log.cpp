// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/inspector_log.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/figures.h"
#include "base/median.h"
#include "base/pasted_text.h"
#include "text/foreign_json.h"

namespace p2::inline remote {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kInspected{{{"AlltoAll", "AllToAll"},
                                                                                   {"AllReduce", "AllReduce"},
                                                                                   {"ReduceScatter", "ReduceScatter"},
                                                                                   {"AllGather", "AllGather"},
                                                                                   {"Broadcast", "Broadcast"},
                                                                                   {"Reduce", "Reduce"},
                                                                                   {"AllToAll", "AllToAll"},
                                                                                   {"Scatter", "Scatter"}}};

struct Operation {
  std::string collective;
  std::string algorithm;  ///< "Ring", "Tree"; empty for others
  int ranks = 0;
  double bytes = 0;
  double seconds = 0;
};

const Json* memberOf(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return json.is_object() && found != json.end() ? &*found : nullptr;
}

double numberOf(const Json& json, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const Json* value = memberOf(json, key);
    if (value != nullptr && value->is_number()) return value->get<double>();
  }
  return 0;
}

std::string textOf(const Json& json, const char* key) {
  const Json* value = memberOf(json, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

/// Size of the whole vector: the message of a rank, or of all ranks, where bandwidth and time give it; else what these
/// give. Where the log has no bandwidth, the message is a rank's part of AllGather and ReduceScatter, as NCCL logs it.
double vectorBytes(const Operation& operation, double message, double algorithm) {
  if (!(algorithm > 0)) {
    const bool parts = operation.collective == "AllGather" || operation.collective == "ReduceScatter";
    return parts ? message * operation.ranks : message;
  }
  const double bytes = std::round(algorithm * 1e9 * operation.seconds);
  for (const double known : {message, message * operation.ranks}) {
    if (known > 0 && std::abs(bytes - known) < 0.01 * known) return known;
  }
  return bytes;
}

/// The numbers of a communicator stand in a header, in the record itself, or in the last header before it.
void readRanks(const Json& json, int& ranks) {
  const Json* header = memberOf(json, "header");
  const double reported = numberOf(header != nullptr ? *header : json, {"n_ranks", "nranks"});
  if (reported > 0) ranks = static_cast<int>(std::min(reported, 16777216.0));
}

bool readOperation(const Json& json, int ranks, Operation& operation) {
  const Json* performance = memberOf(json, "coll_perf");
  if (performance == nullptr) return false;
  const std::string name = textOf(*performance, "coll");
  const auto known =
      std::find_if(kInspected.begin(), kInspected.end(), [&](const auto& each) { return each.first == name; });
  operation.collective = known == kInspected.end() ? std::string() : std::string(known->second);
  const std::string algorithm = textOf(*performance, "coll_algo");
  operation.algorithm = algorithm == "RING" ? "Ring" : algorithm == "TREE" ? "Tree" : "";
  operation.ranks = ranks;
  operation.seconds = numberOf(*performance, {"coll_exec_time_us"}) / 1e6;
  const double message = numberOf(*performance, {"coll_msg_size_bytes"});
  operation.bytes = vectorBytes(operation, message, numberOf(*performance, {"coll_algobw_gbs"}));
  return operation.ranks > 1 && operation.seconds > 0 && kTimeRange.holds(operation.seconds) &&
         kAmountRange.holds(operation.bytes);
}

/// The end of the object that begins at `begin`, behind its bracket; the text's end where it is not closed.
std::size_t endOfObject(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return i + 1;
  }
  return text.size();
}

}  // namespace

std::vector<NcclTests> inspectorOperationsIn(std::string_view text) {
  if (text.find("\"coll_perf\"") == std::string_view::npos) return {};
  std::map<std::tuple<std::string, int, std::string>, std::map<double, std::vector<double>>> times;
  const std::string plain = pastedText(text);
  int ranks = 0;
  for (std::size_t begin = plain.find('{'); begin != std::string::npos;) {
    const std::size_t end = endOfObject(plain, begin);
    const auto json = parseForeignJson(std::string_view(plain).substr(begin, end - begin));
    begin = plain.find('{', end);
    if (!json.ok()) continue;
    readRanks(*json, ranks);
    Operation operation;
    if (!readOperation(*json, ranks, operation) || operation.collective.empty()) continue;
    times[{operation.collective, operation.ranks, operation.algorithm}][operation.bytes].push_back(operation.seconds);
  }
  std::vector<NcclTests> tables;
  for (auto& [key, sizes] : times) {
    NcclTests& tests = tables.emplace_back();
    std::tie(tests.collective, tests.ranks, tests.algorithm) = key;
    tests.program = "NCCL Inspector";
    for (auto& [bytes, seconds] : sizes) {
      tests.sizes.push_back({Bytes(bytes), upperMedianOf(seconds), 0});
    }
  }
  return tables;
}

}  // namespace p2::inline remote
