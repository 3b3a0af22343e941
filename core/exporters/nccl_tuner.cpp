// SPDX-License-Identifier: GPL-3.0-or-later
// Choices of algorithm and protocol as files and variables that libraries read. Sources: plugins/tuner/example of NCCL
// 2.30 (CSV), comms/ncclx/meta/tuner of torchcomms (JSON), parseList() of NCCL's src/graph/tuning.cc (variables).
#include <algorithm>
#include <sstream>
#include <vector>

#include "exporters/detail/formats.h"
#include "exporters/detail/nccl_choices.h"
#include "exporters/detail/python_text.h"
#include "text/json_writer.h"

namespace p2::inline exporters {
namespace {

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  return lower;
}

/// "allreduce", as tuner files name collectives.
std::string ncclName(Collective collective) { return lowerCase(nameOf(collective)); }

/// "nvls_tree", as tuner files name algorithms.
std::string_view ncclName(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::Tree:
      return "tree";
    case Algorithm::Nvls:
      return "nvls";
    case Algorithm::NvlsTree:
      return "nvls_tree";
    case Algorithm::Pat:
      return "pat";
    case Algorithm::CollNet:
      return "collnet_direct";
    case Algorithm::Ring:
    case Algorithm::Direct:
    case Algorithm::Auto:
      return "ring";
  }
  return "ring";
}

/// "ll128".
std::string ncclName(Protocol protocol) { return protocol == Protocol::None ? "simple" : lowerCase(nameOf(protocol)); }

/// NCCL's example plugin reads lines of 255 letters.
std::string shortLine(std::string line) {
  constexpr std::size_t kMost = 240;
  if (line.size() > kMost) line = line.substr(0, kMost) + "\n";
  return line;
}

/// "[0,1024]" as a range of the bytes of one rank's part. Parts of whole bytes are left to the lower range.
std::string perRankRange(const NcclRange& range, std::int64_t ranks, bool isFirst, bool isLast) {
  const auto count = static_cast<std::uint64_t>(ranks);
  const std::uint64_t before = range.from == 0 ? 0 : (range.from - 1) / count;
  std::string text = isFirst ? "[0," : "(" + std::to_string(before) + ",";
  return text + (isLast ? ")" : std::to_string(range.to / count) + "]");
}

/// The lines of a range: one for each count of channels. Without a count the plugin would run a single channel.
std::string tunerLines(const NcclChoices& choices, const NcclRange& range) {
  const std::string choice = std::string(ncclName(range.algorithm)) + "," + ncclName(range.protocol) + ",";
  const std::string communicator = "," + std::to_string(choices.nodes) + "," + std::to_string(choices.ranks) + "\n";
  const NcclChannels& channels = range.channels;
  std::string text;
  std::uint64_t from = range.from;
  for (std::int64_t count = channels.at(from);; ++count) {
    const bool isLast = count >= channels.at(range.to);
    const std::uint64_t to = isLast ? range.to : channels.leastBytes(count + 1) - 1;
    text += ncclName(choices.collective) + "," + std::to_string(from) + "," + std::to_string(to) + "," + choice +
            std::to_string(count > 0 ? count : -1) + communicator;
    if (isLast) return text;
    from = to + 1;
  }
}

/// As NCCL_ALGO names it.
std::string variableName(Algorithm algorithm) {
  std::string name(ncclName(algorithm));
  std::erase(name, '_');
  return name;
}

}  // namespace

Result<std::string> planToNcclTuner(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const auto all, ncclChoices(plan));
  std::string text = shortLine(placementComment(plan)) +
                     "# NCCL's example tuner plugin: NCCL_TUNER_PLUGIN=libnccl-tuner-example.so "
                     "NCCL_TUNER_CONFIG_FILE=<this file>\n"
                     "# Predicted choices of every communicator, the program's and the single collective's; "
                     "measure before you keep them.\n"
                     "# Up to NCCL 2.30 the plugin gives a single channel to every collective that no line matches.\n"
                     "# collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks\n";
  for (const NcclChoices& choices : all) {
    for (const NcclRange& range : choices.ranges) text += tunerLines(choices, range);
  }
  return text;
}

Result<std::string> planToNcclxTuner(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const auto all, ncclChoices(plan));
  std::ostringstream out;
  JsonWriter json(out);
  json.beginObject().key("rules").beginArray();
  for (const NcclChoices& choices : all) {
    if (choices.ranks % choices.nodes != 0) continue;
    for (std::size_t i = 0; i < choices.ranges.size(); ++i) {
      const NcclRange& range = choices.ranges[i];
      const std::string bytes = perRankRange(range, choices.ranks, i == 0, i + 1 == choices.ranges.size());
      json.beginObject().key("filter").beginObject(JsonWriter::Layout::OneLine);
      json.key("collective").text(ncclName(choices.collective)).key("bytesPerRank").text(bytes);
      json.key("nNodes").whole(choices.nodes).key("nLocalRanks").whole(choices.ranks / choices.nodes).end();
      json.key("config").beginObject(JsonWriter::Layout::OneLine);
      json.key("algorithm").text(ncclName(range.algorithm)).key("protocol").text(ncclName(range.protocol)).end();
      json.end();
    }
  }
  json.end().end();
  return out.str();
}

Result<std::string> planToNcclEnvironment(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const auto all, ncclChoices(plan));
  std::string algorithms;
  std::string protocols;
  std::vector<const NcclChoices*> said;
  for (const PlanStep& step : plan.steps()) {
    const auto choices = std::find_if(all.begin(), all.end(), [&](const NcclChoices& each) {
      return each.collective == step.collective && each.ranks == std::int64_t(step.groups[0].devices.size());
    });
    if (choices == all.end()) continue;
    const auto same = std::find_if(said.begin(), said.end(),
                                   [&](const NcclChoices* each) { return each->collective == choices->collective; });
    const NcclRange& range = choices->plannedRange();
    if (same != said.end()) {
      const NcclRange& before = (*same)->plannedRange();
      if (before.algorithm == range.algorithm && before.protocol == range.protocol) continue;
      return Error{"two steps of this program need different choices for " + std::string(nameOf(step.collective)) +
                   ", and variables know one for all communicators; use nccl-tuner"};
    }
    said.push_back(&*choices);
    const std::string name = (algorithms.empty() ? "" : ";") + ncclName(step.collective) + ":";
    algorithms += name + variableName(range.algorithm);
    protocols += name + ncclName(range.protocol);
  }
  if (said.empty()) return Error{"no step of this program has a choice; use nccl-tuner for the single collective"};
  return "export NCCL_ALGO=\"" + algorithms + "\" NCCL_PROTO=\"" + protocols + "\"\n";
}

}  // namespace p2::inline exporters
