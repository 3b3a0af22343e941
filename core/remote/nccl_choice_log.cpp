// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/nccl_choice_log.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/numbers.h"
#include "base/pasted_text.h"
#include "cost/simulator.h"

namespace p2::inline remote {
namespace {

constexpr std::size_t kMostLoggedChoices = 1000;

/// Names of algorithms and protocols by their numbers in logs before NCCL 2.22 (nccl.h, NCCL_ALGO_* and NCCL_PROTO_*).
constexpr std::array<std::string_view, 7> kAlgorithmNames{
    "TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT"};
constexpr std::array<std::string_view, 3> kProtocolNames{"LL", "LL128", "SIMPLE"};

template <std::size_t N>
std::string nameOrNumber(std::string_view word, const std::array<std::string_view, N>& names) {
  const auto number = parseInteger(word);
  if (number && *number >= 0 && *number < static_cast<std::int64_t>(N)) {
    return std::string(names[static_cast<std::size_t>(*number)]);
  }
  return std::string(word);
}

/// The word behind another one; empty for none.
std::string_view wordBehind(const std::vector<std::string_view>& words, std::string_view key) {
  const auto found = std::find(words.begin(), words.end(), key);
  return found == words.end() || found + 1 == words.end() ? std::string_view() : *(found + 1);
}

/// "channel{Lo..Hi}={0..15}" is 16.
int channelsIn(std::string_view text) {
  const std::size_t at = text.find("channel{Lo..Hi}={");
  if (at == std::string_view::npos) return 0;
  const std::string_view range = text.substr(at + 17, text.find('}', at + 17) - at - 17);
  const std::size_t dots = range.find("..");
  if (dots == std::string_view::npos) return 0;
  const auto low = parseInteger(range.substr(0, dots));
  const auto high = parseInteger(range.substr(dots + 2));
  return low && high && *high >= *low && *high < 1024 ? static_cast<int>(*high - *low + 1) : 0;
}

bool isPart(std::string_view collective) { return collective == "AllGather" || collective == "ReduceScatter"; }

std::optional<LoggedChoice> choiceIn(std::string_view line, int ranks) {
  const std::size_t arrow = line.find(" Bytes -> Algo ");
  if (arrow == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> before = wordsOfLine(line.substr(0, arrow));
  const std::vector<std::string_view> behind = wordsOfLine(line.substr(arrow));
  if (before.size() < 2 || !before[before.size() - 2].ends_with(':')) return std::nullopt;
  const auto bytes = parseInteger(before.back());
  LoggedChoice choice;
  choice.collective = before[before.size() - 2].substr(0, before[before.size() - 2].size() - 1);
  choice.algorithm = nameOrNumber(wordBehind(behind, "Algo"), kAlgorithmNames);
  choice.protocol = nameOrNumber(wordBehind(behind, "proto"), kProtocolNames);
  choice.channels = channelsIn(line);
  choice.ranks = ranks;
  if (!bytes || *bytes < 1 || *bytes > (std::int64_t{1} << 50) || choice.protocol.empty()) return std::nullopt;
  const int times = isPart(choice.collective) ? std::max(1, ranks) : 1;
  choice.bytes = Bytes(static_cast<double>(*bytes) * times);
  return choice;
}

/// "nranks 16" or "nRanks 16" of the communicator's own lines.
void readCommunicator(std::string_view line, int& ranks) {
  const std::vector<std::string_view> words = wordsOfLine(line);
  for (const std::string_view key : {"nranks", "nRanks"}) {
    const auto number = parseInteger(wordBehind(words, key));
    if (number && *number > 1 && *number < 16777216) ranks = static_cast<int>(*number);
  }
}

/// What equal lines have in common.
using ChoiceKey = std::tuple<std::string, double, int, std::string, std::string, int>;

ChoiceKey keyOf(const LoggedChoice& choice) {
  return {choice.collective, choice.bytes.value(), choice.ranks, choice.algorithm, choice.protocol, choice.channels};
}

/// An algorithm of ours as logs name it.
std::string loggedName(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::Ring:
      return "RING";
    case Algorithm::Tree:
      return "TREE";
    case Algorithm::Nvls:
      return "NVLS";
    case Algorithm::NvlsTree:
      return "NVLS_TREE";
    case Algorithm::Pat:
      return "PAT";
    case Algorithm::CollNet:
      return "COLLNET_CHAIN";
    case Algorithm::Direct:
    case Algorithm::Auto:
      break;
  }
  return {};
}

std::optional<Algorithm> algorithmLogged(std::string_view name) {
  for (const Algorithm each :
       {Algorithm::Ring, Algorithm::Tree, Algorithm::Nvls, Algorithm::NvlsTree, Algorithm::Pat, Algorithm::CollNet}) {
    if (loggedName(each) == name) return each;
  }
  return std::nullopt;
}

std::string loggedName(Protocol protocol) {
  return protocol == Protocol::Simple ? "SIMPLE" : std::string(nameOf(protocol));
}

/// One collective over the first devices, as nccl-tests runs it.
LoweredStep stepOver(Collective collective, std::int64_t ranks) {
  LoweredGroup group;
  for (const Device device : IdRange<Device>(ranks)) group.devices.push_back(device);
  const double part = 1.0 / static_cast<double>(ranks);
  group.before.assign(group.devices.size(), collective == Collective::AllGather ? part : 1);
  group.after.assign(group.devices.size(), collective == Collective::ReduceScatter ? part : 1);
  return {collective, {group}};
}

}  // namespace

std::vector<LoggedChoice> ncclChoicesIn(std::string_view text) {
  std::vector<LoggedChoice> choices;
  std::map<ChoiceKey, std::size_t> places;
  if (text.find(" Bytes -> Algo ") == std::string_view::npos) return choices;
  int ranks = 0;
  for (const std::string_view line : filledLines(text)) {
    readCommunicator(line, ranks);
    const auto choice = choiceIn(line, ranks);
    if (!choice) continue;
    if (const auto same = places.find(keyOf(*choice)); same != places.end()) {
      ++choices[same->second].times;
    } else if (choices.size() < kMostLoggedChoices) {
      places.emplace(keyOf(*choice), choices.size());
      choices.push_back(*choice);
    }
  }
  return choices;
}

Result<std::vector<ComparedChoice>> compareChoices(const std::vector<LoggedChoice>& choices, const System& system) {
  P2_TRY_ASSIGN(const auto valid, validated(system));
  const Topology topology(valid);
  std::vector<ComparedChoice> compared;
  for (const LoggedChoice& choice : choices) {
    const auto collective = collectiveFrom(choice.collective);
    const std::int64_t ranks = choice.ranks > 0 ? choice.ranks : system.deviceCount();
    if (!collective.ok() || ranks < 2 || ranks > system.deviceCount()) continue;
    CostOptions options;
    options.model = "nccl";
    options.algorithm = Algorithm::Auto;
    options.bytes = choice.bytes;
    options.repeat = 1;
    const LoweredStep step = stepOver(*collective, ranks);
    const StepCost ours = simulateStep(topology, step, options);
    ComparedChoice row{choice, loggedName(ours.algorithm), loggedName(ours.protocol), ours.seconds, 0};
    if (const auto logged = algorithmLogged(choice.algorithm)) {
      options.algorithm = *logged;
      const StepCost theirs = simulateStep(topology, step, options);
      if (theirs.algorithm == *logged) row.loggedSeconds = theirs.seconds;
    }
    compared.push_back(std::move(row));
  }
  return compared;
}

}  // namespace p2::inline remote
