// SPDX-License-Identifier: GPL-3.0-or-later
// Choices of algorithm and protocol as files and variables that libraries read. Sources: plugins/tuner/example of NCCL
// 2.30 (CSV), comms/ncclx/meta/tuner of torchcomms (JSON), parseList() of NCCL's src/graph/tuning.cc (variables).
#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <tuple>
#include <vector>

#include "collective/collective_traits.h"
#include "cost/nccl/nccl_channels.h"
#include "cost/simulator.h"
#include "exporters/detail/formats.h"
#include "exporters/detail/python_text.h"
#include "placement/realisation.h"
#include "plan/plan.h"
#include "text/json_writer.h"

namespace p2::inline exporters {
namespace {

/// The cheapest algorithm and protocol of a collective for vectors of `from` to `to` bytes, both included, with the
/// channels that NCCL takes for them.
struct NcclRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  Algorithm algorithm = Algorithm::Ring;
  Protocol protocol = Protocol::None;
  NcclChannels channels;
};

/// A communicator of a plan and the choices for one collective on it, by size. Bytes are counted as NCCL's tuner counts
/// them: the larger of the sent and the received vector of a rank.
struct NcclChoices {
  Collective collective = Collective::AllReduce;
  std::int64_t ranks = 1;
  std::int64_t nodes = 1;
  std::uint64_t planned = 0;  ///< bytes in the plan
  std::vector<NcclRange> ranges;

  /// The range that holds the planned bytes.
  [[nodiscard]] const NcclRange& plannedRange() const;
};

constexpr std::uint64_t kLeastBytes = 256;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 34;

bool isTuned(Collective collective) { return collective != Collective::AllToAll && collective != Collective::Scatter; }

/// Prices one step of a plan at any size.
class StepChooser {
 public:
  StepChooser(const Topology& topology, const PlanStep& step, const Plan& plan)
      : m_topology(topology), m_cost(plan.workspace().options.cost), m_step{step.collective, {}} {
    for (const PlanGroup& group : step.groups) m_step.groups.push_back(sharesOf(group, plan.cut().chunks));
    m_share = workingShare(step.collective, m_step.groups[0]);
    m_cost.repeat = 1;
    m_cost.algorithm = Algorithm::Auto;
    m_cost.overlap = false;
  }

  [[nodiscard]] double share() const { return m_share; }

  [[nodiscard]] NcclRange at(std::uint64_t bytes) const {
    CostOptions options = m_cost;
    options.bytes = Bytes(static_cast<double>(bytes) / m_share);
    const StepCost cost = simulateStep(m_topology, m_step, options);
    return {bytes, bytes, cost.algorithm, cost.protocol, {}};
  }

  [[nodiscard]] NcclChannels channelsOf(const NcclRange& range) const {
    return ncclChannels(m_topology, m_step.groups[0].devices, range.algorithm, range.protocol);
  }

