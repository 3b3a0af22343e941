// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/chakra_import.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/counted.h"
#include "base/numbers.h"
#include "text/json_stream.h"
#include "workload/import/chakra_node.h"
#include "workload/import/entry_tally.h"
#include "workload/import/import_notes.h"
#include "workload/import/json_pieces.h"
#include "workload/import/protobuf_wire.h"
#include "workload/import/torch_names.h"

namespace p2::inline workload {
namespace {

constexpr std::int64_t kMostRank = std::int64_t{1} << 31;
/// Collectives without a process group join every rank.
const std::string kAllRanks = "all ranks";

std::optional<CommunicationKind> chakraKind(std::int64_t type) {
  switch (type) {
    case 0:
      return CommunicationKind::AllReduce;
    case 1:
      return CommunicationKind::Reduce;
    case 2:
      return CommunicationKind::AllGather;
    case 5:
      return CommunicationKind::Broadcast;
    case 6:
      return CommunicationKind::AllToAll;
    case 7:
    case 8:
      return CommunicationKind::ReduceScatter;
    default:
      return std::nullopt;
  }
}

class ChakraReader {
 public:
  Result<void> take(const ChakraNode& node);
  Result<void> takeGroups(std::string_view json);
  Result<WorkloadSource> source();

 private:
  Result<NamedGroups> groupsOfTrace();
  void takeTorchGroups(std::string_view values);

