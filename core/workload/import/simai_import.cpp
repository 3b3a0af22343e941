// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <optional>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "workload/import/csv_rows.h"
#include "workload/import/degrees.h"
#include "workload/import/import_notes.h"
#include "workload/import/readers.h"

namespace p2::inline workload {
namespace {

constexpr std::size_t kCells = 12;

struct SimAiHeader {
  Degrees degrees;
  std::int64_t chunks = 1;        ///< vpp
  std::int64_t accumulation = 1;  ///< ga, microbatches
  std::int64_t checkpoints = 0;
  std::int64_t stageBytes = 0;  ///< pp_comm
};

/// The number behind a word of the header, "ep: 16" or "pp_comm 50331648".
Result<std::int64_t> headerNumber(const std::vector<std::string_view>& words, std::string_view key,
                                  std::int64_t otherwise) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (word.ends_with(':')) word.remove_suffix(1);
    if (word != key) continue;
    const auto value = i + 1 < words.size() ? parseInteger(words[i + 1]) : std::nullopt;
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    if (value && *value >= 0 && *value <= kMost) return *value;
    return Error{"a whole number is expected behind " + std::string(key), "line 1"};
  }
  return otherwise;
}

Result<SimAiHeader> headerFrom(std::string_view line, std::int64_t devices) {
  const auto words = spacedWords(line);
  const std::string policy(words.empty() ? "" : words[0]);
  if (policy == "MICRO" && words.size() == 1) {
    if (devices < 1) {
      return Error{
          "it is a micro test, which does not say how many devices take part; give their number, as in --devices 8",
          "line 1"};
    }
    SimAiHeader micro;
    micro.degrees.devices = devices;
    return micro;
  }
  if (policy != "HYBRID_TRANSFORMER" && policy != "HYBRID_TRANSFORMER_FWD_IN_BCKWD") {
    return Error{"a list of the kind " + shownName(policy) +
                     " does not say which devices its collectives join; HYBRID_TRANSFORMER and "
                     "HYBRID_TRANSFORMER_FWD_IN_BCKWD do",
                 "line 1"};
  }
  SimAiHeader header;
  P2_TRY_ASSIGN(header.degrees.tensor, headerNumber(words, "model_parallel_NPU_group", 1));
  P2_TRY_ASSIGN(header.degrees.expert, headerNumber(words, "ep", 1));
  P2_TRY_ASSIGN(header.degrees.pipeline, headerNumber(words, "pp", 1));
  P2_TRY_ASSIGN(header.degrees.devices, headerNumber(words, "all_gpus", 0));
  P2_TRY_ASSIGN(header.chunks, headerNumber(words, "vpp", 1));
  P2_TRY_ASSIGN(header.accumulation, headerNumber(words, "ga", 1));
  P2_TRY_ASSIGN(header.checkpoints, headerNumber(words, "checkpoints", 0));
  P2_TRY_ASSIGN(header.stageBytes, headerNumber(words, "pp_comm", 0));
  Degrees& degrees = header.degrees;
  if (degrees.devices > 0 && devices > 0) {
    return Error{"the file gives the number of devices itself; leave devices out", "line 1"};
  }
  if (degrees.devices == 0) degrees.devices = devices;
  if (degrees.tensor < 1 || degrees.expert < 1 || degrees.pipeline < 1) {
    return Error{"model_parallel_NPU_group, ep and pp are 1 or more", "line 1"};
  }
  if (degrees.devices < 1) {
    return Error{"the header does not say how many devices there are; give their number, as in --devices 8", "line 1"};
  }
  return header;
}

/// "ALLGATHER_DP_EP" into collective and group; `plain` is the group of a name without ending.
std::optional<EntryTally::Row> collectiveFrom(std::string_view name, std::string_view plain) {
  EntryTally::Row row;
  row.group = plain;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kEndings{
      {{"_DP_EP", "ep_dp_group"}, {"_EP", "ep_group"}}};
  for (const auto& [ending, group] : kEndings) {
    if (!name.ends_with(ending)) continue;
    row.group = group;
    name.remove_suffix(ending.size());
    break;
  }
  constexpr std::array<std::pair<std::string_view, CommunicationKind>, 5> kKinds{{
      {"ALLREDUCE", CommunicationKind::AllReduce},
      {"ALLGATHER", CommunicationKind::AllGather},
      {"REDUCESCATTER", CommunicationKind::ReduceScatter},
      {"ALLTOALL", CommunicationKind::AllToAll},
      {"BROADCAST", CommunicationKind::Broadcast},
  }};
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& known) { return known.first == name; });
  if (kind == kKinds.end()) return std::nullopt;
  row.kind = kind->second;
  return row;
}

class SimAiReader {
 public:
  Result<void> takeLayer(const std::vector<std::string_view>& words);
  Result<WorkloadSource> source(const SimAiHeader& header, std::int64_t announced);
  [[nodiscard]] std::int64_t layers() const { return m_layers; }

 private:
  Result<void> takePass(std::string_view layer, const std::string& pass, std::string_view kind, std::string_view bytes);

  EntryTally m_tally;
  double m_nanoseconds = 0;
  std::int64_t m_layers = 0;
  std::int64_t m_empty = 0;
};