 private:
  const Topology& m_topology;
  CostOptions m_cost;
  LoweredStep m_step;
  double m_share = 1;
};

bool isSame(const NcclRange& a, const NcclRange& b) { return a.algorithm == b.algorithm && a.protocol == b.protocol; }

/// The last size with the choice of `low`; the choice at `high` differs.
std::uint64_t lastOf(const StepChooser& chooser, const NcclRange& low, std::uint64_t high) {
  std::uint64_t from = low.to;
  while (high - from > std::max<std::uint64_t>(1, from / 512)) {
    const std::uint64_t middle = from + (high - from) / 2;
    (isSame(chooser.at(middle), low) ? from : high) = middle;
  }
  return from;
}

std::vector<NcclRange> rangesOf(const StepChooser& chooser) {
  std::vector<NcclRange> ranges{chooser.at(kLeastBytes)};
  ranges[0].from = 0;
  for (std::uint64_t bytes = kLeastBytes * 2; bytes <= kMostBytes; bytes *= 2) {
    for (NcclRange next = chooser.at(bytes); !isSame(ranges.back(), next);) {
      // Several choices may change between two sizes.
      ranges.back().to = lastOf(chooser, ranges.back(), bytes);
      NcclRange after =
          chooser.at(std::min(bytes, ranges.back().to + std::max<std::uint64_t>(1, ranges.back().to / 512)));
      after.from = ranges.back().to + 1;
      if (isSame(after, ranges.back())) after = next;
      after.from = ranges.back().to + 1;
      ranges.push_back(after);
    }
    ranges.back().to = bytes;
  }
  ranges.back().to = std::numeric_limits<std::uint64_t>::max();
  for (NcclRange& range : ranges) range.channels = chooser.channelsOf(range);
  return ranges;
}

std::int64_t nodesOf(const System& system, const DeviceGroup& devices) {
  const std::int64_t perNode = devicesPerNode(system);
  std::set<std::int64_t> nodes;
  for (const Device device : devices) nodes.insert(device.value() / perNode);
  return static_cast<std::int64_t>(nodes.size());
}

const NcclRange& NcclChoices::plannedRange() const {
  const auto found =
      std::find_if(ranges.begin(), ranges.end(), [&](const NcclRange& range) { return planned <= range.to; });
  return found != ranges.end() ? *found : ranges.back();
}

/// Choices for every collective, rank count and node count of the plan's steps and of its goal's single collective,
/// each once, from 0 bytes on. The first group of a step stands for all. AllToAll and Scatter are sends
/// and receives, for which NCCL's tuner has no choice. O(steps · sizes · price of a step). Errors: a model without
/// protocols, no step with a choice.
Result<std::vector<NcclChoices>> ncclChoices(const Plan& plan) {
  const Workspace& workspace = plan.workspace();
  P2_TRY_ASSIGN(const CostModel* model, costModelFrom(workspace.options.cost.model));
  if (!model->hasProtocols()) {
    return Error{"the plan is priced by the model \"" + workspace.options.cost.model +
                 "\", which has no protocols; plan it with the nccl model"};
  }
  Workspace single = workspace;
  const SynthesisHierarchy hierarchy(single.system, Placement(single.axes, single.matrix));
  single.program = programText(hierarchy, singleProgram(hierarchy, single.options.goal));
  single.source.clear();
  P2_TRY_ASSIGN(const Plan whole, makePlan(single));
  P2_TRY_ASSIGN(const auto system, validated(workspace.system));
  const Topology topology(system);
  std::set<std::tuple<Collective, std::int64_t, std::int64_t>> known;
  std::vector<NcclChoices> all;
  for (const Plan* each : {&plan, &whole}) {
    for (const PlanStep& step : each->steps()) {
      const DeviceGroup& devices = step.groups[0].devices;
      const auto ranks = static_cast<std::int64_t>(devices.size());
      const std::int64_t nodes = nodesOf(workspace.system, devices);
      if (!isTuned(step.collective) || !known.insert({step.collective, ranks, nodes}).second) continue;
      const StepChooser chooser(topology, step, *each);
      const double planned = workspace.options.cost.bytes.value() * chooser.share();
      all.push_back({step.collective, ranks, nodes, static_cast<std::uint64_t>(planned), rangesOf(chooser)});
    }
  }
  if (all.empty()) return Error{"NCCL's tuner has no choice for AllToAll and Scatter, which are sends and receives"};
  return all;
}

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
  std::vector<const NcclChoices*> stated;
  for (const PlanStep& step : plan.steps()) {
    const auto choices = std::find_if(all.begin(), all.end(), [&](const NcclChoices& each) {
      return each.collective == step.collective && each.ranks == std::int64_t(step.groups[0].devices.size());
    });
    if (choices == all.end()) continue;
    const auto same = std::find_if(stated.begin(), stated.end(),
                                   [&](const NcclChoices* each) { return each->collective == choices->collective; });
    const NcclRange& range = choices->plannedRange();
    if (same != stated.end()) {
      const NcclRange& before = (*same)->plannedRange();
      if (before.algorithm == range.algorithm && before.protocol == range.protocol) continue;
      return Error{"two steps of this program need different choices for " + std::string(nameOf(step.collective)) +
                   ", and variables know one for all communicators; use nccl-tuner"};
    }
    stated.push_back(&*choices);
    const std::string name = (algorithms.empty() ? "" : ";") + ncclName(step.collective) + ":";
    algorithms += name + variableName(range.algorithm);
    protocols += name + ncclName(range.protocol);
  }
  if (stated.empty()) return Error{"no step of this program has a choice; use nccl-tuner for the single collective"};
  return "export NCCL_ALGO=\"" + algorithms + "\" NCCL_PROTO=\"" + protocols + "\"\n";
}

}  // namespace p2::inline exporters
