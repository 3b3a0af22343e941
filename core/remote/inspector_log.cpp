// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/inspector_log.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/figures.h"
#include "base/pasted_text.h"
#include "text/foreign_json.h"

namespace p2 {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kInspected{{{"AllReduce", "AllReduce"},
                                                                                   {"ReduceScatter", "ReduceScatter"},
                                                                                   {"AllGather", "AllGather"},
                                                                                   {"Broadcast", "Broadcast"},
                                                                                   {"Reduce", "Reduce"},
                                                                                   {"AllToAll", "AllToAll"},
                                                                                   {"Scatter", "Scatter"}}};

struct Operation {
  std::string collective;
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

/// Size of the whole vector; from one rank's message where the log has no bandwidth.
double vectorBytes(const Operation& operation, double message, double algorithm) {
  if (algorithm > 0) return std::round(algorithm * 1e9 * operation.seconds);
  const bool parts = operation.collective == "AllGather" || operation.collective == "ReduceScatter";
  return message * (parts ? operation.ranks : 1);
}

bool readOperation(const Json& json, Operation& operation) {
  const Json* header = memberOf(json, "header");
  const Json* performance = memberOf(json, "coll_perf");
  if (header == nullptr || performance == nullptr) return false;
  const Json* name = memberOf(*performance, "coll");
  if (name == nullptr || !name->is_string()) return false;
  const auto known = std::find_if(kInspected.begin(), kInspected.end(),
                                  [&](const auto& each) { return each.first == name->get<std::string>(); });
  operation.collective = known == kInspected.end() ? std::string() : std::string(known->second);
  operation.ranks = static_cast<int>(std::clamp(numberOf(*header, {"n_ranks", "nranks"}), 0.0, 16777216.0));
  operation.seconds = numberOf(*performance, {"coll_exec_time_us"}) / 1e6;
  const double message = numberOf(*performance, {"coll_msg_size_bytes"});
  operation.bytes = vectorBytes(operation, message, numberOf(*performance, {"coll_algobw_gbs"}));
  return operation.ranks > 1 && operation.seconds > 0 && kTimeRange.holds(operation.seconds) &&
         kAmountRange.holds(operation.bytes);
}

/// Sizes by bandwidth and time are not round: the same ones are within a thousandth of each other.
double roundedBytes(double bytes) {
  const double power = std::exp2(std::round(std::log2(bytes)));
  return std::abs(bytes - power) < 0.01 * power ? power : std::round(bytes);
}

}  // namespace

std::vector<NcclTests> inspectorOperationsIn(std::string_view text) {
  if (text.find("\"coll_perf\"") == std::string_view::npos) return {};
  std::map<std::pair<std::string, int>, std::map<double, std::vector<double>>> times;
  const std::string plain = pastedText(text);
  for (const std::string_view line : filledLines(plain)) {
    const std::size_t begin = line.find('{');
    if (begin == std::string_view::npos || line.find("\"coll_perf\"") == std::string_view::npos) continue;
    const auto json = parseForeignJson(line.substr(begin));
    Operation operation;
    if (!json.ok() || !readOperation(*json, operation) || operation.collective.empty()) continue;
    times[{operation.collective, operation.ranks}][roundedBytes(operation.bytes)].push_back(operation.seconds);
  }
  std::vector<NcclTests> tables;
  for (auto& [key, sizes] : times) {
    NcclTests& tests = tables.emplace_back();
    tests.collective = key.first;
    tests.ranks = key.second;
    tests.program = "NCCL Inspector";
    for (auto& [bytes, seconds] : sizes) {
      const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
      std::nth_element(seconds.begin(), middle, seconds.end());
      tests.sizes.push_back({Bytes(bytes), *middle, 0});
    }
  }
  return tables;
}

}  // namespace p2
