// SPDX-License-Identifier: GPL-3.0-or-later
// Execution plans of MSCCL++ (src/core/executor/execution_plan.cc reads them).
#include <limits>
#include <sstream>

#include "exporters/detail/mscclpp_schedule.h"
#include "exporters/detail/formats.h"
#include "synthesis/instruction.h"
#include "text/json_writer.h"

namespace p2::inline exporters {
namespace {

using Layout = JsonWriter::Layout;

int placeOf(const std::set<int>& peers, int peer) {
  return static_cast<int>(std::distance(peers.begin(), peers.find(peer)));
}

void writeNumbers(JsonWriter& json, const std::vector<std::int64_t>& numbers) {
  json.beginArray(Layout::OneLine);
  for (const std::int64_t number : numbers) json.whole(number);
  json.end();
}

std::vector<std::int64_t> countedUp(std::size_t count) {
  std::vector<std::int64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<std::int64_t>(i);
  return numbers;
}

/// Both buffers of every peer: the vector at an even number, the scratch buffer at the odd one after it.
int bufferOf(const MscclppRank& rank, const MscclppPiece& piece, bool port) {
  return 2 * placeOf(port ? rank.portPeers : rank.memoryPeers, piece.peer) + (piece.buffer == 's' ? 1 : 0);
}

void writePieces(JsonWriter& json, const MscclppRank& rank, const std::vector<MscclppPiece>& pieces, bool port) {
  json.beginArray(Layout::OneLine);
  for (const MscclppPiece& piece : pieces) {
    json.beginObject(Layout::OneLine);
    if (piece.peer < 0) {
      json.key("type").text(std::string(1, piece.buffer));
    } else {
      json.key("buffer_id").whole(bufferOf(rank, piece, port));
    }
    json.key("index").whole(piece.index).key("size").whole(piece.size).end();
  }
  json.end();
}

void writeOperation(JsonWriter& json, const MscclppRank& rank, const MscclppOperation& operation) {
  json.beginObject(Layout::OneLine).key("name").text(operation.name);
  if (!operation.from.empty()) {
    json.key("src_buff");
    writePieces(json, rank, operation.from, operation.port);
    json.key("dst_buff");
    writePieces(json, rank, operation.to, operation.port);
  }
  if (!operation.peers.empty()) {
    std::vector<std::int64_t> channels;
    for (const int peer : operation.peers) {
      channels.push_back(placeOf(operation.port ? rank.portPeers : rank.memoryPeers, peer));
    }
    json.key("channel_ids");
    writeNumbers(json, channels);
  }
  if (operation.name == "re") json.key("reduce_op").text("sum");
  if (operation.name != "re" && operation.name != "nop")
    json.key("channel_type").text(operation.port ? "port" : "memory");
  json.end();
}

/// Calls for each type of channel that the rank uses.
template <class Visit>
void forEachType(const MscclppRank& rank, const Visit& visit) {
  if (!rank.memoryPeers.empty()) visit("memory", rank.memoryPeers);
  if (!rank.portPeers.empty()) visit("port", rank.portPeers);
}

void writeBlock(JsonWriter& json, const MscclppRank& rank) {
  json.beginObject().key("id").whole(0).key("ops").beginArray();
  for (const MscclppOperation& operation : rank.operations) writeOperation(json, rank, operation);
  json.end().key("channels").beginArray();
  forEachType(rank, [&](const char* type, const std::set<int>& peers) {
    json.beginObject(Layout::OneLine).key("channel_type").text(type).key("channel_ids");
    writeNumbers(json, countedUp(peers.size()));
    json.end();
  });
  json.end().key("remote_buffer_refs").beginArray();
  std::int64_t first = 0;
  forEachType(rank, [&](const char* type, const std::set<int>& peers) {
    std::vector<std::int64_t> ids = countedUp(2 * peers.size());
    for (std::int64_t& id : ids) id += first;
    first += static_cast<std::int64_t>(ids.size());
    json.beginObject(Layout::OneLine).key("access_channel_type").text(type).key("remote_buffer_ids");
    writeNumbers(json, ids);
    json.end();
  });
  json.end().end();
}

void writeRank(JsonWriter& json, const MscclppSchedule& schedule, std::size_t number) {
  const MscclppRank& rank = schedule.ranks[number];
  json.beginObject().key("id").whole(static_cast<std::int64_t>(number));
  json.key("input_chunks").whole(schedule.input).key("output_chunks").whole(schedule.output);
  json.key("scratch_chunks").whole(schedule.scratch).key("threadblocks").beginArray();
  writeBlock(json, rank);
  json.end().key("channels").beginArray();
  forEachType(rank, [&](const char* type, const std::set<int>& peers) {
    json.beginObject(Layout::OneLine).key("channel_type").text(type).key("connected_to");
    writeNumbers(json, {peers.begin(), peers.end()});
    json.end();
  });
  json.end().key("remote_buffers").beginArray();
  forEachType(rank, [&](const char* type, const std::set<int>& peers) {
    for (const int peer : peers) {
      for (const char buffer : {schedule.buffer, 's'}) {
        json.beginObject(Layout::OneLine).key("rank").whole(peer).key("type").text(std::string(1, buffer));
        json.key("access_channel_types").beginArray(Layout::OneLine).text(type).end().end();
      }
    }
  });
  json.end().key("semaphores").beginArray().end().end();
}

}  // namespace

Result<std::string> planToMscclpp(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const auto schedule, mscclppSchedule(plan));
  std::string name = "p2";
  for (const PlanStep& step : plan.steps()) name += "_" + std::string(shortNameOf(step.collective));
  std::ostringstream out;
  JsonWriter json(out);
  json.beginObject().key("name").text(name).key("collective").text(schedule.collective).key("protocol").text("Simple");
  json.key("inplace").boolean(true).key("reuse_resources").boolean(false).key("num_threads_per_block").whole(1024);
  json.key("use_double_scratch_buffer").boolean(false).key("buffer_alignment").whole(16);
  json.key("min_message_size").whole(0).key("max_message_size").whole(std::numeric_limits<std::int64_t>::max());
  json.key("gpus").beginArray();
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) writeRank(json, schedule, rank);
  json.end().end();
  return out.str();
}

}  // namespace p2::inline exporters