  EntryTally m_tally;  // comm_size as it stands
  std::map<std::string, std::vector<std::int64_t>> m_ranks;
  std::map<std::string, std::int64_t> m_skipped;
  std::int64_t m_nodes = 0;
  std::int64_t m_received = 0;
};

Result<void> ChakraReader::take(const ChakraNode& node) {
  ++m_nodes;
  if (!node.groups.empty()) takeTorchGroups(node.groups);
  if (node.type == ChakraNode::Type::Other) return {};
  if (node.type == ChakraNode::Type::Receive) {
    ++m_received;
    return {};
  }
  const bool send = node.type == ChakraNode::Type::Send;
  const auto kind = send ? CommunicationKind::Shift : chakraKind(node.kind);
  const char* problem = nullptr;
  if (node.bytes == -1)
    problem = "communication node without comm_size, calls of what runs later among them";
  else if (node.bytes < 1)
    problem = "communication node of no bytes";
  else if (!kind)
    problem = "communication node of no kind of a workload";
  else if (send && node.group.empty())
    problem = "send without a process group";
  else if (node.group.empty() && !node.everyDimension)
    problem = "collective over some dimensions of the simulated network";
  if (problem != nullptr) {
    ++m_skipped[problem];
    return {};
  }
  const std::string group = node.group.empty() ? kAllRanks : shownName(node.group);
  m_tally.add({std::string(nameOf(*kind)) + " of " + group, group, *kind, node.bytes});
  if (m_tally.rows().size() > kMostWorkloadEntries) return Error{"more than 100000 different collectives"};
  return {};
}

/// comm_group.json.
Result<void> ChakraReader::takeGroups(std::string_view json) {
  JsonStream in{std::string(json)};
  in.object("groups are an object of lists of ranks", [&](std::string_view key) {
    auto& ranks = m_ranks[shownName(key)];
    in.list("a group is a list of ranks", [&](std::size_t) { ranks.push_back(in.whole(0, kMostRank - 1, "a rank")); });
  });
  in.finish();
  if (in.failed()) return in.problem();
  return {};
}

/// The process groups that PyTorch writes into a node of their own: a list of objects within the text of a list.
void ChakraReader::takeTorchGroups(std::string_view values) {
  const std::size_t begin = values.find("[{");
  const std::size_t end = values.rfind("}]");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return;
  std::string json(values.substr(begin, end + 2 - begin));
  std::erase(json, '\\');
  JsonStream in{json};
  std::map<std::string, std::vector<std::int64_t>> found;
  in.list("process groups", [&](std::size_t) {
    std::string name;
    std::vector<std::int64_t> ranks;
    in.object("a process group", [&](std::string_view key) {
      if (key == "pg_name" && in.kind() == JsonStream::Kind::Text) {
        name = shownName(in.text("a name"));
      } else if (key == "ranks" && in.kind() == JsonStream::Kind::List) {
        in.list("ranks", [&](std::size_t) { ranks.push_back(in.whole(0, kMostRank - 1, "a rank")); });
      } else {
        in.skip();
      }
    });
    found[name] = ranks;
  });
  // What comm_group.json says stands.
  if (!in.failed()) m_ranks.merge(found);
}

Result<NamedGroups> ChakraReader::groupsOfTrace() {
  NamedGroups groups;
  for (const auto& [name, ranks] : m_ranks) {
    for (const std::int64_t rank : ranks) groups.world = std::max(groups.world, rank + 1);
  }
  const auto everyMember =
      static_cast<std::size_t>(std::count_if(m_tally.rows().begin(), m_tally.rows().end(),
                                             [](const auto& counted) { return counted.first.group == kAllRanks; }));
  for (const auto& [row, times] : m_tally.rows()) {
    if (groups.groups.count(row.group) > 0) continue;
    const auto ranks = m_ranks.find(row.group);
    if (m_ranks.empty() || (row.group != kAllRanks && ranks == m_ranks.end())) {
      return Error{(row.group == kAllRanks ? "the trace does not say how many ranks there are"
                                           : "the ranks of process group \"" + row.group + "\" are not known") +
                   std::string("; name its comm_group.json as well, which has {\"0\": [0, 1, …]}")};
    }
    if (row.group == kAllRanks || ranks->second.empty()) {
      groups.groups[row.group] = {{1, groups.world}};
    } else if (const auto blocks = blocksOf(ranks->second)) {
      groups.groups[row.group] = *blocks;
    }
    const bool number = row.group.find_first_not_of("0123456789") == std::string::npos;
    groups.axisNames[row.group] = number || row.group == kAllRanks ? "" : axisNameFrom(row.group);
    if (m_tally.rows().size() == everyMember) groups.axisNames[row.group] = "world";
  }
  return groups;
}

Result<WorkloadSource> ChakraReader::source() {
  WorkloadSource source;
  source.workload.name = "Chakra trace";
  if (m_tally.rows().empty()) {
    const std::string first =
        m_skipped.empty() ? "" : "; " + std::to_string(m_skipped.begin()->second) + " × " + m_skipped.begin()->first;
    return Error{"the trace has no collective with a kind and a size" + first};
  }
  P2_TRY_ASSIGN(const NamedGroups groups, groupsOfTrace());
  EntryTally full;
  for (const auto& [row, times] : m_tally.rows()) {
    EntryTally::Row whole = row;
    const auto blocks = groups.groups.find(row.group);
    std::int64_t ranks = 1;
    if (blocks != groups.groups.end()) {
      for (const RankBlock& block : blocks->second) ranks *= block.size;
    }
    const auto bytes = row.kind == CommunicationKind::AllGather ? checkedProduct(row.bytes, ranks) : row.bytes;
    if (!bytes) return Error{"an AllGather of " + countedText(row.bytes, "byte") + " of each rank leaves 63 bits"};
    whole.bytes = *bytes;
    full.add(whole, times);
  }
  source.understood = {counted(groups.world, "rank"), counted(m_nodes, "node")};
  source.assumed = {"the whole trace is one step", "comm_size of an AllGather is the input of one rank",
                    "everything is exposed: overlap with computation is not read"};
  if (m_received > 0) source.ignored.push_back(counted(m_received, "receive") + ": the other ends of sends");
  for (const auto& [what, count] : m_skipped) source.ignored.push_back(std::to_string(count) + " × " + what);
  P2_TRY(addEntries(full, groups, 1, source));
  return source;
}

/// Hands out messages, each behind its length, as they come complete.
template <class Take>
Result<void> readMessages(ByteSource& source, const std::stop_token& stop, const Progress& progress, Take&& take) {
  constexpr std::size_t kMostMessage = std::size_t{32} << 20;
  std::string held;
  std::int64_t count = 0;
  const auto wrong = [&](const std::string& message) { return Error{message, "message " + std::to_string(count)}; };
  for (;;) {
    if (stop.stop_requested()) return cancelledError();
    P2_TRY_ASSIGN(const std::string_view bytes, source.next());
    if (bytes.empty()) break;
    held += bytes;
    std::string_view left = held;
    for (;;) {
      std::string_view rest = left;
      const auto size = takeVarint(rest);
      if (size && *size > kMostMessage) return wrong("a message of more than 32 MiB; the file is damaged");
      if (!size && left.size() >= 10) return wrong("no length of a message; the file is damaged");
      if (!size || *size > rest.size()) break;
      if (const auto taken = take(rest.substr(0, *size), count); !taken.ok()) return wrong(taken.error().message);
      left = rest.substr(*size);
      ++count;
    }
    held.erase(0, held.size() - left.size());
    if (progress) progress(source.done());
  }
  if (!held.empty()) return wrong("the file breaks off in the middle of it; copy it again");
  return {};
}

/// "nodes" of symbolic_tensor_graph or "workload_graph" of Chakra's tools, which a beginning of some KiB tells.
Result<void> readJsonNodes(ByteSource& source, const std::stop_token& stop, const Progress& progress,
                           const JsonPieces::Item& item) {
  constexpr std::size_t kBeginningBytes = std::size_t{64} << 10;
  const auto member = [](std::string_view, std::string_view) { return Result<void>(); };
  std::string held;
  std::optional<JsonPieces> pieces;
  for (bool over = false; !over;) {
    if (stop.stop_requested()) return cancelledError();
    P2_TRY_ASSIGN(std::string_view bytes, source.next());
    over = bytes.empty();
    if (!pieces) {
      held += bytes;
      if (!over && held.size() < kBeginningBytes) continue;
      pieces.emplace(held.find("\"workload_graph\"") == std::string::npos ? "nodes" : "workload_graph", member, item);
      bytes = held;
    }
    P2_TRY(pieces->feed(bytes));
    if (progress) progress(source.done());
  }
  return pieces->finish();
}

}  // namespace

Result<WorkloadSource> readChakra(ByteSource& source, FileKind kind, const NamedJson& groups,
                                  const std::stop_token& stop, const Progress& progress) {
  ChakraReader reader;
  if (!groups.text.empty()) P2_TRY(reader.takeGroups(groups.text).within(groups.name));
  const auto takeNode = [&](const Result<ChakraNode>& node) -> Result<void> {
    return node.ok() ? reader.take(*node) : Result<void>(node.error());
  };
  if (kind == FileKind::ChakraBinary) {
    P2_TRY(readMessages(source, stop, progress, [&](std::string_view message, std::int64_t index) {
      return index == 0 ? Result<void>() : takeNode(chakraNodeFrom(message));  // the first is the metadata
    }));
    return reader.source();
  }
  const auto item = [&](std::string_view json) { return takeNode(chakraNodeFromJson(json)); };
  P2_TRY(readJsonNodes(source, stop, progress, item));
  return reader.source();
}

}  // namespace p2::inline workload