Result<void> SimAiReader::takePass(std::string_view layer, const std::string& pass, std::string_view kind,
                                   std::string_view bytes) {
  const auto size = parseInteger(bytes);
  if (!size || *size < 0) return Error{"\"" + shownName(bytes) + "\" is not a size; use a whole number of bytes"};
  if (kind == "NONE") return {};
  const bool weights = pass == "weight gradient";
  auto row = collectiveFrom(kind, weights ? "dp_group" : "tp_group");
  if (!row) {
    return Error{
        "\"" + shownName(kind) +
        "\" is not a collective; use ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL, BROADCAST or NONE, also with "
        "_EP or _DP_EP at the end"};
  }
  if (*size == 0) {
    ++m_empty;
    return {};
  }
  row->name = shownName(layer) + ", " + pass;
  row->bytes = *size;
  // SimAI starts the weights' collectives and goes on; only the next step waits for them.
  if (weights) row->overlap = CommunicationOverlap::Extent::Compute;
  m_tally.add(*row);
  return {};
}

Result<void> SimAiReader::takeLayer(const std::vector<std::string_view>& words) {
  if (words.size() != kCells) {
    return Error{
        counted(static_cast<std::int64_t>(words.size()), "word") +
        "; a layer has a name, a dependency, three times a time, a collective and its bytes, and an update time"};
  }
  constexpr std::array<const char*, 3> kPasses{"forward", "input gradient", "weight gradient"};
  for (std::size_t i = 0; i < kPasses.size(); ++i) {
    const auto time = parseInteger(words[2 + 3 * i]);
    if (!time || *time < 0) return Error{"\"" + shownName(words[2 + 3 * i]) + "\" is not a time; use a whole number"};
    m_nanoseconds += static_cast<double>(*time);
    P2_TRY(takePass(words[0], kPasses[i], words[3 + 3 * i], words[4 + 3 * i]));
  }
  ++m_layers;
  if (m_tally.rows().size() > kMostWorkloadEntries) return Error{"more than 100000 different collectives"};
  return {};
}

Result<WorkloadSource> SimAiReader::source(const SimAiHeader& header, std::int64_t announced) {
  WorkloadSource source;
  source.workload.name = "SimAI workload";
  P2_TRY_ASSIGN(const NamedGroups groups, groupsOf(header.degrees, true));
  if (header.degrees.pipeline > 1 && header.stageBytes > 0) {
    const auto sends = checkedProduct(std::array<std::int64_t, 3>{2, header.chunks, header.accumulation});
    if (!sends || *sends < 1) return Error{"vpp and ga are 1 or more, and their product fits 63 bits", "line 1"};
    m_tally.add({"pp_comm", "pp_group", CommunicationKind::Shift, header.stageBytes}, *sends);
    source.assumed.push_back("pipeline stages send 2 · vpp · ga = " + countedText(*sends, "time") +
                             ", as a stage in the middle does");
  }
  source.understood = {counted(groups.world, "device"), counted(m_layers, "layer")};
  if (m_layers != announced) {
    source.assumed.push_back("all " + counted(m_layers, "layer") + " count, although the second line announces " +
                             std::to_string(announced));
  }
  source.assumed.push_back("rows are for a whole step of one device, microbatches included");
  source.assumed.push_back("collectives of weights may overlap with computation, all others are exposed");
  if (header.checkpoints > 0) source.ignored.push_back("recomputation of " + counted(header.checkpoints, "checkpoint"));
  if (m_empty > 0) source.ignored.push_back(counted(m_empty, "collective") + " of no bytes");
  P2_TRY(addEntries(m_tally, groups, 1, source));
  if (m_nanoseconds > 0) {
    source.workload.computeSeconds = m_nanoseconds * 1e-9;
    source.assumed.push_back("times are nanoseconds: computation takes " + formatSeconds(m_nanoseconds * 1e-9));
  }
  return source;
}

}  // namespace

Result<WorkloadSource> readSimAi(std::string_view text, std::int64_t devices, const std::stop_token& stop) {
  const auto lines = linesOf(text);
  if (lines.empty()) return Error{"it is empty; a header is expected", "line 1"};
  P2_TRY_ASSIGN(const SimAiHeader header, headerFrom(lines[0], devices));
  const auto announced = lines.size() > 1 ? parseInteger(lines[1]) : std::nullopt;
  if (!announced) return Error{"the number of layers is expected", "line 2"};
  SimAiReader reader;
  for (std::size_t i = 2; i < lines.size(); ++i) {
    if (stop.stop_requested()) return cancelledError();
    const auto words = spacedWords(lines[i]);
    if (words.empty()) continue;
    if (const auto taken = reader.takeLayer(words); !taken.ok()) {
      return taken.error().at("line " + std::to_string(i + 1));
    }
  }
  if (reader.layers() < *announced) {
    return Error{
        "it ends after " + counted(reader.layers(), "layer") + " of " + std::to_string(*announced) + "; copy it again",
        "line " + std::to_string(lines.size())};
  }
  return reader.source(header, *announced);
}

}  // namespace p2::inline workload
